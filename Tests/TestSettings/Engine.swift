import Foundation

/// The engine of the stores that tests make without saying where: SQLite, or a PostgreSQL server where the environment
/// variable `BROKER_ENGINE` is `postgresql`.
package enum Engine {
  package static let isServer = ProcessInfo.processInfo.environment["BROKER_ENGINE"] == "postgresql"
}

import Broker
import Foundation
import TestSettings

#if PostgreSQL
  import PostgreSQLServer
#endif

extension StoreLocation {
  #if PostgreSQL
    private static let database = Result { try PostgreSQLServer.required().makeDatabase() }
  #endif

  /// An empty place that only the test has: in memory, or with BROKER_ENGINE=postgresql a schema of a database, where most of
  /// the same tests pass: what that engine does not offer is in docs/POSTGRESQL.md.
  static var scratch: StoreLocation {
    #if PostgreSQL
      if Engine.isServer, let url = try? database.get() {
        return .postgreSQL(url, schema: "t\(UUID().uuidString)")
      }
    #endif
    return .memory
  }
}

import TestSettings
import Testing

extension Trait where Self == ConditionTrait {
  /// For what only stores in SQLite have: its SQL, SQL of a program's own, its limits, backups, and digits beyond
  /// microseconds. With BROKER_ENGINE=postgresql, the other tests run on a server.
  static var onSQLite: Self { .enabled(if: !Engine.isServer, "SQLite only") }
}

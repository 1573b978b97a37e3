import TestSettings
import Testing

extension Trait where Self == ConditionTrait {
  /// For what is about files or SQLite's own SQL. With BROKER_ENGINE=postgresql, the other tests run with stores on a server.
  static func onSQLite(_ reason: Comment) -> Self { .enabled(if: !Engine.isServer, reason) }
}

import TestSettings
import Testing

extension Trait where Self == ConditionTrait {
  /// For what is about files, or what a server does not offer (docs/POSTGRESQL.md). With BROKER_ENGINE=postgresql, the other
  /// tests run with stores on a server.
  static func onSQLite(_ reason: Comment) -> Self { .enabled(if: !Engine.isServer, reason) }
}

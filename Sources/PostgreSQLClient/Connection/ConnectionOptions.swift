#if PostgreSQL
  /// What a connection is opened with beside its connection string.
  package struct PostgreSQLConnectionOptions: Sendable {
    /// Shown by `pg_stat_activity`, unless the connection string names another.
    package var applicationName: String
    /// Seconds until opening fails, unless the connection string has a `connect_timeout`.
    package var connectTimeout: Int

    package init(applicationName: String = "broker", connectTimeout: Int = 10) {
      self.applicationName = applicationName
      self.connectTimeout = connectTimeout
    }
  }
#endif

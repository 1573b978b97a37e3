#if PostgreSQL
  /// A value for a parameter, for statements whose speed does not matter.
  ///
  /// `PostgreSQLParameters` takes the same values without making one of these.
  package enum PostgreSQLValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case int8(Int64)
    case float8(Double)
    case text(String)
    case bytea([UInt8])
    /// Microseconds since 2000-01-01 00:00 UTC.
    case timestamptz(Int64)
    /// Days since 2000-01-01.
    case date(Int32)
    case uuid(PostgreSQLUUID)
    /// A decimal number as text: its digits are kept.
    case numeric(String)
  }
#endif

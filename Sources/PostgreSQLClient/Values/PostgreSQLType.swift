#if PostgreSQL
  /// A type of the server, by its object identifier.
  package struct PostgreSQLType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The server infers the type from the statement.
    package static let inferred = PostgreSQLType(rawValue: 0)
    package static let bool = PostgreSQLType(rawValue: 16)
    package static let bytea = PostgreSQLType(rawValue: 17)
    package static let int8 = PostgreSQLType(rawValue: 20)
    package static let int2 = PostgreSQLType(rawValue: 21)
    package static let int4 = PostgreSQLType(rawValue: 23)
    package static let text = PostgreSQLType(rawValue: 25)
    package static let json = PostgreSQLType(rawValue: 114)
    package static let float4 = PostgreSQLType(rawValue: 700)
    package static let float8 = PostgreSQLType(rawValue: 701)
    package static let date = PostgreSQLType(rawValue: 1082)
    package static let timestamptz = PostgreSQLType(rawValue: 1184)
    package static let numeric = PostgreSQLType(rawValue: 1700)
    package static let uuid = PostgreSQLType(rawValue: 2950)
    package static let jsonb = PostgreSQLType(rawValue: 3802)
  }
#endif

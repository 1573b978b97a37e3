#if PostgreSQL
  /// A value that does not have the form its type demands.
  package enum PostgreSQLDataError: Error, Sendable, Equatable, CustomStringConvertible {
    /// NULL where a value is expected.
    case unexpectedNull
    /// The bytes are not the binary form of this type.
    case malformed(type: String)
    /// The text is no decimal number that `numeric` can hold.
    case notNumeric
    /// A value of 1 GB or more.
    case tooLong
    /// More parameters than a statement can have, or more columns than a row.
    case tooMany

    package var description: String {
      switch self {
      case .unexpectedNull: "NULL where a value is expected"
      case .malformed(let type): "the server sent bytes that are no \(type)"
      case .notNumeric: "not a decimal number that the type numeric can hold"
      case .tooLong: "a value of 1 GB or more"
      case .tooMany: "too many values"
      }
    }
  }
#endif

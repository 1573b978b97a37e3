#if PostgreSQL
  extension PostgreSQLParameters {
    /// Appends a list as one parameter. Its elements are the values of other parameters, all of one type.
    package func append(
      array elements: PostgreSQLParameters, of type: PostgreSQLType
    ) throws(PostgreSQLDataError) {
      let header = PostgreSQLBuffer(capacity: 32 + elements.buffer.count)
      header.append(bigEndian: Int32(elements.count == 0 ? 0 : 1))
      header.append(bigEndian: Int32(1))
      header.append(bigEndian: type.rawValue)
      if elements.count > 0 {
        guard let count = Int32(exactly: elements.count) else { throw .tooMany }
        header.append(bigEndian: count)
        header.append(bigEndian: Int32(1))
        header.append(bytes: elements.buffer.bytes)
      }
      try append(bytes: header.bytes, type.array)
    }

    /// One parameter, a list of numbers.
    package convenience init(array numbers: [Int64]) throws(PostgreSQLDataError) {
      self.init()
      let elements = PostgreSQLParameters()
      for number in numbers { elements.append(int8: number) }
      try append(array: elements, of: .int8)
    }
  }

  extension PostgreSQLType {
    /// The type of lists of such values.
    package var array: PostgreSQLType {
      switch self {
      case .bool: PostgreSQLType(rawValue: 1000)
      case .bytea: PostgreSQLType(rawValue: 1001)
      case .int8: PostgreSQLType(rawValue: 1016)
      case .text: PostgreSQLType(rawValue: 1009)
      case .float8: PostgreSQLType(rawValue: 1022)
      case .timestamptz: PostgreSQLType(rawValue: 1185)
      case .numeric: PostgreSQLType(rawValue: 1231)
      case .uuid: PostgreSQLType(rawValue: 2951)
      default: .inferred
      }
    }
  }
#endif

#if PostgreSQL
  import PostgreSQLClient

  /// An array of values as one parameter of a statement.
  final class ArrayParameter: ValueSink {
    private let buffer = PostgreSQLBuffer(capacity: 1 << 12)
    private let element: PostgreSQLType
    private var count = 0

    init(_ element: PostgreSQLType) { self.element = element }

    func append(to parameters: PostgreSQLParameters) throws {
      let array = PostgreSQLBuffer(capacity: buffer.count + 20)
      // The dimensions, whether there are nulls, the type, the length, the first index.
      array.append(bigEndian: Int32(count == 0 ? 0 : 1))
      array.append(bigEndian: Int32(0))
      array.append(bigEndian: element.rawValue)
      if count > 0 {
        array.append(bigEndian: Int32(truncatingIfNeeded: count))
        array.append(bigEndian: Int32(1))
        array.append(bytes: buffer.bytes)
      }
      try parameters.append(bytes: array.bytes, element.array)
    }

    // MARK: - Elements

    /// A null, which no key has, so that the array need not say that it has some.
    func appendNull(of type: PostgreSQLType) {}

    func append(bool value: Bool) {
      buffer.appendField(bool: value)
      count += 1
    }

    func append(int8 value: Int64) {
      buffer.appendField(integer: value)
      count += 1
    }

    func append(float8 value: Double) {
      buffer.appendField(float8: value)
      count += 1
    }

    func append(timestamptz value: Int64) { append(int8: value) }

    func append(uuid value: PostgreSQLUUID) {
      buffer.appendField(uuid: value)
      count += 1
    }

    func append(text: UnsafeBufferPointer<UInt8>) throws(PostgreSQLDataError) {
      try append(bytea: UnsafeRawBufferPointer(text))
    }

    func append(bytea bytes: UnsafeRawBufferPointer) throws(PostgreSQLDataError) {
      try buffer.appendField(bytes: bytes)
      count += 1
    }

    func append(numeric text: UnsafeBufferPointer<UInt8>) throws(PostgreSQLDataError) {
      try buffer.appendField(numeric: text)
      count += 1
    }
  }

  extension PostgreSQLType {
    /// The type of arrays of it.
    var array: PostgreSQLType {
      switch self {
      case .bool: PostgreSQLType(rawValue: 1000)
      case .bytea: PostgreSQLType(rawValue: 1001)
      case .int8: PostgreSQLType(rawValue: 1016)
      case .float8: PostgreSQLType(rawValue: 1022)
      case .timestamptz: PostgreSQLType(rawValue: 1185)
      case .numeric: PostgreSQLType(rawValue: 1231)
      case .uuid: PostgreSQLType(rawValue: 2951)
      default: PostgreSQLType(rawValue: 1009)
      }
    }
  }
#endif

#if PostgreSQL
  /// The values of a statement's parameters, in binary.
  ///
  /// One instance serves many executions: `removeAll`, append the values, execute. No value allocates memory.
  package final class PostgreSQLParameters {
    let buffer = PostgreSQLBuffer(capacity: 512)
    private var offsets: [Int] = []
    private(set) var types: [UInt32] = []
    // The arrays that libpq wants, kept so that their memory is used again.
    private var pointers: [UnsafePointer<CChar>?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    package init() {}

    package var count: Int { types.count }

    package func removeAll() {
      buffer.removeAll(keepingAtMost: 1 << 20)
      offsets.removeAll(keepingCapacity: true)
      types.removeAll(keepingCapacity: true)
    }

    private func began(_ type: PostgreSQLType, at offset: Int) {
      offsets.append(offset)
      types.append(type.rawValue)
    }

    /// - Parameter type: Needed only where the server cannot infer it.
    package func appendNull(_ type: PostgreSQLType = .inferred) {
      began(type, at: buffer.count)
      buffer.appendNullField()
    }

    package func append(bool value: Bool) {
      began(.bool, at: buffer.count)
      buffer.appendField(bool: value)
    }

    package func append(int4 value: Int32) {
      began(.int4, at: buffer.count)
      buffer.appendField(integer: value)
    }

    package func append(int8 value: Int64) {
      began(.int8, at: buffer.count)
      buffer.appendField(integer: value)
    }

    package func append(float8 value: Double) {
      began(.float8, at: buffer.count)
      buffer.appendField(float8: value)
    }

    /// - Parameter value: Microseconds since 2000-01-01 00:00 UTC.
    package func append(timestamptz value: Int64) {
      began(.timestamptz, at: buffer.count)
      buffer.appendField(integer: value)
    }

    /// - Parameter value: Days since 2000-01-01.
    package func append(date value: Int32) {
      began(.date, at: buffer.count)
      buffer.appendField(integer: value)
    }

    package func append(uuid value: PostgreSQLUUID) {
      began(.uuid, at: buffer.count)
      buffer.appendField(uuid: value)
    }

    package func append(text: UnsafeBufferPointer<UInt8>) throws(PostgreSQLDataError) {
      try append(bytes: UnsafeRawBufferPointer(text), .text)
    }

    package func append(text: String) throws {
      var text = text
      try text.withUTF8 { try append(text: $0) }
    }

    package func append(bytea bytes: UnsafeRawBufferPointer) throws(PostgreSQLDataError) {
      try append(bytes: bytes, .bytea)
    }

    /// Appends a value that is in the binary form of its type already.
    package func append(bytes: UnsafeRawBufferPointer, _ type: PostgreSQLType) throws(PostgreSQLDataError) {
      let offset = buffer.count
      try buffer.appendField(bytes: bytes)
      began(type, at: offset)
    }

    /// - Throws: `notNumeric` for a text that is no decimal number. Nothing is appended then.
    package func append(numeric text: UnsafeBufferPointer<UInt8>) throws(PostgreSQLDataError) {
      let offset = buffer.count
      try buffer.appendField(numeric: text)
      began(.numeric, at: offset)
    }

    package func append(_ value: PostgreSQLValue) throws {
      switch value {
      case .null: appendNull()
      case .bool(let value): append(bool: value)
      case .int8(let value): append(int8: value)
      case .float8(let value): append(float8: value)
      case .text(let value): try append(text: value)
      case .bytea(let value): try value.withUnsafeBytes { try append(bytea: $0) }
      case .timestamptz(let value): append(timestamptz: value)
      case .date(let value): append(date: value)
      case .uuid(let value): append(uuid: value)
      case .numeric(var value): try value.withUTF8 { try append(numeric: $0) }
      }
    }

    /// The arrays that libpq takes.
    struct Arrays {
      var count: Int32
      var types: UnsafePointer<UInt32>?
      var values: UnsafePointer<UnsafePointer<CChar>?>?
      var lengths: UnsafePointer<Int32>?
      var formats: UnsafePointer<Int32>?
    }

    func withArrays<Result>(_ body: (Arrays) throws -> Result) throws -> Result {
      guard count <= 65_535 else { throw PostgreSQLDataError.tooMany }
      pointers.removeAll(keepingCapacity: true)
      lengths.removeAll(keepingCapacity: true)
      if formats.count < count { formats = Array(repeating: 1, count: count) }
      let bytes = buffer.bytes
      for offset in offsets {
        let length = Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
        let value = bytes.baseAddress.map { ($0 + offset + 4).assumingMemoryBound(to: CChar.self) }
        pointers.append(length < 0 ? nil : value)
        lengths.append(max(0, length))
      }
      return try types.withUnsafeBufferPointer { types in
        try pointers.withUnsafeBufferPointer { pointers in
          try lengths.withUnsafeBufferPointer { lengths in
            try formats.withUnsafeBufferPointer { formats in
              try body(
                Arrays(
                  count: Int32(types.count), types: types.baseAddress, values: pointers.baseAddress,
                  lengths: lengths.baseAddress, formats: formats.baseAddress))
            }
          }
        }
      }
    }
  }

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
  }
#endif

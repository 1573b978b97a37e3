import ObjectStore

/// Gives the columns of a row to a `Decodable` type, by their names.
struct SQLRowDecoder: Decoder {
  let row: SQLRow
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// A row as a value of a type. A row of one column can be that value itself.
  static func decode<Value: Decodable>(_ row: SQLRow, as type: Value.Type) throws -> Value {
    if row.values.count == 1, let value = try SQLValueDecoder(row.values[0], []).plain(type) { return value }
    return try Value(from: SQLRowDecoder(row: row))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Columns<Key>(row: row))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw DecodingError.typeMismatch(
      [Any].self, DecodingError.Context(codingPath: [], debugDescription: "A row is no list."))
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard let value = row.values.first, row.values.count == 1 else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: "A row of \(row.values.count) columns is no single value."))
    }
    return SQLValueDecoder(value, [])
  }
}

private struct Columns<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: SQLRow
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.columns.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { row[key.stringValue] != nil }

  private func decoder(_ key: Key) throws -> SQLValueDecoder {
    guard let value = row[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, DecodingError.Context(codingPath: [], debugDescription: "There is no column \(key.stringValue).")
      )
    }
    return SQLValueDecoder(value, [key])
  }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { SQLRowDecoder(row: row) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

/// Gives the value of a column.
private struct SQLValueDecoder: Decoder, SingleValueDecodingContainer {
  private let value: SQLValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ value: SQLValue, _ codingPath: [any CodingKey]) {
    self.value = value
    self.codingPath = codingPath
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw mismatch(type)
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw mismatch([Any].self) }

  func decodeNil() -> Bool { value == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let value = try plain(type) { return value }
    // Lists and structs are kept as JSON.
    if case .text(var text) = value, let first = text.utf8.first, first == 0x7B || first == 0x5B {
      return try text.withUTF8 { try NestedJSON.value($0, as: type) }
    }
    return try Value(from: self)
  }

  /// The value, if attributes can have the type as it is.
  func plain<Value>(_ type: Value.Type) throws -> Value? {
    if let whole = type as? any FixedWidthInteger.Type {
      guard case .integer(let integer) = value, let number = Self.number(integer, whole) as? Value else {
        throw mismatch(type)
      }
      return number
    }
    guard let stored = type as? any AttributeValue.Type else { return nil }
    guard let value = stored.init(stored: value) as? Value else { throw mismatch(type) }
    return value
  }

  private static func number<Number: FixedWidthInteger>(_ integer: Int64, _ type: Number.Type) -> Any? {
    Number(exactly: integer)
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    let text = "Expected \(type), found \(ReadError.text(of: value))."
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: text)
    return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

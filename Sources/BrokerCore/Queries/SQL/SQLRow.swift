public import ObjectStore

/// A row of an SQL statement.
public struct SQLRow: Sendable, Hashable {
  /// The names of the columns, in their order.
  public let columns: [String]
  /// The values, in the order of the columns.
  public let values: [SQLValue]

  /// The value of the first column with a name, as the store keeps it; nil if there is no such column.
  public subscript(name: String) -> SQLValue? { columns.firstIndex(of: name).map { values[$0] } }

  /// The value of a column.
  ///
  /// - Throws: ``ReadError`` if there is no such column, or its value is not of the type.
  public func value<Value: AttributeValue>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
    let stored = try stored(name)
    guard let value = Value(stored: stored) else { throw mismatch(name, stored, Value.self) }
    return value
  }

  /// The value of a column that may be null.
  ///
  /// - Throws: ``ReadError`` if there is no such column, or its value is not of the type.
  public func value<Value: AttributeValue>(_ name: String, as type: Value?.Type = Value?.self) throws
    -> Value?
  {
    let stored = try stored(name)
    if stored == .null { return nil }
    guard let value = Value(stored: stored) else { throw mismatch(name, stored, Value.self) }
    return value
  }

  private func stored(_ name: String) throws -> SQLValue {
    if let stored = self[name] { return stored }
    throw ReadError(
      entity: "", property: name, expected: "a column of this name", found: columns.joined(separator: ", "))
  }

  private func mismatch(_ name: String, _ value: SQLValue, _ type: Any.Type) -> ReadError {
    ReadError(entity: "", property: name, expected: "\(type)", found: ReadError.text(of: value))
  }
}

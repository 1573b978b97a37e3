import Foundation
import ObjectStore

/// An SQL statement. Interpolated values are bound to parameters, never pasted into the text.
///
/// ```swift
/// let statement: SQLStatement = "SELECT * FROM \(Band.self) WHERE name LIKE \(pattern)"
/// ```
///
/// Tables have the names of the root entities, and columns have those of the attributes. Values are written as the
/// store keeps them: a `Date` as text in UTC, a `Decimal` as text, an enumeration as its raw value, a link as the
/// identity. A list of values becomes a list in parentheses, for `IN`. A type becomes the name of its table. Another
/// statement becomes a part of this one.
public struct SQLStatement: Sendable, ExpressibleByStringInterpolation {
  enum Part: Sendable {
    case text(String)
    case value(SQLValue)
    case table(entity: String)
  }

  var parts: [Part]
  /// Why it cannot be run; nil if it can.
  var problem: String?

  /// A statement without values.
  public init(stringLiteral text: String) { parts = [.text(text)] }

  public init(stringInterpolation: StringInterpolation) {
    parts = stringInterpolation.parts
    problem = stringInterpolation.problem
  }

  /// The text with parameters, and the values for these.
  ///
  /// - Throws: ``QueryError`` if a value cannot be stored, or a type is no entity of the store.
  func rendered(_ layout: Layout) throws -> (sql: String, arguments: [SQLValue]) {
    if let problem { throw QueryError(problem) }
    var sql = ""
    var arguments: [SQLValue] = []
    for part in parts {
      switch part {
      case .text(let text): sql += text
      case .value(let value):
        arguments.append(value)
        sql += "?\(arguments.count)"
      case .table(let entity):
        guard let found = layout.schema.entity(entity) else {
          throw QueryError("\(entity) is no entity of the store")
        }
        sql += SQL.quoted(layout.table(of: found.index).name)
      }
    }
    return (sql, arguments)
  }

  /// A part of a statement.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var parts: [Part] = []
    var problem: String?

    public init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(2 * interpolationCount + 1)
    }

    public mutating func appendLiteral(_ literal: String) { parts.append(.text(literal)) }

    private mutating func append(_ value: SQLValue, _ type: Any.Type) {
      if value == .null { problem = "a \(type) is a value that cannot be stored" }
      parts.append(.value(value))
    }

    /// A value.
    public mutating func appendInterpolation(_ value: some AttributeValue) {
      append(value.storedValue, type(of: value))
    }

    /// A value, or `NULL`.
    public mutating func appendInterpolation<Value: AttributeValue>(_ value: Value?) {
      guard let value else { return parts.append(.value(.null)) }
      append(value.storedValue, Value.self)
    }

    /// The raw value of an enumeration.
    public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
    where Value.RawValue: AttributeValue {
      append(value.rawValue.storedValue, Value.self)
    }

    /// The identity of a link's target. If it has several parts, they are in parentheses.
    public mutating func appendInterpolation<Target: Storable>(_ link: ToOne<Target>) {
      let key = Target.storedParts(of: link.id)
      guard key.count != 1 else { return parts.append(.value(key[0])) }
      appendList(key)
    }

    /// Values in parentheses.
    public mutating func appendInterpolation<Value: AttributeValue>(_ values: [Value]) {
      let stored = values.map(\.storedValue)
      if stored.contains(.null) { problem = "a \(Value.self) is a value that cannot be stored" }
      appendList(stored)
    }

    /// The name of the table of a type.
    public mutating func appendInterpolation<Root: Storable>(_ type: Root.Type) {
      parts.append(.table(entity: Root.entityName))
    }

    /// Another statement, or a part of one.
    public mutating func appendInterpolation(_ statement: SQLStatement) {
      parts += statement.parts
      problem = problem ?? statement.problem
    }

    private mutating func appendList(_ values: [SQLValue]) {
      parts.append(.text("("))
      for (index, value) in values.enumerated() {
        if index > 0 { parts.append(.text(", ")) }
        parts.append(.value(value))
      }
      parts.append(.text(")"))
    }
  }
}

import ObjectStore

/// Reads values of a type from columns of a statement. How to do that is found out once, when the reader is made.
class ValueReader<Value> {
  /// Whether the type has room for a missing value.
  var isOptional: Bool { false }

  /// The value that begins in a column; nil if it is not of the type.
  func value(_ statement: any Cursor, _ column: Int) -> Value? { nil }

  /// The reader for a type; nil if properties cannot have the type.
  static func make() -> ValueReader? { ValueReaders.make(Value.self) as? ValueReader }
}

/// Finds the reader for a type.
private enum ValueReaders {
  static func make(_ type: Any.Type) -> AnyObject? {
    if let type = type as? any ReadableValue.Type { return type.makeReader() }
    if let type = type as? any AttributeValue.Type { return attribute(type) }
    if let type = type as? any IdentityValue.Type { return identity(type) }
    if let type = type as? any RawRepresentable.Type, let reader = enumeration(type) { return reader }
    if let type = type as? any Decodable.Type { return json(type) }
    return nil
  }

  private static func attribute<Value: AttributeValue>(_ type: Value.Type) -> AnyObject {
    AttributeReader<Value>()
  }

  private static func identity<Value: IdentityValue>(_ type: Value.Type) -> AnyObject {
    IdentityReader<Value>()
  }

  private static func enumeration<Value: RawRepresentable>(_ type: Value.Type) -> AnyObject? {
    guard let raw = ValueReader<Value.RawValue>.make() else { return nil }
    return EnumerationReader<Value>(raw)
  }

  private static func json<Value: Decodable>(_ type: Value.Type) -> AnyObject { JSONReader<Value>() }
}

/// A type that has a reader of its own.
private protocol ReadableValue {
  static func makeReader() -> AnyObject?
}

extension Optional: ReadableValue {
  fileprivate static func makeReader() -> AnyObject? {
    ValueReader<Wrapped>.make().map(OptionalReader<Wrapped>.init)
  }
}

extension ToOne: ReadableValue {
  fileprivate static func makeReader() -> AnyObject? { LinkReader<Target>() }
}

// MARK: - Readers

private final class AttributeReader<Value: AttributeValue>: ValueReader<Value> {
  override func value(_ statement: any Cursor, _ column: Int) -> Value? {
    Value(column: StoredColumn(statement, column))
  }
}

private final class IdentityReader<Value: IdentityValue>: ValueReader<Value> {
  override func value(_ statement: any Cursor, _ column: Int) -> Value? {
    var parts = IdentityDecoder(statement, from: column)
    return try? Value(from: &parts)
  }
}

private final class LinkReader<Target: Storable>: ValueReader<ToOne<Target>> {
  override func value(_ statement: any Cursor, _ column: Int) -> ToOne<Target>? {
    var parts = IdentityDecoder(statement, from: column)
    return (try? Target.identity(from: &parts)).map(ToOne<Target>.init(id:))
  }
}

private final class EnumerationReader<Value: RawRepresentable>: ValueReader<Value> {
  private let raw: ValueReader<Value.RawValue>

  init(_ raw: ValueReader<Value.RawValue>) { self.raw = raw }

  override func value(_ statement: any Cursor, _ column: Int) -> Value? {
    raw.value(statement, column).flatMap(Value.init(rawValue:))
  }
}

private final class JSONReader<Value: Decodable>: ValueReader<Value> {
  override func value(_ statement: any Cursor, _ column: Int) -> Value? {
    guard statement.storage(column) == .text else { return nil }
    return try? NestedJSON.value(statement.text(column), as: Value.self)
  }
}

private final class OptionalReader<Wrapped>: ValueReader<Wrapped?> {
  private let inner: ValueReader<Wrapped>

  init(_ inner: ValueReader<Wrapped>) { self.inner = inner }

  override var isOptional: Bool { true }

  override func value(_ statement: any Cursor, _ column: Int) -> Wrapped?? {
    if statement.isNull(column) { return .some(nil) }
    return inner.value(statement, column).map(Optional.some)
  }
}

import ObjectModel
import ObjectStore

/// A row of the store. A ``Storable`` value reads its properties from it, by their places in ``Properties``.
///
/// It can be used only inside `init(row:)`.
public struct ObjectRow: ~Copyable {
  let statement: any Cursor
  let layout: RowLayout
  /// Where links find the objects that are prefetched; nil if none are.
  private let links: RowLinks?

  init(_ statement: any Cursor, _ layout: RowLayout, _ links: RowLinks? = nil) {
    self.statement = statement
    self.layout = layout
    self.links = links
  }

  /// The place of the object in the store.
  public var rowID: RowID {
    guard let column = layout.storedKey, case .text(let key) = statement.value(column) else {
      return RowID(statement.integer(0))
    }
    return RowID(key: key)
  }

  @inline(__always)
  private func column(_ index: Int) -> StoredColumn { StoredColumn(statement, layout.columns[index]) }

  /// The reason why a property cannot be read. It is not inlined, since it is rarely needed.
  @inline(never)
  func mismatch(_ index: Int, _ type: Any.Type) -> ReadError {
    ReadError(
      entity: layout.entity, identity: KeyText.text(of: layout.key.map { statement.value($0) }),
      property: layout.names[index], expected: "\(type)",
      found: ReadError.text(of: column(index).value))
  }

  // MARK: - Attributes

  /// The value of an attribute.
  ///
  /// - Throws: ``ReadError`` if the store has no value, or one that the type does not have. All of these functions
  /// do.
  public func value<Value: AttributeValue>(_ index: Int) throws -> Value {
    guard let value = Value(column: column(index)) else { throw mismatch(index, Value.self) }
    return value
  }

  /// The value of an attribute that may have none.
  public func value<Value: AttributeValue>(_ index: Int) throws -> Value? {
    let column = column(index)
    if column.isNull { return nil }
    guard let value = Value(column: column) else { throw mismatch(index, Value.self) }
    return value
  }

  /// The value of an attribute that is an enumeration.
  public func value<Value: RawRepresentable>(_ index: Int) throws -> Value
  where Value.RawValue: AttributeValue {
    guard let raw = Value.RawValue(column: column(index)), let value = Value(rawValue: raw) else {
      throw mismatch(index, Value.self)
    }
    return value
  }

  /// The value of an attribute that is an enumeration and may have none.
  public func value<Value: RawRepresentable>(_ index: Int) throws -> Value?
  where Value.RawValue: AttributeValue {
    if column(index).isNull { return nil }
    return try value(index) as Value
  }

  /// The value of an attribute that is kept as JSON. If the type is an optional, there may be none.
  @_disfavoredOverload
  public func value<Value: Decodable>(_ index: Int) throws -> Value {
    let column = column(index)
    if column.isNull, let type = Value.self as? any AnyOptional.Type, let none = type.none as? Value {
      return none
    }
    guard let text = column.text, let value = try? NestedJSON.value(text, as: Value.self) else {
      throw mismatch(index, Value.self)
    }
    return value
  }

  /// What `@Entity` throws for a type with mistakes, which does not compile.
  public var placeholderError: any Error {
    ReadError(entity: layout.entity, property: "", expected: "a type that compiles", found: "none")
  }

  /// Prevents a second error where the type of the property cannot be stored. Its description does not compile.
  @_disfavoredOverload
  public func value<Value>(_ index: Int) throws -> Value { throw mismatch(index, Value.self) }

  // MARK: - Relationships

  /// The target of a relationship.
  public func value<Target: Storable>(_ index: Int) throws -> ToOne<Target> {
    guard let link: ToOne<Target> = try value(index) else { throw mismatch(index, ToOne<Target>.self) }
    return link
  }

  /// The target of a relationship, if there is one.
  public func value<Target: Storable>(_ index: Int) throws -> ToOne<Target>? {
    let first = layout.columns[index]
    if statement.isNull(first) { return nil }
    if let linked = links?.objects(at: index) as? LinkedObjects<Target> {
      if !statement.isNull(linked.column) { return try linked.link(in: statement, key: first) }
      if linked.isOptional { return nil }
    }
    var parts = IdentityDecoder(statement, from: first)
    return ToOne(id: try Target.identity(from: &parts))
  }

  /// A relationship to several objects.
  public func value<Target: Storable>(_ index: Int) throws -> ToMany<Target> {
    let key = layout.key.map { StoredColumn(statement, $0).value }
    return ToMany(owner: ListOwner(entity: layout.entity, relationship: layout.names[index], key: key))
  }

  // MARK: - Inheritance

  /// The object of the entity that this one inherits from.
  public func inherited<Parent: Storable>(at index: Int) throws -> Parent {
    guard let inherited = layout.inherited else { throw mismatch(index, Parent.self) }
    return try Parent(row: ObjectRow(statement, inherited, links?.inherited))
  }
}

/// The columns of a statement that hold an object.
///
/// A class, since every value that is read uses it, and a copy of a structure would copy its arrays.
final class RowLayout: Sendable {
  let entity: String
  /// The names of the properties.
  let names: [String]
  /// The first column of each property.
  let columns: [Int]
  /// The columns of the object's key, as the store keeps it.
  let key: Range<Int>
  /// The column of the key, for an object of an entity without identity that has an identity of its own.
  let storedKey: Int?
  /// The columns of the inherited object.
  let inherited: RowLayout?

  init(
    entity: String, names: [String], columns: [Int], key: Range<Int>, storedKey: Int?, inherited: RowLayout?
  ) {
    self.entity = entity
    self.names = names
    self.columns = columns
    self.key = key
    self.storedKey = storedKey
    self.inherited = inherited
  }
}

public import Foundation
import ObjectModel
import ObjectStore

/// A row of the store. A ``Storable`` value reads its properties from it, by their places in ``Properties``.
///
/// It can be used only inside `init(row:)`.
public struct ObjectRow: ~Copyable {
  let statement: any Cursor
  let layout: RowLayout
  /// The prefetched objects of links; nil if there are none.
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

  /// An error of `@Entity` for a type with mistakes, which does not compile.
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

// Functions for the most common types. The generic ones take several times as long when a module of another package
// calls them, since they cannot be specialised there.
extension ObjectRow {
  /// The text of an attribute.
  ///
  /// - Throws: ``ReadError`` if the store has none, or no text. The others throw it in the same way.
  public func value(_ index: Int) throws -> String {
    let column = layout.columns[index]
    guard statement.storage(column) == .text else { throw mismatch(index, String.self) }
    return statement.string(column)
  }

  /// The text of an attribute, if it has one.
  public func value(_ index: Int) throws -> String? {
    let column = layout.columns[index]
    switch statement.storage(column) {
    case .text: return statement.string(column)
    case nil: return nil
    default: throw mismatch(index, String.self)
    }
  }

  /// The whole number of an attribute.
  public func value(_ index: Int) throws -> Int {
    let column = layout.columns[index]
    guard statement.storage(column) == .integer, let value = Int(exactly: statement.integer(column)) else {
      throw mismatch(index, Int.self)
    }
    return value
  }

  /// The whole number of an attribute, if it has one.
  public func value(_ index: Int) throws -> Int? {
    if statement.isNull(layout.columns[index]) { return nil }
    return try value(index) as Int
  }

  /// The number of an attribute.
  public func value(_ index: Int) throws -> Double {
    let column = layout.columns[index]
    switch statement.storage(column) {
    case .real, .integer: return statement.double(column)
    default: throw mismatch(index, Double.self)
    }
  }

  /// The number of an attribute, if it has one.
  public func value(_ index: Int) throws -> Double? {
    if statement.isNull(layout.columns[index]) { return nil }
    return try value(index) as Double
  }

  /// The truth value of an attribute.
  public func value(_ index: Int) throws -> Bool {
    let column = layout.columns[index]
    guard statement.storage(column) == .integer else { throw mismatch(index, Bool.self) }
    return statement.integer(column) != 0
  }

  /// The truth value of an attribute, if it has one.
  public func value(_ index: Int) throws -> Bool? {
    if statement.isNull(layout.columns[index]) { return nil }
    return try value(index) as Bool
  }

  /// The date of an attribute.
  public func value(_ index: Int) throws -> Date {
    let column = layout.columns[index]
    guard statement.storage(column) == .text, let date = Date(storedText: statement.text(column)) else {
      throw mismatch(index, Date.self)
    }
    return date
  }

  /// The date of an attribute, if it has one.
  public func value(_ index: Int) throws -> Date? {
    if statement.isNull(layout.columns[index]) { return nil }
    return try value(index) as Date
  }
}

/// Stored values after objects of a type were read and saved again. Some types have fewer digits than the
/// store, or another order of keys.
final class RestoredValues: Sendable {
  private let byName: [String: @Sendable (SQLValue) -> SQLValue?]

  init<Root: Storable>(of type: Root.Type) {
    var byName: [String: @Sendable (SQLValue) -> SQLValue?] = [:]
    for property in Root.properties.all {
      if case .attribute(let form) = property.form { byName[property.name] = form.restored }
    }
    self.byName = byName
  }

  /// For objects without a Swift type.
  init(of entity: SchemaEntity) {
    var byName: [String: @Sendable (SQLValue) -> SQLValue?] = [:]
    for attribute in entity.attributes {
      let type = attribute.type
      byName[attribute.name] = { Object.Value($0, type).stored(as: type) }
    }
    self.byName = byName
  }

  /// Nil if the type has no such attribute.
  func value(of attribute: String, stored: SQLValue) -> SQLValue? { byName[attribute].flatMap { $0(stored) } }
}

extension ObjectDraft {
  /// Whether two values are one to the types whose objects it saves; see ``ValueEquality``.
  func isSame(_ entity: EntityLayout, _ slot: Int, _ stored: SQLValue, _ new: SQLValue) -> Bool {
    guard stored != .null, let index = entity.attributeSlots.firstIndex(of: slot) else { return false }
    let name = entity.entity.attributes[index].name
    return restoring.contains { $0.value(of: name, stored: stored) == new }
  }
}

/// The targets of a to-one relationship of a cursor's rows. Each is there once, however many links lead to it.
///
/// They are fetched after the rows were read, all by one query, and put where the links find them.
final class LinkedObjects<Target: Storable>: LinkFetch {
  /// The column with the row of the target.
  let column: Int
  /// Whether a link to an object that has not arrived reads as nil.
  let isOptional: Bool
  private let further: [Prefetch<Target>]

  // One structure, so that Swift checks the access to it once for each row.
  private struct Links {
    var places: [Int64: Int] = [:]
    var rows: [Int64] = []
    var links: [(link: ToOne<Target>, object: FetchedObject<Target>)] = []
  }

  private var links = Links()

  /// - Parameter further: What to prefetch for these objects in turn.
  init(_ columns: LinkColumns, _ further: [Prefetch<Target>]) {
    column = columns.row
    isOptional = columns.isOptional
    self.further = further
  }

  /// The link to the target of the cursor's row.
  ///
  /// - Parameter first: The first column of the target's key.
  func link(in cursor: any Cursor, key first: Int) throws -> ToOne<Target> {
    let row = cursor.integer(column)
    if let place = links.places[row] { return links.links[place].link }
    var parts = IdentityDecoder(cursor, from: first)
    let object = FetchedObject<Target>()
    let link = ToOne(id: try Target.identity(from: &parts), fetchedInto: object)
    links.places[row] = links.rows.count
    links.rows.append(row)
    links.links.append((link, object))
    return link
  }

  func load(_ run: FetchRun) throws {
    guard !links.rows.isEmpty || run.looksForTables else { return }
    var fetch = try ObjectFetch(further, run.transaction)
    let query = StoredQuery(Target.entityName, .rows(links.rows))
    try run.visit(query, fetch.columns.selected, isOrdered: false) { try fetch.read($0) }
    try fetch.load(run)
    for (row, object) in zip(fetch.rows, fetch.objects) {
      if let place = links.places[row] { links.links[place].object.fill(object) }
    }
  }
}

/// Links whose targets are still to be fetched.
protocol LinkFetch: AnyObject {
  /// Fetches the objects.
  func load(_ run: FetchRun) throws
}

/// How links of a cursor's rows find the targets of one relationship.
struct LinkColumns {
  /// The column with the row of the target; null if it is not there.
  let row: Int
  /// Whether the relationship is optional.
  let isOptional: Bool
}

/// The targets of the links of a row.
final class RowLinks {
  private let byProperty: [(any LinkFetch)?]
  /// The properties of the inherited object.
  let inherited: RowLinks?

  /// - Parameter depth: How many types inherit from the one that has these links.
  init?(_ links: [RelationshipPlace: any LinkFetch], depth: Int = 0) {
    guard let deepest = links.keys.map(\.depth).max(), deepest >= depth else { return nil }
    var byProperty: [(any LinkFetch)?] = []
    for (place, link) in links where place.depth == depth {
      while byProperty.count <= place.index { byProperty.append(nil) }
      byProperty[place.index] = link
    }
    self.byProperty = byProperty
    inherited = RowLinks(links, depth: depth + 1)
  }

  /// The values of a property, if its targets are prefetched.
  func objects(at index: Int) -> (any LinkFetch)? { index < byProperty.count ? byProperty[index] : nil }
}

public import Foundation
public import JSONStream
public import Mapping
import ObjectModel
import ObjectStore

/// An object of any entity, with its attributes and relationships by name. It is for code that knows its model only
/// at run time.
///
/// ```swift
/// var japan = try await store.find("Band", "Japan")
/// japan["formed"] = 1975
/// japan["label"] = .link("Virgin")
/// try await store.save(japan)
/// ```
///
/// It has the values that were fetched or set. Saving it changes only these: all other properties keep their values
/// in the store.
public struct Object: Sendable, Hashable {
  /// Its entity, which may be a sub-entity of the one in the query.
  public let entity: String
  /// The identity. The values of a composite one are joined by commas. For an entity without identity, the row id;
  /// nil before the object is saved.
  public let identity: String?
  /// The values, by the names of the model.
  public private(set) var values: [String: Value]

  /// A new object.
  public init(_ entity: String, _ values: [String: Value] = [:]) {
    self.entity = entity
    identity = nil
    self.values = values
  }

  init(entity: String, identity: String, values: [String: Value]) {
    self.entity = entity
    self.identity = identity
    self.values = values
  }

  /// The value of an attribute or a relationship; nil if the object does not have the name. For a property without a
  /// value, it is ``Value/null``.
  public subscript(name: String) -> Value? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The object as reports name it; nil before it is saved.
  public var reference: ObjectReference? {
    identity.map { ObjectReference(entity: entity, identity: $0) }
  }
}

extension Object {
  /// The value of an attribute or a relationship.
  ///
  /// Programs that know their model only when they run use it. It has Swift's types, such as `Date` and `UUID`, where the
  /// store has texts, and links to other objects.
  public enum Value: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case uuid(UUID)
    case url(URL)
    case data(Data)
    /// The value of a transformable attribute.
    case json(JSONValue)
    /// The target of a relationship, by its identity. The values of a composite one are joined by commas.
    case link(String)
    /// The targets of a relationship, by their identities.
    case links([String])
  }
}

extension Object.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(nilLiteral: ()) { self = .null }
}

extension Object.Value {
  /// The text, if it is one.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The whole number, if it is one.
  public var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }
  /// The number, if it is one.
  public var doubleValue: Double? {
    switch self {
    case .double(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
  /// The truth value, if it is one.
  public var boolValue: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The date, if it is one.
  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
  /// The identity of the target, if it is a link.
  public var link: String? { if case .link(let identity) = self { identity } else { nil } }
  /// The identities of the targets, if it is a list of links.
  public var links: [String]? { if case .links(let identities) = self { identities } else { nil } }
}

extension Object.Value {
  /// The stored value of an attribute.
  init(_ stored: SQLValue, _ type: AttributeType) {
    switch (stored, type) {
    case (.null, _): self = .null
    case (.integer(let value), .boolean): self = .boolean(value != 0)
    case (.integer(let value), _): self = .integer(value)
    case (.real(let value), _): self = .double(value)
    case (.blob(let bytes), _): self = .data(Data(bytes))
    case (.text(let text), .date): self = Date(stored: stored).map(Self.date) ?? .string(text)
    case (.text(let text), .decimal): self = Decimal(stored: stored).map(Self.decimal) ?? .string(text)
    case (.text(let text), .uuid): self = UUID(stored: stored).map(Self.uuid) ?? .string(text)
    case (.text(let text), .uri): self = URL(stored: stored).map(Self.url) ?? .string(text)
    case (.text(let text), .transformable), (.text(let text), .undefined):
      self = JSONValue(text: text).map(Self.json) ?? .string(text)
    case (.text(let text), _): self = .string(text)
    }
  }

  /// The value as the store keeps it in an attribute of a type; nil if that cannot have it.
  func stored(as type: AttributeType) -> SQLValue? {
    switch (self, type) {
    case (.null, _), (.json(.null), _): .null
    case (.boolean(let value), .boolean): value.storedValue
    case (.integer(let value), .boolean) where value == 0 || value == 1: .integer(value)
    case (.integer(let value), .integer16), (.integer(let value), .integer32),
      (.integer(let value), .integer64):
      .integer(value)
    case (.integer(let value), .float), (.integer(let value), .double): .real(Double(value))
    case (.integer(let value), .decimal): Decimal(value).storedValue
    case (.double(let value), .float), (.double(let value), .double): finite(value.storedValue)
    case (.decimal(let value), .decimal): finite(value.storedValue)
    case (.string(let value), .string): .text(value)
    case (.string(let value), .uuid): UUID(uuidString: value)?.storedValue
    case (.string(let value), .uri): URL(string: value)?.storedValue
    case (.string(let value), .decimal): Decimal(stored: .text(value))?.storedValue
    case (.string(let value), .date): Date(stored: .text(value))?.storedValue
    case (.date(let value), .date): finite(value.storedValue)
    case (.uuid(let value), .uuid): value.storedValue
    case (.url(let value), .uri): value.storedValue
    case (.data(let value), .binary): value.storedValue
    case (.json(let value), .transformable), (.json(let value), .undefined): .text(value.text)
    default: nil
    }
  }

  /// The value, unless the store cannot keep it.
  private func finite(_ value: SQLValue) -> SQLValue? { value == .null ? nil : value }

  /// The value, shortened, for messages.
  var text: String {
    switch self {
    case .null: "nothing"
    case .string(let text): "\"\(text.prefix(40))\""
    case .link(let identity): "a link to \(identity)"
    case .links(let identities): "\(identities.count) links"
    case .data(let data): "\(data.count) bytes"
    case .json(let value): String(value.text.prefix(40))
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .date(let value): "\(value)"
    case .uuid(let value): "\(value)"
    case .url(let value): "\(value)"
    }
  }
}

/// Reads objects of an entity and its sub-entities from rows.
struct ObjectReader {
  private let layout: Layout
  private let entity: SchemaEntity
  private let table: Table
  /// The columns to select.
  private(set) var selected: [SelectedColumn] = [.row, .kind, .stored]
  /// The columns of each relationship to one object.
  private var links: [Int: Range<Int>] = [:]

  /// The first of the table's columns. The row id and the kind come before it.
  private static let firstColumn = 2

  init(of entity: SchemaEntity, _ layout: Layout) throws {
    self.layout = layout
    self.entity = entity
    table = layout.table(of: entity.index)
    var width = Self.firstColumn + table.columns.count
    for member in layout.schema.family(of: entity.index).map({ layout.schema.entities[$0] }) {
      for index in member.relationships where links[index] == nil {
        let relationship = layout.schema.relationships[index]
        guard !relationship.isToMany else { continue }
        let column = SelectedColumn.value(try ResolvedPath(relationship.name, from: member, layout))
        let count = column.width(layout, of: entity)
        links[index] = width..<width + count
        width += count
        selected.append(column)
      }
    }
  }

  /// The object in the row that a cursor stands on.
  func object(_ row: any Cursor) -> Object {
    let kind = row.isNull(1) ? nil : layout.schema.entity(row.string(1))
    let entity = kind ?? entity
    var values: [String: Object.Value] = [:]
    let whole = layout.entities[entity.index]
    for (index, attribute) in entity.attributes.enumerated() {
      let column = Self.firstColumn + whole.slots[whole.attributeSlots[index]]
      values[attribute.name] = Object.Value(row.value(column), attribute.type)
    }
    for index in entity.relationships {
      guard let columns = links[index] else { continue }
      let parts = columns.map { row.value($0) }
      values[layout.schema.relationships[index].name] =
        parts.contains(.null) ? .null : .link(KeyText.text(of: parts))
    }
    let key = table.key.map { row.value(Self.firstColumn + $0) }
    let identity = KeyText.text(of: layout.identity(ofKey: key, of: entity))
    return Object(entity: entity.name, identity: identity, values: values)
  }
}

import ObjectModel
import ObjectStore

/// The columns of the properties of a type in a store. It is made once for each connection.
final class TypePlan<Root: Storable>: Sendable {
  let entity: SchemaEntity
  /// The place of each property of the type, in their order.
  let places: [PropertyPlace]
  /// For each attribute, what a stored value becomes when it is read and saved again.
  let restoring: RestoredValues

  /// - Throws: ``TypeError`` if the store's model has no such entity or property.
  init(_ layout: Layout) throws {
    guard let entity = layout.schema.entity(Root.entityName) else {
      throw TypeError(
        ["\(Root.entityName) is no entity of the store: name its type when the store is opened"])
    }
    self.entity = entity
    restoring = RestoredValues(of: Root.self)
    places = try Root.properties.all.map { property in
      switch property.form {
      case .inherited: return .inherited
      case .attribute:
        guard let index = entity.attribute(property.name) else { break }
        return .attribute(index)
      case .relationship:
        let found = entity.relationships.first { layout.schema.relationships[$0].name == property.name }
        guard let found else { break }
        return .relationship(layout.schema.relationships[found])
      }
      throw TypeError(["\(Root.entityName).\(property.name) is not in the store's model"])
    }
  }
}

/// The place of a property.
enum PropertyPlace: Sendable {
  /// An attribute, by its index.
  case attribute(Int)
  case relationship(SchemaRelationship)
  /// The object of the inherited entity, in the same row.
  case inherited
}

/// The columns that are selected for objects of a type, and their places.
struct TypeColumns {
  private(set) var selected: [SelectedColumn]
  /// How many columns that is.
  let width: Int
  let layout: RowLayout
  /// The entity of the objects.
  let entity: SchemaEntity
  /// The columns with the rows of relationships' targets.
  private(set) var targetRows: [RelationshipPlace: Int] = [:]

  /// - Parameter linked: The to-one relationships whose targets' rows are selected too.
  init<Root: Storable>(of type: Root.Type, linked: Set<RelationshipPlace> = [], _ layout: Layout) throws {
    entity = try layout.entity(named: Root.entityName)
    var selection = Selection(of: entity, linked: linked, layout)
    self.layout = try selection.add(type, depth: 0)
    selected = selection.selected
    width = selection.width
    targetRows = selection.targetRows
  }
}

extension TypeColumns {
  /// The columns without targets of relationships, made once for a connection.
  static func of<Root: Storable>(_ type: Root.Type, _ transaction: any StoreTransaction) throws -> TypeColumns
  {
    try transaction.kept(for: KeptColumns<Root>.self) {
      KeptColumns<Root>(columns: try TypeColumns(of: type, transaction.layout))
    }.columns
  }
}

private final class KeptColumns<Root: Storable> {
  let columns: TypeColumns

  init(columns: TypeColumns) { self.columns = columns }
}

/// The selected columns, while they are being collected.
private struct Selection {
  private let entity: SchemaEntity
  private let linked: Set<RelationshipPlace>
  private let whole: Layout
  private(set) var selected: [SelectedColumn] = []
  private(set) var targetRows: [RelationshipPlace: Int] = [:]
  /// How many columns are selected.
  private(set) var width = 0
  private let key: Range<Int>
  private let storedKey: Int?

  init(of entity: SchemaEntity, linked: Set<RelationshipPlace>, _ layout: Layout) {
    self.entity = entity
    self.linked = linked
    whole = layout
    let table = layout.table(of: entity.index)
    key = 1..<1 + table.key.count
    storedKey = table.holdsMixedKeys ? 1 : nil
    add(.row)
    add(.key)
  }

  private mutating func add(_ column: SelectedColumn) {
    selected.append(column)
    width += column.width(whole, of: entity)
  }

  /// - Parameter depth: How many types inherit from this one.
  mutating func add<Root: Storable>(_ type: Root.Type, depth: Int) throws -> RowLayout {
    let plan = try TypePlan<Root>(whole)
    var columns: [Int] = []
    var inherited: RowLayout?
    for (index, (property, place)) in zip(Root.properties.all, plan.places).enumerated() {
      columns.append(width)
      switch (place, property.form) {
      case (.attribute, _): add(.value(try ResolvedPath(property.name, from: entity, whole)))
      case (.relationship(let relationship), .relationship(let form)) where !relationship.isToMany:
        let path = try ResolvedPath(relationship.name, from: entity, whole)
        add(path, form, RelationshipPlace(depth: depth, index: index))
      case (.inherited, .inherited(let parent)):
        inherited = try add(parent, depth: depth + 1)
      default: break
      }
    }
    return RowLayout(
      entity: Root.entityName, names: Root.properties.all.map(\.name), columns: columns, key: key,
      storedKey: storedKey, inherited: inherited)
  }

  private mutating func add(_ path: ResolvedPath, _ form: RelationshipForm, _ place: RelationshipPlace) {
    // A reference that has not arrived reads as null, if the type has room for that. If its row is selected, the row
    // shows it.
    add(form.isOptional && !linked.contains(place) ? .value(path) : .reference(path))
    guard linked.contains(place) else { return }
    targetRows[place] = width
    add(.targetRow(path))
  }
}

/// The cursors that find objects of a type by identity. They are made once for a connection and belong to it.
final class TypedCursors<Root: Storable> {
  let plan: TypePlan<Root>
  /// The layout, if the store's keys are made of the identities.
  private let storedLayout: Layout?
  private let finder: any Cursor
  private let columns: RowLayout
  private let rowFinder: any Cursor
  private let rowReader: any Cursor

  private init(_ transaction: any StoreTransaction) throws {
    plan = try TypePlan<Root>(transaction.layout)
    storedLayout = plan.entity.isIdentifiedBelowRoot ? transaction.layout : nil
    let columns = try TypeColumns(of: Root.self, transaction.layout)
    self.columns = columns.layout
    let one = StoredQuery(Root.entityName, .givenKey)
    finder = try transaction.cursor(one, columns.selected, isOrdered: false)
    rowFinder = try transaction.cursor(one, [.row], isOrdered: false)
    rowReader = try transaction.cursor(
      StoredQuery(Root.entityName, .givenRow), columns.selected, isOrdered: false)
  }

  /// The ones of a transaction's connection.
  static func of(_ transaction: any StoreTransaction) throws -> TypedCursors {
    try transaction.kept(for: Root.self) { try TypedCursors(transaction) }
  }

  /// The object with an identity.
  func find(_ id: Root.ID) throws -> Root? {
    bind(id, to: finder)
    guard try finder.step() else { return nil }
    defer { finder.reset() }
    return try Root(row: ObjectRow(finder, columns))
  }

  /// The row of the object with an identity.
  func row(of id: Root.ID) throws -> Int64? {
    bind(id, to: rowFinder)
    guard try rowFinder.step() else { return nil }
    defer { rowFinder.reset() }
    return rowFinder.integer(0)
  }

  /// The object in a row.
  func find(row: Int64) throws -> Root? {
    rowReader.bind(row, at: 1)
    guard try rowReader.step() else { return nil }
    defer { rowReader.reset() }
    return try Root(row: ObjectRow(rowReader, columns))
  }

  private func bind(_ id: Root.ID, to cursor: any Cursor) {
    var encoder = IdentityEncoder()
    Root.encode(id, to: &encoder)
    let parts = storedLayout?.key(ofIdentity: encoder.values, of: plan.entity) ?? encoder.values
    cursor.bind(key: parts)
  }
}

extension TypePlan {
  /// The one of a transaction's connection.
  static func of(_ transaction: any StoreTransaction) throws -> TypePlan {
    try TypedCursors<Root>.of(transaction).plan
  }
}

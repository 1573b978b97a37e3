import ObjectModel
import ObjectStore

/// An object that a relationship leads to, be it there or not.
struct ObservedLink: Hashable {
  let table: Int
  let key: ObjectKey
}

/// What one look at an object in the store gives.
struct ObjectLook<Root: Storable>: Sendable {
  var object: Root?
  /// The columns of its row, those of its links last.
  var values: [SQLValue] = []
  var links: Set<ObservedLink> = []
}

/// How to look at an object of a type: made once for a connection, since an observer looks after every commit.
final class ObjectLookPlan<Root: Storable> {
  private let cursor: any Cursor
  private let layout: RowLayout
  private let links: [(target: SchemaEntity, columns: Range<Int>)]

  private init(_ transaction: StoreTransaction) throws {
    let layout = transaction.layout
    let columns = try TypeColumns(of: Root.self, layout)
    var selected = columns.selected
    var width = columns.width
    var links: [(target: SchemaEntity, columns: Range<Int>)] = []
    for index in columns.entity.relationships {
      let relationship = layout.schema.relationships[index]
      guard case .foreignKey = layout.relationships[index], relationship.isOptional else { continue }
      let column = SelectedColumn.reference(
        try ResolvedPath(relationship.name, from: columns.entity, layout))
      let count = column.width(layout, of: columns.entity)
      links.append((layout.schema.entities[relationship.destination], width..<width + count))
      selected.append(column)
      width += count
    }
    cursor = try transaction.cursor(StoredQuery(Root.entityName, .givenKey), selected, isOrdered: false)
    self.layout = columns.layout
    self.links = links
  }

  /// That of a transaction's connection.
  static func of(_ transaction: StoreTransaction) throws -> ObjectLookPlan {
    try transaction.kept(for: ObjectLookPlan.self) { try ObjectLookPlan(transaction) }
  }

  func look(_ id: Root.ID, in transaction: StoreTransaction) throws -> ObjectLook<Root> {
    let whole = transaction.layout
    let identity = Root.storedParts(of: id)
    let key = whole.schema.entity(Root.entityName).map { whole.key(ofIdentity: identity, of: $0) }
    cursor.bind(key: key ?? identity)
    guard try cursor.step() else { return ObjectLook() }
    defer { cursor.reset() }
    var look = ObjectLook(object: try Root(row: ObjectRow(cursor, layout)))
    look.values = (0..<cursor.columnCount).map { cursor.value($0) }
    for link in links where !link.columns.contains(where: { cursor.isNull($0) }) {
      look.links.insert(
        ObservedLink(
          table: whole.entities[link.target.index].table,
          key: ObjectKey(
            whole.key(ofIdentity: link.columns.map { cursor.value($0) }, of: link.target))))
    }
    return look
  }
}

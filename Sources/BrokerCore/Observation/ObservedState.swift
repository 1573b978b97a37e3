import ObjectModel
import ObjectStore

/// The target of a relationship, whether it is in the store or not.
struct ObservedLink: Hashable {
  let table: Int
  let key: ObjectKey
}

/// An object as it was read for its observers.
struct ObservedState<Root: Storable>: Sendable {
  var object: Root?
  /// The columns of its row. Those of its links come last.
  var values: [SQLValue] = []
  var links: Set<ObservedLink> = []
}

/// Reads an object of a type for its observers. It is made once for a connection, since they read after every commit.
final class ObservedStateReader<Root: Storable> {
  private let cursor: any Cursor
  private let layout: RowLayout
  private let links: [(target: SchemaEntity, columns: Range<Int>)]

  private init(_ transaction: any StoreTransaction) throws {
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

  /// The one of a transaction's connection.
  static func of(_ transaction: any StoreTransaction) throws -> ObservedStateReader {
    try transaction.kept(for: ObservedStateReader.self) { try ObservedStateReader(transaction) }
  }

  func read(_ id: Root.ID, in transaction: any StoreTransaction) throws -> ObservedState<Root> {
    let whole = transaction.layout
    let identity = Root.storedParts(of: id)
    let key = whole.schema.entity(Root.entityName).map { whole.key(ofIdentity: identity, of: $0) }
    cursor.bind(key: key ?? identity)
    guard try cursor.step() else { return ObservedState() }
    defer { cursor.reset() }
    var state = ObservedState(object: try Root(row: ObjectRow(cursor, layout)))
    state.values = (0..<cursor.columnCount).map { cursor.value($0) }
    for link in links where !link.columns.contains(where: { cursor.isNull($0) }) {
      state.links.insert(
        ObservedLink(
          table: whole.entities[link.target.index].table,
          key: ObjectKey(
            whole.key(ofIdentity: link.columns.map { cursor.value($0) }, of: link.target))))
    }
    return state
  }
}

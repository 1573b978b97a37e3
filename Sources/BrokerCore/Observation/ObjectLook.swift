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
  private let sql: String
  private let columnCount: Int
  private let layout: RowLayout
  private let links: [(target: SchemaEntity, columns: Range<Int>)]

  private init(_ layout: Layout) throws {
    var builder = try QueryBuilder(Root.entityName, layout)
    builder.addKeyParameters()
    let columns = try TypeColumns(of: Root.self, in: &builder)
    var expressions = columns.expressions
    var links: [(target: SchemaEntity, columns: Range<Int>)] = []
    for index in builder.entity.relationships {
      let relationship = layout.schema.relationships[index]
      guard case .foreignKey = layout.relationships[index], relationship.isOptional else { continue }
      let path = try ResolvedPath(relationship.name, from: builder.entity, layout)
      let keys = try builder.keyColumns(of: path)
      let target = layout.schema.entities[relationship.destination]
      links.append((target, expressions.count..<expressions.count + keys.count))
      expressions += keys
    }
    sql = builder.statement(selecting: expressions, isOrdered: false).sql
    columnCount = expressions.count
    self.layout = columns.layout
    self.links = links
  }

  /// That of a transaction's connection.
  static func of(_ transaction: StoreTransaction) throws -> ObjectLookPlan {
    try transaction.kept(for: ObjectLookPlan.self) { try ObjectLookPlan(transaction.layout) }
  }

  func look(_ id: Root.ID, in transaction: StoreTransaction) throws -> ObjectLook<Root> {
    let statement = try transaction.cached(sql)
    let whole = transaction.layout
    let identity = Root.storedParts(of: id)
    let key = whole.schema.entity(Root.entityName).map { whole.key(ofIdentity: identity, of: $0) }
    for (index, part) in (key ?? identity).enumerated() { statement.bind(part, at: index + 1) }
    guard try statement.step() else { return ObjectLook() }
    defer { statement.reset() }
    var look = ObjectLook(object: try Root(row: ObjectRow(statement, layout)))
    look.values = (0..<columnCount).map { statement.value($0) }
    for link in links where !link.columns.contains(where: { statement.isNull($0) }) {
      look.links.insert(
        ObservedLink(
          table: whole.entities[link.target.index].table,
          key: ObjectKey(
            whole.key(ofIdentity: link.columns.map { statement.value($0) }, of: link.target))))
    }
    return look
  }
}

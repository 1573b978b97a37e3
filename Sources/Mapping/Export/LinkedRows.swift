import JSONStream
import ObjectModel
import ObjectStore

/// The rows that relationships lead to, and the keys that stand for those that are not there.
final class LinkedRows {
  private let transaction: StoreTransaction
  private let layout: Layout
  private var statements: [Use: PreparedStatement] = [:]
  private let hasWaiting: Bool

  /// A statement can stand on one row only, so each level of nesting has its own.
  private struct Use: Hashable {
    var relationship: Int
    var isWhole: Bool
    var level: Int
  }

  init(_ transaction: StoreTransaction) {
    self.transaction = transaction
    layout = transaction.layout
    let look = try? transaction.prepare("SELECT 1 FROM \(SQL.quoted(StoreTable.pending)) LIMIT 1")
    hasWaiting = (try? look?.step()) ?? false
    look?.reset()
  }

  // MARK: - Rows

  /// A statement that gives the targets of a row's relationship: whole rows as ``ObjectRows`` has them, or keys.
  func targets(
    of relationship: SchemaRelationship, _ row: PreparedStatement, whole: Bool, level: Int
  ) throws -> PreparedStatement {
    let use = Use(relationship: relationship.index, isWhole: whole, level: level)
    let statement = try statements[use] ?? transaction.prepare(sql(relationship, whole: whole))
    statements[use] = statement
    statement.bind(row.integer(0), at: 1)
    return statement
  }

  private func sql(_ relationship: SchemaRelationship, whole: Bool) throws -> String {
    let target = layout.schema.entities[relationship.destination]
    let owner = layout.table(of: relationship.owner)
    let step = RelationshipSQL(layout: layout, relationship: relationship)
    if whole {
      let columns = ObjectRows.columns(of: target, layout, alias: "t").joined(separator: ", ")
      return "SELECT \(columns) FROM \(SQL.quoted(owner.name)) o \(step.joins(owner: "o", target: "t"))"
        + " WHERE o.rowid = ?1\(step.ordering(owner: "o", target: "t"))"
    }
    return step.keys
  }

  // MARK: - Targets that have not arrived

  /// The column of a row at which the foreign key of a relationship begins; nil if the row has none, or holds
  /// null.
  func foreignKey(of relationship: SchemaRelationship, _ row: PreparedStatement) -> Int? {
    guard case .foreignKey(let columns) = layout.relationships[relationship.index],
      let first = columns.first, !row.isNull(ObjectRows.firstColumn + first)
    else { return nil }
    return ObjectRows.firstColumn + first
  }

  /// The keys that the store remembers for a relationship of a row, as texts; nil if it remembers none at all.
  func waiting(for relationship: SchemaRelationship, _ row: PreparedStatement) throws -> PreparedStatement? {
    guard hasWaiting, case .inverse = layout.relationships[relationship.index] else { return nil }
    let owner = layout.schema.entities[relationship.owner]
    let use = Use(relationship: relationship.index, isWhole: false, level: -1)
    let statement =
      try statements[use]
      ?? transaction.prepare(
        """
        SELECT "target" FROM \(SQL.quoted(StoreTable.pending))
        WHERE "relationship" = ?1 AND "owner" = ?2 ORDER BY "position", rowid
        """)
    statements[use] = statement
    statement.bind("\(owner.name).\(relationship.name)", at: 1)
    let key = layout.table(of: owner.index).key.map { row.string(ObjectRows.firstColumn + $0) }
    statement.bind(KeyText.joined(key), at: 2)
    return statement
  }

  /// A statement that gives the keys of a join table's targets that have not arrived; nil for other
  /// relationships.
  func missing(for relationship: SchemaRelationship, _ row: PreparedStatement) throws -> PreparedStatement? {
    guard case .join = layout.relationships[relationship.index] else { return nil }
    let use = Use(relationship: relationship.index, isWhole: true, level: -1)
    let sql = RelationshipSQL(layout: layout, relationship: relationship)
    let statement = try statements[use] ?? transaction.prepare(sql.missingKeys)
    statements[use] = statement
    statement.bind(row.integer(0), at: 1)
    return statement
  }
}

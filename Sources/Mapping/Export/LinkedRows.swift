import JSONStream
import ObjectModel
import ObjectStore

/// What relationships lead to: rows, keys, and the keys that the store remembers until their objects come.
final class LinkedRows {
  private let transaction: StoreTransaction
  private let layout: Layout
  private var targets: [Use: LinkedTargets] = [:]
  private var waiting: [Use: PreparedStatement] = [:]
  private let hasWaiting: Bool

  /// A statement can stand on one row only, so each level of nesting has its own.
  private struct Use: Hashable {
    var relationship: Int
    /// Whether it gives whole rows.
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

  // MARK: - Rows and keys

  /// The targets of a row's relationship: whole rows as ``ObjectRows`` has them, or keys.
  func targets(
    of relationship: SchemaRelationship, _ row: PreparedStatement, whole: Bool, level: Int
  ) throws -> LinkedTargets {
    let use = Use(relationship: relationship.index, isWhole: whole, level: level)
    if let known = targets[use] {
      known.statement.bind(row.integer(0), at: 1)
      return known
    }
    let new = try prepare(relationship, whole: whole)
    targets[use] = new
    new.statement.bind(row.integer(0), at: 1)
    return new
  }

  private func prepare(_ relationship: SchemaRelationship, whole: Bool) throws -> LinkedTargets {
    let sql = RelationshipSQL(layout: layout, relationship: relationship)
    let target = layout.schema.entities[relationship.destination]
    let columns = whole ? ObjectRows.columns(of: target, layout, alias: "t") : []
    let statement = try transaction.prepare(whole ? sql.targets(selecting: columns) : sql.keysAndPlaces)
    return LinkedTargets(
      statement: statement, afterTarget: whole ? columns.count : layout.table(of: target.index).key.count,
      storage: layout.relationships[relationship.index])
  }

  /// The column of a row at which the foreign key of a relationship begins; nil if the row has none, or holds
  /// null.
  func foreignKey(of relationship: SchemaRelationship, _ row: PreparedStatement) -> Int? {
    guard case .foreignKey(let columns) = layout.relationships[relationship.index],
      let first = columns.first, !row.isNull(ObjectRows.firstColumn + first)
    else { return nil }
    return ObjectRows.firstColumn + first
  }

  // MARK: - Targets that have not arrived

  /// The keys that the store remembers for a relationship of a row, as texts, each with its place; nil if it
  /// remembers none at all.
  func waiting(
    for relationship: SchemaRelationship, _ row: PreparedStatement, level: Int
  ) throws -> PreparedStatement? {
    guard hasWaiting, case .inverse = layout.relationships[relationship.index] else { return nil }
    let owner = layout.schema.entities[relationship.owner]
    let use = Use(relationship: relationship.index, isWhole: false, level: level)
    let statement =
      try waiting[use]
      ?? transaction.prepare(
        """
        SELECT "target", "position" FROM \(SQL.quoted(StoreTable.pending))
        WHERE "relationship" = ?1 AND "owner" = ?2 ORDER BY "position" NULLS LAST, "target"
        """)
    waiting[use] = statement
    statement.bind("\(owner.name).\(relationship.name)", at: 1)
    let key = layout.table(of: owner.index).key.map {
      StoredValue(row, ObjectRows.firstColumn + $0).keyText
    }
    statement.bind(KeyText.joined(key), at: 2)
    return statement
  }
}

/// A statement that steps through the targets of a relationship.
struct LinkedTargets {
  let statement: PreparedStatement
  /// The column behind those of the target.
  fileprivate let afterTarget: Int
  fileprivate let storage: RelationshipStorage

  /// The column at which the key of a target begins that has not arrived, though whole rows were asked for.
  var missingKey: Int? {
    if case .join = storage, statement.isNull(0) { afterTarget } else { nil }
  }

  /// The place of the target in its list, where the target keeps it. What has none comes last.
  var place: Int64? {
    guard case .inverse(_, _?) = storage else { return nil }
    return statement.isNull(afterTarget) ? .max : statement.integer(afterTarget)
  }
}

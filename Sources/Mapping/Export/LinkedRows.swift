import JSONStream
import ObjectModel
import ObjectStore

/// The targets of relationships: rows, keys, and keys that the store remembers until their objects arrive.
final class LinkedRows {
  private let transaction: any EngineTransaction
  private let layout: Layout
  private var targets: [Use: LinkedTargets] = [:]
  private var waiting: [Use: any Cursor] = [:]
  private let hasWaiting: Bool

  /// A cursor can stand on one row only, so each level of nesting has its own.
  private struct Use: Hashable {
    var relationship: Int
    /// Whether it gives whole rows.
    var isWhole: Bool
    var level: Int
  }

  init(_ transaction: any EngineTransaction) throws {
    self.transaction = transaction
    layout = transaction.layout
    hasWaiting = try transaction.hasPendingTargets()
  }

  /// How many objects of an entity the store has.
  func count(of entity: SchemaEntity) throws -> Int { try transaction.count(Query(entity.name)) }

  // MARK: - Rows and keys

  /// The targets of a row's relationship: whole rows as ``ObjectRows`` has them, or keys.
  func targets(
    of relationship: SchemaRelationship, _ row: any Cursor, whole: Bool, level: Int
  ) throws -> LinkedTargets {
    let use = Use(relationship: relationship.index, isWhole: whole, level: level)
    if let known = targets[use] {
      known.rows.bind(row.integer(0), at: 1)
      return known
    }
    let new = try prepare(relationship, whole: whole)
    targets[use] = new
    new.rows.bind(row.integer(0), at: 1)
    return new
  }

  private func prepare(_ relationship: SchemaRelationship, whole: Bool) throws -> LinkedTargets {
    let table = layout.table(of: relationship.destination)
    return LinkedTargets(
      rows: try whole ? transaction.targets(of: relationship) : transaction.targetKeys(of: relationship),
      afterTarget: whole ? ObjectRows.firstColumn + table.columns.count : table.key.count,
      storage: layout.relationships[relationship.index])
  }

  /// The first column of a relationship's foreign key in a row; nil if the row has none, or has null.
  func foreignKey(of relationship: SchemaRelationship, _ row: any Cursor) -> Int? {
    guard case .foreignKey(let columns) = layout.relationships[relationship.index],
      let first = columns.first, !row.isNull(ObjectRows.firstColumn + first)
    else { return nil }
    return ObjectRows.firstColumn + first
  }

  // MARK: - Targets that have not arrived

  /// The keys that the store remembers for a relationship of a row, as texts, each with its place; nil if it
  /// remembers none of any row.
  func waiting(
    for relationship: SchemaRelationship, _ row: any Cursor, level: Int
  ) throws -> (any Cursor)? {
    guard hasWaiting, case .inverse = layout.relationships[relationship.index] else { return nil }
    let owner = layout.schema.entities[relationship.owner]
    let use = Use(relationship: relationship.index, isWhole: false, level: level)
    let targets = try waiting[use] ?? transaction.pendingTargets()
    waiting[use] = targets
    targets.bind(.text("\(owner.name).\(relationship.name)"), at: 1)
    let key = layout.table(of: owner.index).key.map {
      StoredValue(row, ObjectRows.firstColumn + $0).keyText
    }
    targets.bind(.text(KeyText.joined(key)), at: 2)
    return targets
  }
}

/// The targets of a relationship.
struct LinkedTargets {
  let rows: any Cursor
  /// The column after those of the target.
  fileprivate let afterTarget: Int
  fileprivate let storage: RelationshipStorage

  /// If whole rows were asked for and the target has not arrived, the first column of its key.
  var missingKey: Int? {
    if case .join = storage, rows.isNull(0) { afterTarget } else { nil }
  }

  /// The place of the target in its list, if the target keeps it. Targets without one come last.
  var place: Int64? {
    guard case .inverse(_, _?) = storage else { return nil }
    return rows.isNull(afterTarget) ? .max : rows.integer(afterTarget)
  }
}

import ObjectModel

/// Finds out whether a reference still leads nowhere.
final class MissingTargetLookup {
  private let statement: PreparedStatement
  private let ownerWidth: Int
  private let targetWidth: Int

  init(_ relationship: SchemaRelationship, _ transaction: SQLiteTransaction) throws {
    let sql = MissingTargetSQL(relationship, transaction.layout)
    ownerWidth = sql.ownerKey.count
    targetWidth = sql.reference.count
    statement = try transaction.prepare(sql.missingTarget)
  }

  /// The owner's key and the missing target's; nil if the reference is gone or its target has come.
  func find(_ row: Int64) throws -> (owner: String, target: String)? {
    statement.bind(row, at: 1)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return (
      KeyText.ofColumns(0..<ownerWidth, statement),
      KeyText.ofColumns(ownerWidth..<ownerWidth + targetWidth, statement)
    )
  }
}

/// The statements that find references whose targets are not there.
struct MissingTargetSQL {
  private let layout: Layout
  private let relationship: SchemaRelationship
  /// The table that holds the reference, and the columns of its owner's key and of the target's.
  private let table: String
  let ownerKey: [String]
  let reference: [String]

  init(_ relationship: SchemaRelationship, _ layout: Layout) {
    self.layout = layout
    self.relationship = relationship
    switch layout.relationships[relationship.index] {
    case .foreignKey(let columns):
      let owner = layout.table(of: relationship.owner)
      table = owner.name
      ownerKey = owner.key.map { owner.columns[$0].name }
      reference = columns.map { owner.columns[$0].name }
    case .join(let index, let isForward):
      let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
      (table, ownerKey, reference) = (layout.joins[index].name, sql.owner, sql.target)
    case .inverse:
      (table, ownerKey, reference) = (StoreTable.pending, ["owner"], ["target"])
    }
  }

  /// The owner's key and the target's, of the reference in a row whose target is not there.
  var missingTarget: String {
    "SELECT \(SQL.list(ownerKey + reference)) FROM \(SQL.quoted(table)) o WHERE o.rowid = ?1 AND "
      + (table == StoreTable.pending ? isStillWaiting : leadsNowhere)
  }

  /// How many references of the relationship lead nowhere.
  var count: String {
    "SELECT count(*) FROM \(SQL.quoted(table)) o WHERE "
      + (table == StoreTable.pending ? isStillWaiting : leadsNowhere)
  }

  /// Row ids of links that are gone are used again.
  private var isStillWaiting: String {
    "\"relationship\" = \(SQL.literal(PendingLinkStore.name(of: relationship, layout)))"
  }

  private var leadsNowhere: String {
    let target = layout.table(of: relationship.destination)
    let pairs = zip(target.key, reference).map { key, reference in
      "t.\(SQL.quoted(target.columns[key].name)) = o.\(SQL.quoted(reference))"
    }
    let given = reference.map { "\(SQL.quoted($0)) IS NOT NULL" }
    let conditions =
      pairs + [layout.kindCondition(of: relationship.destination, alias: "t")].compactMap { $0 }
    return "\(given.joined(separator: " AND ")) AND NOT EXISTS"
      + " (SELECT 1 FROM \(SQL.quoted(target.name)) t WHERE \(conditions.joined(separator: " AND ")))"
  }
}

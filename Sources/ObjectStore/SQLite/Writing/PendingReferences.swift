import Bytes
import ObjectModel

/// The references of an import that led nowhere when they were written, and what became of them.
final class PendingReferences {
  private let context: WriteContext
  private let transaction: SQLiteTransaction
  private var candidates: [Candidate]
  /// The number of references that are counted only.
  private var uncounted: Int

  /// Past this, references are counted and not looked at again.
  private static let limit = 2_000_000

  /// A reference, by the row that holds it: of its owner, of a join table, of the store's own.
  struct Candidate: Hashable {
    var relationship: Int32
    var entity: Int32
    var row: Int64
  }

  /// The state that goes from one transaction of an import to the next.
  struct Noted {
    fileprivate var candidates: [Candidate] = []
    fileprivate var uncounted = 0
  }

  var noted: Noted { Noted(candidates: candidates, uncounted: uncounted) }

  init(_ context: WriteContext, _ transaction: SQLiteTransaction, continuing former: RowWriterState?) {
    self.context = context
    self.transaction = transaction
    candidates = former?.references.candidates ?? []
    uncounted = former?.references.uncounted ?? 0
  }

  /// Notes a reference that led nowhere.
  ///
  /// - Parameter entity: The entity of the object that refers, where it is not the one that declares the relationship.
  func add(_ relationship: SchemaRelationship, entity: Int? = nil, row: Int64) {
    guard candidates.count < Self.limit else { return uncounted += 1 }
    candidates.append(candidate(relationship, entity ?? relationship.owner, row))
  }

  /// Notes a link that the store remembers. Written again it has the same row, so it is never counted without a look.
  func add(stored relationship: SchemaRelationship, row: Int64) {
    candidates.append(candidate(relationship, relationship.owner, row))
  }

  private func candidate(_ relationship: SchemaRelationship, _ entity: Int, _ row: Int64) -> Candidate {
    Candidate(relationship: Int32(relationship.index), entity: Int32(entity), row: row)
  }

  // MARK: - The report

  /// Looks again at all references that led nowhere.
  func summary() throws -> PendingSummary {
    let layout = context.layout
    var summary = PendingSummary(count: uncounted, layout)
    var lookups: [Int32: MissingTargetLookup] = [:]
    var done: Set<Candidate> = []
    for candidate in candidates where done.insert(candidate).inserted {
      let relationship = layout.schema.relationships[Int(candidate.relationship)]
      let lookup =
        try lookups[candidate.relationship] ?? MissingTargetLookup(relationship, transaction)
      lookups[candidate.relationship] = lookup
      guard let (owner, key) = try lookup.find(candidate.row) else { continue }
      let entity = layout.schema.entities[Int(candidate.entity)]
      let target = layout.schema.entities[relationship.destination]
      summary.add(
        PendingSummary.Reference(
          entity: entity.name, identity: layout.identityText(ofKey: owner, of: entity),
          relationship: relationship.name, target: target.name,
          key: layout.identityText(ofKey: key, of: target),
          isError: context.references[relationship.index] == .error))
    }
    summary.sort()
    return summary
  }
}

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
    return (key(0..<ownerWidth), key(ownerWidth..<ownerWidth + targetWidth))
  }

  /// A key in the words of every engine: SQLite itself writes real numbers otherwise, `1.0e+20`.
  private func key(_ columns: Range<Int>) -> String {
    KeyText.joined(
      columns.map { column in
        statement.storage(column) == .real ? String(statement.double(column)) : statement.string(column)
      })
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

/// The table that references of one entity lead to.
final class TargetTable {
  private let existence: PreparedStatement
  /// Keys that are there, by a few bits of their hashes, so that thousands of references to one object take one
  /// look.
  private var known = [[UInt8]](repeating: [], count: 4096)
  private var scratch: [UInt8] = []

  init(_ table: Table, condition: String?, _ transaction: SQLiteTransaction) throws {
    let keys = table.key.map { table.columns[$0].name }
    let name = SQL.quoted(table.name)
    existence = try transaction.cached(
      "SELECT 1 FROM \(name) WHERE \(SQL.equal(keys))" + (condition.map { " AND \($0)" } ?? ""))
  }

  func contains(_ key: [Cell], _ batch: borrowing RowBatch) throws -> Bool {
    var hash = Hash()
    for cell in key {
      if cell.kind == .text { hash.combine(batch.bytes(of: cell)) } else { hash.combine(cell.bits) }
    }
    let place = hash.value & 4095
    encode(key, batch)
    if known[place] == scratch { return true }
    for (index, cell) in key.enumerated() { existence.bind(cell, of: batch, at: index + 1) }
    guard try existence.step() else { return false }
    existence.reset()
    known[place].removeAll(keepingCapacity: true)
    known[place].append(contentsOf: scratch)
    return true
  }

  /// Writes a key to ``scratch``, so that equal keys, and no others, give equal bytes.
  private func encode(_ key: [Cell], _ batch: borrowing RowBatch) {
    scratch.removeAll(keepingCapacity: true)
    for cell in key {
      scratch.append(cell.kind.rawValue)
      if cell.kind == .text {
        withUnsafeBytes(of: cell.count) { scratch.append(contentsOf: $0) }
        scratch.append(contentsOf: batch.bytes(of: cell))
      } else {
        withUnsafeBytes(of: cell.bits) { scratch.append(contentsOf: $0) }
      }
    }
  }
}

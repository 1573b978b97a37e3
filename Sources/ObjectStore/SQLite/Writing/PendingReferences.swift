import Bytes
import ObjectModel

/// Keeps track of references to objects that are not there.
///
/// A reference that is a foreign key, or a link in a join table, needs no care to become a relationship: its
/// target only has to come. Where the link is kept in the target's row, and the target is not there, the store
/// remembers the link in a table of its own until it comes.
package final class PendingReferences {
  private let transaction: StoreTransaction
  private let layout: Layout
  /// What to do about references, by relationship.
  private let policies: [ReferencePolicy]
  private var targets: [TargetTable?]
  private var store: StoredReferences?
  /// The references that led nowhere when they were written.
  private var candidates: [Candidate] = []
  private var uncounted = 0
  /// The rows of ``store`` that this import has written.
  private var storedRows: Set<Int64> = []

  /// Past this, references are counted and not looked at again.
  private static let limit = 2_000_000

  /// A reference, by the row that holds it: of its owner, of a join table, of the store's own.
  struct Candidate: Hashable {
    var relationship: Int32
    var entity: Int32
    var row: Int64
  }

  /// What is remembered from one transaction of an import to the next.
  struct Noted {
    fileprivate var candidates: [Candidate] = []
    fileprivate var uncounted = 0
  }

  var noted: Noted { Noted(candidates: candidates, uncounted: uncounted) }

  init(_ transaction: StoreTransaction, policy: WritePolicy, continuing former: Noted? = nil) throws {
    candidates = former?.candidates ?? []
    uncounted = former?.uncounted ?? 0
    self.transaction = transaction
    layout = transaction.layout
    policies = layout.schema.relationships.map { relationship in
      let own = policy.isLocal ? nil : relationship.relationship.annotations.references
      return own.flatMap(ReferencePolicy.init) ?? policy.references
    }
    targets = Array(repeating: nil, count: layout.entities.count)
    let stored = try StoredReferences(transaction)
    if try !stored.isEmpty() { store = stored }
  }

  /// Whether the store remembers references that new objects may resolve.
  var hasStored: Bool { store != nil }

  private func target(_ entity: Int) throws -> TargetTable {
    if let known = targets[entity] { return known }
    let target = try TargetTable(
      layout.table(of: entity), condition: layout.kindCondition(of: entity), transaction)
    targets[entity] = target
    return target
  }

  // MARK: - Foreign keys and links

  /// Looks whether the objects that a row's foreign keys name are there.
  func check(
    _ row: Int, _ rowID: Int64, _ entity: EntityWriter, _ batch: borrowing RowBatch, _ writer: RowWriter
  ) throws {
    for key in entity.foreignKeys {
      guard let first = key.slots.first else { continue }
      let cell = batch.cell(row, first)
      guard cell.kind != .absent, cell.kind != .null, cell.link == .unknown else { continue }
      var cells: [Cell] = []
      for slot in key.slots { cells.append(batch[row, slot]) }
      writer.noteLooseLinks(of: key.relationship)
      try note(
        Candidate(
          relationship: Int32(key.relationship), entity: Int32(entity.layout.entity.index), row: rowID),
        unlessThere: cells, in: key.destination, batch, writer)
    }
  }

  /// Looks whether the object that a link of a join table names is there.
  func check(
    link relationship: SchemaRelationship, row: Int64, target: [Cell], _ batch: borrowing RowBatch,
    _ writer: RowWriter
  ) throws {
    try note(
      Candidate(relationship: Int32(relationship.index), entity: Int32(relationship.owner), row: row),
      unlessThere: target, in: relationship.destination, batch, writer)
  }

  private func note(
    _ candidate: Candidate, unlessThere key: [Cell], in entity: Int, _ batch: borrowing RowBatch,
    _ writer: RowWriter
  ) throws {
    guard try !target(entity).contains(key, batch) else { return }
    // What a program deleted is not waited for.
    if let unsent = writer.unsent, unsent.hasDeleted(inTable: layout.entities[entity].table),
      unsent.hasDeleted(KeyText.text(of: key, batch), table: layout.entities[entity].table)
    {
      return
    }
    if try makeStub(for: Int(candidate.relationship), key, batch, writer) { return }
    if candidates.count < Self.limit { candidates.append(candidate) } else { uncounted += 1 }
  }

  // MARK: - Stubs

  /// Creates an object with a key and nothing else, if that is the policy.
  func makeStub(
    for relationship: Int, _ key: [Cell], _ batch: borrowing RowBatch, _ writer: RowWriter
  ) throws -> Bool {
    let entity = layout.schema.relationships[relationship].destination
    let schema = layout.schema.entities[entity]
    guard policies[relationship] == .stub, !schema.isAbstract, schema.hasIdentity else { return false }
    // What a program deleted and the server has not been told of does not come back as a stub either.
    if let unsent = writer.unsent,
      unsent.hasDeleted(KeyText.text(of: key, batch), table: layout.entities[entity].table)
    {
      return false
    }
    let rows = try writer.writer(for: entity)
    guard let row = try rows.insertStub(key, batch) else { return false }
    writer.tally.countStub(row: row, entity: entity, table: layout.entities[entity].table)
    for links in rows.oneToOneLinks { try links.pointBack(from: row, key, batch, writer) }
    try connect(KeyText.text(of: key, batch), row, layout.entities[entity], writer, nil) { _ in nil }
    return true
  }

  // MARK: - Links that wait in the store

  /// Remembers that an owner wants a target that is not there.
  ///
  /// - Parameter waiting: What the store remembers of the owner; what stays as it is, is taken from it.
  /// - Returns: Whether the list of another owner of this import wanted the target, which may have one owner only:
  ///   the last has it.
  func store(
    _ relationship: SchemaRelationship, owner: [Cell], target: [Cell], position: Int?,
    _ waiting: inout WaitingLinks, _ batch: borrowing RowBatch
  ) throws -> Bool {
    let store = try self.store ?? StoredReferences(transaction)
    self.store = store
    let target = KeyText.text(of: target, batch)
    let others = try store.forgetOthers(
      relationship, than: KeyText.text(of: owner, batch), target: target)
    let isDisputed = others.contains(where: storedRows.contains)
    let row: Int64
    if let known = waiting.take(target), known.position == position.map(Int64.init) {
      row = known.row
    } else {
      row = try store.add(
        relationship, owner: KeyText.text(of: owner, batch), target: target, position: position)
    }
    storedRows.subtract(others)
    storedRows.insert(row)
    defer { note(stored: relationship, row) }
    return isDisputed
  }

  private func note(stored relationship: SchemaRelationship, _ row: Int64) {
    candidates.append(
      Candidate(relationship: Int32(relationship.index), entity: Int32(relationship.owner), row: row))
  }

  /// Remembers a link by keys as text.
  func store(
    _ relationship: SchemaRelationship, owner: String, target: String, position: Int64?
  ) throws {
    let store = try self.store ?? StoredReferences(transaction)
    self.store = store
    let row = try store.add(relationship, owner: owner, target: target, position: position.map(Int.init))
    candidates.append(
      Candidate(relationship: Int32(relationship.index), entity: Int32(relationship.owner), row: row))
  }

  /// What an owner waits for.
  func waiting(
    _ relationship: SchemaRelationship, owner: [Cell], _ batch: borrowing RowBatch
  ) throws -> WaitingLinks {
    try store?.waiting(relationship, owner: KeyText.text(of: owner, batch)) ?? WaitingLinks()
  }

  /// Forgets what an owner waited for and its list no longer has.
  func forget(_ links: WaitingLinks) throws {
    for row in links.rows { try store?.forget(row: row) }
  }

  /// Forgets what the owner with a key, as text, wanted.
  func forget(_ relationship: SchemaRelationship, owner: String) throws {
    try store?.forget(relationship, owner: owner)
  }

  /// Whether the owner with a key, as text, waits for any target of a relationship.
  func isWaiting(_ relationship: SchemaRelationship, owner: String) throws -> Bool {
    try store?.isWaiting(relationship, owner: owner) ?? false
  }

  /// Notes that the target of a foreign key is gone.
  func noteMissing(_ relationship: SchemaRelationship, row: Int64) {
    guard candidates.count < Self.limit else { return uncounted += 1 }
    candidates.append(
      Candidate(relationship: Int32(relationship.index), entity: Int32(relationship.owner), row: row))
  }

  /// What an object's own row says of its owner by one of its relationships.
  private struct SaidOwner {
    var key: String
    /// Whether it is a list that says it, and not the object itself.
    var isFromList: Bool
  }

  /// Gives a new object the links that waited for it.
  func connect(
    _ row: Int, _ rowID: Int64, _ layout: EntityLayout, _ batch: borrowing RowBatch, _ writer: RowWriter
  ) throws {
    guard store != nil else { return }
    var key: [Cell] = []
    for slot in layout.keySlots { key.append(batch[row, slot]) }
    var said: [[Int]: SaidOwner] = [:]
    for relationship in self.layout.schema.relationships
    where layout.entity.ancestry.contains(relationship.destination) {
      guard case .inverse(let columns, _) = self.layout.relationships[relationship.index] else { continue }
      let slots = layout.slots(of: columns)
      guard slots.allSatisfy({ $0 >= 0 && batch[row, $0].kind != .absent }) else { continue }
      var owner: [Cell] = []
      for slot in slots { owner.append(batch[row, slot]) }
      said[columns] = SaidOwner(
        key: KeyText.text(of: owner, batch), isFromList: batch[row, slots[0]].link.isFromList)
    }
    try connect(KeyText.text(of: key, batch), rowID, layout, writer, row) { said[$0] }
  }

  /// Gives an object, which has a new key, the links that waited for it.
  func connect(arrived key: String, _ rowID: Int64, _ layout: EntityLayout, _ writer: RowWriter) throws {
    try connect(key, rowID, layout, writer, nil) { _ in nil }
  }

  /// Gives a new object the links that waited for it.
  ///
  /// - Parameters:
  ///   - row: Its row in the batch; nil if it has none.
  ///   - saidOwner: The owner that its row gives it by a foreign key's columns.
  private func connect(
    _ key: String, _ rowID: Int64, _ layout: EntityLayout, _ writer: RowWriter, _ row: Int?,
    saidOwner: ([Int]) -> SaidOwner?
  ) throws {
    guard let store else { return }
    for link in try store.take(for: layout.entity, target: key) {
      guard case .inverse(let columns, let order) = self.layout.relationships[link.relationship],
        let owner = KeyText.split(link.owner, count: columns.count)
      else { continue }
      let relationship = self.layout.schema.relationships[link.relationship]
      let isOfThisImport = storedRows.remove(link.row) != nil && !writer.policy.isLocal
      // What the object's own JSON says of its owner counts more than what another owner said before.
      if let said = saidOwner(columns), said.key != link.owner {
        if isOfThisImport, said.isFromList, let row { writer.noteDispute(of: relationship, row: row) }
        continue
      }
      if isOfThisImport {
        _ = writer.claims(of: relationship).name(rowID, .none, for: [], at: nil)
      }
      try link.set(rowID, to: owner, columns, order, of: self.layout.tables[layout.table], transaction)
    }
  }

  // MARK: - The report

  /// A reference to an object that is not there.
  package struct Reference: Sendable, Hashable {
    /// The entity and the key of the object that refers.
    package var entity: String
    package var identity: String
    package var relationship: String
    /// The entity and the key of the object that is not there.
    package var target: String
    package var key: String
    /// Whether there must be none.
    package var isError: Bool
  }

  package struct Summary: Sendable {
    package var count = 0
    /// The first of them.
    package var references: [Reference] = []
  }

  /// Looks again at all references that led nowhere.
  func summary(listing most: Int = 10_000) throws -> Summary {
    var summary = Summary(count: uncounted)
    var statements: [Int32: PendingLookup] = [:]
    var done: Set<Candidate> = []
    for candidate in candidates where done.insert(candidate).inserted {
      let lookup =
        try statements[candidate.relationship]
        ?? PendingLookup(layout.schema.relationships[Int(candidate.relationship)], transaction)
      statements[candidate.relationship] = lookup
      guard let (owner, key) = try lookup.find(candidate.row) else { continue }
      summary.count += 1
      guard summary.references.count < most else { continue }
      let relationship = layout.schema.relationships[Int(candidate.relationship)]
      let entity = layout.schema.entities[Int(candidate.entity)]
      let target = layout.schema.entities[relationship.destination]
      summary.references.append(
        Reference(
          entity: entity.name, identity: layout.identityText(ofKey: owner, of: entity),
          relationship: relationship.name, target: target.name,
          key: layout.identityText(ofKey: key, of: target),
          isError: policies[relationship.index] == .error))
    }
    return summary
  }
}

/// The table that references of one entity lead to.
private final class TargetTable {
  private let existence: PreparedStatement
  /// Keys that are there, by a few bits of their hashes, so that thousands of references to one object take one
  /// look.
  private var known = [[UInt8]](repeating: [], count: 4096)
  private var scratch: [UInt8] = []

  init(_ table: Table, condition: String?, _ transaction: StoreTransaction) throws {
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

/// Finds out whether a reference still leads nowhere.
private final class PendingLookup {
  private let statement: PreparedStatement
  private let ownerWidth: Int
  private let targetWidth: Int

  init(_ relationship: SchemaRelationship, _ transaction: StoreTransaction) throws {
    let layout = transaction.layout
    let target = layout.table(of: relationship.destination)
    let owner: (table: String, key: [String], reference: [String])
    switch layout.relationships[relationship.index] {
    case .foreignKey(let columns):
      let table = layout.table(of: relationship.owner)
      owner = (table.name, table.key.map { table.columns[$0].name }, columns.map { table.columns[$0].name })
    case .join(let index, let isForward):
      let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
      owner = (layout.joins[index].name, sql.owner, sql.target)
    case .inverse:
      owner = (StoreTable.pending, ["owner"], ["target"])
    }
    ownerWidth = owner.key.count
    targetWidth = owner.reference.count
    var sql = "SELECT \(SQL.list(owner.key + owner.reference)) FROM \(SQL.quoted(owner.table)) o"
    sql += " WHERE o.rowid = ?1"
    // Row ids of links that are gone are used again.
    if owner.table == StoreTable.pending {
      sql += " AND \"relationship\" = \(SQL.literal(StoredReferences.name(of: relationship, layout)))"
    } else {
      let pairs = zip(target.key, owner.reference).map { key, reference in
        "t.\(SQL.quoted(target.columns[key].name)) = o.\(SQL.quoted(reference))"
      }
      let given = owner.reference.map { "\(SQL.quoted($0)) IS NOT NULL" }
      sql += " AND \(given.joined(separator: " AND ")) AND NOT EXISTS"
      let conditions =
        pairs + [layout.kindCondition(of: relationship.destination, alias: "t")].compactMap { $0 }
      sql += " (SELECT 1 FROM \(SQL.quoted(target.name)) t WHERE \(conditions.joined(separator: " AND ")))"
    }
    statement = try transaction.prepare(sql)
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

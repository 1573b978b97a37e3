import Bytes
import ObjectModel

/// Writes batches of rows, with what they link, in one transaction.
package final class RowWriter {
  let transaction: StoreTransaction
  let policy: WritePolicy
  /// What has happened so far.
  package internal(set) var tally: Tally
  /// What could not be written since this was last emptied.
  package var problems: [RowProblem] = []

  let pending: PendingReferences
  private var writers: [EntityWriter?]
  private var repetitions: [RepetitionCache?]
  private var children: [ChildLists?]
  private var joins: [JoinLists?]
  private var deletion: ObjectDeleter?
  /// By relationship.
  private var hasLooseLinks: [Bool]

  package init(_ transaction: StoreTransaction, policy: WritePolicy) throws {
    self.transaction = transaction
    self.policy = policy
    let layout = transaction.layout
    tally = Tally(entities: layout.entities.count, tables: layout.tables.count)
    pending = try PendingReferences(transaction, policy: policy.references)
    writers = Array(repeating: nil, count: layout.entities.count)
    repetitions = Array(repeating: nil, count: layout.entities.count)
    children = Array(repeating: nil, count: layout.relationships.count)
    joins = Array(repeating: nil, count: layout.relationships.count)
    hasLooseLinks = layout.schema.relationships.map(\.isItsOwnInverse)
  }

  /// Writes a root row and all that hangs on it.
  package func write(root: Int, of batch: inout RowBatch) throws {
    try write(root, over: nil, isNested: false, of: &batch)
  }

  // MARK: - Rows

  /// Writes a row, the rows it needs and the rows that need it.
  ///
  /// - Parameter existing: For an entity without identity, the row id of the object to update.
  func write(_ row: Int, over existing: Int64?, isNested: Bool = true, of batch: inout RowBatch) throws {
    let header = batch.rows[row]
    guard header.state != .reference else { return }
    let writer = try writer(for: header.entity)
    guard header.state != .skipped else {
      tally.countSkipped(entity: header.entity)
      return try writeIndependentParts(of: row, writer, of: &batch)
    }
    try resolveForeignKeys(of: row, existing, writer, &batch)
    if isNested, writer.layout.entity.hasIdentity, isRepetition(row, of: batch) {
      tally.countDuplicate()
    } else {
      let isWritten = try store(row, over: existing, writer, &batch)
      guard isWritten else { return try writeIndependentParts(of: row, writer, of: &batch) }
    }
    if header.firstList >= 0 { try writeLists(of: row, &batch) }
  }

  /// Inserts or updates the row itself. False if that failed, which is then noted.
  private func store(
    _ row: Int, over existing: Int64?, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> Bool {
    let hasIdentity = writer.layout.entity.hasIdentity
    let entity = batch.rows[row].entity
    let result =
      hasIdentity ? try writer.upsert(row, of: batch) : try writer.write(row, over: existing, of: batch)
    switch result {
    case .problem(let reason):
      problems.append(RowProblem(row: row, reason: reason))
      tally.countSkipped(entity: entity)
      batch.rows[row].state = .skipped
      repetitions[entity]?.forget()
      return false
    case .written(let outcome, let rowID):
      batch.rows[row].rowID = rowID
      batch.rows[row].isNew = outcome == .inserted
      tally.count(outcome, row: rowID, entity: entity, table: writer.layout.table)
      if outcome == .inserted, pending.hasStored {
        try pending.connect(row, rowID, writer.layout, batch)
      }
      try pending.check(row, rowID, writer, batch, self)
      if outcome != .unchanged {
        for links in writer.oneToOneLinks { try links.settle(row, rowID, batch, self) }
      }
      return true
    }
  }

  /// Whether the same object with the same values was the last to come under its key.
  private func isRepetition(_ row: Int, of batch: borrowing RowBatch) -> Bool {
    let entity = batch.rows[row].entity
    let layout = transaction.layout.entities[entity]
    if repetitions[entity] == nil { repetitions[entity] = RepetitionCache(layout) }
    return repetitions[entity]?.check(row, of: batch) ?? false
  }

  /// Forgets which objects of an entity's family came before, since their rows were changed otherwise.
  func forgetRepetitions(inTable table: Int) {
    for layout in transaction.layout.entities where layout.table == table {
      repetitions[layout.entity.index]?.forget()
    }
  }

  // MARK: - Foreign keys

  /// Writes the objects that the row's foreign keys lead to, and puts their keys in its cells.
  private func resolveForeignKeys(
    of row: Int, _ existing: Int64?, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws {
    for key in writer.foreignKeys {
      guard let slot = key.slots.first, batch[row, slot].kind == .row else { continue }
      let target = Int(batch[row, slot].bits)
      if target != batch.rows[row].parent {
        if transaction.layout.schema.entities[key.destination].hasIdentity {
          try write(target, over: nil, of: &batch)
        } else {
          let current = try writer.currentReference(of: row, existing: existing, slot: slot, in: batch)
          try write(target, over: current, of: &batch)
        }
      }
      for slot in key.slots { batch[row, slot] = resolved(batch[row, slot], of: batch) }
    }
  }

  // MARK: - Links that cannot be there

  /// Notes that objects were linked by their keys, so that a new object may find itself linked.
  func noteLooseLinks(of relationship: Int) {
    hasLooseLinks[relationship] = true
    if let inverse = transaction.layout.schema.relationships[relationship].inverse {
      hasLooseLinks[inverse] = true
    }
  }

  /// Whether a row can have links already. A new object in a store that was empty cannot, as long as all links
  /// were made by nesting.
  func mayHaveLinks(_ row: Int, _ relationship: Int, _ batch: borrowing RowBatch) -> Bool {
    !transaction.isFresh || !batch.rows[row].isNew || hasLooseLinks[relationship]
  }

  /// The rank of a cell that holds the key of an object of this batch, which need not be looked for.
  static let knownToExist = UInt8.max

  /// The part of another row's key that a cell stands for; absent if that row is not to be.
  func resolved(_ cell: Cell, of batch: borrowing RowBatch) -> Cell {
    guard cell.kind == .row else { return cell }
    return keyCell(of: Int(cell.bits), part: Int(cell.count), of: batch)
  }

  /// A part of a row's key; absent if the row was skipped.
  func keyCell(of row: Int, part: Int, of batch: borrowing RowBatch) -> Cell {
    let header = batch.rows[row]
    guard header.state != .skipped else { return .absent }
    let layout = transaction.layout.entities[header.entity]
    guard layout.entity.hasIdentity else { return .integer(header.rowID) }
    var cell = batch[row, layout.identitySlots[part]]
    if header.state == .object { cell.rank = Self.knownToExist }
    return cell
  }

  /// A row's whole key; nil if the row was skipped.
  func key(of row: Int, _ batch: borrowing RowBatch) -> [Cell]? {
    let header = batch.rows[row]
    guard header.state != .skipped else { return nil }
    let layout = transaction.layout.entities[header.entity]
    guard layout.entity.hasIdentity else { return [.integer(header.rowID)] }
    var key: [Cell] = []
    key.reserveCapacity(layout.identitySlots.count)
    for part in layout.identitySlots.indices { key.append(keyCell(of: row, part: part, of: batch)) }
    return key
  }

  // MARK: - Lists

  private func writeLists(of row: Int, _ batch: inout RowBatch) throws {
    var next = batch.rows[row].firstList
    var done: [Int] = []
    while next >= 0 {
      let list = batch.lists[next]
      next = list.next
      // The chain begins with the last list; where a key came twice, that one counts.
      guard !done.contains(list.relationship) else { continue }
      done.append(list.relationship)
      switch transaction.layout.relationships[list.relationship] {
      case .inverse: try childLists(for: list.relationship).write(list, of: row, &batch, self)
      case .join: try joinLists(for: list.relationship).write(list, of: row, &batch, self)
      case .foreignKey: break
      }
    }
  }

  /// Of a row that is not written, writes what has an identity of its own.
  private func writeIndependentParts(of row: Int, _ writer: EntityWriter, of batch: inout RowBatch) throws {
    for key in writer.foreignKeys {
      guard let slot = key.slots.first, batch[row, slot].kind == .row else { continue }
      let target = Int(batch[row, slot].bits)
      if target != batch.rows[row].parent { try writeIndependent(target, of: &batch) }
    }
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      next = list.next
      let width = max(1, identityWidth(of: list.relationship))
      var index = list.firstTarget
      for _ in 0..<list.count {
        let cell = batch.targets[index]
        if cell.kind == .row { try writeIndependent(Int(cell.bits), of: &batch) }
        index += cell.kind == .row ? 1 : width
      }
    }
  }

  private func identityWidth(of relationship: Int) -> Int {
    let schema = transaction.layout.schema
    return schema.entities[schema.relationships[relationship].destination].identity.count
  }

  private func writeIndependent(_ row: Int, of batch: inout RowBatch) throws {
    if !transaction.layout.schema.entities[batch.rows[row].entity].hasIdentity,
      batch.rows[row].state == .object
    {
      batch.rows[row].state = .skipped
    }
    try write(row, over: nil, of: &batch)
  }

  // MARK: - Parts, made when first needed

  func writer(for entity: Int) throws -> EntityWriter {
    if let known = writers[entity] { return known }
    let writer = try EntityWriter(entity, transaction)
    writers[entity] = writer
    return writer
  }

  private func childLists(for relationship: Int) throws -> ChildLists {
    if let known = children[relationship] { return known }
    let lists = try ChildLists(relationship, transaction)
    children[relationship] = lists
    return lists
  }

  private func joinLists(for relationship: Int) throws -> JoinLists {
    if let known = joins[relationship] { return known }
    let lists = try JoinLists(relationship, transaction)
    joins[relationship] = lists
    return lists
  }

  func deleter() throws -> ObjectDeleter {
    if let deletion { return deletion }
    try transaction.makeIndexes()
    let deleter = ObjectDeleter(transaction)
    deletion = deleter
    return deleter
  }

  // MARK: - The end

  /// The references of the import that lead nowhere.
  package func pendingReferences() throws -> PendingReferences.Summary {
    try pending.summary()
  }
}

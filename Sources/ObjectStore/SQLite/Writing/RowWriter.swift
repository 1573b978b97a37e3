import Bytes
import ObjectModel

/// Writes batches of rows, with what they link, in one transaction.
package final class RowWriter {
  let transaction: StoreTransaction
  let policy: WritePolicy
  /// What lists mean, by relationship.
  let toMany: [ToManyPolicy]
  /// What has happened so far.
  package internal(set) var tally: Tally
  /// What could not be written since this was last emptied.
  package var problems: [RowProblem] = []

  let pending: PendingReferences
  /// Whether all that the tables hold was written by this writer.
  private let isFresh: Bool
  /// What an import has to leave as it is; nil if there is nothing.
  let unsent: UnsentChanges?
  private var writers: [EntityWriter?]
  private var repetitions: [RepetitionCache?]
  private var children: [ChildLists?]
  private var joins: [JoinLists?]
  private var deletion: ObjectDeleter?
  var deferred: [(ticket: Int, release: DeferredRelease)] = []
  /// The required links of new objects that are still to come, with their tickets.
  var requiredLinks: [RequiredLink] = []
  var nextTicket = 0
  /// Statements that are seldom needed, by their SQL.
  private var rareStatements: [String: PreparedStatement] = [:]
  /// Whether anything in a list could not be used.
  var sawIncompleteList = false
  /// By relationship.
  private var hasLooseLinks: [Bool]

  package init(_ transaction: StoreTransaction, policy: WritePolicy) throws {
    self.transaction = transaction
    self.policy = policy
    isFresh = transaction.takeFreshness()
    unsent = policy.isLocal || policy.overwritesUnsent ? nil : try UnsentChanges(transaction)
    let layout = transaction.layout
    toMany = layout.schema.relationships.map { relationship in
      let own = policy.isLocal ? nil : relationship.relationship.annotations.toMany.flatMap(ToManyPolicy.init)
      // The far end of a one-to-one is no list, though its link is written as one.
      guard relationship.isToMany else { return .replace }
      let wanted = relationship.index == policy.prunedRelationship ? .prune : own ?? policy.toMany
      return wanted == .prune && !policy.operations.contains(.delete) ? .replace : wanted
    }
    tally = Tally(entities: layout.entities.count, tables: layout.tables.count)
    pending = try PendingReferences(transaction, policy: policy)
    writers = Array(repeating: nil, count: layout.entities.count)
    repetitions = Array(repeating: nil, count: layout.entities.count)
    children = Array(repeating: nil, count: layout.relationships.count)
    joins = Array(repeating: nil, count: layout.relationships.count)
    hasLooseLinks = layout.schema.relationships.map(\.isItsOwnInverse)
  }

  /// Writes a root row and all that hangs on it.
  ///
  /// - Parameter existing: For an entity without identity, the row id of the object to update.
  package func write(root: Int, over existing: Int64? = nil, of batch: inout RowBatch) throws {
    try write(root, over: existing, isNested: false, of: &batch)
  }

  // MARK: - Rows

  /// Writes a row, the rows it needs and the rows that need it.
  ///
  /// - Parameter existing: For an entity without identity, the row id of the object to update.
  /// - Parameter isReplacement: Whether it takes the place of that object, rather than tell more of it.
  func write(
    _ row: Int, over existing: Int64?, isNested: Bool = true, isReplacement: Bool = false,
    of batch: inout RowBatch
  ) throws {
    let header = batch.rows[row]
    guard header.state != .reference else { return }
    let writer = try writer(for: header.entity)
    guard header.state != .skipped else {
      if !header.isHeld { tally.countSkipped(entity: header.entity) }
      return try writeIndependentParts(of: row, writer, of: &batch)
    }
    if isGated(writer), try holdBack(row, over: existing, writer, of: &batch) { return }
    if let unsent, unsent.concerns(table: writer.layout.table),
      try spare(unsent, row, over: existing, writer, of: &batch)
    {
      return
    }
    if unsent != nil {
      for links in writer.oneToOneLinks { try links.spareTarget(of: row, &batch, self) }
    }
    let parts = try resolveForeignKeys(of: row, existing, writer, isReplacement: isReplacement, &batch)
    if let known = repetition(of: row, isNested: isNested, writer, batch) {
      batch.rows[row].rowID = known
      tally.countDuplicate()
    } else {
      let isWritten = try store(row, over: existing, isReplacement: isReplacement, writer, &batch)
      guard isWritten else {
        for part in parts.inserted { try takeBack(part.row, of: part.entity) }
        return try writeIndependentParts(of: row, writer, of: &batch)
      }
      for part in parts.orphaned {
        _ = try delete(part.row, ofTable: transaction.layout.entities[part.entity].table)
      }
    }
    if header.firstList >= 0 {
      try writeLists(of: row, &batch)
      for target in parts.late { try writeAgain(target, batch) }
    }
    if isReplacement, existing != nil { try emptyOtherLists(of: row, &batch) }
  }

  /// Inserts or updates the row itself. False if that failed, which is then noted.
  private func store(
    _ row: Int, over existing: Int64?, isReplacement: Bool, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> Bool {
    let hasIdentity = writer.layout.entity.hasIdentity
    let entity = batch.rows[row].entity
    let result =
      hasIdentity
      ? try writer.upsert(row, of: batch)
      : try writer.write(row, over: existing, isReplacement: isReplacement, of: batch)
    switch result {
    case .problem(let reason):
      problems.append(RowProblem(row: row, reason: reason))
      tally.countSkipped(entity: entity)
      batch.rows[row].state = .skipped
      repetitions[entity]?.forgetLast()
      return false
    case .written(let outcome, let rowID):
      batch.rows[row].rowID = rowID
      batch.rows[row].isNew = outcome == .inserted
      tally.count(outcome, row: rowID, entity: entity, table: writer.layout.table)
      repetitions[entity]?.rememberLast(rowID)
      let isOfNewKind = outcome == .updated && writer.formerKind != nil
      if outcome == .inserted || isOfNewKind, pending.hasStored {
        try pending.connect(row, rowID, writer.layout, batch)
      }
      if outcome == .inserted, !writer.requiredLinks.isEmpty { noteRequiredLinks(of: row, writer, batch) }
      if isOfNewKind, let kind = writer.formerKind { try strip(rowID, of: kind, writer.layout) }
      try pending.check(row, rowID, writer, batch, self)
      if outcome != .unchanged {
        for links in writer.oneToOneLinks { try links.settle(row, rowID, batch, self) }
      }
      return true
    }
  }

  /// The row id of the object, if what last came under its key had the same values.
  ///
  /// Only nested objects are expected to repeat. Where objects of several entities share a table, one could be
  /// written as another without its cache knowing, so there is none.
  private func repetition(
    of row: Int, isNested: Bool, _ writer: EntityWriter, _ batch: borrowing RowBatch
  ) -> Int64? {
    guard writer.layout.entity.hasIdentity, writer.table.kindColumn == nil else { return nil }
    let entity = writer.layout.entity.index
    if isNested, repetitions[entity] == nil { repetitions[entity] = RepetitionCache(writer.layout) }
    return repetitions[entity]?.check(row, of: batch)
  }

  /// Forgets which objects of an entity's family came before, since their rows were changed otherwise.
  func forgetRepetitions(inTable table: Int) {
    for layout in transaction.layout.entities where layout.table == table {
      repetitions[layout.entity.index]?.forget()
    }
  }

  /// Among objects without identity, the one that has all the values of a row; nil if none has.
  func twin(of row: Int, among candidates: [Int64], _ batch: borrowing RowBatch) throws -> Int64? {
    let writer = try writer(for: batch.rows[row].entity)
    return try candidates.first { try writer.matches(row, $0, batch) }
  }

  // MARK: - Foreign keys

  /// What happened to the objects without identity that a row's foreign keys lead to.
  private struct Parts {
    /// Those that the row is about to let go of.
    var orphaned: [(entity: Int, row: Int64)] = []
    /// Those that were made for it.
    var inserted: [(entity: Int, row: Int64)] = []
    /// Rows of the batch whose values come after those of a list that may have the same objects.
    var late: [Int] = []
  }

  /// Writes the values of a row once more, over those of a list that stands before it in the JSON but is written
  /// later.
  private func writeAgain(_ row: Int, _ batch: borrowing RowBatch) throws {
    guard batch.rows[row].state == .object else { return }
    let writer = try writer(for: batch.rows[row].entity)
    guard case .written(.updated, let rowID) = try writer.upsert(row, of: batch) else { return }
    try countChange(row: rowID, entity: writer.layout.entity.index)
    forgetRepetitions(inTable: writer.layout.table)
  }

  /// Whether a list of a row, of objects as the target's, stands before the target in the JSON.
  private func isLate(_ target: Int, of row: Int, _ batch: borrowing RowBatch) -> Bool {
    let layout = transaction.layout
    let table = layout.entities[batch.rows[target].entity].table
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      let destination = layout.schema.relationships[list.relationship].destination
      if list.count > 0, layout.entities[destination].table == table,
        batch.targets[list.firstTarget].kind == .row, batch.targets[list.firstTarget].bits < target
      {
        return true
      }
      next = list.next
    }
    return false
  }

  /// Writes the objects that the row's foreign keys lead to, and puts their keys in its cells.
  ///
  private func resolveForeignKeys(
    of row: Int, _ existing: Int64?, _ writer: EntityWriter, isReplacement: Bool,
    _ batch: inout RowBatch
  ) throws -> Parts {
    var parts = Parts()
    for key in writer.foreignKeys {
      guard let slot = key.slots.first else { continue }
      let kind = batch.cell(row, slot).kind
      let isPart = !key.targetHasIdentity
      // What took another object's place has none of its links, but for those that other objects' lists make.
      let isEmptied = isReplacement && kind == .absent && !key.isFromList
      if isEmptied { for slot in key.slots { batch[row, slot] = .null } }
      if isPart, kind == .null || isEmptied, !policy.operations.contains(.delete) {
        for slot in key.slots { batch[row, slot] = .absent }
        continue
      }
      if isPart, kind == .null || isEmptied,
        let current = try writer.currentReference(of: row, existing: existing, slot: slot, in: batch)
      {
        parts.orphaned.append((key.destination, current))
      }
      guard kind == .row else { continue }
      let target = Int(batch[row, slot].bits)
      if target != batch.rows[row].parent {
        let current =
          isPart ? try writer.currentReference(of: row, existing: existing, slot: slot, in: batch) : nil
        try write(target, over: current, of: &batch)
        if isPart, batch.rows[target].isNew {
          parts.inserted.append((batch.rows[target].entity, batch.rows[target].rowID))
        }
        if !isPart, batch.rows[row].firstList >= 0, isLate(target, of: row, batch) {
          parts.late.append(target)
        }
      }
      for slot in key.slots { batch[row, slot] = resolved(batch[row, slot], of: batch) }
    }
    return parts
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
    !isFresh || !batch.rows[row].isNew || hasLooseLinks[relationship]
  }

  // MARK: - Counting

  /// Counts a change of an object that came about through another's relationship.
  ///
  /// - Parameter entity: The entity that the relationship is of; the object may be of a sub-entity.
  func countChange(row: Int64, entity: Int) throws {
    let layout = transaction.layout
    let table = layout.entities[entity].table
    var actual = entity
    if layout.tables[table].kindColumn != nil {
      let kind = try statement(DeletionSQL(layout: layout, table: layout.tables[table]).kind, row)
      if try kind.step() { actual = layout.schema.index(of: kind.string(0)) ?? entity }
      kind.reset()
    }
    tally.countChange(row: row, entity: actual, table: table)
  }

  /// A statement that takes a row id, and is seldom needed.
  func statement(_ sql: String, _ row: Int64) throws -> PreparedStatement {
    let statement = try rareStatements[sql] ?? transaction.prepare(sql)
    rareStatements[sql] = statement
    statement.bind(row, at: 1)
    return statement
  }

  // MARK: - Parts, made when first needed

  func writer(for entity: Int) throws -> EntityWriter {
    if let known = writers[entity] { return known }
    let writer = try EntityWriter(entity, transaction)
    writers[entity] = writer
    return writer
  }

  func childLists(for relationship: Int) throws -> ChildLists {
    if let known = children[relationship] { return known }
    let lists = try ChildLists(relationship, transaction)
    children[relationship] = lists
    return lists
  }

  func joinLists(for relationship: Int) throws -> JoinLists {
    if let known = joins[relationship] { return known }
    let lists = try JoinLists(relationship, transaction)
    joins[relationship] = lists
    return lists
  }

  /// What came of deleting an object.
  package enum Deletion {
    case deleted
    case missing
    case denied(RowProblem.Reason)
  }

  /// Deletes a row and what its cascades reach.
  package func deleteObject(_ row: Int64, ofTable table: Int) throws -> Deletion {
    switch try deleter().delete(row, ofTable: table, self) {
    case .deleted: .deleted
    case .missing: .missing
    case .refused(let refusal): .denied(refusal.reason)
    }
  }

  /// Deletes a row and what its cascades reach, unless the import may not delete. Returns what denies it.
  func delete(
    _ row: Int64, ofTable table: Int, sparingListed: Bool = false
  ) throws -> ObjectDeleter.Refusal? {
    guard policy.operations.contains(.delete) else { return nil }
    if spares(row, ofTable: table) { return nil }
    return try deleter().delete(row, ofTable: table, sparingListed: sparingListed, self).refusal
  }

  /// Removes an object that should not have been inserted.
  ///
  /// - Parameter lists: The relationships whose lists have it.
  func takeBack(_ row: Int64, of entity: Int, listedBy lists: [Int] = []) throws {
    try deleter().takeBack(
      row, ofTable: transaction.layout.entities[entity].table, listedBy: lists, self)
    tally.countTakenBack(row: row, entity: entity, table: transaction.layout.entities[entity].table)
  }

  /// Takes from an object, which turned into another kind, the links that only its former kind has.
  private func strip(_ row: Int64, of kind: String, _ layout: EntityLayout) throws {
    guard let former = transaction.layout.schema.entity(kind) else { return }
    try deleter().strip(row, of: former, sparing: layout.entity, self)
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

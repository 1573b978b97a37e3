import Bytes
import ObjectModel

/// Writes batches of rows, with what they link, in one transaction.
///
/// It is the front door. Rows are written by ``RecordWriter``, lists by ``ListWriters``, deletions are carried out by
/// ``ObjectDeleter``, and what has to wait for the end is decided in ``runDeferredChecks(_:)``. All of them share a
/// ``WriteContext``.
package final class RowWriter {
  let context: WriteContext
  let claims: ListClaims
  let references: PendingReferences
  let pendingLinks: PendingLinks
  let rows: SQLiteRows
  let deleter: ObjectDeleter<SQLiteRows>
  let lists: ListWriters
  let releases: DeferredReleases
  let requiredLinks: RequiredLinks
  let uniqueValues: UniqueValues
  let records: RecordWriter

  /// - Parameters:
  ///   - equality: Knows which values are one, where a program writes.
  ///   - state: What the former transaction of the same import left to be done.
  package init(
    _ transaction: SQLiteTransaction, policy: WritePolicy, equality: (any ValueEquality)? = nil,
    continuing state: (any ChunkState)? = nil
  ) throws {
    let former = state as? RowWriterState
    context = try WriteContext(transaction, policy, continuing: former)
    claims = former?.claims ?? ListClaims(context.layout)
    references = PendingReferences(context, continuing: former)
    pendingLinks = try PendingLinks(context, claims, references)
    let entities = EntityWriters(context, claims, pendingLinks, equality: equality)
    let stubs = StubWriter(context, entities, pendingLinks)
    let checks = ReferenceChecks(context, references, stubs)
    rows = SQLiteRows(context, claims, pendingLinks, references, before: former?.before)
    deleter = ObjectDeleter(rows, context.layout, continuing: former?.deleted ?? [])
    releases = DeferredReleases(context, rows, continuing: former)
    requiredLinks = RequiredLinks(context)
    uniqueValues = UniqueValues(context, deleter)
    lists = ListWriters(
      ListContext(
        context: context, entities: entities, claims: claims, pendingLinks: pendingLinks, stubs: stubs,
        checks: checks, releases: releases, deleter: deleter))
    records = RecordWriter(
      context, entities: entities, lists: lists,
      links: .init(claims: claims, pending: pendingLinks, checks: checks),
      deleter: deleter, uniqueValues: uniqueValues, requiredLinks: requiredLinks)
  }

  /// Writes a root row and all that hangs on it: the rows from it to `end`.
  ///
  /// - Parameter existing: For an entity without identity, the row id of the object to update.
  package func write(root: Int, to end: Int, over existing: Int64?, of batch: inout RowBatch) throws {
    try records.write(root: root, to: end, over: existing, &batch)
  }

  // MARK: - What has happened

  /// The counts of what happened to the objects so far.
  package var tally: WriteCounter { context.tally }

  /// The problems of rows since this was last emptied.
  package var problems: [RowProblem] {
    get { context.problems.list }
    set { context.problems.list = newValue }
  }

  /// Whether anything was left out that may have held objects.
  package var hasLeftOutObjects: Bool {
    get { context.hasLeftOutObjects }
    set { context.hasLeftOutObjects = newValue }
  }

  /// The references of the import that lead nowhere.
  package func pendingReferences() throws -> PendingSummary {
    try references.summary()
  }

  package var deletedObjects: [(entity: String, key: String)] { deleter.deleted }

  // MARK: - Deleting

  package func deleteObjects(_ rows: [Int64], ofTable table: Int) throws -> [DeferredDeletion] {
    try deleter.deleteBeforeCheck(rows.map { RowLocation(table: table, row: $0) })
  }

  // MARK: - Undoing

  /// How much is noted now.
  package var checkpoint: WriterCheckpoint {
    var checkpoint = WriterCheckpoint()
    (checkpoint.releases, checkpoint.links) = (releases.items.count, requiredLinks.count)
    checkpoint.deletions = deleter.heldCount
    return checkpoint
  }

  /// Forgets what was noted after a checkpoint, since what was written after it was undone.
  package func forget(after checkpoint: WriterCheckpoint) {
    problems = []
    releases.removeAll(after: checkpoint.releases)
    requiredLinks.removeAll(after: checkpoint.links)
    deleter.forgetHeldDeletions(after: checkpoint.deletions)
  }

  /// Forgets the releases noted before a checkpoint that need no check any more, since a row was saved after it: the row
  /// has the list again, or has its own owner.
  package func forgetReleases(
    before checkpoint: WriterCheckpoint, madeUpForBy row: Int, _ batch: borrowing RowBatch
  ) {
    guard checkpoint.releases > 0 else { return }
    releases.removeFirst(checkpoint.releases, madeUpForBy: row, batch)
  }
}

/// The state that a writer leaves to the next one of the same import, which writes in another transaction.
///
/// Others may write in between, so whatever is told by a row id is told by its key as well before anything is deleted
/// because of it.
struct RowWriterState: ChunkState {
  var tally: WriteCounter
  var nextTicket: Int
  var hasLeftOutObjects: Bool
  /// Objects that lists no longer have. A later list may have them, so this is decided in the end.
  var releases: [DeferredRelease]
  var references: PendingReferences.Noted
  /// The objects that were deleted, the first of them by name.
  var deleted: [(entity: String, key: String)]
  var claims: ListClaims
  var before: SQLiteObjectSetSnapshot?
}

extension RowWriter {
  /// The state for the writer of the next transaction. To be asked when this one's is about to be committed.
  package func chunkState() throws -> any ChunkState {
    RowWriterState(
      tally: tally, nextTicket: context.problems.nextTicket, hasLeftOutObjects: hasLeftOutObjects,
      releases: try releases.itemsWithKeys(), references: references.noted, deleted: deletedObjects,
      claims: claims, before: rows.before)
  }

  /// Notes which objects there are, so that only these are pruned in the end.
  package func takeObjectSetSnapshot() throws {
    rows.before = try SQLiteObjectSetSnapshot(context.transaction)
  }
}

/// The claims of lists, with the values of the owners' keys.
typealias ListClaims = OwnershipClaims<[SQLValue]>

/// The context of a writer's parts: the transaction, the rules of the write, and the counts so far.
final class WriteContext {
  let transaction: SQLiteTransaction
  let layout: Layout
  let policy: WritePolicy
  /// The meaning of lists, by relationship.
  let toMany: [ToManyPolicy]
  /// The treatment of references to objects that are not there, by relationship.
  let references: [ReferencePolicy]
  /// The local changes that an import has to heed; nil if there are none.
  let unsent: UnsyncedChanges?
  /// The objects that were written with the same values before.
  let repetitions: Repetitions
  /// The counts of what happened to the objects so far.
  var tally: WriteCounter
  /// The problems of rows.
  var problems: RowProblems
  /// Whether anything was left out that may have held objects.
  var hasLeftOutObjects: Bool
  /// Whether all that the tables hold was written by this writer.
  private let isFresh: Bool
  /// By relationship, whether objects were linked by their keys, so that a new object may have links already.
  private var hasLinksByKey: [Bool]
  /// Statements that are seldom needed, by their SQL.
  private var rareStatements: [String: PreparedStatement] = [:]

  /// - Parameter former: What the former transaction of the same import left to be done.
  init(_ transaction: SQLiteTransaction, _ policy: WritePolicy, continuing former: RowWriterState?) throws {
    self.transaction = transaction
    self.policy = policy
    layout = transaction.layout
    isFresh = transaction.takeFreshness()
    unsent =
      policy.isLocal ? nil : try transaction.unsyncedChanges(isProtective: !policy.overwritesUnsent)
    let relationships = layout.schema.relationships
    toMany = relationships.map(policy.meaning(ofList:))
    references = relationships.map(policy.treatment(ofReferences:))
    repetitions = Repetitions(layout)
    tally = former?.tally ?? WriteCounter(entities: layout.entities.count, tables: layout.tables.count)
    problems = RowProblems(nextTicket: former?.nextTicket ?? 0)
    hasLeftOutObjects = former?.hasLeftOutObjects ?? false
    hasLinksByKey = relationships.map(\.isItsOwnInverse)
  }

  // MARK: - Lists

  /// Whether a list adds to the links that are there. A null clears them all the same.
  func merges(_ list: LinkList) -> Bool { toMany[list.relationship] == .merge && !list.isCleared }

  /// Notes that objects were linked by their keys, so that a new object may find itself linked.
  func noteLinksByKey(of relationship: Int) {
    hasLinksByKey[relationship] = true
    if let inverse = layout.schema.relationships[relationship].inverse { hasLinksByKey[inverse] = true }
  }

  /// Whether a row can have links already. A new object in a store that was empty cannot, as long as all links
  /// were made by nesting.
  func mayHaveLinks(_ row: Int, _ relationship: Int, _ batch: borrowing RowBatch) -> Bool {
    !isFresh || !batch.rows[row].isNew || hasLinksByKey[relationship]
  }

  /// Notes that lists of several owners, or several objects of a one-to-one, have the same object. A program says exactly
  /// what is to be.
  func noteDispute(of relationship: SchemaRelationship, _ claims: ListClaims, row: Int) {
    if !policy.isLocal { claims.noteDispute(of: relationship) { problems.addDeferred(row: row) } }
  }

  // MARK: - Unsent changes

  /// Whether a program changed a property of an object, so that an import may not change it on another's behalf.
  func isUnsent(_ property: String, of row: Int64, entity: Int) -> Bool {
    unsent?.protects(property, of: row, table: layout.entities[entity].table) ?? false
  }

  /// Counts an object of which something stays as a program has it.
  func countUnsent(_ row: Int64, entity: Int) {
    tally.countPartlyUnsent(row: row, entity: entity, table: layout.entities[entity].table)
  }

  // MARK: - Changes by statements of their own

  /// Notes that a row was changed through another object's relationship.
  ///
  /// - Parameter entity: The entity that the relationship is of; the object may be of a sub-entity.
  func noteChange(of row: Int64, entity: Int) throws {
    try countChange(of: row, entity: entity)
    repetitions.forget(inTable: layout.entities[entity].table)
  }

  /// Counts a change of an object that came about through another's relationship.
  func countChange(of row: Int64, entity: Int) throws {
    let table = layout.entities[entity].table
    var actual = entity
    if layout.tables[table].kindColumn != nil {
      let kind = try rareStatement(DeletionSQL(layout: layout, table: layout.tables[table]).kind, row)
      if try kind.step() { actual = layout.schema.index(of: kind.string(0)) ?? entity }
      kind.reset()
    }
    tally.countChange(row: row, entity: actual, table: table)
  }

  /// Prepares a statement that takes a row id and is seldom needed.
  func rareStatement(_ sql: String, _ row: Int64) throws -> PreparedStatement {
    let statement = try rareStatements[sql] ?? transaction.prepare(sql)
    rareStatements[sql] = statement
    statement.bind(row, at: 1)
    return statement
  }
}

/// The keys of the rows of a batch, which other rows refer to.
extension WriteContext {
  /// The part of another row's key that a cell stands for; absent if that row is not to be.
  func resolved(_ cell: Cell, of batch: borrowing RowBatch) -> Cell {
    guard cell.kind == .row else { return cell }
    return keyCell(of: Int(cell.bits), part: Int(cell.count), of: batch)
  }

  /// A part of a row's key; absent if the row was skipped without its key being known.
  func keyCell(of row: Int, part: Int, of batch: borrowing RowBatch) -> Cell {
    let header = batch.rows[row]
    guard header.state != .skipped || isSkippedReference(row, batch) else { return .absent }
    let layout = layout.entities[header.entity]
    guard layout.entity.hasIdentity else { return .integer(header.rowID) }
    var cell = batch[row, layout.keySlots[part]]
    // Asked first, since to pass the layout on counts references.
    if cell.kind == .row { cell = batch.resolved(cell, self.layout) }
    if header.state == .object || header.isDuplicate { cell.link = .exists }
    return cell
  }

  /// A row's whole key; nil if the row was skipped.
  func key(of row: Int, _ batch: borrowing RowBatch) -> [Cell]? {
    let header = batch.rows[row]
    guard header.state != .skipped else { return nil }
    let layout = layout.entities[header.entity]
    guard layout.entity.hasIdentity else { return [.integer(header.rowID)] }
    var key: [Cell] = []
    key.reserveCapacity(layout.keySlots.count)
    for part in layout.keySlots.indices { key.append(keyCell(of: row, part: part, of: batch)) }
    return key
  }

  // MARK: - Rows that were skipped

  /// Whether a row is an object that was skipped, though its key is known: then it is as good as a reference.
  func isSkippedReference(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
    let header = batch.rows[row]
    guard header.state == .skipped else { return false }
    let slots = layout.entities[header.entity].keySlots
    for slot in slots {
      let kind = batch.resolved(batch[row, slot], layout).kind
      if kind == .absent || kind == .null { return false }
    }
    return !slots.isEmpty
  }

  /// Whether a row stands for no object: it was skipped, and its key is not known.
  func isUnknown(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
    batch.rows[row].state == .skipped && !isSkippedReference(row, batch)
  }

  /// A part of the key that a row's cells say, be the row usable or not.
  func declaredKeyCell(of row: Int, part: Int, of batch: borrowing RowBatch) -> Cell {
    let header = batch.rows[row]
    guard header.state == .skipped else { return keyCell(of: row, part: part, of: batch) }
    return batch.resolved(batch[row, layout.entities[header.entity].keySlots[part]], layout)
  }

  /// The key that a row's cells say, be the row usable or not.
  func declaredKey(of row: Int, _ batch: borrowing RowBatch) -> [Cell] { batch.key(of: row, layout) }

  /// The keys of the owners of a part that come before the owner by a relationship, as its cells say them; empty
  /// if they name none.
  func precedingOwnerKey(
    of row: Int, _ relationship: SchemaRelationship, _ batch: borrowing RowBatch
  ) -> String {
    let preceding = layout.precedingOwners(of: relationship)
    guard !preceding.isEmpty else { return "" }
    let entity = layout.entities[batch.rows[row].entity]
    var parts: [String] = []
    for columns in preceding {
      for column in columns where entity.slotOfColumn[column] >= 0 {
        let cell = resolved(batch[row, entity.slotOfColumn[column]], of: batch)
        parts.append(KeyText.text(of: cell, batch))
      }
    }
    return parts.allSatisfy(\.isEmpty) ? "" : KeyText.joined(parts)
  }
}

/// The problems of rows, and the tickets of those that show in the end only.
struct RowProblems {
  /// The problems since the list was last emptied.
  var list: [RowProblem] = []
  /// The ticket of the next problem that has to wait for the end.
  private(set) var nextTicket: Int

  init(nextTicket: Int) {
    self.nextTicket = nextTicket
  }

  mutating func add(_ reason: RowProblem.Reason, row: Int) {
    list.append(RowProblem(row: row, reason: reason))
  }

  /// Notes that a row may turn out to have a problem, and returns the ticket by which the end tells which.
  mutating func addDeferred(row: Int) -> Int {
    let ticket = takeTicket()
    add(.deferred(ticket: ticket), row: row)
    return ticket
  }

  /// A ticket for a problem that no row of a batch has.
  mutating func takeTicket() -> Int {
    defer { nextTicket += 1 }
    return nextTicket
  }
}

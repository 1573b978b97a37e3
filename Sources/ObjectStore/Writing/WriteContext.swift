import Bytes
package import ObjectModel

/// The rules of a write, and what has happened so far: shared by all that write rows in one transaction.
package final class WriteContext {
  package let layout: Layout
  package let policy: WritePolicy
  /// The meaning of lists, by relationship.
  package let toMany: [ToManyPolicy]
  /// The treatment of references to objects that are not there, by relationship.
  package let references: [ReferencePolicy]
  /// The local changes that an import has to heed; nil if there are none.
  package var unsynced: UnsyncedChanges?
  /// The objects that were written with the same values before.
  package let repetitions: Repetitions
  /// The objects that lists have named.
  package let claims: OwnershipClaims
  /// The counts of what happened to the objects so far.
  package var tally: WriteCounter
  /// The evidence against identities, if the policy asks for it.
  package var conflicts: IdentityConflicts
  /// The problems of rows.
  package var problems: RowProblems
  /// Whether anything was left out that may have held objects.
  package var hasLeftOutObjects: Bool
  /// The objects that lists no longer have, until the end.
  package var releases: [DeferredRelease]
  /// The required links of new objects that are still to come.
  package var missingLinks: [MissingLink] = []
  /// Whether all that the tables hold was written by this writer.
  private let isFresh: Bool
  /// By relationship, whether objects were linked by their keys, so that a new object may have links already.
  private var hasLinksByKey: [Bool]

  /// The state that one transaction of an import leaves to the next.
  ///
  /// Others may write in between, so whatever is told by a row is told by its key as well before anything is deleted because
  /// of it.
  package struct State {
    fileprivate var tally: WriteCounter
    fileprivate var conflicts: IdentityConflicts
    fileprivate var nextTicket: Int
    fileprivate var hasLeftOutObjects: Bool
    fileprivate var releases: [DeferredRelease]
    fileprivate var claims: OwnershipClaims
  }

  /// - Parameters:
  ///   - former: What the former transaction of the same import left to be done.
  ///   - isFresh: Whether the tables are empty.
  package init(_ layout: Layout, _ policy: WritePolicy, continuing former: State?, isFresh: Bool = false) {
    self.layout = layout
    self.policy = policy
    self.isFresh = isFresh
    let relationships = layout.schema.relationships
    toMany = relationships.map(policy.meaning(ofList:))
    references = relationships.map(policy.treatment(ofReferences:))
    repetitions = Repetitions(layout)
    claims = former?.claims ?? OwnershipClaims(layout)
    tally = former?.tally ?? WriteCounter(entities: layout.entities.count, tables: layout.tables.count)
    conflicts = former?.conflicts ?? IdentityConflicts()
    problems = RowProblems(nextTicket: former?.nextTicket ?? 0)
    hasLeftOutObjects = former?.hasLeftOutObjects ?? false
    releases = former?.releases ?? []
    hasLinksByKey = relationships.map(\.isItsOwnInverse)
  }

  /// The state for the next transaction of the import.
  ///
  /// - Parameter keyText: The key of an object, as text.
  package func state<Failure: Error>(
    keyText: (RowLocation) throws(Failure) -> String
  ) throws(Failure) -> State {
    for index in releases.indices where releases[index].key == nil {
      let table = layout.entities[releases[index].relationship.destination].table
      releases[index].key = try keyText(RowLocation(table: table, row: releases[index].child))
    }
    return State(
      tally: tally, conflicts: conflicts, nextTicket: problems.nextTicket,
      hasLeftOutObjects: hasLeftOutObjects, releases: releases,
      claims: claims)
  }

  // MARK: - Lists

  /// Whether a list adds to the links that are there. A null clears them all the same.
  package func merges(_ list: LinkList) -> Bool { toMany[list.relationship] == .merge && !list.isCleared }

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
  func noteDispute(of relationship: SchemaRelationship, row: Int) {
    if !policy.isLocal { claims.noteDispute(of: relationship) { problems.addDeferred(row: row) } }
  }

  // MARK: - Unsynced changes

  /// Whether a program changed a property of an object, so that an import may not change it on another's behalf.
  func isUnsynced(_ property: String, of row: Int64, entity: Int) -> Bool {
    unsynced?.protects(property, of: row, table: layout.entities[entity].table) ?? false
  }

  /// Counts an object of which something stays as a program has it.
  func countUnsynced(_ row: Int64, entity: Int) {
    tally.countPartlyUnsent(row: row, entity: entity, table: layout.entities[entity].table)
  }

  /// Whether a program deleted the object with a key.
  func isDeletedHere(_ key: [Cell], of entity: Int, _ batch: borrowing RowBatch) -> Bool {
    let table = layout.entities[entity].table
    guard let unsynced, unsynced.hasDeleted(inTable: table) else { return false }
    return unsynced.hasDeleted(KeyText.text(of: key, batch), table: table)
  }

  // MARK: - Undoing

  /// Forgets what was noted after a checkpoint, since what was written after it was undone.
  package func forget(after checkpoint: WriterCheckpoint) {
    problems.list = []
    releases.removeSubrange(min(checkpoint.releases, releases.count)...)
    missingLinks.removeSubrange(min(checkpoint.links, missingLinks.count)...)
  }

  /// Forgets the releases noted before a checkpoint that need no check any more, since a row was saved after it: the row
  /// has the list again, or has its own owner.
  package func forgetReleases(
    before checkpoint: WriterCheckpoint, madeUpForBy row: Int, _ batch: borrowing RowBatch
  ) {
    guard checkpoint.releases > 0 else { return }
    let key = KeyText.text(of: key(of: row, batch) ?? [], batch)
    var kept: [DeferredRelease] = []
    for (index, release) in releases.enumerated()
    where index >= checkpoint.releases || !release.isMadeUpFor(by: row, withKey: key, batch, layout) {
      kept.append(release)
    }
    releases = kept
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
    var cell = Cell.integer(header.rowID)
    if layout.entity.hasIdentity {
      cell = batch[row, layout.keySlots[part]]
      // Asked first, since to pass the layout on counts references.
      if cell.kind == .row { cell = batch.resolved(cell, self.layout) }
    }
    if header.state == .object || header.isDuplicate { cell.link = .exists }
    return cell
  }

  /// A row's whole key; nil if the row was skipped.
  package func key(of row: Int, _ batch: borrowing RowBatch) -> [Cell]? {
    let header = batch.rows[row]
    guard header.state != .skipped else { return nil }
    let layout = layout.entities[header.entity]
    guard layout.entity.hasIdentity else { return [keyCell(of: row, part: 0, of: batch)] }
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
  package func isUnknown(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
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
package struct RowProblems {
  /// The problems since the list was last emptied.
  package var list: [RowProblem] = []
  /// The ticket of the next problem that has to wait for the end.
  fileprivate(set) var nextTicket: Int

  init(nextTicket: Int) {
    self.nextTicket = nextTicket
  }

  package mutating func add(_ reason: RowProblem.Reason, row: Int) {
    list.append(RowProblem(row: row, reason: reason))
  }

  /// Notes that a row may turn out to have a problem, and returns the ticket by which the end tells which.
  package mutating func addDeferred(row: Int) -> Int {
    let ticket = takeTicket()
    add(.deferred(ticket: ticket), row: row)
    return ticket
  }

  /// A ticket for a problem that no row of a batch has.
  package mutating func takeTicket() -> Int {
    defer { nextTicket += 1 }
    return nextTicket
  }
}

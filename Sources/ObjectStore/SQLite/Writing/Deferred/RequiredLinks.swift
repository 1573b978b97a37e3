import Bytes
import ObjectModel

/// A relationship that a new object must have, and that its own row did not give it.
///
/// Whether it lacks it shows at the end, since another object's list may link it.
struct MissingLink {
  let ticket: Int
  let relationship: SchemaRelationship
  let entity: Int
  let row: Int64
  /// The relationships whose lists have it.
  let lists: [Int]
  /// Whether its own row names an object that a program has deleted here.
  let namesDeleted: Bool
}

/// The required links of new objects that are still to come.
final class RequiredLinks {
  private let context: WriteContext
  private let deleter: ObjectDeleter
  private let pendingLinks: PendingLinks
  private var missing: [MissingLink] = []

  init(_ context: WriteContext, _ deleter: ObjectDeleter, _ pendingLinks: PendingLinks) {
    self.context = context
    self.deleter = deleter
    self.pendingLinks = pendingLinks
  }

  var count: Int { missing.count }

  /// Forgets those that came after there were `count`.
  func removeAll(after count: Int) { missing.removeSubrange(min(count, missing.count)...) }

  // MARK: - While rows are written

  /// Notes the required relationships that a row, just inserted, says nothing of.
  func noteMissing(of row: Int, _ writer: EntityWriter, _ batch: borrowing RowBatch) {
    for required in writer.requiredLinks {
      let leadsToDeleted = leadsToDeleted(row, required, writer, batch)
      guard leadsToDeleted || !isLinked(row, required, batch) else { continue }
      missing.append(
        MissingLink(
          ticket: context.problems.addDeferred(row: row),
          relationship: context.layout.schema.relationships[required.relationship],
          entity: writer.layout.entity.index, row: batch.rows[row].rowID,
          lists: lists(thatHave: row, writer, batch),
          namesDeleted: leadsToDeleted || isInDeleted(row, batch)))
    }
  }

  /// Whether a row's foreign key leads to an object that a program deleted and the server has not been told of.
  private func leadsToDeleted(
    _ row: Int, _ required: EntityWriter.RequiredLink, _ writer: EntityWriter, _ batch: borrowing RowBatch
  ) -> Bool {
    guard let unsent = context.unsent,
      let key = writer.foreignKeys.first(where: { $0.relationship == required.relationship })
    else { return false }
    let table = context.layout.entities[key.destination].table
    guard unsent.hasDeleted(inTable: table) else { return false }
    var cells: [Cell] = []
    for slot in key.slots { cells.append(batch[row, slot]) }
    return unsent.hasDeleted(KeyText.text(of: cells, batch), table: table)
  }

  /// Whether a row is nested in an object that is left alone, and not there.
  private func isInDeleted(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
    guard context.unsent != nil else { return false }
    let parent = batch.rows[row].parent
    return parent >= 0 && batch.rows[parent].isHeld && batch.rows[parent].state == .skipped
  }

  private func lists(
    thatHave row: Int, _ writer: EntityWriter, _ batch: borrowing RowBatch
  ) -> [Int] {
    var result: [Int] = []
    for key in writer.foreignKeys {
      guard let slot = key.slots.first, batch.cell(row, slot).link.isFromList else { continue }
      if let list = context.layout.schema.relationships[key.relationship].inverse { result.append(list) }
    }
    return result
  }

  private func isLinked(
    _ row: Int, _ required: EntityWriter.RequiredLink, _ batch: borrowing RowBatch
  ) -> Bool {
    if let slot = required.slot {
      let kind = batch.cell(row, slot).kind
      return kind != .absent && kind != .null
    }
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      if list.relationship == required.relationship { return list.count > 0 && !list.isRejected }
      next = list.next
    }
    return false
  }

  // MARK: - The end

  /// Removes the new objects that lack what they require, and says which they are, by their tickets.
  func removeObjectsWithout() throws -> [DeferredProblem] {
    var result: [DeferredProblem] = []
    if !missing.isEmpty { try context.transaction.makeIndexes() }
    let links = missing
    missing = []
    for link in links {
      guard try link.namesDeleted ? !hasTarget(link) : !hasLinks(link) else { continue }
      try deleter.deleteInserted(link.row, of: link.entity, listedBy: link.lists)
      if link.namesDeleted {
        // Once the server knows of the deletion, it will not send the object any more.
        context.tally.countUnsentInsteadOfSkipped(entity: link.entity)
      } else {
        result.append((link.ticket, .missingLink(relationship: link.relationship.index)))
      }
    }
    return result
  }

  private func hasTarget(_ link: MissingLink) throws -> Bool {
    try context.transaction.hasTarget(of: link.relationship, row: link.row)
  }

  private func hasLinks(_ link: MissingLink) throws -> Bool {
    try deleter.hasLinks(link.relationship, row: link.row)
  }
}

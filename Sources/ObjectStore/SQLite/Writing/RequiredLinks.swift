import Bytes
import ObjectModel

/// A relationship that a new object must have, and that its own JSON did not give it.
///
/// Whether it lacks it shows at the end, since another object's list may link it.
struct RequiredLink {
  let ticket: Int
  let relationship: Int
  let entity: Int
  let row: Int64
  /// The relationships whose lists have it.
  let lists: [Int]
  /// Whether its own JSON names an object that a program has deleted here.
  let namesDeleted: Bool
}

extension RowWriter {
  /// Notes the required relationships that a row, just inserted, says nothing of.
  func noteRequiredLinks(of row: Int, _ writer: EntityWriter, _ batch: borrowing RowBatch) {
    for required in writer.requiredLinks {
      let leadsToDeleted = leadsToDeleted(row, required, writer, batch)
      guard leadsToDeleted || !isLinked(row, required, batch) else { continue }
      problems.append(RowProblem(row: row, reason: .deferred(ticket: nextTicket)))
      requiredLinks.append(
        RequiredLink(
          ticket: nextTicket, relationship: required.relationship, entity: writer.layout.entity.index,
          row: batch.rows[row].rowID, lists: lists(thatHave: row, writer, batch),
          namesDeleted: leadsToDeleted || isInDeleted(row, batch)))
      nextTicket += 1
    }
  }

  /// Whether a row's foreign key leads to an object that a program deleted and the server has not been told of.
  private func leadsToDeleted(
    _ row: Int, _ required: EntityWriter.RequiredLink, _ writer: EntityWriter, _ batch: borrowing RowBatch
  ) -> Bool {
    guard let unsent, let key = writer.foreignKeys.first(where: { $0.relationship == required.relationship })
    else { return false }
    let table = transaction.layout.entities[key.destination].table
    guard unsent.hasDeleted(inTable: table) else { return false }
    var cells: [Cell] = []
    for slot in key.slots { cells.append(batch[row, slot]) }
    return unsent.hasDeleted(KeyText.text(of: cells, batch), table: table)
  }

  /// Whether a row is nested in the JSON of an object that is left alone, and not there.
  private func isInDeleted(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
    guard unsent != nil else { return false }
    let parent = batch.rows[row].parent
    return parent >= 0 && batch.rows[parent].isHeld && batch.rows[parent].state == .skipped
  }

  private func lists(
    thatHave row: Int, _ writer: EntityWriter, _ batch: borrowing RowBatch
  ) -> [Int] {
    var result: [Int] = []
    for key in writer.foreignKeys {
      guard let slot = key.slots.first, batch.cell(row, slot).link.isFromList else { continue }
      if let list = transaction.layout.schema.relationships[key.relationship].inverse { result.append(list) }
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

  /// Removes the new objects that lack what they require, and says which they are, by their tickets.
  func checkRequiredLinks() throws -> [(ticket: Int, reason: RowProblem.Reason)] {
    var result: [(ticket: Int, reason: RowProblem.Reason)] = []
    if !requiredLinks.isEmpty { try transaction.makeIndexes() }
    let links = requiredLinks
    requiredLinks = []
    for link in links {
      guard try link.namesDeleted ? !hasTarget(link) : !hasLinks(link) else { continue }
      try deleteInserted(link.row, of: link.entity, listedBy: link.lists)
      if link.namesDeleted {
        // Once the server knows of the deletion, it will not send the object any more.
        tally.countKeptOut(entity: link.entity)
      } else {
        result.append((link.ticket, .missingLink(relationship: link.relationship)))
      }
    }
    return result
  }

  private func hasTarget(_ link: RequiredLink) throws -> Bool {
    try transaction.hasTarget(
      of: transaction.layout.schema.relationships[link.relationship], row: link.row)
  }

  /// Whether a relationship of a row leads to anything, be it there or not. An object that is gone needs none.
  private func hasLinks(_ link: RequiredLink) throws -> Bool {
    let layout = transaction.layout
    let relationship = layout.schema.relationships[link.relationship]
    let owner = layout.table(of: relationship.owner)
    let existence = try statement("SELECT 1 FROM \(SQL.quoted(owner.name)) WHERE rowid = ?1", link.row)
    guard try existence.step() else { return true }
    existence.reset()
    let keys = try statement(
      RelationshipSQL(layout: layout, relationship: relationship).keys, link.row)
    if try keys.step() {
      keys.reset()
      return true
    }
    guard pending.hasStored, case .inverse = layout.relationships[relationship.index] else { return false }
    return try pending.isWaiting(relationship, owner: KeyText.ofRow(link.row, in: owner, transaction))
  }
}

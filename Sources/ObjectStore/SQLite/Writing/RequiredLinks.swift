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
}

extension RowWriter {
  /// Notes the required relationships that a row, just inserted, says nothing of.
  func noteRequiredLinks(of row: Int, _ writer: EntityWriter, _ batch: borrowing RowBatch) {
    for required in writer.requiredLinks where !isLinked(row, required, batch) {
      problems.append(RowProblem(row: row, reason: .deferred(ticket: nextTicket)))
      requiredLinks.append(
        RequiredLink(
          ticket: nextTicket, relationship: required.relationship, entity: writer.layout.entity.index,
          row: batch.rows[row].rowID, lists: lists(thatHave: row, writer, batch)))
      nextTicket += 1
    }
  }

  private func lists(
    thatHave row: Int, _ writer: EntityWriter, _ batch: borrowing RowBatch
  ) -> [Int] {
    var result: [Int] = []
    for key in writer.foreignKeys {
      guard let slot = key.slots.first, Self.isLinkedByList(batch.cell(row, slot)) else { continue }
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
  func settleRequiredLinks() throws -> [(ticket: Int, reason: RowProblem.Reason)] {
    var result: [(ticket: Int, reason: RowProblem.Reason)] = []
    if !requiredLinks.isEmpty { try transaction.makeIndexes() }
    let links = requiredLinks
    requiredLinks = []
    for link in links {
      guard try !hasLinks(link) else { continue }
      try deleteInserted(link.row, of: link.entity, listedBy: link.lists)
      result.append((link.ticket, .missingLink(relationship: link.relationship)))
    }
    return result
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

import Bytes
import ObjectModel

/// References to objects that are not there.
extension RecordWriter {
  /// Looks whether the objects that a row's foreign keys name are there.
  func checkReferences(
    of row: Int, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) throws(Rows.Failure) {
    for key in rules.foreignKeys {
      let cell = batch.cell(row, key.slots[0])
      guard cell.hasValue, cell.link == .unknown else { continue }
      context.noteLinksByKey(of: key.relationship.index)
      if try isThere(cells(row, key.slots, batch), of: key.relationship, batch) { continue }
      rows.noteMissing(key.relationship, of: rules.layout.entity.index, row: batch.rows[row].rowID)
    }
  }

  /// Looks for the target of a relationship, and makes a stub of it where that is the policy. False if the target is not
  /// there and is waited for.
  func isThere(
    _ key: [Cell], of relationship: SchemaRelationship, _ batch: borrowing RowBatch
  ) throws(Rows.Failure) -> Bool {
    if try rows.contains(key, of: relationship.destination, batch) { return true }
    // Objects that a program deleted are not waited for.
    if context.isDeletedHere(key, of: relationship.destination, batch) { return true }
    return try makeStub(for: relationship, key, batch)
  }

  /// Makes the target of a relationship, with a key and nothing else. False if that is not the policy, or it cannot be made.
  func makeStub(
    for relationship: SchemaRelationship, _ key: [Cell], _ batch: borrowing RowBatch
  ) throws(Rows.Failure) -> Bool {
    guard context.references[relationship.index] == .stub else { return false }
    let entity = layout.schema.entities[relationship.destination]
    // An object that a program deleted and the server has not been told of does not come back as a stub either.
    guard !entity.isAbstract, entity.hasIdentity, !context.isDeletedHere(key, of: entity.index, batch) else {
      return false
    }
    let rules = rules(ofEntity: entity.index)
    guard let row = try rows.insertStub(key, rules, batch) else { return false }
    let place = RowLocation(table: rules.layout.table, row: row)
    context.tally.countStub(row: row, entity: entity.index, table: place.table)
    for link in rules.oneToOneKeys { try setInverse(of: row, link, key, batch) }
    try pendingLinks.connect(KeyText.text(of: key, batch), place, entity)
    try checkOwners(ofStub: row, key, entity, batch)
    return true
  }

  /// Looks whether the objects are there that the key of a stub names.
  private func checkOwners(
    ofStub row: Int64, _ key: [Cell], _ entity: SchemaEntity, _ batch: borrowing RowBatch
  ) throws(Rows.Failure) {
    let table = layout.table(of: entity.index)
    for index in entity.identityRelationships {
      guard case .foreignKey(let columns) = layout.relationships[index] else { continue }
      let relationship = layout.schema.relationships[index]
      let owner = columns.compactMap(table.key.firstIndex).map { key[$0] }
      if try isThere(owner, of: relationship, batch) { continue }
      rows.noteMissing(relationship, of: entity.index, row: row)
    }
  }
}

// MARK: - Required links

extension RecordWriter {
  /// Notes the required relationships that a row, just inserted, says nothing of.
  func noteMissingLinks(of row: Int, _ rules: EntityRules, _ batch: borrowing RowBatch) {
    for required in rules.requiredLinks {
      let leadsToDeleted = leadsToDeleted(row, required, rules, batch)
      guard leadsToDeleted || !isLinked(row, required, batch) else { continue }
      var lists: [Int] = []
      for key in rules.ownerKeys where batch.cell(row, key.slots[0]).link.isFromList {
        if let list = key.inverse { lists.append(list.index) }
      }
      context.missingLinks.append(
        MissingLink(
          ticket: context.problems.addDeferred(row: row),
          relationship: layout.schema.relationships[required.relationship],
          entity: rules.layout.entity.index,
          place: RowLocation(table: rules.layout.table, row: batch.rows[row].rowID), lists: lists,
          namesDeleted: leadsToDeleted || isInDeleted(row, batch)))
    }
  }

  /// Whether a row's foreign key leads to an object that a program deleted and the server has not been told of.
  private func leadsToDeleted(
    _ row: Int, _ required: EntityRules.RequiredLink, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) -> Bool {
    guard context.unsynced != nil, let key = required.key.map({ rules.foreignKeys[$0] }) else { return false }
    return context.isDeletedHere(cells(row, key.slots, batch), of: key.destination, batch)
  }

  /// Whether a row is nested in an object that is left alone, and not there.
  private func isInDeleted(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
    guard context.unsynced != nil else { return false }
    let parent = batch.rows[row].parent
    return parent >= 0 && batch.rows[parent].isHeld && batch.rows[parent].state == .skipped
  }

  private func isLinked(
    _ row: Int, _ required: EntityRules.RequiredLink, _ batch: borrowing RowBatch
  ) -> Bool {
    if let slot = required.slot { return batch.cell(row, slot).hasValue }
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      if list.relationship == required.relationship { return list.count > 0 && !list.isRejected }
      next = list.next
    }
    return false
  }
}

// MARK: - Links of one object to one

/// A one-to-one relationship whose foreign key is in the rows that are written: no other row may point to the same target,
/// and where the relationship is its own inverse, the target points back.
extension RecordWriter {
  /// Makes the other ends of the link of a row that was just written agree.
  ///
  /// - Parameter isChanged: Whether that changed the row.
  func updateOtherEnd(
    of row: Int, _ key: ForeignKey, isChanged: Bool, _ batch: borrowing RowBatch
  ) throws(Rows.Failure) {
    let relationship = key.relationship
    let (cell, rowID) = (batch.cell(row, key.slots[0]), batch.rows[row].rowID)
    let (hasTarget, isMutual) = (cell.hasValue, relationship.isItsOwnInverse)
    if hasTarget, !context.policy.isLocal { context.claims.noteNamed(rowID, by: relationship) }
    guard isChanged, hasTarget || isMutual else { return }
    let target = cells(row, key.slots, batch)
    if hasTarget {
      try unlinkRivals(key, target, sparing: rowID, claimedBy: row, batch)
      // The target has a link now, and waits for no other.
      if !isMutual, rows.hasPending, let inverse = key.inverse {
        try rows.forgetPending(inverse, owner: KeyText.text(of: target, batch))
      }
    }
    guard isMutual, let own = context.key(of: row, batch) else { return }
    if cell.kind == .absent { return try setInverse(of: rowID, key, own, batch) }
    let table = layout.entities[relationship.owner].table
    let other = hasTarget ? try rows.find(target, inTable: table, batch) : nil
    // A row that pointed here before does not any more, unless it is the target.
    try unlinkRivals(key, own, sparing: other ?? rowID, claimedBy: nil, batch)
    if let other, other != rowID, try rows.setReference(of: other, by: key, to: own, batch) {
      try noteChange(of: other, key)
    }
  }

  /// Makes a new row, of which nothing is known, point to the row that pointed to it before it came.
  func setInverse(
    of row: Int64, _ key: ForeignKey, _ own: [Cell], _ batch: borrowing RowBatch
  ) throws(Rows.Failure) {
    guard key.relationship.isItsOwnInverse,
      let waiting = try rows.rivals(by: key, of: own, sparing: row, batch).first,
      try rows.setReference(of: row, by: key, toRow: waiting)
    else { return }
    try noteChange(of: row, key)
  }

  /// Takes a target from all rows but one that point to it.
  ///
  /// - Parameter claimant: The row that takes the target; nil if it was taken from the other end.
  private func unlinkRivals(
    _ key: ForeignKey, _ target: [Cell], sparing row: Int64, claimedBy claimant: Int?,
    _ batch: borrowing RowBatch
  ) throws(Rows.Failure) {
    for rival in try rows.rivals(by: key, of: target, sparing: row, batch) {
      if let claimant, !key.relationship.isItsOwnInverse,
        context.claims.hasNamed(rival, by: key.relationship)
      {
        context.noteDispute(of: key.relationship, row: claimant)
      }
      if try rows.setReference(of: rival, by: key, to: nil, batch) { try noteChange(of: rival, key) }
    }
  }

  private func noteChange(of row: Int64, _ key: ForeignKey) throws(Rows.Failure) {
    let table = layout.entities[key.relationship.owner].table
    try rows.countChange(of: RowLocation(table: table, row: row))
    context.repetitions.forget(inTable: table)
  }

  /// Forgets the claims of lists to a row that now says its owner itself. A row that says the same as the list still has its
  /// place there.
  func dropClaims(contradictedBy row: Int, _ rules: EntityRules, _ batch: borrowing RowBatch) {
    let rowID = batch.rows[row].rowID
    for key in rules.ownerKeys {
      guard let list = key.inverse, let claimant = context.claims.claimant(of: rowID, by: list.index) else {
        continue
      }
      let cell = batch.cell(row, key.slots[0])
      guard cell.kind != .absent, !cell.link.isFromList else { continue }
      var owner: [SQLValue] = []
      for slot in key.slots { owner.append(batch.value(of: batch.cell(row, slot))) }
      if claimant != owner { context.claims.drop(rowID, by: list.index) }
    }
  }
}

import Bytes
package import ObjectModel
package import ObjectStore

/// Writing what a program saves and deletes.
extension WorkingWriter: LocalWriter {
  package func write(root: Int, to end: Int, over existing: Int64?, of batch: inout RowBatch) throws {
    for _ in 0..<folder.fold(from: root, to: end, &batch) { kept.tally.countDuplicate() }
    begin(RowStep(row: root, existing: existing), &batch)
    try checkStack()
    try transaction.recordsWereWritten()
  }

  // MARK: - Several objects at once

  package func updateTogether(
    _ query: Query, _ values: [(attribute: Int, value: SQLValue)]
  ) throws -> Int {
    let entity = try layout.entity(named: query.entity)
    let (table, place) = (state.tableIndex(of: entity.index), layout.entities[entity.index])
    let settings = values.map {
      (column: place.slots[place.attributeSlots[$0.attribute]], value: Value($0.value))
    }
    var count = 0
    for row in try transaction.rows(of: query) {
      guard let object = state.tables[table][row],
        settings.contains(where: { object.values[$0.column] != $0.value })
      else { continue }
      state.tables[table].update(row) { object in
        for setting in settings { object.values[setting.column] = setting.value }
      }
      noteChange(of: RowLocation(table: table, row: row))
      count += 1
    }
    try transaction.recordsWereWritten()
    return count
  }

  /// The rules are followed for each object: there is no faster way here.
  package func deleteTogether(_ rows: [Int64], of entity: SchemaEntity) throws -> Bool { false }

  package func deleteObjects(_ rows: [Int64], ofTable table: Int) throws -> [DeferredDeletion] {
    let held = deleter.deleteBeforeCheck(rows.map { RowLocation(table: table, row: $0) })
    try transaction.recordsWereWritten()
    return held
  }

  // MARK: - Undoing

  package var checkpoint: WriterCheckpoint {
    var checkpoint = WriterCheckpoint()
    (checkpoint.releases, checkpoint.links) = (kept.releases.count, missingLinks.count)
    checkpoint.deletions = deleter.heldCount
    return checkpoint
  }

  package func forget(after checkpoint: WriterCheckpoint) {
    problems = []
    kept.releases.removeSubrange(min(checkpoint.releases, kept.releases.count)...)
    missingLinks.removeSubrange(min(checkpoint.links, missingLinks.count)...)
    deleter.forgetHeldDeletions(after: checkpoint.deletions)
  }

  package func forgetReleases(
    before checkpoint: WriterCheckpoint, madeUpForBy row: Int, _ batch: borrowing RowBatch
  ) {
    guard checkpoint.releases > 0 else { return }
    let key = values(self.key(row, batch) ?? [], batch).keyText
    var rest: [DeferredRelease] = []
    for (index, release) in kept.releases.enumerated()
    where index >= checkpoint.releases || !release.isMadeUpFor(by: row, withKey: key, batch, layout) {
      rest.append(release)
    }
    kept.releases = rest
  }
}

/// Imports leave alone what a program has changed and the server has not been told of.
extension WorkingWriter {
  /// Takes out of a row what may not be changed, or holds it back if nothing may. False if the rest is to be written.
  func holdUnsent(_ step: RowStep, _ model: EntityModel, _ batch: inout RowBatch) -> Bool {
    guard let unsent else { return false }
    let isHeld = unsent.concerns(table: model.layout.table) && hold(step, unsent, model, &batch)
    if !isHeld { leaveUnsentTargets(of: step.row, model, &batch) }
    return isHeld
  }

  private func hold(
    _ step: RowStep, _ unsent: UnsyncedChanges, _ model: EntityModel, _ batch: inout RowBatch
  ) -> Bool {
    let (row, table) = (step.row, model.layout.table)
    guard let found = find(step, model, batch) else {
      guard unsent.hasDeleted(inTable: table),
        unsent.hasDeleted(declaredKeyValues(row, batch).keyText, table: table)
      else { return false }
      hold(row, .unsent, found: nil, model, &batch)
      return true
    }
    switch unsent.protection(of: found.row, table: table) {
    case nil: return false
    case .everything:
      hold(row, .unsent, found: found.row, model, &batch)
      return true
    case .properties(let names):
      let hadAny = removeProperties(names, of: row, model, &batch)
      // The object keeps the identity that a program gave it, too.
      if hadAny || batch.rows[row].hasFormerKey {
        countUnsent(found.row, model.layout.entity.index)
      }
      return false
    }
  }

  /// Makes properties of a row absent. True if it had any of them.
  private func removeProperties(
    _ names: Set<String>, of row: Int, _ model: EntityModel, _ batch: inout RowBatch
  ) -> Bool {
    var hadAny = batch.removeAttributes(names, of: row, model.layout)
    for key in model.foreignKeys where names.contains(key.relationship.name) && !key.relationship.isIdentity {
      guard let cell = batch.removeForeignKey(key.slots, order: key.order, of: row) else { continue }
      hadAny = true
      // The object that it holds is written all the same.
      if cell.kind == .row, Int(cell.bits) != batch.rows[row].parent {
        beginIndependent(Int(cell.bits), of: row, isHeld: true, &batch)
      }
    }
    return removeLists(names, of: row, &batch) || hadAny
  }

  /// Takes lists off a row. True if there were any. Their objects are written all the same.
  private func removeLists(_ names: Set<String>, of row: Int, _ batch: inout RowBatch) -> Bool {
    let removed = batch.removeLists(of: row) { names.contains(state.relationship($0).name) }
    for list in removed.reversed() { beginIndependentTargets(list, of: row, isHeld: true, &batch) }
    return !removed.isEmpty
  }

  /// Takes the links of one object to one out of a row, if a program gave their targets others.
  private func leaveUnsentTargets(of row: Int, _ model: EntityModel, _ batch: inout RowBatch) {
    for key in model.foreignKeys where !key.relationship.isIdentity {
      guard let inverse = key.relationship.inverse.map({ state.relationship($0) }), !inverse.isToMany,
        has(row, key.slots[0], batch), batch[row, key.slots[0]].kind != .row
      else { continue }
      let target = values(row, key.slots, batch)
      let destination = key.relationship.destination
      // What the target calls the relationship.
      guard let found = state.find(target, of: destination), isUnsent(inverse.name, of: found, destination)
      else {
        continue
      }
      countUnsent(found, destination)
      for slot in key.slots { batch[row, slot] = .absent }
    }
  }

  // MARK: - Changes on behalf of others

  private func isUnsent(_ property: String, of row: Int64, _ entity: Int) -> Bool {
    unsent?.protects(property, of: row, table: state.tableIndex(of: entity)) ?? false
  }

  /// Counts an object of which something stays as a program has it.
  private func countUnsent(_ row: Int64, _ entity: Int) {
    kept.tally.countPartlyUnsent(row: row, entity: entity, table: state.tableIndex(of: entity))
  }

  /// Whether a program deleted the object with a key.
  func isDeletedHere(_ key: RowKey, _ entity: Int) -> Bool {
    let table = state.tableIndex(of: entity)
    guard let unsent, unsent.hasDeleted(inTable: table) else { return false }
    return unsent.hasDeleted(key.keyText, table: table)
  }

  /// Whether a program changed the owner of a child of a list, so that it stays as it is. Such a child is counted.
  func keepsOwner(_ child: Int64, _ list: SchemaRelationship) -> Bool {
    guard let inverse = list.inverse, isUnsent(state.relationship(inverse).name, of: child, list.destination)
    else { return false }
    countUnsent(child, list.destination)
    return true
  }

  /// Whether a program changed the list at the other end of a list, so that links to the object with a key neither come
  /// nor go. Such an object is counted.
  func keepsLinks(of key: RowKey, _ list: SchemaRelationship) -> Bool {
    guard unsent != nil, layout.schema.entities[list.destination].hasIdentity, let inverse = list.inverse,
      let row = state.find(key, of: list.destination),
      isUnsent(state.relationship(inverse).name, of: row, list.destination)
    else { return false }
    countUnsent(row, list.destination)
    return true
  }

  // MARK: - New objects that name what a program deleted

  /// Whether a row's foreign key leads to an object that a program deleted.
  func leadsToDeleted(
    _ row: Int, _ relationship: Int, _ model: EntityModel, _ batch: borrowing RowBatch
  ) -> Bool {
    guard unsent != nil, let key = model.foreignKeys.first(where: { $0.relationship.index == relationship })
    else { return false }
    return isDeletedHere(values(row, key.slots, batch), key.relationship.destination)
  }

  /// Whether a row is nested in an object that is left alone, and not there.
  func isInDeleted(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
    guard unsent != nil else { return false }
    let parent = batch.rows[row].parent
    return parent >= 0 && batch.rows[parent].isHeld && batch.rows[parent].state == .skipped
  }
}

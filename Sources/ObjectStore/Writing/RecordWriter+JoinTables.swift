import Bytes
import ObjectModel

/// Lists whose links are rows of a join table. First the targets are written, then the links are made what the list says.
extension RecordWriter {
  func writeTargets(of step: ListStep, _ batch: inout RowBatch) throws(Rows.Failure) {
    var index = step.list.firstTarget
    for _ in 0..<step.list.count {
      let cell = batch.targets.base[index]
      index += cell.isRow ? 1 : step.rules.keyWidth
      if cell.isRow { try begin(RowStep(Int(cell.bits)), &batch) }
    }
  }

  /// Objects without identity whose links stay though the list does not have them, since what seems to be missing may be
  /// what could not be read.
  struct KeptObjects {
    let rows: Set<Int64>

    /// Whether the target of a link stays. Objects of sub-entities that have an identity do.
    func contains(_ link: some StoredLinks) -> Bool { link.targetRow.map(rows.contains) ?? true }
  }

  /// Makes the owner's links what the list says.
  func writeLinks(
    of step: ListStep, keeping kept: KeptObjects? = nil, _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    let rules = step.rules
    // From here on no other list is written, so that the keys are this one's.
    let hasReferences = collectKeys(of: step, batch)
    if hasReferences || mayLeadBack(step, batch) { context.noteLinksByKey(of: step.relationship.index) }
    let isMerging = context.merges(step.list)
    if batch.rows[step.owner].isNew, context.unsynced == nil,
      try rows.appendLinks(of: step.key, to: &wanted, rules, isMerging: isMerging, batch)
    {
      if hasReferences { try checkTargets(of: step, batch) }
      return
    }
    let changes = try apply(try compareLinks(step, kept, batch), step, batch)
    let row = batch.rows[step.owner].rowID
    // The row id is unknown where the owner was not looked up, since it came just before with the same values.
    if changes, row != Row.unknownID {
      let table = layout.entities[batch.rows[step.owner].entity].table
      try rows.countChange(of: RowLocation(table: table, row: row))
    }
    if hasReferences { try checkTargets(of: step, batch) }
  }

  /// Whether a target may be the owner or an object around it, which then has a link before its own list is
  /// written.
  private func mayLeadBack(_ step: ListStep, _ batch: borrowing RowBatch) -> Bool {
    var row = step.owner
    while row >= 0 {
      if layout.entities[batch.rows[row].entity].table == step.rules.table { return true }
      row = batch.rows[row].parent
    }
    return false
  }

  /// The comparison of a list with the links that its owner has.
  private struct LinkComparison {
    /// Links that the list does not have.
    var leaving: [Int64] = []
    /// Links that get another place.
    var moving: [(link: Int64, place: Int)] = []
    /// The place behind all that are there.
    var next = 0
  }

  private func compareLinks(
    _ step: ListStep, _ kept: KeptObjects?, _ batch: borrowing RowBatch
  ) throws(Rows.Failure) -> LinkComparison {
    var result = LinkComparison()
    guard context.mayHaveLinks(step.owner, step.relationship.index, batch) else { return result }
    let isOrdered = step.rules.isOrdered
    let isMerging = context.merges(step.list)
    var order = ListOrder()
    var links = try rows.links(of: step.key, step.rules, batch)
    while try links.next() {
      let stored = isOrdered ? links.place : nil
      if isOrdered { result.next = max(result.next, Int(stored ?? 0) + 1) }
      if let place = wanted.find(links, of: batch) {
        order.add(place)
        if isOrdered, !isMerging, stored != Int64(place) { result.moving.append((links.row, place)) }
      } else if !isMerging, !(kept?.contains(links) ?? false) {
        result.leaving.append(links.row)
      }
    }
    if isOrdered, order.isKept(in: &wanted, batch) { result.moving = [] }
    return result
  }

  /// Makes the owner's links what is wanted. True if that changed anything.
  private func apply(
    _ comparison: LinkComparison, _ step: ListStep, _ batch: borrowing RowBatch
  ) throws(Rows.Failure) -> Bool {
    let rules = step.rules
    var changes = !comparison.moving.isEmpty
    let protectable = protectableList(of: rules)
    for link in comparison.leaving {
      if let protectable, let target = try rows.target(ofLink: link, rules),
        keepsLinks(of: target, protectable, rules)
      {
        continue
      }
      try removeLink(link, step)
      changes = true
    }
    for (link, place) in comparison.moving { try rows.moveLink(link, to: place, rules) }
    let isMerging = context.merges(step.list)
    var next = comparison.next
    for index in 0..<wanted.count where !wanted.isFound(index) {
      if let protectable, let target = try rows.find(wantedKey(index), inTable: rules.table, batch),
        keepsLinks(of: target, protectable, rules)
      {
        continue
      }
      let place = isMerging ? next : index
      guard try rows.insertLink(from: step.key, to: index, of: wanted, at: place, rules, batch) else {
        continue
      }
      changes = true
      next += 1
    }
    return changes
  }

  private func wantedKey(_ index: Int) -> [Cell] {
    var key: [Cell] = []
    for part in 0..<wanted.width { key.append(wanted.cell(index, part: part)) }
    return key
  }

  /// Removes a link that a list does not have, and its target where that goes with it.
  private func removeLink(_ link: Int64, _ step: ListStep) throws(Rows.Failure) {
    let rules = step.rules
    let isOwned = !rules.destination.hasIdentity
    if isOwned, !context.policy.operations.contains(.delete) { return }
    let target = isOwned || rules.meaning == .prune ? try rows.target(ofLink: link, rules) : nil
    try rows.removeLink(link, rules)
    guard let target else { return }
    if isOwned { return try delete(RowLocation(table: rules.table, row: target), listedBy: step.owner) }
    // In the end, unless it has another owner then.
    context.releases.append(
      DeferredRelease(
        ticket: context.problems.addDeferred(row: step.owner), relationship: step.relationship,
        action: .delete, child: target, owner: ""))
  }

  /// Looks whether the targets that were given by their keys are there.
  private func checkTargets(of step: ListStep, _ batch: borrowing RowBatch) throws(Rows.Failure) {
    for index in 0..<wanted.count where wanted.cell(index, part: 0).link != .exists {
      let target = wantedKey(index)
      guard let link = try rows.link(from: step.key, to: target, step.rules, batch) else { continue }
      if try isThere(target, of: step.relationship, batch) { continue }
      rows.noteMissing(step.relationship, link: link)
    }
  }

  // MARK: - Lists at the other end that a program changed

  /// The name of the list at the other end, if a program may have changed it: then links neither come nor go.
  private func protectableList(of rules: ListRules) -> String? {
    guard let unsynced = context.unsynced, unsynced.concerns(table: rules.table),
      rules.destination.hasIdentity
    else { return nil }
    return rules.inverse?.name
  }

  /// Whether a program changed the list of a target. Such a target is counted.
  private func keepsLinks(of target: Int64, _ list: String, _ rules: ListRules) -> Bool {
    guard context.isUnsynced(list, of: target, entity: rules.destination.index) else { return false }
    context.countUnsynced(target, entity: rules.destination.index)
    return true
  }
}

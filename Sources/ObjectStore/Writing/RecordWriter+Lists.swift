import Bytes
package import ObjectModel

/// The lists of a row that is written.
extension RecordWriter {
  /// A list of a row, with its owner's key.
  struct ListStep {
    let list: LinkList
    let rules: ListRules
    /// The row that has the list, and its key.
    let owner: Int
    let key: [Cell]

    var relationship: SchemaRelationship { rules.relationship }
  }

  /// Writes the lists of a row.
  ///
  /// Where one row has a list twice, the last counts. Where rows that tell the same object have it, the later list
  /// replaces the earlier one too, unless lists add to each other; the objects of both are written.
  func writeLists(of step: RowStep, _ rules: EntityRules, _ batch: inout RowBatch) throws(Rows.Failure) {
    let row = step.row
    let first = batch.rows.base[row].firstList
    if first >= 0 {
      if batch.lists[first].next < 0 {
        try begin(batch.lists[first], of: row, &batch)
      } else {
        try writeChain(of: row, &batch)
      }
    }
    if step.isReplacement, step.existing != nil { try clearOtherLists(of: row, rules, &batch) }
  }

  private func writeChain(of row: Int, _ batch: inout RowBatch) throws(Rows.Failure) {
    // The chain begins with the last list.
    var chain: [(list: Int, isLinked: Bool)] = []
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      if let later = chain.first(where: { batch.lists[$0.list].relationship == list.relationship })?.list {
        if batch.lists[later].owner != list.owner {
          chain.append((next, context.merges(batch.lists[later])))
        }
      } else {
        chain.append((next, true))
      }
      next = list.next
    }
    for (index, isLinked) in chain.reversed() {
      if isLinked {
        try begin(batch.lists[index], of: row, &batch)
      } else {
        try beginIndependentTargets(batch.lists[index], of: row, isHeld: true, &batch)
      }
    }
  }

  /// Empties the lists that an object, which took another's place, does not mention.
  private func clearOtherLists(
    of row: Int, _ rules: EntityRules, _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    for index in rules.layout.entity.relationships where !hasList(row, of: index, batch) {
      switch layout.relationships[index] {
      case .foreignKey: continue
      // Where the targets have lists too, the links are theirs as well.
      case .join where layout.schema.relationships[index].inverse != nil: continue
      case .inverse, .join: try write(.clearing(index, of: row), of: row, &batch)
      }
    }
  }

  private func hasList(_ row: Int, of relationship: Int, _ batch: borrowing RowBatch) -> Bool {
    var next = batch.rows[row].firstList
    while next >= 0 {
      if batch.lists[next].relationship == relationship { return true }
      next = batch.lists[next].next
    }
    return false
  }

  private func begin(_ list: LinkList, of row: Int, _ batch: inout RowBatch) throws(Rows.Failure) {
    if list.isIncomplete || list.isRejected { context.hasLeftOutObjects = true }
    if list.isRejected { return try beginIndependentTargets(list, of: row, &batch) }
    try write(list, of: row, &batch)
  }

  private func write(_ list: LinkList, of owner: Int, _ batch: inout RowBatch) throws(Rows.Failure) {
    guard let key = context.key(of: owner, batch) else { return }
    let rules = rules(ofList: list.relationship)
    let step = ListStep(list: list, rules: rules, owner: owner, key: key)
    switch rules.storage {
    case .foreignKey: return
    case .inverse:
      if rules.destination.hasIdentity {
        try writeChildren(of: step, &batch)
      } else {
        try writeOwned(step, &batch)
      }
    case .join:
      if rules.destination.hasIdentity {
        try writeTargets(of: step, &batch)
        try writeLinks(of: step, &batch)
      } else {
        try writeOwned(step, &batch)
      }
    }
  }

  /// Puts the keys of a list's targets into ``wanted``. True if any was given by its key only.
  func collectKeys(of step: ListStep, _ batch: borrowing RowBatch) -> Bool {
    let (list, width) = (step.list, step.rules.keyWidth)
    wanted.removeAll(width: width)
    var hasReferences = false
    var index = list.firstTarget
    for _ in 0..<list.count {
      let cell = batch.targets[index]
      guard cell.isRow else {
        for part in 0..<width { wanted.append(batch.targets[index + part]) }
        hasReferences = true
        index += width
        continue
      }
      index += 1
      let row = Int(cell.bits)
      guard !context.isUnknown(row, batch) else { continue }
      if batch.rows[row].state != .object, !batch.rows[row].isDuplicate { hasReferences = true }
      for part in 0..<width { wanted.append(context.declaredKeyCell(of: row, part: part, of: batch)) }
    }
    return hasReferences
  }

  /// The owner's key as values that outlive the batch.
  func ownerValues(_ step: ListStep, _ batch: borrowing RowBatch) -> [SQLValue] {
    var values: [SQLValue] = []
    for cell in step.key { values.append(batch.value(of: cell)) }
    return values
  }

  /// Deletes an object that a list no longer has and that has no identity.
  func delete(_ place: RowLocation, listedBy owner: Int) throws(Rows.Failure) {
    guard let refusal = try deleter.delete(place) else { return }
    context.problems.add(
      .deletionDenied(relationship: refusal.relationship, key: refusal.key), row: owner)
  }
}

// MARK: - Links in the targets' rows

/// Lists whose links are foreign keys in the rows of their targets: one-to-many, and the far end of a one-to-one.
extension RecordWriter {
  private func writeChildren(of step: ListStep, _ batch: inout RowBatch) throws(Rows.Failure) {
    let (list, rules) = (step.list, step.rules)
    // Of a lone target that cannot be told, nothing is known, not even that there is none.
    if let row = loneUnknownTarget(of: step, batch) { return try begin(RowStep(row), &batch) }
    let comparison = try compare(step, batch)
    let isMerging = context.merges(list)
    var waiting: Set<ExactText> = []
    if !isMerging {
      if rows.hasPending {
        let owner = KeyText.text(of: step.key, batch)
        waiting = Set(try rows.pendingTargets(of: step.relationship, owner: owner).map(ExactText.init))
      }
      context.claims.drop(claimedBy: ownerValues(step, batch), by: step.relationship)
    }
    var places = comparison.places.makeIterator()
    var index = list.firstTarget
    for position in 0..<list.count {
      let cell = batch.targets.base[index]
      if cell.isRow {
        index += 1
        let row = Int(cell.bits)
        // Without an order, the place does not matter.
        let place = context.isUnknown(row, batch) ? nil : places.next() ?? position
        try writeChild(row, of: step, at: place, &waiting, &batch)
      } else {
        var key: [Cell] = []
        for part in 0..<rules.keyWidth { key.append(batch.targets[index + part]) }
        index += rules.keyWidth
        try link(key, to: step, at: places.next() ?? position, &waiting, batch)
      }
    }
    if !waiting.isEmpty {
      let owner = KeyText.text(of: step.key, batch)
      for target in waiting { try rows.forgetPending(step.relationship, owner: owner, target: target.text) }
    }
    guard !isMerging else { return }
    for child in comparison.leaving { try release(child, of: step, batch) }
  }

  /// The target of the far end of a one-to-one, if it was skipped without its key being known.
  private func loneUnknownTarget(of step: ListStep, _ batch: borrowing RowBatch) -> Int? {
    guard !step.relationship.isToMany, step.list.count == 1, batch.targets[step.list.firstTarget].isRow else {
      return nil
    }
    let row = Int(batch.targets[step.list.firstTarget].bits)
    return context.isUnknown(row, batch) ? row : nil
  }

  private func writeChild(
    _ row: Int, of step: ListStep, at place: Int?, _ waiting: inout Set<ExactText>, _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    switch batch.rows[row].state {
    case .reference:
      guard let key = context.key(of: row, batch) else { return }
      return try link(key, to: step, at: place, &waiting, batch)
    case .object:
      if !step.rules.ownerPlaces.isEmpty, isOfAnother(context.declaredKey(of: row, batch), step, batch) {
        return try begin(RowStep(row), &batch)
      }
      let nested = nestedOwner(of: row, step, batch)
      setLink(of: row, to: step, at: place, &batch)
      // The row that the child itself holds as its owner is written before the link to it gives way to this list.
      if let nested { try begin(RowStep(nested), &batch) }
    case .skipped: break
    }
    try begin(RowStep(row), &batch)
    let header = batch.rows[row]
    if header.isHeld || header.state == .skipped {
      // An object that was held back, or lacked a value, is linked as if it had been named by its key.
      guard !context.isUnknown(row, batch) else { return }
      try link(context.declaredKey(of: row, batch), to: step, at: place, &waiting, batch)
    } else if !header.isRepetition, header.rowID != Row.unknownID {
      claim(header.rowID, header.ownerChange, isChanged: header.replacesValues, by: step, at: place, batch)
      // An object that has an owner by another relationship may be another one, too.
      if header.replacesValues, header.ownerChange != .left, try hasOtherOwner(header, step.rules) {
        context.claims.noteDoubt(of: step.relationship, isChanged: true, isOfOther: true)
      }
    }
  }

  /// The row that a child itself holds as its owner.
  private func nestedOwner(of row: Int, _ step: ListStep, _ batch: borrowing RowBatch) -> Int? {
    guard step.rules.ownerPlaces.isEmpty, case .inverse(let columns, _) = step.rules.storage else {
      return nil
    }
    let slot = layout.entities[batch.rows[row].entity].slotOfColumn[columns[0]]
    guard slot >= 0, batch[row, slot].isRow else { return nil }
    let nested = Int(batch[row, slot].bits)
    return nested == step.owner ? nil : nested
  }

  /// Puts the link to an owner into the cells of a row that is still to be written, if it is kept there.
  func setLink(of row: Int, to step: ListStep, at place: Int?, _ batch: inout RowBatch) {
    guard case .inverse(let columns, let order) = step.rules.storage else { return }
    let slots = layout.entities[batch.rows[row].entity].slotOfColumn
    for (column, cell) in zip(columns, step.key) where slots[column] >= 0 {
      var cell = cell
      if cell.link == .exists { cell.link = step.rules.link }
      batch[row, slots[column]] = cell
    }
    if let order, let place, slots[order] >= 0 { batch[row, slots[order]] = .integer(Int64(place)) }
  }

  /// Whether a key says another owner than the list's, where the owner is a part of it. That is noted.
  private func isOfAnother(_ key: [Cell], _ step: ListStep, _ batch: borrowing RowBatch) -> Bool {
    for (place, cell) in zip(step.rules.ownerPlaces, step.key) where !batch.equal(key[place], cell) {
      let text = KeyText.text(of: key, batch)
      context.problems.add(
        .belongsToAnother(relationship: step.relationship.index, key: text), row: step.owner)
      return true
    }
    return false
  }

  /// Links a child that is known by its key only. If it is not there, the store remembers the link.
  private func link(
    _ key: [Cell], to step: ListStep, at place: Int?, _ waiting: inout Set<ExactText>,
    _ batch: borrowing RowBatch
  ) throws(Rows.Failure) {
    guard !isOfAnother(key, step, batch) else { return }
    let rules = step.rules
    var child = try rows.storedChild(key, of: step.key, rules, batch)
    if child == nil, try makeStub(for: step.relationship, key, batch) {
      child = try rows.storedChild(key, of: step.key, rules, batch)
    }
    guard let child else {
      let target = KeyText.text(of: key, batch)
      waiting.remove(ExactText(target))
      let isDisputed = try pendingLinks.add(
        step.relationship, owner: KeyText.text(of: step.key, batch), target: target,
        place: rules.isOrdered ? place.map(Int64.init) : nil, keepsPlace: context.merges(step.list))
      if isDisputed {
        context.claims.noteDoubt(of: step.relationship, isChanged: false)
        context.noteDispute(of: step.relationship, row: step.owner)
      }
      return
    }
    guard context.policy.operations.contains(.update), !keepsOwner(child.row, rules) else { return }
    var change = OwnerChange.none
    if child.hasOwner, !child.isOwnedAlready {
      change = step.relationship.isToMany && rules.hasClaims ? .left : .made
    }
    claim(child.row, change, by: step, at: place, batch)
    guard change != .left else { return }
    // A child that keeps the place that it has is linked already.
    guard rules.isOrdered ? place != nil : !child.isOwnedAlready else { return }
    if try rows.setOwner(of: child.row, rules, to: step.key, at: place, batch) {
      try rows.noteChange(child.row, rules)
    }
  }

  /// Whether an object that a list names has an owner by the lists of another relationship. Its like, which it answers or follows, is none.
  private func hasOtherOwner(_ header: Row, _ rules: ListRules) throws(Rows.Failure) -> Bool {
    let schema = context.layout.schema
    let own = schema.entities[header.entity].root
    for key in self.rules(ofEntity: header.entity).ownerKeys {
      guard let list = key.inverse, list.isToMany, list.index != rules.relationship.index,
        schema.entities[list.owner].root != own
      else { continue }
      if try rows.hasOwner(header.rowID, self.rules(ofList: list.index)) { return true }
    }
    return false
  }

  /// Notes that a list names a child. If the store has another owner for it, the link is set in the end.
  private func claim(
    _ child: Int64, _ change: OwnerChange, isChanged: Bool = false, by step: ListStep, at place: Int?,
    _ batch: borrowing RowBatch
  ) {
    let rules = step.rules
    guard rules.hasClaims else { return }
    let isDisputed = context.claims.noteListed(
      child, by: step.relationship, change, isChanged: isChanged, owner: ownerValues(step, batch),
      at: rules.isOrdered ? place : nil)
    if isDisputed { context.noteDispute(of: step.relationship, row: step.owner) }
    if change == .left { context.repetitions.forget(inTable: rules.table) }
  }

  /// Takes the owner from a child that is not in the list any more.
  private func release(_ child: Int64, of step: ListStep, _ batch: borrowing RowBatch) throws(Rows.Failure) {
    let rules = step.rules
    guard !keepsOwner(child, rules) else { return }
    let isPruned = rules.meaning == .prune
    guard isPruned || rules.inverse?.requiresTarget ?? false else {
      if try rows.setOwner(of: child, rules, to: nil, at: nil, batch) { try rows.noteChange(child, rules) }
      return
    }
    context.releases.append(
      DeferredRelease(
        ticket: context.problems.addDeferred(row: step.owner), relationship: step.relationship,
        action: isPruned ? .delete : .keep, child: child, owner: KeyText.text(of: step.key, batch)))
  }

  /// Whether a program changed the owner of a child of a list, so that it stays as it is. Such a child is counted.
  private func keepsOwner(_ child: Int64, _ rules: ListRules) -> Bool {
    guard context.unsynced != nil, let inverse = rules.inverse,
      context.isUnsynced(inverse.name, of: child, entity: rules.destination.index)
    else { return false }
    context.countUnsynced(child, entity: rules.destination.index)
    return true
  }

  /// Gives children that lists took from others their new owners.
  package func linkClaimed(
    _ relationship: SchemaRelationship, _ claims: [(child: Int64, claim: OwnershipClaim)]
  ) throws(Rows.Failure) {
    let rules = rules(ofList: relationship.index)
    for portion in claims.portions {
      try rows.prepareLookup(of: portion.map { RowLocation(table: rules.table, row: $0.child) })
      for (child, claim) in portion {
        if context.policy.doubtsOwnership, try rows.hasOwner(child, rules) {
          context.claims.noteDoubt(of: relationship, isChanged: claim.isChanged)
        }
        if try rows.setOwner(of: child, rules, by: claim) { try rows.noteChange(child, rules) }
      }
    }
  }

  // MARK: - The comparison with what is stored

  /// The comparison of a list with the children that its owner has.
  private struct Comparison {
    /// Children that the list does not have.
    var leaving: [Int64] = []
    /// The place of each target of the list; nil where it keeps the one that it has.
    var places: [Int?] = []
  }

  private func compare(_ step: ListStep, _ batch: borrowing RowBatch) throws(Rows.Failure) -> Comparison {
    var result = Comparison()
    let isOrdered = step.rules.isOrdered
    let mayHaveLinks = context.mayHaveLinks(step.owner, step.relationship.index, batch)
    guard mayHaveLinks || isOrdered else { return result }
    _ = collectKeys(of: step, batch)
    var next = 0
    var order = ListOrder()
    if mayHaveLinks {
      var children = try rows.children(of: step.key, step.rules, batch)
      while try children.next() {
        if let place = wanted.find(children, of: batch) {
          order.add(place)
        } else {
          result.leaving.append(children.row)
        }
        if isOrdered { next = max(next, Int(children.place ?? 0) + 1) }
      }
    }
    guard isOrdered else { return result }
    let isMerging = context.merges(step.list)
    result.places =
      !isMerging && order.isKept(in: &wanted, batch)
      ? Array(repeating: nil, count: wanted.count) : places(appendingFrom: isMerging ? next : nil, batch)
    return result
  }

  /// The places of the targets that ``wanted`` holds. One that comes twice has its first place. Appended ones
  /// come behind those that are there, which keep theirs.
  private func places(appendingFrom start: Int?, _ batch: borrowing RowBatch) -> [Int?] {
    var next = start ?? 0
    var result: [Int?] = []
    for index in 0..<wanted.count {
      let first = wanted.firstIndex(of: index, batch)
      if start != nil, wanted.isFound(first) {
        result.append(nil)
      } else if first < index {
        result.append(result[first])
      } else {
        result.append(start == nil ? index : next)
        next += 1
      }
    }
    return result
  }
}

extension RowStore {
  /// Notes that a target of a list was changed through the relationship.
  fileprivate func noteChange(_ child: Int64, _ rules: ListRules) throws(Failure) {
    try countChange(of: RowLocation(table: rules.table, row: child))
    context.repetitions.forget(inTable: rules.table)
  }
}

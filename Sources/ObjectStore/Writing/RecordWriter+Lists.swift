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
  private func collectKeys(of step: ListStep, _ batch: borrowing RowBatch) -> Bool {
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
  private func ownerValues(_ step: ListStep, _ batch: borrowing RowBatch) -> [SQLValue] {
    var values: [SQLValue] = []
    for cell in step.key { values.append(batch.value(of: cell)) }
    return values
  }

  /// Deletes an object that a list no longer has and that has no identity.
  private func delete(_ place: RowLocation, listedBy owner: Int) throws(Rows.Failure) {
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
      // What was held back, or lacked a value, is linked as if it had been named by its key.
      guard !context.isUnknown(row, batch) else { return }
      try link(context.declaredKey(of: row, batch), to: step, at: place, &waiting, batch)
    } else if !header.isRepetition, header.rowID != Row.unknownID {
      claim(header.rowID, header.ownerChange, by: step, at: place, batch)
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

  /// Puts the link to an owner into the cells of a row that is still to be written.
  private func setLink(of row: Int, to step: ListStep, at place: Int?, _ batch: inout RowBatch) {
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
      if isDisputed { context.noteDispute(of: step.relationship, row: step.owner) }
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

  /// Notes that a list names a child. If the store has another owner for it, the link is set in the end.
  private func claim(
    _ child: Int64, _ change: OwnerChange, by step: ListStep, at place: Int?, _ batch: borrowing RowBatch
  ) {
    let rules = step.rules
    guard rules.hasClaims else { return }
    let isDisputed = context.claims.noteListed(
      child, by: step.relationship, change, owner: ownerValues(step, batch), at: rules.isOrdered ? place : nil
    )
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
      for (child, claim) in portion where try rows.setOwner(of: child, rules, by: claim) {
        try rows.noteChange(child, rules)
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

// MARK: - Links in join tables

/// Lists whose links are rows of a join table. First the targets are written, then the links are made what the list says.
extension RecordWriter {
  private func writeTargets(of step: ListStep, _ batch: inout RowBatch) throws(Rows.Failure) {
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

    /// Those of sub-entities that have an identity stay as well.
    func contains(_ link: some StoredLinks) -> Bool { link.targetRow.map(rows.contains) ?? true }
  }

  /// Makes the owner's links what the list says.
  private func writeLinks(
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

// MARK: - Targets without an identity

/// Lists of objects without identity: their elements are written over the objects that the owner has, one by one. One that
/// has an owner of another kind besides is that owner's first: only an element that names this other owner is written
/// over it. See ``Layout/precedingOwners(of:)``.
///
/// An object of a sub-entity that has an identity is not written over: an element with that identity is that object.
extension RecordWriter {
  /// The objects that an owner has.
  private struct OwnedObjects {
    /// The rows of some, and how many of them have been written over.
    struct Group {
      var rows: [Int64] = []
      var next = 0

      mutating func take(_ certain: Int64?) -> Int64? {
        guard next < rows.count else { return nil }
        if let certain, let place = rows.firstIndex(of: certain) { rows.swapAt(place, next) }
        defer { next += 1 }
        return rows[next]
      }
    }

    /// Those that have no preceding owner.
    private(set) var free = Group()
    /// The others, by the keys of these owners.
    private(set) var groups: [String: Group] = [:]
    /// The rows of those that have an identity.
    var identified: Set<Int64> = []
    var count = 0
    /// Whether every element was written, so that what the list does not have can go.
    var mayDelete: Bool

    init(mayDelete: Bool) { self.mayDelete = mayDelete }

    mutating func append(_ row: Int64, ownedBy owners: String) {
      if owners.isEmpty { free.rows.append(row) } else { groups[owners, default: Group()].rows.append(row) }
    }

    /// Those of some preceding owners that have not been written over.
    func left(ownedBy owners: String) -> ArraySlice<Int64> {
      let group = owners.isEmpty ? free : groups[owners] ?? Group()
      return group.rows[group.next...]
    }

    /// Takes the next one to be written over, or a certain one of those that are left.
    mutating func take(_ certain: Int64? = nil, ownedBy owners: String) -> Int64? {
      if owners.isEmpty { return free.take(certain) }
      return groups[owners]?.take(certain) ?? nil
    }

    /// Frees the one that was taken last.
    mutating func giveBack(ownedBy owners: String) {
      if owners.isEmpty { free.next -= 1 } else { groups[owners]?.next -= 1 }
    }

    /// All that have no identity.
    var all: [Int64] { (free.rows + groups.values.flatMap(\.rows)).sorted() }

    /// Forgets an object that has been written over.
    mutating func remove(_ row: Int64) {
      free.rows.removeAll { $0 == row }
      for key in groups.keys { groups[key]?.rows.removeAll { $0 == row } }
    }

    /// Those of no preceding owner that the list does not have.
    var remaining: [Int64] { free.rows[free.next...] + identified.sorted() }
  }

  private func writeOwned(_ step: ListStep, _ batch: inout RowBatch) throws(Rows.Failure) {
    let isJoined = if case .join = step.rules.storage { true } else { false }
    var objects = OwnedObjects(mayDelete: !step.list.isIncomplete)
    if context.mayHaveLinks(step.owner, step.relationship.index, batch) {
      try collect(isJoined, step, &objects, batch)
    }
    let isMerging = context.merges(step.list)
    for position in 0..<step.list.count {
      // Entities without identity have no keys, so every target is a row.
      let row = Int(batch.targets[step.list.firstTarget + position].bits)
      let rules = rules(ofEntity: batch.rows[row].entity)
      if rules.layout.entity.hasIdentity {
        try writeIdentified(row, rules, step, position, &objects, &batch)
      } else if isMerging {
        try merge(row, rules, step, position, &objects, &batch)
      } else {
        try replace(row, rules, step, position, &objects, &batch)
      }
    }
    if isMerging { objects.mayDelete = false }
    if isJoined {
      let kept = objects.mayDelete ? nil : KeptObjects(rows: Set(objects.remaining))
      return try writeLinks(of: step, keeping: kept, &batch)
    }
    // What seems to be missing may be what could not be read.
    guard objects.mayDelete else { return }
    for row in objects.remaining {
      try delete(RowLocation(table: step.rules.table, row: row), listedBy: step.owner)
    }
  }

  /// Collects the objects that the owner has, in their order.
  private func collect(
    _ isJoined: Bool, _ step: ListStep, _ objects: inout OwnedObjects, _ batch: borrowing RowBatch
  ) throws(Rows.Failure) {
    var links =
      try isJoined
      ? rows.links(of: step.key, step.rules, batch) : rows.children(of: step.key, step.rules, batch)
    while try links.next() {
      if let row = links.targetRow {
        objects.append(row, ownedBy: isJoined ? "" : links.precedingOwners)
      } else if isJoined {
        continue
      } else {
        objects.identified.insert(links.row)
      }
      objects.count += 1
    }
  }

  /// Puts the link into a row, if it is kept there.
  private func setOwnedLink(_ row: Int, _ step: ListStep, at place: Int?, _ batch: inout RowBatch) {
    setLink(of: row, to: step, at: place, &batch)
  }

  /// Writes an element that has an identity, which tells where.
  private func writeIdentified(
    _ row: Int, _ rules: EntityRules, _ step: ListStep, _ position: Int, _ objects: inout OwnedObjects,
    _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    let stored = try rows.storedVersion(of: RowStep(row), rules, batch)?.row
    let isThere = stored.map { objects.identified.remove($0) != nil } ?? false
    let place = context.merges(step.list) ? (isThere ? nil : objects.count + position) : position
    setOwnedLink(row, step, at: place, &batch)
    try begin(RowStep(row), &batch)
    if isLost(row, batch) { objects.mayDelete = false }
  }

  /// Adds an element to the owner's objects, unless it is there already.
  private func merge(
    _ row: Int, _ rules: EntityRules, _ step: ListStep, _ position: Int, _ objects: inout OwnedObjects,
    _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    setOwnedLink(row, step, at: nil, &batch)
    let twin = try twin(of: row, among: objects.all, rules, batch)
    if let twin {
      objects.remove(twin)
    } else {
      setOwnedLink(row, step, at: objects.count + position, &batch)
    }
    try begin(RowStep(row, over: twin), &batch)
  }

  /// Writes an element over the next object.
  private func replace(
    _ row: Int, _ rules: EntityRules, _ step: ListStep, _ position: Int, _ objects: inout OwnedObjects,
    _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    let key = context.precedingOwnerKey(of: row, step.relationship, batch)
    setOwnedLink(row, step, at: position, &batch)
    var twin: Int64?
    if !key.isEmpty, case let left = objects.left(ownedBy: key), left.count > 1 {
      twin = try self.twin(of: row, among: Array(left), rules, batch)
    }
    let over = objects.take(twin, ownedBy: key)
    try begin(RowStep(row, over: over, isReplacement: step.relationship.isToMany), &batch)
    guard isLost(row, batch) else { return }
    // The object is free for the next element.
    objects.mayDelete = false
    if over != nil { objects.giveBack(ownedBy: key) }
  }

  private func isLost(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
    batch.rows[row].state == .skipped && !batch.rows[row].isHeld
  }

  /// Among objects without identity, the one that has all the values of a row; nil if none has.
  private func twin(
    of row: Int, among candidates: [Int64], _ rules: EntityRules, _ batch: borrowing RowBatch
  ) throws(Rows.Failure) -> Int64? {
    for candidate in candidates where try rows.matches(row, candidate, rules, batch) { return candidate }
    return nil
  }
}

extension RecordStore {
  /// Notes that a target of a list was changed through the relationship.
  fileprivate func noteChange(_ child: Int64, _ rules: ListRules) throws(Failure) {
    try countChange(of: RowLocation(table: rules.table, row: child))
    context.repetitions.forget(inTable: rules.table)
  }
}

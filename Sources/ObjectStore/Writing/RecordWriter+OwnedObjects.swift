import Bytes
import ObjectModel

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

    /// The objects that have no preceding owner.
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

    /// The objects of some preceding owners that have not been written over.
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

    /// The objects of no preceding owner that the list does not have.
    var remaining: [Int64] { free.rows[free.next...] + identified.sorted() }
  }

  func writeOwned(_ step: ListStep, _ batch: inout RowBatch) throws(Rows.Failure) {
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
    // An object that seems to be missing may be one that could not be read.
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

  /// Writes an element that has an identity, which tells where.
  private func writeIdentified(
    _ row: Int, _ rules: EntityRules, _ step: ListStep, _ position: Int, _ objects: inout OwnedObjects,
    _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    let stored = try rows.storedVersion(of: RowStep(row), rules, batch)?.row
    let isThere = stored.map { objects.identified.remove($0) != nil } ?? false
    let place = context.merges(step.list) ? (isThere ? nil : objects.count + position) : position
    setLink(of: row, to: step, at: place, &batch)
    try begin(RowStep(row), &batch)
    if isLost(row, batch) { objects.mayDelete = false }
  }

  /// Adds an element to the owner's objects, unless it is there already.
  private func merge(
    _ row: Int, _ rules: EntityRules, _ step: ListStep, _ position: Int, _ objects: inout OwnedObjects,
    _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    setLink(of: row, to: step, at: nil, &batch)
    let twin = try twin(of: row, among: objects.all, rules, batch)
    if let twin {
      objects.remove(twin)
    } else {
      setLink(of: row, to: step, at: objects.count + position, &batch)
    }
    try begin(RowStep(row, over: twin), &batch)
  }

  /// Writes an element over the next object.
  private func replace(
    _ row: Int, _ rules: EntityRules, _ step: ListStep, _ position: Int, _ objects: inout OwnedObjects,
    _ batch: inout RowBatch
  ) throws(Rows.Failure) {
    let key = context.precedingOwnerKey(of: row, step.relationship, batch)
    setLink(of: row, to: step, at: position, &batch)
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

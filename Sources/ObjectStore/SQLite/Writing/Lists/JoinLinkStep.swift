import Bytes
import ObjectModel

/// How far the writing of a list in a join table has come; see ``JoinLists``.
///
/// First its targets are written, then the links are made what the list says.
final class JoinLinkStep: ListStep {
  private let lists: JoinLists
  /// How many targets have been written, and where the next begins.
  private var position = 0
  private var target: Int
  /// Of targets without identity, the row ids of those that stay though the list has them not, since what seems to
  /// be missing may be what could not be read.
  private var keptParts: Set<Int64> = []
  /// Whether those of sub-entities that have an identity stay as well.
  private var keepsIdentifiedParts = false

  private var context: WriteContext { lists.context }

  init(_ lists: JoinLists, _ list: LinkList, of owner: Int, key: [Cell]) {
    self.lists = lists
    target = list.firstTarget
    super.init(list, of: owner, key: key)
  }

  /// Has the links to parts stay, those to parts with an identity among them.
  func keepParts(_ rows: [Int64]) {
    keptParts = Set(rows)
    keepsIdentifiedParts = true
  }

  override func advance(_ batch: inout RowBatch) throws -> RowStep? {
    var (position, target) = (position, target)
    while position < list.count {
      let cell = batch.targets.base[target]
      position += 1
      target += cell.kind == .row ? 1 : lists.targetWidth
      guard cell.kind == .row else { continue }
      (self.position, self.target) = (position, target)
      return RowStep(Int(cell.bits))
    }
    try writeLinks(&batch)
    return nil
  }

  /// Makes the owner's links what the list says. All its targets have been written.
  func writeLinks(_ batch: inout RowBatch) throws {
    // From here on no other list is written, so that the keys are this one's.
    let hasReferences = collectKeys(batch)
    if hasReferences || mayLeadBack(batch) { context.noteLinksByKey(of: lists.relationship.index) }
    let changes = try apply(try compare(batch), batch)
    // The row id is unknown where the owner was not looked up, since it came just before with the same values.
    if changes, batch.rows[owner].rowID != Row.unknownID {
      try context.countChange(of: batch.rows[owner].rowID, entity: batch.rows[owner].entity)
    }
    if hasReferences { try checkTargets(batch) }
  }

  /// Whether a target may be the owner or an object around it, which then has a link before its own list is
  /// written.
  private func mayLeadBack(_ batch: borrowing RowBatch) -> Bool {
    var row = owner
    while row >= 0 {
      if context.layout.entities[batch.rows[row].entity].table == lists.destinationTable { return true }
      row = batch.rows[row].parent
    }
    return false
  }

  /// Gathers the keys of the list's targets. True if any was given by its key only.
  private func collectKeys(_ batch: borrowing RowBatch) -> Bool {
    lists.wanted.removeAll()
    var hasReferences = false
    var index = list.firstTarget
    for _ in 0..<list.count {
      let cell = batch.targets[index]
      guard cell.kind == .row else {
        for part in 0..<lists.targetWidth { lists.wanted.append(batch.targets[index + part]) }
        hasReferences = true
        index += lists.targetWidth
        continue
      }
      index += 1
      let row = Int(cell.bits)
      guard !context.isUnknown(row, batch) else { continue }
      if batch.rows[row].state != .object, !batch.rows[row].isDuplicate { hasReferences = true }
      for part in 0..<lists.targetWidth {
        lists.wanted.append(context.declaredKeyCell(of: row, part: part, of: batch))
      }
    }
    return hasReferences
  }

  // MARK: - The difference

  /// What the list means for the links that the owner has.
  private struct Comparison {
    /// Those that the list has not.
    var leaving: [Int64] = []
    /// Those that get another place.
    var moving: [(link: Int64, place: Int)] = []
    /// The place behind all that are there.
    var next = 0
  }

  private func compare(_ batch: borrowing RowBatch) throws -> Comparison {
    var result = Comparison()
    guard context.mayHaveLinks(owner, lists.relationship.index, batch) else { return result }
    let existing = lists.existing
    let placeColumn = 1 + lists.targetWidth
    let isMerging = context.merges(list)
    var order = ListOrder()
    try lists.bindExisting(ownerKey, batch)
    while try existing.step() {
      if lists.isOrdered { result.next = max(result.next, Int(existing.integer(placeColumn)) + 1) }
      if let place = lists.wanted.find(existing, firstColumn: 1, of: batch) {
        order.add(place)
        if lists.isOrdered, !isMerging,
          existing.isNull(placeColumn) || existing.integer(placeColumn) != Int64(place)
        {
          result.moving.append((existing.integer(0), place))
        }
      } else if !isMerging, lists.destination.hasIdentity || !keepsTarget() {
        result.leaving.append(existing.integer(0))
      }
    }
    if lists.isOrdered, order.isKept(in: &lists.wanted, batch) { result.moving = [] }
    return result
  }

  /// Whether the target of the link that ``JoinLists/existing`` stands on, which is a part, stays though the list has
  /// it not.
  private func keepsTarget() -> Bool {
    let existing = lists.existing
    return existing.storage(1) == .text ? keepsIdentifiedParts : keptParts.contains(existing.integer(1))
  }

  /// Makes the owner's links what is wanted. True if that changed anything.
  private func apply(_ comparison: Comparison, _ batch: borrowing RowBatch) throws -> Bool {
    var changes = false
    for link in comparison.leaving {
      if let target = try unsentTarget(of: link) {
        context.countUnsent(target, entity: lists.destination.index)
        continue
      }
      try lists.remove(link, of: owner)
      changes = true
    }
    for (link, place) in comparison.moving {
      try lists.move(link, to: place)
      changes = true
    }
    let isMerging = context.merges(list)
    var next = comparison.next
    for index in 0..<lists.wanted.count where !lists.wanted.isFound(index) {
      if let target = try unsentTarget(index, batch) {
        context.countUnsent(target, entity: lists.destination.index)
        continue
      }
      if try lists.insert(ownerKey, target: index, at: isMerging ? next : index, batch) {
        changes = true
        next += 1
      }
    }
    return changes
  }

  /// Looks whether the targets that were given by their keys are there.
  private func checkTargets(_ batch: borrowing RowBatch) throws {
    let (find, width) = (lists.find, lists.targetWidth)
    for index in 0..<lists.wanted.count where lists.wanted.cell(index, part: 0).link != .exists {
      var target: [Cell] = []
      for part in 0..<width { target.append(lists.wanted.cell(index, part: part)) }
      for (place, cell) in (ownerKey + target).enumerated() { find.bind(cell, of: batch, at: place + 1) }
      guard try find.step() else { continue }
      let row = find.integer(0)
      find.reset()
      try lists.tools.checks.check(link: lists.relationship, row: row, target: target, batch)
    }
  }

  // MARK: - Lists at the other end that a program changed

  /// The row of a link's target, if a program changed its list and the server has not been told: then the link stays.
  private func unsentTarget(of link: Int64) throws -> Int64? {
    guard let list = protectableList, let row = try lists.targetRow(ofLink: link) else { return nil }
    return context.isUnsent(list, of: row, entity: lists.destination.index) ? row : nil
  }

  /// The row of a target of the list, if a program changed its list and the server has not been told: then no link is
  /// made.
  private func unsentTarget(_ index: Int, _ batch: borrowing RowBatch) throws -> Int64? {
    guard let list = protectableList, let row = try lists.row(ofTarget: index, batch) else { return nil }
    return context.isUnsent(list, of: row, entity: lists.destination.index) ? row : nil
  }

  /// The name of the list at the other end, if a program may have changed it.
  private var protectableList: String? {
    guard let unsent = context.unsent, unsent.concerns(table: lists.destinationTable),
      lists.destination.hasIdentity, let inverse = lists.relationship.inverse
    else { return nil }
    return context.layout.schema.relationships[inverse].name
  }
}

import Bytes
import ObjectModel

/// What has lists of objects without identity.
protocol PartListWriting: AnyObject {
  var relationship: SchemaRelationship { get }
  /// Links a row that is about to be written, if the link is kept in it.
  func link(_ row: Int, at place: Int?, _ step: PartListStep, _ batch: inout RowBatch)
  /// Sees to the parts that the list has not, and to the links.
  func finish(_ step: PartListStep, _ batch: inout RowBatch) throws
}

/// How far the writing of a list of parts has come.
///
/// Parts have no identity: the list's elements are written over those that the owner has, one by one. A part that
/// has an owner of another kind besides is that owner's first: only an element that names this other owner is
/// written over it. See ``Layout/precedingOwners(of:)``.
///
/// A part of a sub-entity that has an identity is not written over: an element with that identity is that part.
final class PartListStep: ListStep {
  private let lists: any PartListWriting
  private let context: WriteContext
  private let entities: EntityWriters
  /// The parts that the owner has, by the keys of their preceding owners; under no key those that have none.
  private var existing: [String: ExistingParts] = [:]
  /// The rows of those that have an identity.
  private var identified: Set<Int64> = []
  private var existingCount = 0
  private var position = 0
  /// The element that is being written, and the part that it is written over.
  private var current: (row: Int, over: Int64?, key: String)?
  /// Whether every element was written, so that what the list has not can go.
  private(set) var mayDelete: Bool

  private struct ExistingParts {
    var rows: [Int64] = []
    var next = 0
  }

  init(_ lists: any PartListWriting, _ list: LinkList, of owner: Int, key: [Cell], _ tools: ListContext) {
    self.lists = lists
    context = tools.context
    entities = tools.entities
    mayDelete = !list.isIncomplete
    super.init(list, of: owner, key: key)
  }

  func addExisting(_ row: Int64, ownedBy key: String = "") {
    existing[key, default: ExistingParts()].rows.append(row)
    existingCount += 1
  }

  /// Adds a part that has an identity.
  func addIdentified(_ row: Int64) {
    identified.insert(row)
    existingCount += 1
  }

  /// The parts of no preceding owner that the list has not.
  var remaining: [Int64] {
    (existing[""].map { Array($0.rows[$0.next...]) } ?? []) + identified.sorted()
  }

  override func advance(_ batch: inout RowBatch) throws -> RowStep? {
    freePlaceOfSkipped(batch)
    let merges = context.merges(list)
    guard position < list.count else {
      if merges { mayDelete = false }
      try lists.finish(self, &batch)
      return nil
    }
    // Entities without identity have no keys, so every target is a row.
    let row = Int(batch.targets[list.firstTarget + position].bits)
    defer { position += 1 }
    if context.layout.schema.entities[batch.rows[row].entity].hasIdentity {
      return try stepByIdentity(row, merges: merges, &batch)
    }
    return try merges ? stepToMerge(row, &batch) : stepToReplace(row, &batch)
  }

  /// Frees the part for the next element if the one before was not written over it.
  private func freePlaceOfSkipped(_ batch: borrowing RowBatch) {
    guard let current else { return }
    self.current = nil
    guard batch.rows[current.row].state == .skipped, !batch.rows[current.row].isHeld else { return }
    mayDelete = false
    if let over = current.over, var parts = existing[current.key] {
      parts.next -= 1
      parts.rows[parts.next] = over
      existing[current.key] = parts
    }
  }

  private func stepToReplace(_ row: Int, _ batch: inout RowBatch) throws -> RowStep {
    let key = context.precedingOwnerKey(of: row, lists.relationship, batch)
    lists.link(row, at: position, self, &batch)
    var over: Int64?
    if var parts = existing[key], parts.next < parts.rows.count {
      if !key.isEmpty, parts.rows.count - parts.next > 1,
        let twin = try entities.twin(of: row, among: Array(parts.rows[parts.next...]), batch),
        let place = parts.rows.firstIndex(of: twin)
      {
        parts.rows.swapAt(place, parts.next)
      }
      over = parts.rows[parts.next]
      parts.next += 1
      existing[key] = parts
    }
    current = (row, over, key)
    return RowStep(row, over: over, isReplacement: lists.relationship.isToMany)
  }

  /// Writes an element that has an identity, which tells where.
  private func stepByIdentity(_ row: Int, merges: Bool, _ batch: inout RowBatch) throws -> RowStep {
    let stored = try entities.writer(for: batch.rows[row].entity).storedRow(of: row, batch)
    let isThere = stored.map { identified.remove($0) != nil } ?? false
    let place = merges ? (isThere ? nil : existingCount + position) : position
    lists.link(row, at: place, self, &batch)
    current = (row, nil, "")
    return RowStep(row)
  }

  /// Adds the element to the owner's parts, unless it is there already.
  private func stepToMerge(_ row: Int, _ batch: inout RowBatch) throws -> RowStep {
    lists.link(row, at: nil, self, &batch)
    let candidates = existing.values.flatMap { $0.rows }.sorted()
    let twin = try entities.twin(of: row, among: candidates, batch)
    if let twin {
      for key in existing.keys { existing[key]?.rows.removeAll { $0 == twin } }
    } else {
      lists.link(row, at: existingCount + position, self, &batch)
    }
    return RowStep(row, over: twin)
  }
}

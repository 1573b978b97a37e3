import Bytes
import ObjectModel

/// What has lists of objects without identity.
protocol PartListWriting: AnyObject {
  var relationship: SchemaRelationship { get }
  /// Links a row that is about to be written, if the link is kept in it.
  func link(_ row: Int, at place: Int?, _ step: PartListStep, _ batch: inout RowBatch)
  /// Sees to the parts that the list has not, and to the links.
  func finish(_ step: PartListStep, _ batch: inout RowBatch, _ writer: RowWriter) throws
}

/// How far the writing of a list of parts has come.
///
/// Parts have no identity: the list's elements are written over those that the owner has, one by one. A part that
/// has an owner of another kind besides is that owner's first: only an element that names this other owner is
/// written over it. See ``Layout/precedingOwners(of:)``.
///
/// A part of a sub-entity that has an identity is nobody's place to take: an element with that identity is that part.
final class PartListStep {
  let lists: any PartListWriting
  let list: LinkList
  let owner: Int
  let ownerKey: [Cell]
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

  init(_ lists: any PartListWriting, _ list: LinkList, of owner: Int, _ ownerKey: [Cell]) {
    self.lists = lists
    self.list = list
    self.owner = owner
    self.ownerKey = ownerKey
    mayDelete = !list.isIncomplete
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

  /// Writes the elements of the list, until one takes further steps.
  func advance(_ batch: inout RowBatch, _ writer: RowWriter) throws {
    freePlaceOfSkipped(batch)
    let merges = writer.merges(list)
    while position < list.count {
      // Entities without identity have no keys, so every target is a row.
      let row = Int(batch.targets[list.firstTarget + position].bits)
      let step =
        if writer.transaction.layout.schema.entities[batch.rows[row].entity].hasIdentity {
          try stepByIdentity(row, merges: merges, &batch, writer)
        } else {
          try merges ? stepToMerge(row, &batch, writer) : stepToReplace(row, &batch, writer)
        }
      position += 1
      guard try writer.writesAtOnce(step, before: .parts(self), &batch) else { return }
      freePlaceOfSkipped(batch)
    }
    if merges { mayDelete = false }
    try lists.finish(self, &batch, writer)
  }

  /// An element that is not written takes nobody's place.
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

  private func stepToReplace(_ row: Int, _ batch: inout RowBatch, _ writer: RowWriter) throws -> RowStep {
    let key = writer.precedingOwnerKey(of: row, lists.relationship, batch)
    lists.link(row, at: position, self, &batch)
    var over: Int64?
    if var parts = existing[key], parts.next < parts.rows.count {
      if !key.isEmpty, parts.rows.count - parts.next > 1,
        let twin = try writer.twin(of: row, among: Array(parts.rows[parts.next...]), batch),
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
  private func stepByIdentity(
    _ row: Int, merges: Bool, _ batch: inout RowBatch, _ writer: RowWriter
  ) throws -> RowStep {
    let stored = try writer.writer(for: batch.rows[row].entity).storedRow(of: row, batch)
    let isThere = stored.map { identified.remove($0) != nil } ?? false
    let place = merges ? (isThere ? nil : existingCount + position) : position
    lists.link(row, at: place, self, &batch)
    current = (row, nil, "")
    return RowStep(row)
  }

  /// Adds the element to the owner's parts, unless it is there already.
  private func stepToMerge(_ row: Int, _ batch: inout RowBatch, _ writer: RowWriter) throws -> RowStep {
    lists.link(row, at: nil, self, &batch)
    let candidates = existing.values.flatMap { $0.rows }.sorted()
    let twin = try writer.twin(of: row, among: candidates, batch)
    if let twin {
      for key in existing.keys { existing[key]?.rows.removeAll { $0 == twin } }
    } else {
      lists.link(row, at: existingCount + position, self, &batch)
    }
    return RowStep(row, over: twin)
  }
}

extension RowWriter {
  /// The keys of the owners of a part that come before the owner by a relationship, as its cells say them; empty
  /// if they name none.
  func precedingOwnerKey(
    of row: Int, _ relationship: SchemaRelationship, _ batch: borrowing RowBatch
  ) -> String {
    let preceding = transaction.layout.precedingOwners(of: relationship)
    guard !preceding.isEmpty else { return "" }
    let layout = transaction.layout.entities[batch.rows[row].entity]
    var parts: [String] = []
    for columns in preceding {
      for column in columns where layout.slotOfColumn[column] >= 0 {
        let cell = resolved(batch[row, layout.slotOfColumn[column]], of: batch)
        parts.append(KeyText.text(of: cell, batch))
      }
    }
    return parts.allSatisfy(\.isEmpty) ? "" : KeyText.joined(parts)
  }
}

extension EntityWriter {
  /// The row of the stored object that has a row's identity; nil if there is none.
  func storedRow(of row: Int, _ batch: borrowing RowBatch) throws -> Int64? {
    guard let found = try find(row, over: nil, batch) else { return nil }
    defer { lookup.leave(found) }
    return found.integer(0)
  }
}

extension ChildLists: PartListWriting {
  func link(_ row: Int, at place: Int?, _ step: PartListStep, _ batch: inout RowBatch) {
    setLink(to: step.ownerKey, place, in: row, &batch)
  }

  /// Collects the parts that the owner has, in their order.
  func collectParts(_ step: PartListStep, _ batch: borrowing RowBatch) throws {
    for (index, cell) in step.ownerKey.enumerated() { existing.bind(cell, of: batch, at: index + 1) }
    let first = existingColumns
    while try existing.step() {
      if table.holdsMixedKeys, existing.storage(1) == .text {
        step.addIdentified(existing.integer(0))
        continue
      }
      let owners = first..<existing.columnCount
      let key =
        owners.isEmpty || owners.allSatisfy(existing.isNull) ? "" : KeyText.ofColumns(owners, existing)
      step.addExisting(existing.integer(0), ownedBy: key)
    }
  }

  func finish(_ step: PartListStep, _ batch: inout RowBatch, _ writer: RowWriter) throws {
    // What seems to be missing may be what could not be read.
    guard step.mayDelete else { return }
    for part in step.remaining {
      guard let refusal = try writer.delete(part, ofTable: tableIndex) else { continue }
      writer.problems.append(
        RowProblem(
          row: step.owner, reason: .deletionDenied(relationship: refusal.relationship, key: refusal.key)))
    }
  }
}

extension Layout {
  /// Of a list of parts, the foreign keys of the relationships to owners that come before the list's own owner: a
  /// part that several objects have belongs to one of them first. An ordered list comes before one without order,
  /// an owner that the part requires before one that it does not, then the order of the model counts.
  func precedingOwners(of relationship: SchemaRelationship) -> [[Int]] {
    precedingOwnerColumns[relationship.index]
  }

  /// By relationship, the columns of ``precedingOwners(of:)``.
  static func precedingOwnerColumns(
    _ schema: Schema, _ storage: [RelationshipStorage]
  ) -> [[[Int]]] {
    var result = [[[Int]]](repeating: [], count: schema.relationships.count)
    var byRoot: [Int: [SchemaRelationship]] = [:]
    for relationship in schema.relationships where !schema.entities[relationship.destination].hasIdentity {
      guard case .inverse = storage[relationship.index], relationship.isToMany,
        isPart(relationship, schema)
      else {
        continue
      }
      byRoot[schema.entities[relationship.destination].root, default: []].append(relationship)
    }
    for lists in byRoot.values where lists.count > 1 {
      let ranked = lists.sorted { rank($0, schema) < rank($1, schema) }
      for (place, list) in ranked.enumerated() {
        result[list.index] = ranked.prefix(place).compactMap { other in
          guard case .inverse(let columns, _) = storage[other.index] else { return nil }
          return columns
        }
      }
    }
    return result
  }

  private static func rank(_ list: SchemaRelationship, _ schema: Schema) -> (Int, Int, Int) {
    let isRequired = list.inverse.map { !schema.relationships[$0].isOptional } ?? false
    return (list.isOrdered ? 0 : 1, isRequired ? 0 : 1, list.index)
  }
}

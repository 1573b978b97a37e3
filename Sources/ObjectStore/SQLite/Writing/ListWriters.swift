import Bytes
import ObjectModel

/// The tools of the writers of lists.
struct ListContext {
  let context: WriteContext
  let entities: EntityWriters
  let claims: ListClaims
  let pendingLinks: PendingLinks
  let stubs: StubWriter
  let checks: ReferenceChecks
  let releases: DeferredReleases
  let deleter: ObjectDeleter<SQLiteRows>
}

/// The writers of lists, by relationship, made when first needed.
final class ListWriters {
  private let tools: ListContext
  private var children: [ChildLists?]
  private var joins: [JoinLists?]

  init(_ tools: ListContext) {
    self.tools = tools
    let count = tools.context.layout.relationships.count
    children = Array(repeating: nil, count: count)
    joins = Array(repeating: nil, count: count)
  }

  /// Begins with a list of a row. Returns the step that goes on with it; nil if there is nothing to do.
  func begin(_ list: LinkList, of row: Int, _ batch: inout RowBatch) throws -> WriteStep? {
    switch tools.context.layout.relationships[list.relationship] {
    case .inverse: try childLists(for: list.relationship).begin(list, of: row, &batch)
    case .join: try joinLists(for: list.relationship).begin(list, of: row, &batch)
    case .foreignKey: nil
    }
  }

  func childLists(for relationship: Int) throws -> ChildLists {
    if let known = children[relationship] { return known }
    let lists = try ChildLists(relationship, tools)
    children[relationship] = lists
    return lists
  }

  private func joinLists(for relationship: Int) throws -> JoinLists {
    if let known = joins[relationship] { return known }
    let lists = try JoinLists(relationship, tools)
    joins[relationship] = lists
    return lists
  }
}

/// How far the writing of a list has come.
///
/// A list does not write its targets. It says which row has to be written next, and goes on when that is done.
class ListStep {
  let list: LinkList
  /// The row that has the list, and its key.
  let owner: Int
  let ownerKey: [Cell]

  init(_ list: LinkList, of owner: Int, key: [Cell]) {
    self.list = list
    self.owner = owner
    ownerKey = key
  }

  /// Goes on until a row has to be written, and returns that; nil when the list is written.
  func advance(_ batch: inout RowBatch) throws -> RowStep? { nil }

  /// The owner's key as values that outlive the batch.
  func ownerValues(_ batch: borrowing RowBatch) -> [SQLValue] {
    var values: [SQLValue] = []
    for cell in ownerKey { values.append(batch.value(of: cell)) }
    return values
  }

  /// The owner's key as text.
  func ownerText(_ batch: borrowing RowBatch) -> String { KeyText.text(of: ownerKey, batch) }
}

/// A writer of lists of objects without identity.
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

/// The targets of a list, to be looked up by key.
///
/// It is filled anew for every list, in memory that it keeps.
struct KeySet: ~Copyable {
  /// How many cells a key has.
  let width: Int
  /// The keys, one behind the other.
  private(set) var cells = PlainBuffer<Cell>()
  /// Indices of keys, or -1; a power of two of them. None while nothing is looked up.
  private var buckets = PlainBuffer<Int>()
  private var found = PlainBuffer<Bool>()

  init(width: Int) {
    self.width = width
  }

  var count: Int { cells.count / width }

  mutating func removeAll() {
    cells.removeAll()
    buckets.removeAll()
    found.removeAll()
  }

  mutating func append(_ cell: Cell) { cells.append(cell) }

  func cell(_ index: Int, part: Int) -> Cell { cells[index * width + part] }

  /// The index of the key that is in columns of the statement's row, which is now found; nil if it is none.
  mutating func find(
    _ statement: PreparedStatement, firstColumn: Int, of batch: borrowing RowBatch
  ) -> Int? {
    guard count > 0 else { return nil }
    if buckets.count == 0 { index(batch) }
    var bucket = hash(statement, firstColumn: firstColumn) & (buckets.count - 1)
    while buckets[bucket] >= 0 {
      let index = buckets[bucket]
      if equals(index, statement, firstColumn, batch) {
        found[index] = true
        return index
      }
      bucket = (bucket + 1) & (buckets.count - 1)
    }
    return nil
  }

  /// The index of the first key that is equal to one.
  mutating func firstIndex(of index: Int, _ batch: borrowing RowBatch) -> Int {
    if buckets.count == 0 { self.index(batch) }
    var bucket = hash(index, batch) & (buckets.count - 1)
    while buckets[bucket] >= 0 {
      if equal(buckets[bucket], index, batch) { return buckets[bucket] }
      bucket = (bucket + 1) & (buckets.count - 1)
    }
    return index
  }

  private func equal(_ first: Int, _ second: Int, _ batch: borrowing RowBatch) -> Bool {
    for part in 0..<width {
      let (left, right) = (cell(first, part: part), cell(second, part: part))
      guard left.kind == right.kind else { return false }
      if left.kind == .text {
        guard batch.bytes(of: left).elementsEqual(batch.bytes(of: right)) else { return false }
      } else if left.bits != right.bits {
        return false
      }
    }
    return true
  }

  /// Whether a key was found.
  func isFound(_ index: Int) -> Bool { found.count > 0 && found[index] }

  private mutating func index(_ batch: borrowing RowBatch) {
    var size = 8
    while size < count * 2 { size *= 2 }
    _ = buckets.append(repeating: -1, count: size)
    _ = found.append(repeating: false, count: count)
    for index in 0..<count {
      var bucket = hash(index, batch) & (size - 1)
      while buckets[bucket] >= 0 { bucket = (bucket + 1) & (size - 1) }
      buckets[bucket] = index
    }
  }

  private func equals(
    _ index: Int, _ statement: PreparedStatement, _ firstColumn: Int, _ batch: borrowing RowBatch
  ) -> Bool {
    for part in 0..<width
    where !statement.column(firstColumn + part, equals: cell(index, part: part), of: batch) { return false }
    return true
  }

  // MARK: - Hashing

  private func hash(_ index: Int, _ batch: borrowing RowBatch) -> Int {
    var hash = Hash()
    for part in 0..<width {
      let cell = cell(index, part: part)
      switch cell.kind {
      case .text, .blob: hash.combine(batch.bytes(of: cell))
      default: hash.combine(cell.bits)
      }
    }
    return hash.value
  }

  private func hash(_ statement: PreparedStatement, firstColumn: Int) -> Int {
    var hash = Hash()
    for column in firstColumn..<firstColumn + width {
      switch statement.storage(column) {
      case .integer: hash.combine(UInt64(bitPattern: statement.integer(column)))
      case .real: hash.combine(statement.double(column).bitPattern)
      default: hash.combine(statement.text(column))
      }
    }
    return hash.value
  }
}

/// A fast hash of a few values. It guards nothing: collisions cost time only.
struct Hash {
  private var state: UInt64 = 0x2545_F491_4F6C_DD1D

  init() {}

  /// Begins with something that keys of different kinds differ in.
  init(seed: Int) { state ^= UInt64(truncatingIfNeeded: seed) }

  var value: Int { Int(truncatingIfNeeded: state >> 7) }

  @inline(__always)
  mutating func combine(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    state = product.high ^ product.low &+ 0x632B_E59B_D9B4_E019
  }

  mutating func combine(_ bytes: UnsafeBufferPointer<UInt8>) {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index + 8 <= raw.count {
      combine(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    var rest = UInt64(raw.count) << 56
    while index < raw.count {
      rest = rest << 8 | UInt64(raw[index])
      index += 1
    }
    // The length took the highest byte of a short rest, and is pushed out of a longer one.
    combine(rest ^ UInt64(raw.count))
  }
}

/// Whether the links that a list keeps are in the list's order already.
struct ListOrder {
  private var last = -1
  private var count = 0
  private var isAscending = true

  /// Adds the place in the new list of the next link that is there.
  mutating func add(_ place: Int) {
    isAscending = isAscending && place > last
    last = place
    count += 1
  }

  /// Whether all of a list is there and in its order, so that no link needs another place.
  func isKept(in wanted: inout KeySet, _ batch: borrowing RowBatch) -> Bool {
    guard isAscending, count > 0 else { return false }
    for index in 0..<wanted.count where !wanted.isFound(index) {
      // One that comes twice is found once.
      if wanted.firstIndex(of: index, batch) == index { return false }
    }
    return true
  }
}

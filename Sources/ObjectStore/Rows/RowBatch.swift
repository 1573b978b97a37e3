package import Bytes
package import ObjectModel

/// Objects on their way into the store: rows of cells, the lists that link them, and the bytes of their texts.
///
/// A batch is filled by one thread and written by another. Everything in it is flat and refers to the rest by
/// index, so it costs no allocation once its buffers have grown, and is emptied by setting counts to zero.
package struct RowBatch: ~Copyable {
  /// The bytes that text and blob cells refer to.
  package var bytes = ByteBuffer(capacity: 1 << 16)
  /// The cells of all rows, each row's in the order of its entity's slots.
  package var cells = PlainBuffer<Cell>(capacity: 1 << 12)
  package var rows = PlainBuffer<Row>(capacity: 1 << 8)
  /// The rows that no other row of the batch holds.
  package var roots = PlainBuffer<Int>(capacity: 1 << 8)
  package var lists = PlainBuffer<LinkList>()
  /// The targets of all lists: a ``Cell/Kind/row`` each, or the parts of a key.
  package var targets = PlainBuffer<Cell>()
  /// The contents of cells before the rows that they nest began, where a row may nest itself.
  private(set) var snapshots = PlainBuffer<RowSnapshot>()

  package init() {}

  package mutating func removeAll() {
    bytes.removeAll()
    cells.removeAll()
    rows.removeAll()
    roots.removeAll()
    lists.removeAll()
    targets.removeAll()
    snapshots.removeAll()
  }

  /// How much there was at some moment.
  package struct Mark: BitwiseCopyable {
    package let rows: Int
    package let roots: Int
    fileprivate let bytes: Int
    fileprivate let cells: Int
    fileprivate let lists: Int
    fileprivate let targets: Int
    fileprivate let snapshots: Int
  }

  package var mark: Mark {
    Mark(
      rows: rows.count, roots: roots.count, bytes: bytes.count, cells: cells.count, lists: lists.count,
      targets: targets.count, snapshots: snapshots.count)
  }

  /// Drops whole records that came after a mark.
  package mutating func drop(after mark: Mark) {
    rows.truncate(to: mark.rows)
    roots.truncate(to: mark.roots)
    bytes.truncate(to: mark.bytes)
    cells.truncate(to: mark.cells)
    lists.truncate(to: mark.lists)
    targets.truncate(to: mark.targets)
    snapshots.truncate(to: mark.snapshots)
  }

  /// Where the rows of a record end, which begin with one of the ``roots``.
  package func end(ofRecord index: Int) -> Int {
    index + 1 < roots.count ? roots[index + 1] : rows.count
  }

  /// Adds a row whose cells are all absent, and returns its index.
  package mutating func addRow(entity: Int, slots: Int, parent: Int) -> Int {
    let firstCell = cells.append(repeating: .absent, count: slots)
    rows.append(Row(entity: entity, firstCell: firstCell, parent: parent))
    return rows.count - 1
  }

  package subscript(row: Int, slot: Int) -> Cell {
    get { cell(row, slot) }
    nonmutating set { cells.base[rows.base[row].firstCell + slot] = newValue }
  }

  @inline(__always)
  func cell(_ row: Int, _ slot: Int) -> Cell {
    cells.base[rows.base[row].firstCell + slot]
  }

  /// Copies bytes into the batch.
  @inlinable @inline(__always)
  package mutating func text(_ text: UnsafeBufferPointer<UInt8>) -> Cell {
    let offset = bytes.count
    bytes.append(text)
    return .text(at: offset, count: text.count)
  }

  /// Copies a text into the batch.
  package mutating func text(_ text: String) -> Cell {
    var text = text
    return text.withUTF8 { self.text($0) }
  }

  /// The bytes of a text or blob cell.
  @inlinable @inline(__always)
  package func bytes(of cell: Cell) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes.base + cell.offset, count: Int(cell.count))
  }

  /// A copy of a cell's value. A row's key is none.
  package func value(of cell: Cell) -> SQLValue {
    switch cell.kind {
    case .absent, .null, .row: .null
    case .integer: .integer(cell.integerValue)
    case .real: .real(cell.realValue)
    case .text: .text(String(decoding: bytes(of: cell), as: UTF8.self))
    case .blob: .blob(Array(bytes(of: cell)))
    }
  }

  /// Adds a list to a row. Its targets must be the last that were added.
  package mutating func addList(
    _ relationship: Int, to row: Int, firstTarget: Int, count: Int, tag: UInt32 = 0,
    isIncomplete: Bool = false, isRejected: Bool = false, isCleared: Bool = false, firstRow: Int? = nil
  ) {
    lists.append(
      LinkList(
        relationship: relationship, firstTarget: firstTarget, count: count, next: rows[row].firstList,
        tag: tag, isIncomplete: isIncomplete, isRejected: isRejected, isCleared: isCleared, owner: row,
        firstRow: firstRow ?? rows.count))
    rows[row].firstList = lists.count - 1
  }

  /// Makes lists those of a row, the first at the head of its chain.
  package func chainLists(_ indices: [Int], of row: Int) {
    rows[row].firstList = indices.first ?? -1
    for (place, index) in indices.enumerated() {
      lists[index].next = place + 1 < indices.count ? indices[place + 1] : -1
    }
  }
}

/// An object: its entity, its cells and where it stands among the others.
///
/// It fits into a line of the processor's cache; the numbers that index a batch have 32 bits for that. Where it came
/// from, the code that fills the batch knows by the row's index.
package struct Row: BitwiseCopyable, Sendable {
  private var entityBits: Int32
  private var parentBits: Int32
  private var firstListBits: Int32 = -1
  private var lastSnapshotBits: Int32 = -1
  package var firstCell: Int
  /// The row id, once it is written.
  package var rowID = Row.unknownID
  package var state = State.object
  /// Whether it was inserted.
  package var isNew = false
  /// Whether values of the stored object gave way to others, if that matters.
  package var replacesValues = false
  /// Whether it is not written though nothing is wrong with it: it is too old, or not allowed.
  package var isHeld = false
  /// Whether an earlier row of the record tells the same object, and has the values of this one now.
  package var isDuplicate = false
  /// Whether it was not written, since the values were the last that came under its key.
  package var isRepetition = false
  /// Whether it came under a key that the object had before a program renamed it.
  package var hasFormerKey = false
  /// Operations that are not allowed on the object though the import itself may do them.
  private var excludedBits: UInt8 = 0
  /// The change of the owner that it had in the store.
  package var ownerChange = OwnerChange.none

  package init(entity: Int, firstCell: Int, parent: Int) {
    entityBits = Int32(truncatingIfNeeded: entity)
    parentBits = Int32(truncatingIfNeeded: parent)
    self.firstCell = firstCell
  }

  package static let unknownID = Int64.min

  package enum State: UInt8, BitwiseCopyable, Sendable {
    /// To be inserted or updated.
    case object
    /// Names an object by its key and says nothing else of it.
    case reference
    /// Not usable; it was reported.
    case skipped
  }
}

extension Row {
  package var entity: Int {
    get { Int(entityBits) }
    set { entityBits = Int32(truncatingIfNeeded: newValue) }
  }

  /// Operations that are allowed on the object, as far as the import itself may do them.
  package var operations: Operations {
    get { Operations.all.subtracting(Operations(rawValue: Int(excludedBits))) }
    set { excludedBits = UInt8(truncatingIfNeeded: Operations.all.subtracting(newValue).rawValue) }
  }

  package var isObject: Bool { state == .object }
  package var isSkipped: Bool { state == .skipped }

  /// Whether less may be done with the object than the import itself may do.
  var isRestricted: Bool { excludedBits != 0 }

  /// The row that nests this one; -1 if none does.
  package var parent: Int { Int(parentBits) }

  mutating func setParent(_ row: Int) { parentBits = Int32(truncatingIfNeeded: row) }

  /// The last of its lists; each names the one before. -1 if it has none.
  package var firstList: Int {
    get { Int(firstListBits) }
    set { firstListBits = Int32(truncatingIfNeeded: newValue) }
  }

  /// The last of its snapshots, or -1; each names the one before.
  var lastSnapshot: Int {
    get { Int(lastSnapshotBits) }
    set { lastSnapshotBits = Int32(truncatingIfNeeded: newValue) }
  }
}

/// The effect of a list on the owner that an object has in the store.
package enum OwnerChange: UInt8, BitwiseCopyable, Sendable {
  /// No change: there was no owner, or it stays.
  case none
  /// Another owner now.
  case made
  /// Another owner later: that waits for the end of the import.
  case left
}

/// The targets that an object's to-many relationship, or the far end of a one-to-one, shall have.
package struct LinkList: BitwiseCopyable, Sendable {
  package var relationship: Int
  package var firstTarget: Int
  /// How many targets there are; each is one cell, or as many as a key has parts.
  package var count: Int
  package var next: Int
  /// A note of the code that fills the batch. The store does not look at it.
  package var tag: UInt32
  /// Whether something in it could not be used.
  package var isIncomplete = false
  /// Whether it was reported and is not to be the relationship's; its objects are written all the same.
  package var isRejected = false
  /// Whether it stands for a null, which takes all links away.
  package var isCleared = false
  /// The row that the list was added to.
  package var owner: Int
  /// How many rows the batch had when the list began.
  package var firstRow: Int

  /// A list without targets, which takes all links of a relationship away from a row.
  package static func clearing(_ relationship: Int, of owner: Int) -> LinkList {
    LinkList(
      relationship: relationship, firstTarget: 0, count: 0, next: -1, tag: 0, isCleared: true, owner: owner,
      firstRow: 0)
  }
}

/// A copy of a row's cells, as they were when a row that it nests began.
struct RowSnapshot: BitwiseCopyable {
  /// The nested row.
  var before: Int
  var firstCell: Int
  /// The snapshot of the same row before this one, or -1.
  var previous: Int
}

extension RowBatch {
  /// Keeps a copy of a row's cells, since the next row that is added may tell the same object.
  package mutating func takeSnapshot(of row: Int, slots: Int) {
    let first = rows.base[row].firstCell
    let last = rows.base[row].lastSnapshot
    if last >= 0, isUnchanged(since: snapshots.base[last], first, slots) { return }
    let copy = cells.append(repeating: .absent, count: slots)
    (cells.base + copy).update(from: cells.base + first, count: slots)
    snapshots.append(RowSnapshot(before: rows.count, firstCell: copy, previous: last))
    rows[row].lastSnapshot = snapshots.count - 1
  }

  private func isUnchanged(since snapshot: RowSnapshot, _ first: Int, _ slots: Int) -> Bool {
    for slot in 0..<slots {
      let (before, now) = (cells.base[snapshot.firstCell + slot], cells.base[first + slot])
      if before.bits != now.bits || before.kind != now.kind || before.count != now.count { return false }
    }
    return true
  }

  /// Has the snapshots of a row say that a value was there before, as it came from a row that it nests.
  func noteInSnapshots(of row: Int, _ slot: Int, _ cell: Cell) {
    var index = rows[row].lastSnapshot
    while index >= 0 {
      cells[snapshots[index].firstCell + slot] = cell
      index = snapshots[index].previous
    }
  }
}

/// A value on its way into the store, already in the form that the store keeps.
///
/// It has 16 bytes and no reference: the bytes of a text are in its ``RowBatch``. So an import allocates nothing for a
/// value, as it would with an ``SQLValue``; only code that fills or writes a batch uses cells.
package struct Cell: BitwiseCopyable, Sendable {
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// Nothing was said: what is there stays, or the default comes.
    case absent
    case null
    case integer
    case real
    /// UTF-8 in the batch.
    case text
    /// Bytes in the batch.
    case blob
    /// A part of the key of another row of the batch.
    case row
  }

  package var bits: UInt64
  /// The length of a text or blob; of a row's key, which part of it.
  package var count: UInt32
  /// The kind in 3 bits, the state of the link in 2, and the tag in 27, from the lowest bit on.
  @usableFromInline var packed: UInt32

  @inlinable
  init(bits: UInt64, count: UInt32, kind: Kind) {
    self.bits = bits
    self.count = count
    packed = UInt32(kind.rawValue)
  }

  @inlinable package var kind: Kind {
    get { Kind(rawValue: UInt8(packed & 7)) ?? .absent }
    set { packed = packed & ~7 | UInt32(newValue.rawValue) }
  }

  /// Of a part of an object's key: what the writer knows of that object.
  @inlinable package var link: LinkState {
    get { LinkState(rawValue: UInt8(packed >> 3 & 3)) ?? .unknown }
    set { packed = packed & ~(3 << 3) | UInt32(newValue.rawValue) << 3 }
  }

  /// A note of the code that fills the batch, of at most ``tagWidth`` bits. The store does not look at it.
  @inlinable package var tag: UInt32 {
    get { packed >> 5 }
    set { packed = packed & 31 | newValue << 5 }
  }

  /// How many bits a tag has.
  package static let tagWidth = 27

  @inlinable package static var absent: Cell { Cell(bits: 0, count: 0, kind: .absent) }
  @inlinable package static var null: Cell { Cell(bits: 0, count: 0, kind: .null) }

  @inlinable
  package static func integer(_ value: Int64) -> Cell {
    Cell(bits: UInt64(bitPattern: value), count: 0, kind: .integer)
  }

  @inlinable
  package static func real(_ value: Double) -> Cell {
    Cell(bits: value.bitPattern, count: 0, kind: .real)
  }

  @inlinable
  package static func text(at offset: Int, count: Int) -> Cell {
    Cell(bits: UInt64(offset), count: UInt32(clamping: count), kind: .text)
  }

  @inlinable
  package static func blob(at offset: Int, count: Int) -> Cell {
    Cell(bits: UInt64(offset), count: UInt32(clamping: count), kind: .blob)
  }

  @inlinable
  package static func row(_ row: Int, part: Int) -> Cell {
    Cell(bits: UInt64(row), count: UInt32(truncatingIfNeeded: part), kind: .row)
  }

  @inlinable package var integerValue: Int64 { Int64(bitPattern: bits) }
  @inlinable package var realValue: Double { Double(bitPattern: bits) }
  @inlinable package var offset: Int { Int(bits) }
  @inlinable package var isPresent: Bool { kind != .absent }
  @inlinable package var isRow: Bool { kind == .row }
  /// Whether it is neither absent nor null.
  @inlinable package var hasValue: Bool { isPresent && kind != .null }
}

/// The knowledge of a writer of the object whose key a cell holds a part of.
package enum LinkState: UInt8, BitwiseCopyable, Sendable {
  /// Nothing: it has to be looked for.
  case unknown
  /// A row of the same batch.
  case exists
  /// A row of the same batch, a list of which links the row that has the cell.
  case linkedByList
  /// The same, and another list of the same import may claim that row too.
  case claimedByList

  /// Whether a list of the object makes the link, and not the row's own object.
  package var isFromList: Bool { self == .linkedByList || self == .claimedByList }
}

/// Keys that have values of other rows in them: of the rows of the objects that an identity names.
extension RowBatch {
  /// The value of a cell of a key, with the value of another row in its place; absent or null if that row has none.
  @inline(__always)
  package func resolved(_ cell: Cell, _ layout: Layout) -> Cell {
    cell.kind == .row ? value(behind: cell, layout) : cell
  }

  @inline(never)
  private func value(behind cell: Cell, _ layout: Layout) -> Cell {
    var cell = cell
    // Identities lead in no circle, so this ends.
    while cell.kind == .row {
      let row = Int(cell.bits)
      let slots = layout.entities[rows[row].entity].keySlots
      guard Int(cell.count) < slots.count else { return .absent }
      cell = self[row, slots[Int(cell.count)]]
    }
    cell.link = .unknown
    return cell
  }

  /// A row's key; absent or null where it lacks a value.
  package func key(of row: Int, _ layout: Layout) -> [Cell] {
    var key: [Cell] = []
    for slot in layout.entities[rows[row].entity].keySlots { key.append(resolved(self[row, slot], layout)) }
    return key
  }

  /// Whether two cells hold the same value.
  package func equal(_ first: Cell, _ second: Cell) -> Bool {
    guard first.kind == second.kind else { return false }
    switch first.kind {
    case .text, .blob: return bytes(of: first).elementsEqual(bytes(of: second))
    case .absent, .null: return true
    case .integer, .real, .row: return first.bits == second.bits
    }
  }
}

/// Takes cells that may not be changed out of a row before it is written.
extension RowBatch {
  /// Makes attributes of a row absent, but not those of its identity. True if it had any of them.
  package func removeAttributes(_ names: Set<String>, of row: Int, _ layout: EntityLayout) -> Bool {
    let entity = layout.entity
    var hadAny = false
    for (index, attribute) in entity.attributes.enumerated()
    where names.contains(attribute.name) && !entity.identityAttributes.contains(index) {
      let slot = layout.attributeSlots[index]
      if self[row, slot].isPresent { hadAny = true }
      self[row, slot] = .absent
    }
    return hadAny
  }

  /// Makes a foreign key of a row absent, with the place in the target's list. Nil if the row has none; otherwise its
  /// first cell, as it was.
  package func removeForeignKey(_ slots: [Int], order: Int?, of row: Int) -> Cell? {
    guard let first = slots.first, case let cell = self[row, first], cell.isPresent else { return nil }
    for slot in slots { self[row, slot] = .absent }
    if let order { self[row, order] = .absent }
    return cell
  }

  /// Takes lists off a row and returns them, the last that was added first.
  ///
  /// - Parameter isRemoved: Whether to take those of a relationship.
  package mutating func removeLists(of row: Int, where isRemoved: (Int) -> Bool) -> [LinkList] {
    var kept: [Int] = []
    var removed: [LinkList] = []
    var next = rows[row].firstList
    while next >= 0 {
      let list = lists[next]
      if isRemoved(list.relationship) {
        removed.append(list)
      } else {
        kept.append(next)
      }
      next = list.next
    }
    if !removed.isEmpty { chainLists(kept, of: row) }
    return removed
  }
}

/// Rows of which only one is written: a JSON object that does not tell its kind, read as one of each kind that it may be
/// of. The store knows which it is, once all that came before is written.
package struct KindChoice: Sendable {
  /// The row of the object as one of the entity that is expected, and the end of the rows that it nests.
  package var row: Int
  package var end: Int
  /// The same object as one of sub-entities.
  package var others: [Other] = []

  package init(row: Int, end: Int) { (self.row, self.end) = (row, end) }

  package struct Other: Sendable {
    package var entity: Int
    /// The row and those that it nests.
    package var rows: Range<Int>
    package var cells: Range<Int>
    package var targets: Range<Int>
    package var lists: Range<Int>

    /// - Parameter before: How much the batch had before the object was read in this way.
    package init(entity: Int, from before: RowBatch.Extent, to after: RowBatch.Extent) {
      self.entity = entity
      rows = before.rows..<after.rows
      cells = before.cells..<after.cells
      targets = before.targets..<after.targets
      lists = before.lists..<after.lists
    }
  }
}

extension RowBatch {
  /// How many rows, cells, targets and lists a batch has.
  package struct Extent: Sendable {
    package let rows: Int
    fileprivate let cells: Int
    fileprivate let targets: Int
    fileprivate let lists: Int
  }

  package var extent: Extent {
    Extent(rows: rows.count, cells: cells.count, targets: targets.count, lists: lists.count)
  }

  /// Has one of the rows of a choice written in the place of the first, and the others not.
  ///
  /// - Parameter chosen: The place among the others; nil for the first row itself.
  package mutating func decide(_ choice: KindChoice, _ chosen: Int?) {
    for (place, other) in choice.others.enumerated() where place != chosen { leaveOut(other.rows) }
    guard let chosen else { return }
    leaveOut(choice.row + 1..<choice.end)
    let other = choice.others[chosen]
    let row = other.rows.lowerBound
    for index in other.cells where isKey(cells.base[index], of: row) {
      cells[index].bits = UInt64(choice.row)
    }
    for index in other.targets where isKey(targets.base[index], of: row) {
      targets[index].bits = UInt64(choice.row)
    }
    for index in other.rows where rows.base[index].parent == row { rows[index].setParent(choice.row) }
    for index in other.lists where lists.base[index].owner == row { lists[index].owner = choice.row }
    let parent = rows.base[choice.row].parent
    rows[choice.row] = rows.base[row]
    rows[choice.row].setParent(parent)
    // The row itself is left out now; its cells and lists are those of the first.
    leaveOut(row..<row + 1)
  }

  private func isKey(_ cell: Cell, of row: Int) -> Bool { cell.kind == .row && Int(cell.bits) == row }

  private mutating func leaveOut(_ left: Range<Int>) {
    for row in left where rows.base[row].state == .object { rows[row].state = .reference }
  }
}

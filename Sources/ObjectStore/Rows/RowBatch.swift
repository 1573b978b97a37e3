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
  /// What cells of rows held before rows that they nest began, where a row may nest itself.
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
  /// Whether it is not written though nothing is wrong with it: it is too old, or not allowed.
  package var isHeld = false
  /// Whether an earlier row of the record tells the same object, and has the values of this one now.
  package var isDuplicate = false
  /// Whether it was not written, since the values were the last that came under its key.
  package var isRepetition = false
  /// Whether it came under a key that the object had before a program renamed it.
  package var hasFormerKey = false
  /// What may not be done with the object though the import itself may do it.
  private var excludedBits: UInt8 = 0
  /// What writing it did to the owner that it had in the store.
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

  /// What may be done with the object, as far as the import itself may do it.
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

/// What a list that names an object does to the owner which the object has in the store.
package enum OwnerChange: UInt8, BitwiseCopyable, Sendable {
  /// It had none, or it keeps the one that it had.
  case none
  /// It has another now.
  case made
  /// It would have another, but that waits for the end of the import.
  case left
}

/// What an object's to-many relationship, or the far end of a one-to-one, shall hold.
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

package import Bytes

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

  package init() {}

  package mutating func removeAll() {
    bytes.removeAll()
    cells.removeAll()
    rows.removeAll()
    roots.removeAll()
    lists.removeAll()
    targets.removeAll()
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
    _ relationship: Int, to row: Int, firstTarget: Int, count: Int, rank: UInt8 = 0,
    isIncomplete: Bool = false, isRejected: Bool = false
  ) {
    lists.append(
      LinkList(
        relationship: relationship, firstTarget: firstTarget, count: count, next: rows[row].firstList,
        rank: rank, isIncomplete: isIncomplete, isRejected: isRejected))
    rows[row].firstList = lists.count - 1
  }
}

/// An object: its entity, its cells and where it stands among the others.
package struct Row: BitwiseCopyable, Sendable {
  package var entity: Int
  package var firstCell: Int
  /// The row whose JSON object holds this one's; -1 if none does.
  package var parent: Int
  /// The last of its lists; each names the one before.
  package var firstList = -1
  package var state = State.object
  /// The row id, once it is written.
  package var rowID = Row.unknownID
  /// Whether it was inserted.
  package var isNew = false
  /// Whether it is not written though nothing is wrong with it: it is too old, or not allowed.
  package var isHeld = false

  /// For the layer above: where in the JSON it came from.
  package var step = Cell.absent
  package var position = -1

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

/// What an object's to-many relationship, or the far end of a one-to-one, shall hold.
package struct LinkList: BitwiseCopyable, Sendable {
  package var relationship: Int
  package var firstTarget: Int
  /// How many targets there are; each is one cell, or as many as a key has parts.
  package var count: Int
  package var next: Int
  /// For the layer above: how well the key fitted that gave the list.
  package var rank: UInt8
  /// Whether something in it could not be used.
  package var isIncomplete = false
  /// Whether it was reported and is not to be the relationship's; its objects are written all the same.
  package var isRejected = false
}

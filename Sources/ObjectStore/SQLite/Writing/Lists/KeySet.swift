import Bytes
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

import Bytes

/// The targets of a list, to be looked up by key.
///
/// It is filled anew for every list, in memory that it keeps.
package struct TargetKeys: ~Copyable {
  /// How many cells a key has.
  package private(set) var width = 1
  /// The keys, one behind the other.
  private(set) var cells = PlainBuffer<Cell>()
  /// Indices of keys, or -1; a power of two of them. None while nothing is looked up.
  private var buckets = PlainBuffer<Int>()
  private var found = PlainBuffer<Bool>()

  init() {}

  package var count: Int { cells.count / width }

  /// Empties the set for keys of so many cells.
  mutating func removeAll(width: Int) {
    self.width = width
    cells.removeAll()
    buckets.removeAll()
    found.removeAll()
  }

  mutating func append(_ cell: Cell) { cells.append(cell) }

  package func cell(_ index: Int, part: Int) -> Cell { cells[index * width + part] }

  /// The index of the key of a link's target, which is now found; nil if it is none.
  mutating func find(_ link: some StoredLinks, of batch: borrowing RowBatch) -> Int? {
    guard count > 0 else { return nil }
    if buckets.count == 0 { index(batch) }
    var hash = Hash()
    link.combineKey(into: &hash)
    var bucket = hash.value & (buckets.count - 1)
    while buckets[bucket] >= 0 {
      let index = buckets[bucket]
      if equals(index, link, batch) {
        found[index] = true
        return index
      }
      bucket = (bucket + 1) & (buckets.count - 1)
    }
    return nil
  }

  /// The index of the first key that is equal to one.
  package mutating func firstIndex(of index: Int, _ batch: borrowing RowBatch) -> Int {
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

  private func equals(_ index: Int, _ link: some StoredLinks, _ batch: borrowing RowBatch) -> Bool {
    for part in 0..<width where !link.keyPart(part, equals: cell(index, part: part), of: batch) {
      return false
    }
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
}

/// A fast hash of a few values. It guards nothing: collisions cost time only.
package struct Hash {
  private var state: UInt64 = 0x2545_F491_4F6C_DD1D

  init() {}

  /// Begins with something that keys of different kinds differ in.
  init(seed: Int) { state ^= UInt64(truncatingIfNeeded: seed) }

  var value: Int { Int(truncatingIfNeeded: state >> 7) }

  @inline(__always)
  package mutating func combine(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    state = product.high ^ product.low &+ 0x632B_E59B_D9B4_E019
  }

  package mutating func combine(_ bytes: UnsafeBufferPointer<UInt8>) {
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
  func isKept(in wanted: inout TargetKeys, _ batch: borrowing RowBatch) -> Bool {
    guard isAscending, count > 0 else { return false }
    for index in 0..<wanted.count where !wanted.isFound(index) {
      // One that comes twice is found once.
      if wanted.firstIndex(of: index, batch) == index { return false }
    }
    return true
  }
}

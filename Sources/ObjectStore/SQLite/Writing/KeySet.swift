import Bytes
/// The targets of a list, to be looked up by key.
///
/// It is filled anew for every list, in memory that it keeps.
struct KeySet {
  /// Indices into ``starts``, or -1; a power of two of them.
  private var buckets: [Int] = []
  /// The first key cell of each target.
  private(set) var keys: [[Cell]] = []
  private var found: [Bool] = []

  var count: Int { keys.count }

  mutating func fill(_ targets: [[Cell]], of batch: borrowing RowBatch) {
    var size = 8
    while size < targets.count * 2 { size *= 2 }
    buckets.removeAll(keepingCapacity: true)
    buckets.append(contentsOf: repeatElement(-1, count: size))
    keys = targets
    found = Array(repeating: false, count: targets.count)
    for index in targets.indices {
      var bucket = Self.hash(targets[index], of: batch) & (size - 1)
      while buckets[bucket] >= 0 { bucket = (bucket + 1) & (size - 1) }
      buckets[bucket] = index
    }
  }

  /// The index of the target whose key is in columns of the statement's row, which is now found; or nil.
  mutating func find(
    _ statement: PreparedStatement, firstColumn: Int, of batch: borrowing RowBatch
  ) -> Int? {
    guard let width = keys.first?.count else { return nil }
    var bucket = Self.hash(statement, firstColumn: firstColumn, width: width) & (buckets.count - 1)
    while buckets[bucket] >= 0 {
      let index = buckets[bucket]
      let isEqual = (0..<width).allSatisfy { part in
        statement.column(firstColumn + part, equals: keys[index][part], of: batch)
      }
      if isEqual {
        found[index] = true
        return index
      }
      bucket = (bucket + 1) & (buckets.count - 1)
    }
    return nil
  }

  func isFound(_ index: Int) -> Bool { found[index] }

  // MARK: - Hashing

  private static func hash(_ key: [Cell], of batch: borrowing RowBatch) -> Int {
    var hash = Hash()
    for cell in key {
      switch cell.kind {
      case .text, .blob: hash.combine(batch.bytes(of: cell))
      default: hash.combine(cell.bits)
      }
    }
    return hash.value
  }

  private static func hash(_ statement: PreparedStatement, firstColumn: Int, width: Int) -> Int {
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

  var value: Int { Int(truncatingIfNeeded: state >> 7) }
  var wide: UInt64 { state }

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
    combine(rest)
  }
}

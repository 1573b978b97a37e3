import Bytes

/// Remembers the values that objects of an entity were last written with, so that the same object nested in
/// thousands of others is written once.
///
/// It holds one object for each value of a few bits of its key's hash. A later object with that hash takes
/// the place, so what is there for a key is always what came last under it.
struct RepetitionCache {
  private static let size = 4096
  /// Objects longer than this are not worth the copy.
  private static let longest = 1024

  private let identitySlots: [Int]
  private let slots: Int
  private var places: [[UInt8]]
  private var scratch: [UInt8] = []
  private var tries = 0
  private var hits = 0

  init(_ layout: EntityLayout) {
    identitySlots = layout.identitySlots
    slots = layout.slots.count
    places = Array(repeating: [], count: Self.size)
  }

  mutating func forget() {
    places = Array(repeating: [], count: Self.size)
  }

  /// Whether the row equals the last one under its key; if not, it is remembered.
  mutating func check(_ row: Int, of batch: borrowing RowBatch) -> Bool {
    // Where objects do not repeat, looking is wasted.
    if tries >= 4096, hits * 16 < tries { return false }
    tries += 1
    guard encode(row, of: batch) else { return false }
    let place = hash(row, of: batch) & (Self.size - 1)
    if places[place] == scratch {
      hits += 1
      return true
    }
    places[place].removeAll(keepingCapacity: true)
    places[place].append(contentsOf: scratch)
    return false
  }

  private func hash(_ row: Int, of batch: borrowing RowBatch) -> Int {
    var hash = Hash()
    for slot in identitySlots {
      let cell = batch[row, slot]
      if cell.kind == .text {
        hash.combine(batch.bytes(of: cell))
      } else {
        hash.combine(cell.bits)
      }
    }
    return hash.value
  }

  /// Writes all cells of a row to ``scratch``, so that equal rows give equal bytes. False if it is too long.
  private mutating func encode(_ row: Int, of batch: borrowing RowBatch) -> Bool {
    scratch.removeAll(keepingCapacity: true)
    for slot in 0..<slots {
      let cell = batch[row, slot]
      scratch.append(cell.kind.rawValue)
      switch cell.kind {
      case .absent, .null: break
      case .text, .blob:
        withUnsafeBytes(of: cell.count) { scratch.append(contentsOf: $0) }
        scratch.append(contentsOf: batch.bytes(of: cell))
      case .integer, .real, .row:
        withUnsafeBytes(of: cell.bits) { scratch.append(contentsOf: $0) }
      }
      if scratch.count > Self.longest { return false }
    }
    return true
  }
}

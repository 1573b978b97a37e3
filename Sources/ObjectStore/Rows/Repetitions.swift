import Bytes
import ObjectModel

/// The objects of each entity that were written with the same values before; see ``RepetitionCache``.
package final class Repetitions {
  /// By entity; made when first needed.
  private var caches: [RepetitionCache?]
  /// Whether there is no cache yet, as in all imports of objects that nest none.
  private var isEmpty = true
  /// By table, the entities whose objects it holds.
  private let entitiesOfTable: [[Int]]
  /// By table, whether objects of several entities share it.
  private let areMixed: [Bool]

  package init(_ layout: Layout) {
    caches = Array(repeating: nil, count: layout.entities.count)
    var entitiesOfTable = [[Int]](repeating: [], count: layout.tables.count)
    for entity in layout.entities { entitiesOfTable[entity.table].append(entity.entity.index) }
    self.entitiesOfTable = entitiesOfTable
    areMixed = layout.tables.map { $0.kindColumn != nil }
  }

  /// Remembers the values of a row, and returns the row id of its object if these came last under its key as well. If
  /// not, ``setLastRowID(_:entity:)`` or ``forgetLast(entity:)`` has to follow.
  ///
  /// Only nested objects are expected to repeat. Where objects of several entities share a table, one could be
  /// written as another without its cache knowing, so there is none.
  package func remember(
    _ row: Int, of layout: EntityLayout, isNested: Bool, _ batch: borrowing RowBatch
  ) -> Int64? {
    let entity = batch.rows.base[row].entity
    if caches[entity] == nil {
      guard isNested, layout.entity.hasIdentity, !areMixed[layout.table] else { return nil }
      caches[entity] = RepetitionCache(layout)
      isEmpty = false
    }
    return caches[entity]?.remember(row, of: batch)
  }

  package func setLastRowID(_ rowID: Int64, entity: Int) { caches[entity]?.setLastRowID(rowID) }

  package func forgetLast(entity: Int) { caches[entity]?.forgetLast() }

  /// Forgets the objects of a table, since its rows were changed otherwise.
  package func forget(inTable table: Int) {
    guard !isEmpty else { return }
    for entity in entitiesOfTable[table] { caches[entity]?.forget() }
  }
}

/// Remembers the values that objects of an entity were last written with, so that the same object nested in
/// thousands of others is written once.
///
/// It holds one object for each value of a few bits of its key's hash. A later object with that hash takes
/// the place, so what is there for a key is always what came last under it.
struct RepetitionCache {
  private static let size = 4096
  /// Objects longer than this are not worth the copy.
  private static let longest = 1024

  private let keySlots: [Int]
  private let slots: Int
  private var places: [[UInt8]]
  /// When each place was filled: what is older than ``generation`` is forgotten.
  private var generations: [UInt32]
  private var generation: UInt32 = 0
  private var rowIDs: [Int64]
  /// The place of the object that was looked at last; -1 if it has none.
  private var last = -1
  private var scratch: [UInt8] = []
  private var tries = 0
  private var hits = 0

  init(_ layout: EntityLayout) {
    keySlots = layout.keySlots
    slots = layout.slots.count
    places = Array(repeating: [], count: Self.size)
    generations = Array(repeating: 0, count: Self.size)
    rowIDs = Array(repeating: 0, count: Self.size)
  }

  /// Forgets everything, since rows were changed in another way.
  mutating func forget() {
    generation &+= 1
    last = -1
  }

  /// Remembers the values of a row, and returns the row id of its object if these came last under its key as well. If
  /// not, ``setLastRowID(_:)`` or ``forgetLast()`` has to follow.
  mutating func remember(_ row: Int, of batch: borrowing RowBatch) -> Int64? {
    last = -1
    // Where objects do not repeat, looking is wasted.
    if tries >= 4096, hits * 16 < tries { return nil }
    tries += 1
    let place = hash(row, of: batch) & (Self.size - 1)
    guard encode(row, of: batch) else {
      places[place].removeAll(keepingCapacity: true)
      return nil
    }
    if generations[place] == generation, places[place] == scratch {
      hits += 1
      return rowIDs[place]
    }
    generations[place] = generation
    places[place].removeAll(keepingCapacity: true)
    places[place].append(contentsOf: scratch)
    last = place
    return nil
  }

  mutating func setLastRowID(_ rowID: Int64) {
    if last >= 0 { rowIDs[last] = rowID }
  }

  mutating func forgetLast() {
    if last >= 0 { places[last].removeAll(keepingCapacity: true) }
  }

  private func hash(_ row: Int, of batch: borrowing RowBatch) -> Int {
    var hash = Hash()
    for slot in keySlots {
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

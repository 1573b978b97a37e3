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

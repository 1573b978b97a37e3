import ObjectStore
import UnitOfWork

/// What a store in memory holds, as a working copy of it asks for it.
final class MemoryRows: StoredRows {
  /// All that the store holds.
  let state: IdentityMap
  private var lastNumber: Int64 = 0

  init(_ layout: Layout, _ contents: IdentityMap.Contents) {
    state = IdentityMap(layout)
    state.restore(contents)
    let rows = state.joins.flatMap(\.all) + state.waiting.all.map(\.row)
    lastNumber = rows.max() ?? 0
  }

  /// Takes what was changed in a working copy.
  func take(_ copy: IdentityMap) {
    for index in state.tables.indices {
      for (row, object) in copy.tables[index].changes { state.tables[index].set(row, to: object) }
    }
    for index in state.joins.indices {
      for (row, link) in copy.joins[index].changes { state.joins[index].set(row, to: link) }
    }
    for (row, link) in copy.waiting.changes { state.waiting.set(row, to: link) }
  }

  func row(_ row: Int64, of table: Int) -> StoredRow? { state.tables[table][row] }
  func find(_ key: RowKey, in table: Int) -> Int64? { state.tables[table].find(key) }
  func rows(of table: Int, where columns: [Int], are values: RowKey) -> [Int64] {
    state.tables[table].rows(where: columns, are: values)
  }
  func allRows(of table: Int) -> [Int64] { state.tables[table].all }
  /// As SQLite numbers rows: one more than the last that is there.
  func newRow(in table: Int, _ changes: [Int64: StoredRow?]) -> Int64 {
    let unchanged = state.tables[table].all.filter { changes[$0] == nil }
    let changed = changes.compactMap { $1 == nil ? nil : $0 }
    return max(unchanged.max() ?? 0, changed.max() ?? 0) &+ 1
  }

  func link(_ row: Int64, of join: Int) -> JoinLink? { state.joins[join][row] }
  func links(of join: Int, _ key: RowKey, _ direction: Int) -> [(row: Int64, link: JoinLink)] {
    state.joins[join].links(of: key, direction).compactMap { found in
      state.joins[join][found.row].map { (found.row, $0) }
    }
  }
  func allLinks(of join: Int) -> [Int64] { state.joins[join].all }
  func newLink(in join: Int) -> Int64 { newNumber() }

  var mayHoldPendingLinks: Bool { true }
  func pendingLink(_ row: Int64) -> PendingLink? { state.waiting[row] }
  func pendingLinks(for target: String) -> [Int64] { state.waiting.links(to: target).map(\.row) }
  func pendingLinks(of relationship: Int, _ owner: String) -> [Int64] {
    state.waiting.links(of: relationship, owner).map(\.row)
  }
  func allPendingLinks() -> [Int64] { state.waiting.all.map(\.row) }
  func newPendingLink() -> Int64 { newNumber() }

  private func newNumber() -> Int64 {
    lastNumber += 1
    return lastNumber
  }
}

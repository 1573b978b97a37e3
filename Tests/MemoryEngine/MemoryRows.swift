import ObjectStore
import UnitOfWork

/// What a store in memory holds, as the identity map of a transaction reads it.
final class MemoryRows: StoredRows {
  /// All that the store holds.
  let state: IdentityMap
  private var lastPendingLink: Int64

  init(_ layout: Layout, _ contents: IdentityMap.Contents) {
    state = IdentityMap(layout)
    state.restore(contents)
    lastPendingLink = state.waiting.all.map(\.row).max() ?? 0
  }

  /// Takes what was changed in an identity map.
  func take(_ map: IdentityMap) {
    for (table, changed) in zip(state.tables, map.tables) {
      for (row, object) in changed.changes { table.set(row, to: object) }
    }
    for (join, changed) in zip(state.joins, map.joins) {
      for row in changed.changes.keys {
        guard let keys = changed.former(row)?.keys, let former = join.find(keys[0], keys[1], 0) else {
          continue
        }
        join.remove(former)
      }
      for case let link? in changed.changes.values { join.insert(link) }
    }
    for (row, link) in map.waiting.changes { state.waiting.set(row, to: link) }
  }

  // MARK: - Rows

  func readRows(_ rows: [Int64], of table: Int, _ body: (Int64, StoredRow) -> Void) {
    for row in rows { if let object = state.tables[table][row] { body(row, object) } }
  }

  func readRows(
    of table: Int, where columns: [Int], are keys: [RowKey], _ body: (Int64, StoredRow) -> Void
  ) -> [RowKey] {
    for key in keys { readRows(state.tables[table].rows(where: columns, are: key), of: table, body) }
    return keys
  }

  func readAllRows(of table: Int, _ body: (Int64, StoredRow) -> Void) {
    readRows(state.tables[table].all, of: table, body)
  }

  /// As SQLite numbers rows: one more than the last that is there.
  func newRow(in table: Int, _ changes: [Int64: StoredRow?]) -> Int64 {
    let unchanged = state.tables[table].all.filter { changes[$0] == nil }
    let changed = changes.compactMap { $1 == nil ? nil : $0 }
    return max(unchanged.max() ?? 0, changed.max() ?? 0) &+ 1
  }

  // MARK: - Links

  func readLinks(
    of join: Int, at keys: [RowKey], _ direction: Int, _ body: (JoinLink) -> Void
  ) -> [RowKey] {
    let join = state.joins[join]
    for link in keys.flatMap({ join.links(of: $0, direction) }) {
      if let link = join[link.row] { body(link) }
    }
    return keys
  }

  func readAllLinks(of join: Int, _ body: (JoinLink) -> Void) { state.joins[join].all.forEach(body) }

  func readPendingLinks(_ wanted: PendingLinkQuery, _ body: (Int64, PendingLink) -> Void) -> Bool {
    let links =
      switch wanted {
      case .all: state.waiting.all
      case .row(let row): state.waiting[row].map { [(row, $0)] } ?? []
      case .target(let target): state.waiting.links(to: target)
      case .owner(let relationship, let owner): state.waiting.links(of: relationship, owner)
      }
    for (row, link) in links { body(row, link) }
    return true
  }

  func newPendingLink() -> Int64 {
    lastPendingLink += 1
    return lastPendingLink
  }
}

/// What was changed of rows that something else keeps, found by the numbers of the rows and by some of their values.
///
/// It is a value: a copy of it is a state to go back to.
struct Overlay<Item, Key: Hashable> {
  /// By row, what it is now; nil for one that is gone.
  private(set) var changes: [Int64: Item?] = [:]
  /// For each index, the rows by what the index goes by.
  private var rows: [[Key: RowSet]]
  /// What an index goes by; nil for an item that it does not have.
  private let key: @Sendable (Item, Int) -> Key?

  init(indexes: Int, key: @escaping @Sendable (Item, Int) -> Key?) {
    rows = Array(repeating: [:], count: indexes)
    self.key = key
  }

  /// What a row is now: nil if it was not changed, `.some(nil)` if it is gone.
  subscript(row: Int64) -> Item?? { changes[row] }

  func rows(_ index: Int, _ key: Key) -> RowSet { rows[index][key] ?? RowSet() }

  mutating func set(_ row: Int64, to item: Item?) {
    let former = changes.updateValue(item, forKey: row) ?? nil
    for index in rows.indices {
      let old = former.flatMap { key($0, index) }
      let new = item.flatMap { key($0, index) }
      if old == new { continue }
      if let old, rows[index][old]?.remove(row) ?? false { rows[index][old] = nil }
      if let new { rows[index][new, default: RowSet()].insert(row) }
    }
  }

  /// Forgets a row, as if it had never been.
  mutating func forget(_ row: Int64) {
    set(row, to: nil)
    changes.removeValue(forKey: row)
  }

  /// Forgets all changes, once they are written.
  mutating func removeAll() {
    changes.removeAll(keepingCapacity: true)
    for index in rows.indices { rows[index].removeAll(keepingCapacity: true) }
  }
}

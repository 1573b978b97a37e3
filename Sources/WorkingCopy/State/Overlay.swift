/// What was changed of rows that something else keeps, found by the numbers of the rows and by some of their values.
///
/// It is a value: a copy of it is a state to go back to.
struct Overlay<Item, Key: Hashable> {
  /// By row, what it is now; nil for one that is gone.
  private(set) var changes: [Int64: Item?] = [:]
  /// For each index, the rows by what the index goes by.
  private var rows: [[Key: Set<Int64>]]
  /// For each index, what it goes by; nil for an item that it does not have.
  private let keys: @Sendable (Item) -> [Key?]

  init(indexes: Int, keys: @escaping @Sendable (Item) -> [Key?]) {
    rows = Array(repeating: [:], count: indexes)
    self.keys = keys
  }

  /// What a row is now: nil if it was not changed, `.some(nil)` if it is gone.
  subscript(row: Int64) -> Item?? { changes[row] }

  func rows(_ index: Int, _ key: Key) -> Set<Int64> { rows[index][key] ?? [] }

  mutating func set(_ row: Int64, to item: Item?) {
    if let former = changes[row], let former {
      for (index, key) in keys(former).enumerated() {
        guard let key else { continue }
        rows[index][key]?.remove(row)
        if rows[index][key]?.isEmpty ?? false { rows[index][key] = nil }
      }
    }
    changes.updateValue(item, forKey: row)
    guard let item else { return }
    for (index, key) in keys(item).enumerated() {
      if let key { rows[index][key, default: []].insert(row) }
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

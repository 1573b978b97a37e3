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
  func isKept(in wanted: inout KeySet, _ batch: borrowing RowBatch) -> Bool {
    guard isAscending, count > 0 else { return false }
    for index in 0..<wanted.count where !wanted.isFound(index) {
      // One that comes twice is found once.
      if wanted.firstIndex(of: index, batch) == index { return false }
    }
    return true
  }
}

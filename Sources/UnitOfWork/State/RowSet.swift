/// Numbers of rows, in no order. Most sets have one, which takes no memory of its own.
struct RowSet: Sequence {
  private var only: Int64?
  private var others: Set<Int64> = []

  var isEmpty: Bool { only == nil && others.isEmpty }
  var first: Int64? { only ?? others.first }

  mutating func insert(_ row: Int64) {
    if only == nil, others.isEmpty {
      only = row
    } else if only != row {
      others.insert(row)
    }
  }

  /// True if none is left.
  mutating func remove(_ row: Int64) -> Bool {
    if only == row { only = nil } else { others.remove(row) }
    return only == nil && others.isEmpty
  }

  func makeIterator() -> Iterator { Iterator(only: only, others: others.makeIterator()) }

  struct Iterator: IteratorProtocol {
    fileprivate var only: Int64?
    fileprivate var others: Set<Int64>.Iterator

    mutating func next() -> Int64? {
      guard let row = only else { return others.next() }
      only = nil
      return row
    }
  }
}

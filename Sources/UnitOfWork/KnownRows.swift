/// The rows of a table that a transaction knows: as the database has them and as they are now, by their numbers and by the
/// keys that they are looked for by.
///
/// It is a value: a copy of it is a state to go back to. The answers of the database go back with the changes, which is
/// right as long as nothing was written meanwhile: they can be asked for again.
struct KnownRows<Item, Key: Hashable> {
  /// The rows that are known to have a key now.
  struct Answer {
    fileprivate(set) var rows = RowSet()
    /// Whether these are all, since the database was asked.
    fileprivate(set) var isWhole = false
    /// Whether some of them have another form of the key, which the database takes for the same.
    fileprivate var hasForms = false
  }

  /// The answers for one kind of key.
  private struct Index {
    let key: @Sendable (Item) -> Key?
    var answers: [Key: Answer] = [:]

    mutating func move(_ row: Int64, from former: Item?, to item: Item?) {
      let (old, new) = (former.flatMap(key), item.flatMap(key))
      if old == new { return }
      if let old, answers[old]?.remove(row) ?? false { answers[old] = nil }
      if let new { answers[new, default: Answer()].rows.insert(row) }
    }
  }

  /// By row, what the database has; nil for a row that it lacks.
  private var stored: [Int64: Item?] = [:]
  /// The items that the database has of rows that get their numbers here, one after another.
  private var numbered: [Item] = []
  /// The number of the first of them.
  private var firstNumber: Int64 = 1
  /// By row, what it is now, if it was changed since it was written; nil for one that is gone.
  private(set) var changes: [Int64: Item?] = [:]
  private var indexes: [Index] = []

  init(_ keys: [@Sendable (Item) -> Key?]) { for key in keys { addIndex(key) } }

  // MARK: - What is known

  /// The present state of a row: nil if it is not known, `.some(nil)` if there is none.
  subscript(row: Int64) -> Item?? {
    if !changes.isEmpty, let changed = changes[row] { return changed }
    return former(row)
  }

  /// The item that the database has of a row: nil if that is not known, `.some(nil)` if there is none.
  func former(_ row: Int64) -> Item?? {
    let index = row &- firstNumber
    if index >= 0, index < numbered.count { return numbered[Int(index)] }
    return stored[row]
  }

  /// The rows that have a key.
  func answer(_ index: Int, _ key: Key) -> Answer {
    guard var answer = indexes[index].answers[key] else { return Answer() }
    if answer.hasForms {
      for row in answer.rows {
        if let changed = changes[row], changed.flatMap(indexes[index].key) != key { _ = answer.remove(row) }
      }
    }
    return answer
  }

  /// The rows that are known to be there.
  var present: [Int64] {
    var rows = stored.compactMap { $1 == nil || changes[$0] != nil ? nil : $0 }
    for row in firstNumber..<firstNumber + Int64(numbered.count) where changes[row] == nil {
      rows.append(row)
    }
    return rows + changes.compactMap { $1 == nil ? nil : $0 }
  }

  /// Whether nothing is known of any row.
  var isEmpty: Bool { stored.isEmpty && numbered.isEmpty && changes.isEmpty }

  /// Values of the items of rows that got their numbers here, with these.
  func numbered<Value>(_ value: (Item) -> Value) -> [(Value, Int64)] {
    numbered.enumerated().map { (value($1), firstNumber + Int64($0)) }
  }

  // MARK: - Answers of the database

  /// Has rows be found by another kind of key.
  mutating func addIndex(_ key: @escaping @Sendable (Item) -> Key?) {
    var index = Index(key: key)
    for (row, item) in changes { index.move(row, from: nil, to: item) }
    indexes.append(index)
  }

  /// Notes what the database has of a row.
  mutating func keep(_ row: Int64, _ item: Item?) { stored.updateValue(item, forKey: row) }

  /// Notes what the database has of a row that has no number there. Returns the one that it gets.
  mutating func keep(_ item: Item) -> Int64 {
    numbered.append(item)
    return firstNumber + Int64(numbered.count - 1)
  }

  /// Has a row that was read be found by a key, unless it has another one by now.
  ///
  /// - Parameter asked: The key that the database was asked for, if it may take several for one; otherwise the item's.
  mutating func list(_ row: Int64, _ item: Item, _ index: Int, asked: Key? = nil) {
    guard let own = indexes[index].key(item) else { return }
    let key = asked ?? own
    if !changes.isEmpty, let changed = changes[row], changed.flatMap(indexes[index].key) != key { return }
    indexes[index].answers[key, default: Answer()].rows.insert(row)
    if asked != nil, key != own { indexes[index].answers[key]?.hasForms = true }
  }

  /// Notes that all rows with a key are known.
  mutating func noteWhole(_ index: Int, _ key: Key) {
    indexes[index].answers[key, default: Answer()].isWhole = true
  }

  // MARK: - Changes

  mutating func set(_ row: Int64, to item: Item?) {
    let former = changes.updateValue(item, forKey: row) ?? former(row) ?? nil
    for index in indexes.indices { indexes[index].move(row, from: former, to: item) }
  }

  /// Forgets a row, as if it had never been.
  mutating func forget(_ row: Int64) {
    set(row, to: nil)
    changes.removeValue(forKey: row)
  }

  // MARK: - Forgetting

  /// Takes what was changed for what the database has, since it is written.
  ///
  /// - Parameter most: How many rows are kept, and found by their first key, which is unique; of more, none are.
  mutating func noteWritten(keeping most: Int) {
    guard stored.count + changes.count <= most, indexes[0].answers.count <= most else { return forgetAll() }
    for (row, item) in changes {
      if let former = stored[row] ?? nil, let key = indexes[0].key(former) { noteWhole(0, key) }
      if let item { stored.updateValue(item, forKey: row) } else { stored.removeValue(forKey: row) }
    }
    changes.empty()
    for index in indexes.indices.dropFirst() { indexes[index].answers.empty() }
  }

  /// Forgets what the database has, but for rows that were changed. Numbers are not used again.
  mutating func forgetAnswers() {
    for index in indexes.indices { indexes[index].answers.empty() }
    guard !changes.isEmpty else {
      stored.empty()
      firstNumber += Int64(numbered.count)
      numbered.removeAll(keepingCapacity: true)
      return
    }
    stored = stored.filter { changes[$0.key] != nil }
    for (row, item) in changes {
      for index in indexes.indices { indexes[index].move(row, from: nil, to: item) }
    }
  }

  /// Forgets everything.
  mutating func forgetAll() {
    changes.empty()
    forgetAnswers()
  }
}

extension KnownRows.Answer {
  /// Takes a row out. True if the answer says nothing any more.
  fileprivate mutating func remove(_ row: Int64) -> Bool {
    rows.remove(row)
    return rows.isEmpty && !isWhole
  }
}

extension Dictionary {
  /// Removes everything, and keeps the memory of as much as comes in a batch.
  fileprivate mutating func empty() {
    if !isEmpty { removeAll(keepingCapacity: count <= 1 << 16) }
  }
}

/// Numbers of rows, in no order. Neighbours that come in their order, and a lone one, take no memory of their own.
struct RowSet: Sequence {
  private var lowest: Int64 = 0
  private var length = 0
  private var others: Set<Int64> = []

  var isEmpty: Bool { length == 0 && others.isEmpty }
  var count: Int { length + others.count }
  var first: Int64? { length > 0 ? lowest : others.first }

  /// The place of a row among the neighbours; none of theirs if it is not one of them.
  private func offset(_ row: Int64) -> UInt64 { UInt64(bitPattern: row &- lowest) }

  mutating func insert(_ row: Int64) {
    if length == 0, others.isEmpty {
      (lowest, length) = (row, 1)
    } else if offset(row) == UInt64(length), others.isEmpty {
      length += 1
    } else if offset(row) >= UInt64(length) {
      others.insert(row)
    }
  }

  mutating func remove(_ row: Int64) {
    let offset = offset(row)
    guard offset < UInt64(length) else {
      others.remove(row)
      return
    }
    guard offset > 0 else {
      (lowest, length) = (lowest &+ 1, length - 1)
      return
    }
    for further in Int64(offset) + 1..<Int64(length) { others.insert(lowest &+ further) }
    length = Int(offset)
  }

  func makeIterator() -> Iterator { Iterator(row: lowest, left: length, others: others.makeIterator()) }

  struct Iterator: IteratorProtocol {
    fileprivate var row: Int64
    fileprivate var left: Int
    fileprivate var others: Set<Int64>.Iterator

    mutating func next() -> Int64? {
      guard left > 0 else { return others.next() }
      defer { (row, left) = (row &+ 1, left - 1) }
      return row
    }
  }
}

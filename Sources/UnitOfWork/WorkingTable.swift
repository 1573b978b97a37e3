import ObjectModel
package import ObjectStore

/// An object: its entity, and a value for each column of its table.
package struct StoredRow: Sendable, Hashable {
  package var entity: Int
  package var values: [Value]

  package init(entity: Int, values: [Value]) {
    self.entity = entity
    self.values = values
  }
}

/// The objects of a root entity and its sub-entities, by the numbers of their rows.
package final class WorkingTable {
  private let number: Int
  private let table: Table
  /// The columns by which rows are looked for, the key's first.
  private let lookups: [[Int]]
  private let stored: (any StoredRows)?
  private var overlay: Overlay<StoredRow, RowKey>
  private var last: Int64 = 0
  /// How often an object was changed that was there.
  private(set) var changeCount = 0

  init(_ number: Int, _ layout: Layout, _ lookups: [[Int]], _ stored: (any StoredRows)?) {
    let table = layout.tables[number]
    (self.number, self.table, self.lookups, self.stored) = (number, table, lookups, stored)
    overlay = Overlay(indexes: lookups.count) { object, index in
      let key = RowKey(lookups[index]) { object.values[$0] }
      return key.hasNull ? nil : key
    }
  }

  /// A state of its objects to go back to.
  struct Contents {
    fileprivate var overlay: Overlay<StoredRow, RowKey>
    fileprivate var last: Int64
  }

  var contents: Contents {
    get { Contents(overlay: overlay, last: last) }
    set {
      (overlay, last) = (newValue.overlay, newValue.last)
      changeCount += 1
    }
  }

  /// By table, the columns by which its rows are looked for, the key's first.
  package static func lookups(_ layout: Layout) -> [[[Int]]] {
    var result = layout.tables.map { [$0.key] }
    func add(_ columns: [Int], _ table: Int) {
      if !result[table].contains(columns) { result[table].append(columns) }
    }
    for relationship in layout.schema.relationships {
      switch layout.relationships[relationship.index] {
      case .foreignKey(let columns): add(columns, layout.entities[relationship.owner].table)
      case .inverse(let columns, _): add(columns, layout.entities[relationship.destination].table)
      case .join: break
      }
    }
    for (number, table) in layout.tables.enumerated() {
      for index in table.indexes where index.uniqueFor != nil { add(index.columns.map(\.column), number) }
    }
    return result
  }

  /// The changes since it was last written: by row, the object; nil for one that is gone.
  package var changes: [Int64: StoredRow?] { overlay.changes }

  package subscript(row: Int64) -> StoredRow? {
    if let changed = overlay[row] { return changed }
    return stored?.row(row, of: number)
  }

  package func key(_ stored: StoredRow) -> RowKey { RowKey(table.key) { stored.values[$0] } }

  package func find(_ key: RowKey) -> Int64? {
    if let row = overlay.rows(0, key).first { return row }
    guard let row = stored?.find(key, in: number), overlay[row] == nil else { return nil }
    return row
  }

  /// Adds an object, whose key must be free. What has no identity gets the number of its row as its key.
  func insert(_ object: StoredRow, hasIdentity: Bool) -> Int64 {
    var object = object
    let row: Int64
    if table.keyIsRowID, hasIdentity, case .integer(let key)? = key(object).first {
      row = key
    } else {
      row = stored?.newRow(in: number, overlay.changes) ?? last &+ 1
    }
    if !hasIdentity { for column in table.key { object.values[column] = .integer(row) } }
    overlay.set(row, to: object)
    last = max(last, row)
    return row
  }

  func update(_ row: Int64, _ change: (inout StoredRow) -> Void) {
    guard var object = self[row] else { return }
    changeCount += 1
    change(&object)
    overlay.set(row, to: object)
  }

  /// Gives an object another row, where the key is the row.
  func move(_ row: Int64, to other: Int64) {
    guard let object = remove(row) else { return }
    overlay.set(other, to: object)
    last = max(last, other)
  }

  @discardableResult
  func remove(_ row: Int64) -> StoredRow? {
    guard let object = self[row] else { return nil }
    set(row, to: nil)
    return object
  }

  /// Has a row hold an object, or nothing.
  package func set(_ row: Int64, to object: StoredRow?) {
    changeCount += 1
    if object == nil, stored == nil { overlay.forget(row) } else { overlay.set(row, to: object) }
    last = max(last, row)
  }

  /// Forgets what was changed, since it is written.
  func forgetChanges() { overlay.removeAll() }

  /// The rows whose columns hold these values, in their order.
  package func rows(where columns: [Int], are values: RowKey) -> [Int64] {
    if values.hasNull { return [] }
    var rows = (stored?.rows(of: number, where: columns, are: values) ?? []).filter { overlay[$0] == nil }
    if let index = lookups.firstIndex(of: columns) {
      rows += overlay.rows(index, values)
    } else {
      rows += overlay.changes.compactMap { row, object in
        guard let object, zip(columns, values).allSatisfy({ object.values[$0] == $1 }) else { return nil }
        return row
      }
    }
    return rows.sorted()
  }

  /// The numbers of all rows.
  package var all: [Int64] {
    (stored?.allRows(of: number) ?? []).filter { overlay[$0] == nil }
      + overlay.changes.compactMap { $1 == nil ? nil : $0 }
  }

  /// The columns of a uniqueness constraint that another object has the values of; nil if none has.
  func violation(_ object: StoredRow, in own: Int64?) -> String? {
    for index in table.indexes {
      guard let entities = index.uniqueFor else { continue }
      let isMeant: (Int) -> Bool = { self.table.kindColumn == nil || entities.contains($0) }
      let columns = index.columns.map(\.column)
      let values = RowKey(columns) { object.values[$0] }
      guard isMeant(object.entity), !values.hasNull else { continue }
      let others = rows(where: columns, are: values)
      guard others.contains(where: { $0 != own && isMeant(self[$0]?.entity ?? 0) }) else { continue }
      return columns.map { "\(table.name).\(table.columns[$0].name)" }.joined(separator: ", ")
    }
    return nil
  }
}

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

/// A link that is kept in its target's row, and waits for that.
package struct PendingLink: Sendable, Hashable {
  package var relationship: Int
  /// The keys of both ends, as text.
  package var owner: String
  package var target: String
  package var place: Int64?

  package init(relationship: Int, owner: String, target: String, place: Int64?) {
    self.relationship = relationship
    self.owner = owner
    self.target = target
    self.place = place
  }
}

/// The links that wait for their targets, by the numbers of their rows.
package final class PendingLinkTable {
  /// The keys of links: their target, or their relationship and their owner.
  enum Key: Hashable {
    case target(ExactText)
    case owner(Int, ExactText)
  }

  private let stored: (any StoredRows)?
  private var overlay: Overlay<PendingLink, Key>
  private var last: Int64 = 0

  init(_ stored: (any StoredRows)?) {
    self.stored = stored
    overlay = Overlay(indexes: 2) {
      $1 == 0 ? .target(ExactText($0.target)) : .owner($0.relationship, ExactText($0.owner))
    }
  }

  /// A state of the links to go back to.
  struct Contents {
    fileprivate var overlay: Overlay<PendingLink, Key>
    fileprivate var last: Int64
  }

  var contents: Contents {
    get { Contents(overlay: overlay, last: last) }
    set { (overlay, last) = (newValue.overlay, newValue.last) }
  }

  package var changes: [Int64: PendingLink?] { overlay.changes }

  /// Whether it is known that no link waits.
  var isEmpty: Bool { overlay.changes.isEmpty && !(stored?.mayHoldPendingLinks ?? false) }

  package subscript(row: Int64) -> PendingLink? {
    if let changed = overlay[row] { return changed }
    return stored?.pendingLink(row)
  }

  private func unchanged(_ rows: [Int64]?) -> [Int64] { (rows ?? []).filter { overlay[$0] == nil } }

  private func links(_ rows: [Int64]) -> [(row: Int64, link: PendingLink)] {
    rows.sorted().compactMap { row in self[row].map { (row, $0) } }
  }

  /// The links that wait for a target, in the order in which they came.
  package func links(to target: String) -> [(row: Int64, link: PendingLink)] {
    links(unchanged(stored?.pendingLinks(for: target)) + overlay.rows(0, .target(ExactText(target))))
  }

  /// The links of a relationship that an owner waits for.
  package func links(of relationship: Int, _ owner: String) -> [(row: Int64, link: PendingLink)] {
    links(
      unchanged(stored?.pendingLinks(of: relationship, owner))
        + overlay.rows(1, .owner(relationship, ExactText(owner))))
  }

  package var all: [(row: Int64, link: PendingLink)] {
    links(unchanged(stored?.allPendingLinks()) + overlay.changes.compactMap { $1 == nil ? nil : $0 })
  }

  func add(_ link: PendingLink) -> Int64 {
    let row = max(stored?.newPendingLink() ?? 0, last + 1)
    last = max(last, row)
    overlay.set(row, to: link)
    return row
  }

  /// Has new links get numbers beyond one, so that a number that was noted is not another link's.
  func number(after row: Int64) { last = max(last, row) }

  func update(_ row: Int64, _ change: (inout PendingLink) -> Void) {
    guard var link = self[row] else { return }
    change(&link)
    overlay.set(row, to: link)
  }

  func remove(_ rows: some Sequence<Int64>) {
    for row in rows { set(row, to: nil) }
  }

  /// Has a row hold a link, or nothing.
  package func set(_ row: Int64, to link: PendingLink?) {
    if link == nil, stored == nil { overlay.forget(row) } else { overlay.set(row, to: link) }
    last = max(last, row)
  }

  /// Forgets what an owner waits for by a relationship.
  func remove(of relationship: Int, _ owner: String) {
    remove(links(of: relationship, owner).map(\.row))
  }

  func forgetChanges() { overlay.removeAll() }
}

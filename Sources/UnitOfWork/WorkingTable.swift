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
  private let stored: (any StoredRows)?
  /// The columns by which rows are looked for, the key's first.
  private var lookups: [[Int]]
  private var rows: KnownRows<StoredRow, RowKey>
  private var last: Int64 = 0

  init(_ number: Int, _ layout: Layout, _ lookups: [[Int]], _ stored: (any StoredRows)?) {
    let table = layout.tables[number]
    (self.number, self.table, self.lookups, self.stored) = (number, table, lookups, stored)
    rows = KnownRows(lookups.map(Self.key))
  }

  /// The key by which an object is found in an index of columns; nil if it is in none.
  private static func key(_ columns: [Int]) -> @Sendable (StoredRow) -> RowKey? {
    { object in
      let key = RowKey(columns) { object.values[$0] }
      return key.hasNull ? nil : key
    }
  }

  /// A state of its objects to go back to.
  struct Contents {
    fileprivate var lookups: [[Int]]
    fileprivate var rows: KnownRows<StoredRow, RowKey>
    fileprivate var last: Int64
  }

  var contents: Contents {
    get { Contents(lookups: lookups, rows: rows, last: last) }
    set { (lookups, rows, last) = (newValue.lookups, newValue.rows, newValue.last) }
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

  private func index(_ columns: [Int]) -> Int {
    for index in lookups.indices where lookups[index] == columns { return index }
    lookups.append(columns)
    rows.addIndex(Self.key(columns))
    return lookups.count - 1
  }

  // MARK: - Reading

  package subscript(row: Int64) -> StoredRow? {
    if let known = rows[row] { return known }
    guard let stored else { return nil }
    rows.keep(row, nil)
    stored.readRows([row], of: number, keep)
    return rows[row] ?? nil
  }

  package func key(_ stored: StoredRow) -> RowKey { RowKey(table.key) { stored.values[$0] } }

  package func find(_ key: RowKey) -> Int64? {
    let known = rows.answer(0, key)
    if isWhole(known, 0) || !mayRead(key, 0) { return known.rows.first }
    _ = read([key], 0)
    return rows.answer(0, key).rows.first
  }

  /// The rows whose columns hold these values, in their order.
  package func rows(where columns: [Int], are values: RowKey) -> [Int64] {
    if values.hasNull { return [] }
    let index = index(columns)
    let known = rows.answer(index, values)
    if isWhole(known, index) || !mayRead(values, index) { return known.rows.sorted() }
    _ = read([values], index)
    return rows.answer(index, values).rows.sorted()
  }

  /// The numbers of all rows.
  package var all: [Int64] {
    stored?.readAllRows(of: number, keep)
    return rows.present
  }

  /// Whether an answer needs no look at the database. Under the table's key there is one row at most.
  private func isWhole(_ answer: KnownRows<StoredRow, RowKey>.Answer, _ index: Int) -> Bool {
    answer.isWhole || index == 0 && !answer.rows.isEmpty
  }

  private func mayRead(_ key: RowKey, _ index: Int) -> Bool {
    stored?.mayHold(key, lookups[index], number) ?? false
  }

  /// Reads the rows that an index has under keys. Returns their numbers.
  private func read(_ keys: [RowKey], _ index: Int) -> [Int64] {
    guard let stored, !keys.isEmpty else { return [] }
    // Several keys have one form each.
    let asked = keys.count == 1 ? keys.first : nil
    var read: [Int64] = []
    let answered = stored.readRows(of: number, where: lookups[index], are: keys) { row, object in
      keep(row, object)
      if index > 0 || asked != nil { rows.list(row, object, index, asked: asked) }
      read.append(row)
    }
    for key in answered { rows.noteWhole(index, key) }
    return read
  }

  /// Keeps an object that was read, which is found by its key from then on.
  package func keep(_ row: Int64, _ object: StoredRow) {
    rows.keep(row, object)
    rows.list(row, object, 0)
  }

  /// Fetches the rows whose columns hold one of some keys. Returns those that were not known.
  func fetch(_ keys: Set<RowKey>, _ columns: [Int]) -> [Int64] {
    if keys.isEmpty { return [] }
    let index = index(columns)
    return read(keys.filter { !isWhole(rows.answer(index, $0), index) && mayRead($0, index) }, index)
  }

  /// Fetches rows by their numbers.
  func fetch(_ numbers: Set<Int64>) {
    let unknown = numbers.filter { rows[$0] == nil }
    guard let stored, !unknown.isEmpty else { return }
    stored.readRows(Array(unknown), of: number, keep)
    for row in unknown where rows[row] == nil { rows.keep(row, nil) }
  }

  // MARK: - Changes

  /// The changes since it was last written: by row, the object; nil for one that is gone.
  package var changes: [Int64: StoredRow?] { rows.changes }

  /// The object in a row of the database, if that was read.
  package func former(_ row: Int64) -> StoredRow? { rows.former(row) ?? nil }

  /// Adds an object, whose key must be free. What has no identity gets the number of its row as its key.
  func insert(_ object: StoredRow, hasIdentity: Bool) -> Int64 {
    var object = object
    let row: Int64
    if table.keyIsRowID, hasIdentity, case .integer(let key)? = key(object).first {
      row = key
    } else {
      row = stored?.newRow(in: number, rows.changes) ?? last &+ 1
    }
    if !hasIdentity { for column in table.key { object.values[column] = .integer(row) } }
    rows.set(row, to: object)
    last = max(last, row)
    return row
  }

  func update(_ row: Int64, _ change: (inout StoredRow) -> Void) {
    guard var object = self[row] else { return }
    change(&object)
    rows.set(row, to: object)
  }

  /// Gives an object another row, where the key is the row.
  func move(_ row: Int64, to other: Int64) {
    guard let object = remove(row) else { return }
    rows.set(other, to: object)
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
    if object == nil, stored == nil { rows.forget(row) } else { rows.set(row, to: object) }
    last = max(last, row)
  }

  // MARK: - Forgetting

  /// How many rows of a table are kept from one batch to the next.
  private static let mostKept = 4_096

  /// Takes the changes for what the database has. The rows of a small table are kept, which the next batch probably asks for
  /// too; of others, the answers are forgotten, so that they do not fill the memory.
  func noteWritten() {
    if rows.isEmpty { return rows.forgetAnswers() }
    if stored?.mayKeepRows(of: number) ?? false {
      rows.noteWritten(keeping: Self.mostKept)
    } else {
      rows.forgetAll()
    }
  }

  /// Forgets what the database has.
  func forgetAnswers() { rows.forgetAnswers() }

  func forgetAll() { rows.forgetAll() }

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
  fileprivate enum Key: Hashable {
    case target(ExactText)
    case owner(Int, ExactText)
  }

  private let stored: (any StoredRows)?
  private var rows: KnownRows<PendingLink, Key>
  private var last: Int64 = 0
  /// Whether all links that wait are known; nil while nobody has asked. Of too many, each is asked for.
  private var isWhole: Bool?

  /// How many links are kept.
  private static let mostKept = 200_000

  init(_ stored: (any StoredRows)?) {
    self.stored = stored
    rows = KnownRows([
      { .target(ExactText($0.target)) }, { .owner($0.relationship, ExactText($0.owner)) },
    ])
  }

  /// A state of the links to go back to.
  struct Contents {
    fileprivate var rows: KnownRows<PendingLink, Key>
    fileprivate var last: Int64
    fileprivate var isWhole: Bool?
  }

  var contents: Contents {
    get { Contents(rows: rows, last: last, isWhole: isWhole) }
    set { (rows, last, isWhole) = (newValue.rows, newValue.last, newValue.isWhole) }
  }

  package var changes: [Int64: PendingLink?] { rows.changes }

  // MARK: - Reading

  /// Whether it is known that no link waits.
  var isEmpty: Bool { rows.changes.isEmpty && knowsAll && rows.isEmpty }

  /// Whether all links are known, which are read for that.
  private var knowsAll: Bool {
    if let isWhole { return isWhole }
    let isWhole = stored?.readPendingLinks(.all(atMost: Self.mostKept), keep) ?? true
    self.isWhole = isWhole
    return isWhole
  }

  private func keep(_ row: Int64, _ link: PendingLink) {
    rows.keep(row, link)
    for index in 0...1 { rows.list(row, link, index) }
  }

  package subscript(row: Int64) -> PendingLink? {
    if let known = rows[row] { return known }
    guard !knowsAll, let stored else { return rows[row] ?? nil }
    _ = stored.readPendingLinks(.row(row), keep)
    return rows[row] ?? nil
  }

  private func links(_ index: Int, _ key: Key, _ wanted: PendingLinkQuery) -> [(
    row: Int64, link: PendingLink
  )] {
    if !knowsAll, !rows.answer(index, key).isWhole {
      _ = stored?.readPendingLinks(wanted, keep)
      rows.noteWhole(index, key)
    }
    return links(rows.answer(index, key).rows)
  }

  private func links(_ rows: some Sequence<Int64>) -> [(row: Int64, link: PendingLink)] {
    rows.sorted().compactMap { row in self[row].map { (row, $0) } }
  }

  /// The links that wait for a target, in the order in which they came.
  package func links(to target: String) -> [(row: Int64, link: PendingLink)] {
    links(0, .target(ExactText(target)), .target(target))
  }

  /// The links of a relationship that an owner waits for.
  package func links(of relationship: Int, _ owner: String) -> [(row: Int64, link: PendingLink)] {
    links(1, .owner(relationship, ExactText(owner)), .owner(relationship: relationship, owner))
  }

  package var all: [(row: Int64, link: PendingLink)] {
    if !knowsAll { _ = stored?.readPendingLinks(.all(atMost: .max), keep) }
    return links(rows.present)
  }

  // MARK: - Changes

  func add(_ link: PendingLink) -> Int64 {
    let row = max(stored?.newPendingLink() ?? 0, last + 1)
    last = row
    rows.set(row, to: link)
    return row
  }

  /// Has new links get numbers beyond one, so that a number that was noted is not another link's.
  func number(after row: Int64) { last = max(last, row) }

  func update(_ row: Int64, _ change: (inout PendingLink) -> Void) {
    guard var link = self[row] else { return }
    change(&link)
    rows.set(row, to: link)
  }

  func remove(_ rows: some Sequence<Int64>) {
    for row in rows { set(row, to: nil) }
  }

  /// Has a row hold a link, or nothing.
  package func set(_ row: Int64, to link: PendingLink?) {
    if link == nil, stored == nil { rows.forget(row) } else { rows.set(row, to: link) }
    last = max(last, row)
  }

  /// Forgets what an owner waits for by a relationship.
  func remove(of relationship: Int, _ owner: String) {
    remove(links(of: relationship, owner).map(\.row))
  }

  // MARK: - Forgetting

  /// Takes the changes for what the database has.
  func noteWritten() {
    // Others may have written links of entities that are not locked.
    if !rows.changes.isEmpty || isWhole != true { forgetAll() }
  }

  /// Forgets what the database has.
  func forgetAnswers() {
    rows.forgetAnswers()
    isWhole = nil
  }

  func forgetAll() {
    rows.forgetAll()
    isWhole = nil
  }
}

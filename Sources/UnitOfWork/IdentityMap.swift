package import ObjectModel
package import ObjectStore

/// The rows that a transaction knows: those that it changed, and behind them those of a database.
///
/// ``contents`` is a state to go back to, as long as nothing was written meanwhile.
package final class IdentityMap {
  package let layout: Layout
  /// The database; nil if there is none behind it.
  let stored: (any StoredRows)?
  package let tables: [WorkingTable]
  package let joins: [WorkingJoin]
  /// Links that are kept in their targets' rows, while the targets have not arrived.
  package let waiting: PendingLinkTable

  /// - Parameter stored: The database; nil if there is none behind it.
  package init(_ layout: Layout, _ stored: (any StoredRows)? = nil) {
    (self.layout, self.stored) = (layout, stored)
    let lookups = WorkingTable.lookups(layout)
    tables = layout.tables.indices.map { WorkingTable($0, layout, lookups[$0], stored) }
    joins = layout.joins.indices.map { WorkingJoin($0, stored) }
    waiting = PendingLinkTable(stored)
  }

  /// Whether anything was changed that is not written.
  package var hasChanges: Bool {
    tables.contains { !$0.changes.isEmpty } || joins.contains(where: \.hasChanges)
      || !waiting.changes.isEmpty
  }

  /// Forgets what was changed, since it is written.
  package func forgetChanges() {
    for table in tables { table.forgetChanges() }
    for join in joins { join.forgetChanges() }
    waiting.forgetChanges()
  }

  /// A state to go back to.
  package struct Contents {
    fileprivate var tables: [WorkingTable.Contents]
    fileprivate var joins: [WorkingJoin.Contents]
    fileprivate var waiting: PendingLinkTable.Contents
  }

  package var contents: Contents {
    Contents(
      tables: tables.map(\.contents), joins: joins.map(\.contents), waiting: waiting.contents)
  }

  package func restore(_ contents: Contents) {
    for (table, before) in zip(tables, contents.tables) { table.contents = before }
    for (join, before) in zip(joins, contents.joins) { join.contents = before }
    waiting.contents = contents.waiting
  }
}

// MARK: - What relationships lead to

extension IdentityMap {
  package func tableIndex(of entity: Int) -> Int { layout.entities[entity].table }

  package func relationship(_ index: Int) -> SchemaRelationship { layout.schema.relationships[index] }

  package func object(_ place: RowLocation) -> StoredRow? { tables[place.table][place.row] }

  package func key(of place: RowLocation) -> RowKey { object(place).map(tables[place.table].key) ?? [] }

  /// Whether an object is of an entity or of one of its sub-entities.
  package func isA(_ object: StoredRow?, _ entity: Int) -> Bool {
    object.map { layout.schema.entities[$0.entity].ancestry.contains(entity) } ?? false
  }

  /// The row of the object of an entity with a key.
  package func find(_ key: RowKey, of entity: Int) -> Int64? {
    let table = tables[tableIndex(of: entity)]
    guard !key.hasNull, let row = table.find(key), isA(table[row], entity) else { return nil }
    return row
  }

  /// A target of a relationship of an object.
  package struct Target {
    package var key: RowKey
    /// Nil for an object that has not arrived.
    package var row: Int64?
    package var place: Int64?
  }

  /// The targets of a relationship of an object, those that have not arrived too, in order.
  package func targets(of relationship: SchemaRelationship, _ owner: RowLocation) -> [Target] {
    guard let object = object(owner) else { return [] }
    let entity = relationship.destination
    let table = tables[tableIndex(of: entity)]
    switch layout.relationships[relationship.index] {
    case .foreignKey(let columns):
      let key = RowKey(columns) { object.values[$0] }
      return key.hasNull ? [] : [Target(key: key, row: find(key, of: entity))]
    case .inverse(let columns, let order):
      let found = table.rows(where: columns, are: key(of: owner)).compactMap { row -> Target? in
        guard let target = table[row], isA(target, entity) else { return nil }
        var place: Int64?
        if let order, case .integer(let number) = target.values[order] { place = number }
        return Target(key: table.key(target), row: row, place: place)
      }
      return found.sorted { isBefore(($0.place, $0.key), ($1.place, $1.key)) }
    case .join(let index, let isForward):
      return joins[index].links(of: key(of: owner), isForward ? 0 : 1).map {
        Target(key: $0.target, row: find($0.target, of: entity), place: $0.place)
      }
    }
  }

  /// The objects that a relationship of an object leads to.
  package func places(of relationship: SchemaRelationship, _ owner: RowLocation) -> [RowLocation] {
    targets(of: relationship, owner).compactMap { target in
      target.row.map { RowLocation(table: tableIndex(of: relationship.destination), row: $0) }
    }
  }

  /// The objects that lead to one by a relationship.
  package func owners(by relationship: SchemaRelationship, of target: RowLocation) -> [RowLocation] {
    let table = tableIndex(of: relationship.owner)
    switch layout.relationships[relationship.index] {
    case .foreignKey(let columns):
      return tables[table].rows(where: columns, are: key(of: target)).map {
        RowLocation(table: table, row: $0)
      }
    case .inverse(let columns, _):
      guard let object = object(target) else { return [] }
      let row = find(RowKey(columns) { object.values[$0] }, of: relationship.owner)
      return row.map { [RowLocation(table: table, row: $0)] } ?? []
    case .join(let index, let isForward):
      return joins[index].links(of: key(of: target), isForward ? 1 : 0).compactMap { link in
        tables[table].find(link.target).map { RowLocation(table: table, row: $0) }
      }
    }
  }
}

/// Changes of rows that something else keeps, found by the numbers of the rows and by some of their values.
///
/// It is a value: a copy of it is a state to go back to.
struct Overlay<Item, Key: Hashable> {
  /// By row, what it is now; nil for one that is gone.
  private(set) var changes: [Int64: Item?] = [:]
  /// For each index, the rows by what the index goes by.
  private var rows: [[Key: RowSet]]
  /// The key of an item in an index; nil for an item that it does not have.
  private let key: @Sendable (Item, Int) -> Key?

  init(indexes: Int, key: @escaping @Sendable (Item, Int) -> Key?) {
    rows = Array(repeating: [:], count: indexes)
    self.key = key
  }

  /// The present state of a row: nil if it was not changed, `.some(nil)` if it is gone.
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

/// The rows of a database, for a working copy of it: the copy asks here for what it was not told of.
///
/// An answer does not change until the working copy is written. What cannot be read is as good as not there; the database
/// notes the error, and the transaction fails with it before anything is committed.
package protocol StoredRows: AnyObject {
  /// False if no row of a table has values in columns, as far as that is known without asking.
  func mayHold(_ values: RowKey, _ columns: [Int], _ table: Int) -> Bool
  /// False if no link begins, or ends where `direction` is 1, at a key, as far as that is known without asking.
  func mayHoldLinks(_ key: RowKey, _ join: Int, _ direction: Int) -> Bool

  func row(_ row: Int64, of table: Int) -> StoredRow?
  func find(_ key: RowKey, in table: Int) -> Int64?
  /// The rows whose columns hold values, none of which is null.
  func rows(of table: Int, where columns: [Int], are values: RowKey) -> [Int64]
  func allRows(of table: Int) -> [Int64]
  /// A number that no row of a table has.
  ///
  /// - Parameter changes: What was changed of the table.
  func newRow(in table: Int, _ changes: [Int64: StoredRow?]) -> Int64

  /// A link that was asked for since the working copy was written.
  func link(_ row: Int64, of join: Int) -> JoinLink?
  /// The links that begin, or end where `direction` is 1, at a key.
  func links(of join: Int, _ key: RowKey, _ direction: Int) -> [(row: Int64, link: JoinLink)]
  func allLinks(of join: Int) -> [Int64]
  func newLink(in join: Int) -> Int64

  /// False if no link waits.
  var mayHoldPendingLinks: Bool { get }
  func pendingLink(_ row: Int64) -> PendingLink?
  func pendingLinks(for target: String) -> [Int64]
  func pendingLinks(of relationship: Int, _ owner: String) -> [Int64]
  func allPendingLinks() -> [Int64]
  func newPendingLink() -> Int64
}

extension StoredRows {
  package func mayHold(_ values: RowKey, _ columns: [Int], _ table: Int) -> Bool { true }
  package func mayHoldLinks(_ key: RowKey, _ join: Int, _ direction: Int) -> Bool { true }
}

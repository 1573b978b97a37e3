package import ObjectModel
package import ObjectStore

/// The rows that a transaction knows: what a database has of them, as far as it was asked, and what they are now.
///
/// A row is there once, whether it was read or changed, and so is the answer to the question which rows have a key
/// (``KnownRows``). What certainly is not in the database is known to that alone (``StoredRows/mayHold(_:_:_:)``): it holds
/// for the transaction, and not only until rows are forgotten.
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

  /// Takes what was changed for what the database has, since it is written, and forgets most answers.
  package func noteWritten() {
    for table in tables { table.noteWritten() }
    for join in joins { join.forgetAll() }
    waiting.noteWritten()
  }

  /// Forgets what the database has, since that may have changed, or to give the memory back.
  package func forgetAnswers() {
    for table in tables { table.forgetAnswers() }
    for join in joins { join.forgetAnswers() }
    waiting.forgetAnswers()
  }

  /// Forgets what the database has and what was changed, since that is undone.
  package func forgetAll() {
    for table in tables { table.forgetAll() }
    for join in joins { join.forgetAll() }
    waiting.forgetAll()
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

/// The rows of a database, as an identity map reads them: it asks for what it does not know.
///
/// An answer does not change until the map's changes are written, or it forgets its answers. What cannot be read is as good as
/// not there; the database notes the error, and the transaction fails with it before anything is committed.
package protocol StoredRows: AnyObject {
  /// Whether it is faster to fetch together what is looked for later than one by one.
  var fetchesTogether: Bool { get }
  /// False if no row of a table has values in columns, as far as that is known without asking.
  func mayHold(_ values: RowKey, _ columns: [Int], _ table: Int) -> Bool
  /// False if no link begins, or ends where `direction` is 1, at a key, as far as that is known without asking.
  func mayHoldLinks(_ key: RowKey, _ join: Int, _ direction: Int) -> Bool
  /// Whether rows of a table that were read or written stay as they are until they are written again.
  func mayKeepRows(of table: Int) -> Bool

  /// Reads rows by their numbers.
  func readRows(_ rows: [Int64], of table: Int, _ body: (Int64, StoredRow) -> Void)
  /// Reads the rows whose columns hold one of some keys, none of which has a null. Returns the keys that this answers: a
  /// database that takes several keys for one is asked for one at a time.
  func readRows(
    of table: Int, where columns: [Int], are keys: [RowKey], _ body: (Int64, StoredRow) -> Void
  ) -> [RowKey]
  func readAllRows(of table: Int, _ body: (Int64, StoredRow) -> Void)
  /// A number that no row of a table has.
  ///
  /// - Parameter changes: What was changed of the table.
  func newRow(in table: Int, _ changes: [Int64: StoredRow?]) -> Int64

  /// Reads the links that begin, or end where `direction` is 1, at one of some keys. Returns the keys that this answers.
  func readLinks(
    of join: Int, at keys: [RowKey], _ direction: Int, _ body: (JoinLink) -> Void
  ) -> [RowKey]
  func readAllLinks(of join: Int, _ body: (JoinLink) -> Void)

  /// Reads links that wait. False if there are too many, of which none is read then.
  func readPendingLinks(_ wanted: PendingLinkQuery, _ body: (Int64, PendingLink) -> Void) -> Bool
  func newPendingLink() -> Int64
}

extension StoredRows {
  package var fetchesTogether: Bool { false }
  package func mayHold(_ values: RowKey, _ columns: [Int], _ table: Int) -> Bool { true }
  package func mayHoldLinks(_ key: RowKey, _ join: Int, _ direction: Int) -> Bool { true }
  package func mayKeepRows(of table: Int) -> Bool { false }
}

/// Some of the links that wait.
package enum PendingLinkQuery {
  case all(atMost: Int)
  case row(Int64)
  case target(String)
  case owner(relationship: Int, String)
}

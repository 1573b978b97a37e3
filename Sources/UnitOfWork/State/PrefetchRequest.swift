package import ObjectStore

/// What the writer will ask a database for when it writes some records, so that it can be fetched at once.
///
/// It is a guess: what it lacks is asked for when it is needed, and what it has too much costs only time.
package struct PrefetchRequest {
  /// By table, the keys of objects.
  package private(set) var keys: [Set<RowKey>]
  /// By table, the numbers of rows.
  package private(set) var rows: [Set<Int64>]
  /// By table and by columns, those of a foreign key or of a uniqueness constraint, the values that these hold.
  package private(set) var children: [[[Int]: Set<RowKey>]]
  /// By join table and direction, the keys at the beginning of the links.
  package private(set) var links: [[Set<RowKey>]]
  /// The relationships whose lists the records have.
  package private(set) var listed: Set<Int> = []

  /// What is not there for certain is not needed.
  private let stored: (any StoredRows)?
  /// By table, the columns of the key.
  private let keyColumns: [[Int]]

  package init(_ layout: Layout, _ stored: (any StoredRows)?) {
    self.stored = stored
    keyColumns = layout.tables.map(\.key)
    keys = Array(repeating: [], count: layout.tables.count)
    rows = Array(repeating: [], count: layout.tables.count)
    children = Array(repeating: [:], count: layout.tables.count)
    links = Array(repeating: [[], []], count: layout.joins.count)
  }

  package mutating func add(_ key: RowKey, to table: Int) {
    if !key.isEmpty, !key.hasNull, stored?.mayHold(key, keyColumns[table], table) ?? true {
      keys[table].insert(key)
    }
  }

  package mutating func add(_ place: RowLocation) { rows[place.table].insert(place.row) }

  package mutating func add(_ key: RowKey, to table: Int, where columns: [Int]) {
    if !key.isEmpty, !key.hasNull, stored?.mayHold(key, columns, table) ?? true {
      children[table][columns, default: []].insert(key)
    }
  }

  package mutating func add(_ key: RowKey, toJoin join: Int, _ direction: Int) {
    if !key.isEmpty, !key.hasNull, stored?.mayHoldLinks(key, join, direction) ?? true {
      links[join][direction].insert(key)
    }
  }

  mutating func note(list relationship: Int) { listed.insert(relationship) }
}

import ObjectModel
package import ObjectStore

/// The rows that the writer will ask a database for when it writes some records, so that they can be fetched at once.
///
/// The request is a guess: rows that it lacks are asked for when they are needed, and rows too many cost only time.
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

  /// The database, which knows keys that are certainly not there; these need no request.
  private let stored: (any StoredRows)?
  /// By table, the columns of the key.
  private let keyColumns: [[Int]]

  package init(_ state: IdentityMap) {
    let layout = state.layout
    stored = state.stored
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

/// Fetching what a batch is about, with one statement for each table and kind of key. That something is not there is known
/// from then on too.
extension IdentityMap {
  /// Whether it is faster to fetch together what is looked for later than one by one.
  var fetchesTogether: Bool { stored?.fetchesTogether ?? false }

  package func fetch(_ needed: PrefetchRequest) {
    var parts: [Int: [Int64]] = [:]
    for table in tables.indices {
      for (columns, keys) in needed.children[table] {
        parts[table, default: []] += tables[table].fetch(keys, columns)
      }
    }
    // Most of these are children that have just come.
    for (index, table) in tables.enumerated() {
      _ = table.fetch(needed.keys[index], layout.tables[index].key)
      table.fetch(needed.rows[index])
    }
    for join in joins.indices {
      for direction in 0...1 {
        for target in fetchLinks(needed.links[join][direction], join, direction) {
          parts[target.table, default: []].append(target.row)
        }
      }
    }
    fetchParts(parts, needed.listed)
  }

  /// Fetches what hangs on parts, whose keys show only once they are fetched.
  private func fetchParts(_ found: [Int: [Int64]], _ listed: Set<Int>) {
    var found = found
    // Parts may have parts, as deep as the model nests them; what lies deeper is fetched one by one.
    for _ in 0..<8 where !found.isEmpty {
      var next: [Int: [Int64]] = [:]
      for relationship in layout.schema.relationships where listed.contains(relationship.index) {
        guard !layout.schema.entities[relationship.owner].hasIdentity,
          case .inverse(let columns, _) = layout.relationships[relationship.index],
          let rows = found[tableIndex(of: relationship.owner)]
        else { continue }
        let target = tableIndex(of: relationship.destination)
        let keys = Set(rows.map { RowKey(.integer($0)) })
        next[target, default: []] += tables[target].fetch(keys, columns)
      }
      found = next
    }
  }

  /// Fetches the links that begin at keys, and returns the parts that they lead to.
  private func fetchLinks(_ keys: Set<RowKey>, _ join: Int, _ direction: Int) -> [RowLocation] {
    let relationship = relationship(layout.joins[join].relationship)
    let entity = direction == 0 ? relationship.destination : relationship.owner
    guard !layout.schema.entities[entity].hasIdentity else {
      joins[join].fetch(keys, direction) { _ in }
      return []
    }
    var targets: Set<RowKey> = []
    joins[join].fetch(keys, direction) { targets.insert($0.keys[1 - direction]) }
    let table = tableIndex(of: entity)
    return tables[table].fetch(targets, layout.tables[table].key).map { RowLocation(table: table, row: $0) }
  }
}

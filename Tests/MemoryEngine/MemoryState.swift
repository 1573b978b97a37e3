import ObjectModel
import ObjectStore

/// All that a store holds. It is a value: a copy of it is a state to go back to.
struct MemoryState {
  let layout: Layout
  var tables: [MemoryTable]
  var joins: [MemoryJoin]
  /// Links that are kept in their targets' rows, while the targets have not arrived.
  var waiting: [WaitingLink] = []
  /// What the layers above have the store remember.
  var texts: [String: String] = [:]
  /// The last imports, each with its number.
  var imports: [(number: Int64, record: ImportRecord)] = []

  init(_ layout: Layout) {
    self.layout = layout
    tables = layout.tables.map(MemoryTable.init)
    joins = layout.joins.map { _ in MemoryJoin() }
  }
}

/// An object: its entity, and a value for each column of its table.
struct StoredRow {
  var entity: Int
  var values: [Value]
}

/// The objects of a root entity and its sub-entities, by the numbers of their rows.
struct MemoryTable {
  private let table: Table
  private(set) var rows: [Int64: StoredRow] = [:]
  private var rowsByKey: [[Value]: Int64] = [:]
  private var last: Int64 = 0

  init(_ table: Table) { self.table = table }

  subscript(row: Int64) -> StoredRow? { rows[row] }

  func key(_ stored: StoredRow) -> [Value] { table.key.map { stored.values[$0] } }

  func find(_ key: [Value]) -> Int64? { rowsByKey[key] }

  /// Adds an object, whose key must be free. What has no identity gets the number of its row as its key.
  mutating func insert(_ object: StoredRow, hasIdentity: Bool) -> Int64 {
    var object = object
    let row: Int64
    if table.keyIsRowID, hasIdentity, case .integer(let key)? = key(object).first {
      row = key
    } else {
      row = last &+ 1
    }
    if !hasIdentity { for column in table.key { object.values[column] = .integer(row) } }
    rows[row] = object
    rowsByKey[key(object)] = row
    last = max(last, row)
    return row
  }

  mutating func update(_ row: Int64, _ change: (inout StoredRow) -> Void) {
    guard var object = rows[row] else { return }
    let before = key(object)
    change(&object)
    rows[row] = object
    guard key(object) != before else { return }
    rowsByKey[before] = nil
    rowsByKey[key(object)] = row
  }

  /// Gives an object another row, where the key is the row.
  mutating func move(_ row: Int64, to other: Int64) {
    guard let object = remove(row) else { return }
    rows[other] = object
    rowsByKey[key(object)] = other
    last = max(last, other)
  }

  @discardableResult
  mutating func remove(_ row: Int64) -> StoredRow? {
    guard let object = rows.removeValue(forKey: row) else { return nil }
    rowsByKey[key(object)] = nil
    if row == last { last = max(0, rows.keys.max() ?? 0) }
    return object
  }

  /// The rows whose columns hold these values, in their order.
  func rows(where columns: [Int], are values: [Value]) -> [Int64] {
    if values.contains(.null) { return [] }
    return rows.filter { _, object in columns.indices.allSatisfy { object.values[columns[$0]] == values[$0] }
    }
    .keys.sorted()
  }

  /// The columns of a uniqueness constraint that another object has the values of; nil if none has.
  func violation(_ object: StoredRow, in own: Int64?) -> String? {
    for index in table.indexes {
      guard let entities = index.uniqueFor else { continue }
      let isMeant: (Int) -> Bool = { table.kindColumn == nil || entities.contains($0) }
      let columns = index.columns.map(\.column)
      let values = columns.map { object.values[$0] }
      guard isMeant(object.entity), !values.contains(.null) else { continue }
      let others = rows(where: columns, are: values)
      guard others.contains(where: { $0 != own && isMeant(rows[$0]?.entity ?? 0) }) else { continue }
      return columns.map { "\(table.name).\(table.columns[$0].name)" }.joined(separator: ", ")
    }
    return nil
  }
}

/// The links of a join table, by the numbers of their rows.
struct MemoryJoin {
  struct Link {
    /// By direction, 0 that of the relationship which declares the table: the key at the beginning of the link.
    var keys: [[Value]]
    /// The place of the link in the list of the object at its beginning.
    var places: [Int64?]
  }

  var links: [Int64: Link] = [:]
  private var rowsByOwner: [[[Value]: Set<Int64>]] = [[:], [:]]
  private var last: Int64 = 0

  /// The links of an owner in the order of its list.
  func links(of owner: [Value], _ direction: Int) -> [(row: Int64, target: [Value], place: Int64?)] {
    let found = (rowsByOwner[direction][owner] ?? []).compactMap { row in
      links[row].map { (row: row, target: $0.keys[1 - direction], place: $0.places[direction]) }
    }
    return found.sorted { isBefore(($0.place, $0.target), ($1.place, $1.target)) }
  }

  func find(_ owner: [Value], _ target: [Value], _ direction: Int) -> Int64? {
    rowsByOwner[direction][owner]?.first { links[$0]?.keys[1 - direction] == target }
  }

  /// Adds a link. False if it is there.
  mutating func insert(_ owner: [Value], _ target: [Value], at place: Int64?, _ direction: Int) -> Bool {
    guard find(owner, target, direction) == nil else { return false }
    let isForward = direction == 0
    let keys = isForward ? [owner, target] : [target, owner]
    add(Link(keys: keys, places: isForward ? [place, nil] : [nil, place]), last + 1)
    return true
  }

  mutating func remove(_ row: Int64) {
    guard let link = links.removeValue(forKey: row) else { return }
    for direction in 0...1 { rowsByOwner[direction][link.keys[direction]]?.remove(row) }
    if row == last { last = links.keys.max() ?? 0 }
  }

  /// Has the links that begin at a key begin at another, unless they are there already.
  mutating func rename(_ old: [Value], to new: [Value], _ direction: Int) {
    for row in (rowsByOwner[direction][old] ?? []).sorted() {
      guard var link = links[row] else { continue }
      remove(row)
      link.keys[direction] = new
      if find(new, link.keys[1 - direction], direction) == nil { add(link, row) }
    }
  }

  private mutating func add(_ link: Link, _ row: Int64) {
    links[row] = link
    last = max(last, row)
    for direction in 0...1 { rowsByOwner[direction][link.keys[direction], default: []].insert(row) }
  }
}

/// A link that waits for its target.
struct WaitingLink {
  var row: Int64
  var relationship: Int
  var owner: String
  var target: String
  var place: Int64?
}

// MARK: - What relationships lead to

extension MemoryState {
  func tableIndex(of entity: Int) -> Int { layout.entities[entity].table }

  func relationship(_ index: Int) -> SchemaRelationship { layout.schema.relationships[index] }

  func object(_ place: Place) -> StoredRow? { tables[place.table][place.row] }

  func key(of place: Place) -> [Value] { object(place).map(tables[place.table].key) ?? [] }

  /// Whether an object is of an entity or of one of its sub-entities.
  func isA(_ object: StoredRow?, _ entity: Int) -> Bool {
    object.map { layout.schema.entities[$0.entity].ancestry.contains(entity) } ?? false
  }

  /// The row of the object of an entity with a key.
  func find(_ key: [Value], of entity: Int) -> Int64? {
    let table = tables[tableIndex(of: entity)]
    guard !key.contains(.null), let row = table.find(key), isA(table[row], entity) else { return nil }
    return row
  }

  /// What a relationship of an object leads to.
  struct Target {
    var key: [Value]
    /// Nil for an object that has not arrived.
    var row: Int64?
    var place: Int64?
  }

  /// The targets of a relationship of an object, those that have not arrived too, in order.
  func targets(of relationship: SchemaRelationship, _ owner: Place) -> [Target] {
    guard let object = object(owner) else { return [] }
    let entity = relationship.destination
    let table = tables[tableIndex(of: entity)]
    switch layout.relationships[relationship.index] {
    case .foreignKey(let columns):
      let key = columns.map { object.values[$0] }
      return key.contains(.null) ? [] : [Target(key: key, row: find(key, of: entity))]
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
  func places(of relationship: SchemaRelationship, _ owner: Place) -> [Place] {
    targets(of: relationship, owner).compactMap { target in
      target.row.map { Place(table: tableIndex(of: relationship.destination), row: $0) }
    }
  }

  /// The objects that lead to one by a relationship.
  func owners(by relationship: SchemaRelationship, of target: Place) -> [Place] {
    let table = tableIndex(of: relationship.owner)
    switch layout.relationships[relationship.index] {
    case .foreignKey(let columns):
      return tables[table].rows(where: columns, are: key(of: target)).map { Place(table: table, row: $0) }
    case .inverse(let columns, _):
      guard let object = object(target) else { return [] }
      let row = find(columns.map { object.values[$0] }, of: relationship.owner)
      return row.map { [Place(table: table, row: $0)] } ?? []
    case .join(let index, let isForward):
      return joins[index].links(of: key(of: target), isForward ? 1 : 0).compactMap { link in
        tables[table].find(link.target).map { Place(table: table, row: $0) }
      }
    }
  }
}

/// An object by its table and its row.
struct Place: Hashable {
  var table: Int
  var row: Int64
}

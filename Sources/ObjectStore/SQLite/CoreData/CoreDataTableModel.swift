import ObjectModel

/// Makes a model of the names of a Core Data store's tables and columns, for a file that has no model in it.
///
/// Names are in lower case, since the columns have capitals only. A column belongs to the entity whose objects, and those
/// of whose sub-entities, have values in it. Links are taken where names and values prove them. What the model has no
/// place for is said in ``notes``.
struct CoreDataTableModel {
  let tables: CoreDataTables
  let handle: OpaquePointer
  let names: [Int64: CoreDataTables.Entity]
  private let lines: [Int64: [Int64]]
  private let families: [Int64: [CoreDataTables.Entity]]
  var entities: [Int64: Entity] = [:]
  /// Remarks on what is left out or uncertain.
  var notes: [String] = []
  /// The columns that the model has a place for, by table.
  var used: [String: Set<String>] = [:]
  /// The lists whose order the other end's table has.
  var orderedLists: [OrderedList] = []

  /// A to-one relationship with a column for its objects' places in the list that leads back.
  struct OrderedList {
    let owner: Int64
    let relationship: String
    let destination: Int64
  }

  init(_ tables: CoreDataTables, _ handle: OpaquePointer) throws {
    self.tables = tables
    self.handle = handle
    let names = Dictionary(uniqueKeysWithValues: tables.entities.map { ($0.number, $0) })
    let lines = Self.lines(names)
    var families: [Int64: [CoreDataTables.Entity]] = [:]
    for entity in tables.entities {
      for ancestor in lines[entity.number] ?? [] { families[ancestor, default: []].append(entity) }
    }
    (self.names, self.lines, self.families) = (names, lines, families)
    for entity in tables.entities {
      entities[entity.number] = Entity(name: entity.name, parent: names[entity.parent]?.name)
    }
    for root in roots {
      guard let table = tables.table(ofRoot: root.name) else { continue }
      for column in tables.columns[table] ?? [] { try addProperty(column, of: table, root) }
    }
    try addJoins()
    for root in roots {
      guard let table = tables.table(ofRoot: root.name) else { continue }
      for column in tables.columns[table] ?? [] { try addList(column, of: table, root) }
    }
    for list in orderedLists { addInverse(list) }
    try recordUnmappedTables()
  }

  var model: Model { Model(entities: tables.entities.compactMap { entities[$0.number] }) }

  // MARK: - Entities

  var roots: [CoreDataTables.Entity] { tables.entities.filter { names[$0.parent] == nil } }

  /// The entity at the top of another's parents. Parents that lead in a circle have none.
  func root(of entity: CoreDataTables.Entity) -> Int64 { ancestry(of: entity).last ?? entity.number }

  /// An entity and those that it inherits from, itself first.
  private func ancestry(of entity: CoreDataTables.Entity) -> [Int64] { lines[entity.number] ?? [] }

  /// The entities that are another or inherit from it.
  func family(of entity: CoreDataTables.Entity) -> [CoreDataTables.Entity] { families[entity.number] ?? [] }

  /// More entities that inherit from each other are no model.
  private static let deepest = 1000

  /// By number, each entity's ancestry.
  private static func lines(_ names: [Int64: CoreDataTables.Entity]) -> [Int64: [Int64]] {
    names.mapValues { entity in
      var found = [entity.number]
      var seen: Set = [entity.number]
      var current = entity
      while found.count < deepest, let parent = names[current.parent], seen.insert(parent.number).inserted {
        found.append(parent.number)
        current = parent
      }
      return found
    }
  }

  /// The table that has the objects of an entity.
  func table(of entity: CoreDataTables.Entity) -> String? {
    names[root(of: entity)].flatMap { tables.table(ofRoot: $0.name) }
  }

  /// Whether an entity, one above it or one below it has a property of a name, or cannot have one.
  func isTaken(_ name: String, _ entity: Int64) -> Bool {
    guard let known = names[entity] else { return true }
    let related = ancestry(of: known) + family(of: known).map(\.number)
    return related.contains { number in
      guard let other = entities[number] else { return false }
      return other.attributes.contains { $0.name == name }
        || other.relationships.contains { $0.name == name }
    }
  }

  // MARK: - Columns

  /// Adds the attribute or the to-one relationship of a column, unless the column is one of Core Data's own.
  private mutating func addProperty(
    _ column: CoreDataTables.Column, of table: String, _ root: CoreDataTables.Entity
  ) throws {
    let upper = column.name.uppercased()
    let rest = upper.dropFirst()
    guard upper.hasPrefix("Z"), let first = rest.first, first.isLetter else { return }
    let owner = try owner(of: column.name, table, root)
    let name = rest.lowercased()
    used[table, default: []].insert(column.name)
    if column.type == "INTEGER", let destination = try destination(of: column.name, in: table, owner) {
      entities[owner]?.relationships.append(Relationship(name: name, destination: destination.name))
      noteOrder(beside: column.name, in: table, name, owner, destination)
    } else {
      entities[owner]?.attributes.append(
        Attribute(name: name, type: Self.type(column.type), isOptional: true))
    }
  }

  /// The lowest entity that all objects with a value in a column have in common.
  func owner(of column: String, _ table: String, _ root: CoreDataTables.Entity) throws -> Int64 {
    guard family(of: root).count > 1 else { return root.number }
    let statement = try PreparedStatement(
      "SELECT DISTINCT Z_ENT FROM \(SQL.quoted(table)) WHERE \(SQL.quoted(column)) IS NOT NULL", on: handle)
    var common: [Int64]?
    while try statement.step() {
      guard let entity = names[statement.integer(0)] else { continue }
      let line = Array(ancestry(of: entity).reversed())
      common = common.map { known in Array(zip(known, line).prefix { $0 == $1 }.map(\.0)) } ?? line
    }
    return common?.last ?? root.number
  }

  private static func type(_ declared: String) -> AttributeType {
    switch declared {
    case "INTEGER": .integer64
    case "FLOAT": .double
    case "TIMESTAMP": .date
    case "DECIMAL": .decimal
    case "BLOB": .binary
    default: .string
    }
  }
}

/// Links that a column of an entity's table has.
extension CoreDataTableModel {
  // MARK: - To one

  /// The evidence that a column of numbers has keys.
  private struct Evidence {
    /// The column of the targets' entity numbers: `Z2_MEDIA`, with the number of the destination.
    var entityColumn: (name: String, number: Int64)?
    /// The column of places in the list that leads back: `Z_FOK_MEDIA`.
    var orderColumn: String?
    var isIndexed = false

    /// Whether there is a column that only links have.
    var isLink: Bool { entityColumn != nil || orderColumn != nil }
  }

  /// The entity that a column of keys leads to, if its name and its values prove it.
  mutating func destination(
    of column: String, in table: String, _ owner: Int64
  ) throws -> CoreDataTables.Entity? {
    let evidence = evidence(for: column, in: table)
    let named = entity(namedLike: column.dropFirst().uppercased())
    let wanted = evidence.entityColumn.flatMap { names[$0.number] } ?? named
    var found: CoreDataTables.Entity?
    if let wanted {
      if try isProven(column, table, wanted, evidence) { found = wanted }
    } else if evidence.isLink {
      found = try onlyEntity(withKeysOf: column, in: table)
    }
    if let found {
      if let name = evidence.entityColumn?.name { used[table]?.insert(name) }
      return found
    }
    guard evidence.isLink || named != nil, try hasValues(column, table) else { return nil }
    let property = "\(names[owner]?.name ?? table).\(column.dropFirst().lowercased())"
    if evidence.isLink {
      notes.append("\(property) is a number, not a link: nothing proves which entity \(column) leads to")
    } else if let named {
      notes.append("\(property) is a number, not a link: not all of its values are keys of \(named.name)")
    }
    return nil
  }

  private func evidence(for column: String, in table: String) -> Evidence {
    let name = column.dropFirst()
    var evidence = Evidence(isIndexed: tables.indexed.contains("\(table).\(column)"))
    evidence.orderColumn = tables.column("Z_FOK_\(name)", of: table)
    for other in tables.columns[table] ?? [] {
      let rest = other.name.uppercased().dropFirst()
      let digits = rest.prefix { $0.isNumber }
      guard let number = Int64(digits), rest.dropFirst(digits.count) == "_\(name.uppercased())" else {
        continue
      }
      evidence.entityColumn = (other.name, number)
    }
    return evidence
  }

  /// The entity with a name in capitals. A digit that tells columns of one name apart is no part of it.
  private func entity(namedLike name: String) -> CoreDataTables.Entity? {
    if let found = tables.entities.first(where: { $0.name.uppercased() == name }) { return found }
    let plain = name.reversed().drop { $0.isNumber }.reversed()
    return tables.entities.first { $0.name.uppercased() == String(plain) }
  }

  /// Whether the values are keys of an entity's rows. Where another column shows that they are keys, some may lead to
  /// nothing.
  private func isProven(
    _ column: String, _ table: String, _ entity: CoreDataTables.Entity, _ evidence: Evidence
  ) throws -> Bool {
    guard try hasValues(column, table) else { return evidence.isLink || evidence.isIndexed }
    return evidence.isLink
      ? try hasKey(of: entity, column, table, isKnown: true)
      : try !hasKey(of: entity, column, table, isKnown: false)
  }

  /// The only entity without a parent and sub-entities that has rows with all keys of a column. Of links to others there is
  /// a column with the number of the entity.
  private func onlyEntity(withKeysOf column: String, in table: String) throws -> CoreDataTables.Entity? {
    guard try hasValues(column, table) else { return nil }
    var found: CoreDataTables.Entity?
    for entity in roots where family(of: entity).count == 1 && self.table(of: entity) != nil {
      guard try !hasKey(of: entity, column, table, isKnown: false) else { continue }
      guard found == nil else { return nil }
      found = entity
    }
    return found
  }

  private func hasValues(_ column: String, _ table: String) throws -> Bool {
    let sql = "SELECT 1 FROM \(SQL.quoted(table)) WHERE \(SQL.quoted(column)) IS NOT NULL LIMIT 1"
    return try PreparedStatement(sql, on: handle).step()
  }

  /// Whether a column has a value that is the key of one of an entity's rows, or one that is none.
  private func hasKey(
    of entity: CoreDataTables.Entity, _ column: String, _ table: String, isKnown: Bool
  ) throws -> Bool {
    guard let target = self.table(of: entity) else { return !isKnown }
    let numbers = family(of: entity).map { String($0.number) }.joined(separator: ", ")
    let value = "t.\(SQL.quoted(column))"
    let statement = try PreparedStatement(
      """
      SELECT 1 FROM \(SQL.quoted(table)) t WHERE \(value) IS NOT NULL AND \(isKnown ? "" : "NOT ")EXISTS (
        SELECT 1 FROM \(SQL.quoted(target)) r WHERE r.Z_PK = \(value) AND r.Z_ENT IN (\(numbers)))
      LIMIT 1
      """, on: handle)
    return try statement.step()
  }

  // MARK: - Lists

  /// Notes that the other end of a to-one relationship is a list with an order, if there is a column of it.
  mutating func noteOrder(
    beside column: String, in table: String, _ name: String, _ owner: Int64,
    _ destination: CoreDataTables.Entity
  ) {
    guard let order = tables.column("Z_FOK_\(column.dropFirst())", of: table) else { return }
    used[table]?.insert(order)
    orderedLists.append(OrderedList(owner: owner, relationship: name, destination: destination.number))
  }

  /// Adds the list that leads back to a to-one relationship. The file does not have its name: it is called after the
  /// entity of its objects.
  mutating func addInverse(_ list: OrderedList) {
    guard let owner = names[list.owner], let destination = names[list.destination],
      let index = entities[list.owner]?.relationships.firstIndex(where: { $0.name == list.relationship })
    else { return }
    let plain = owner.name.lowercased() + "s"
    let other = "\(plain)_\(list.relationship)"
    let name = isTaken(plain, list.destination) ? other : plain
    guard !isTaken(name, list.destination) else {
      notes.append("the order of the list that leads to \(owner.name).\(list.relationship) is left out")
      return
    }
    entities[list.owner]?.relationships[index].inverse = name
    entities[list.destination]?.relationships.append(
      Relationship(
        name: name, destination: owner.name, inverse: list.relationship, isToMany: true, isOrdered: true))
    notes.append(
      "\(destination.name).\(name) is the ordered list that leads to \(owner.name).\(list.relationship);"
        + " its name is not in the file")
  }

  /// Adds the list of a column `Z3PHOTOS`, which has the keys of the owners of a list without an inverse, and the number of
  /// their entity in its name.
  mutating func addList(
    _ column: CoreDataTables.Column, of table: String, _ root: CoreDataTables.Entity
  ) throws {
    let rest = column.name.uppercased().dropFirst()
    let digits = rest.prefix { $0.isNumber }
    let plain = rest.dropFirst(digits.count)
    guard column.name.uppercased().hasPrefix("Z"), let number = Int64(digits), names[number] != nil,
      let first = plain.first, first.isLetter, !isTaken(plain.lowercased(), number),
      let target = names[try self.owner(of: column.name, table, root)]
    else { return }
    let order = tables.column("Z_FOK_\(column.name.dropFirst())", of: table)
    entities[number]?.relationships.append(
      Relationship(
        name: plain.lowercased(), destination: target.name, isToMany: true, isOrdered: order != nil))
    used[table, default: []].formUnion([column.name, order].compactMap(\.self))
  }
}

/// Tables of links, and what is left out.
extension CoreDataTableModel {
  /// A column of keys in a table of links.
  private struct End {
    let column: String
    let entity: CoreDataTables.Entity
    /// The relationship that leads to the entity.
    let relationship: String
    /// Whether there is a column of the targets' places.
    let order: String?
  }

  /// Adds the relationships of all tables of links.
  mutating func addJoins() throws {
    for table in tables.columns.keys.sorted() where Self.end(table) != nil {
      if let why = addJoin(table) { try note(table, leftOut: why) }
    }
  }

  /// Adds the relationships of a table of links. If it cannot, it says why.
  private mutating func addJoin(_ table: String) -> String? {
    let columns = (tables.columns[table] ?? []).map(\.name)
    let parts = columns.compactMap { column in Self.end(column).map { (column, $0.number, $0.name) } }
    var ends: [End] = []
    for (column, number, name) in parts {
      guard let entity = names[number] else { return "the file has no entity \(number)" }
      ends.append(
        End(
          column: column, entity: entity, relationship: name.lowercased(),
          order: tables.column("Z_FOK_\(column.dropFirst(2))", of: table)))
    }
    let reflexive = columns.first { $0.uppercased() == CoreDataJoinSearch.reflexive }
    if ends.count == 1, let reflexive { return addReflexive(ends[0], reflexive, table) }
    guard ends.count == 2, reflexive == nil else { return "its columns are not those of two relationships" }
    return addPair(ends[0], ends[1], table)
  }

  /// A column is named after the relationship that leads to the entity whose keys it has.
  private mutating func addPair(_ first: End, _ second: End, _ table: String) -> String? {
    for (end, owner) in [(first, second.entity), (second, first.entity)]
    where isTaken(end.relationship, owner.number) {
      return "\(owner.name) has another property \(end.relationship)"
    }
    guard root(of: first.entity) != root(of: second.entity) || first.relationship != second.relationship
    else { return "its columns have the same name" }
    add(first, of: second.entity, inverse: second.relationship, table)
    add(second, of: first.entity, inverse: first.relationship, table)
    return nil
  }

  private mutating func add(
    _ end: End, of owner: CoreDataTables.Entity, inverse: String, _ table: String
  ) {
    entities[owner.number]?.relationships.append(
      Relationship(
        name: end.relationship, destination: end.entity.name, inverse: inverse, isToMany: true,
        isOrdered: end.order != nil))
    used[table, default: []].formUnion([end.column, end.order].compactMap(\.self))
  }

  /// A relationship that is its own inverse. It has no order of its own here, since each link holds in both directions.
  private mutating func addReflexive(_ end: End, _ reflexive: String, _ table: String) -> String? {
    guard !isTaken(end.relationship, end.entity.number) else {
      return "\(end.entity.name) has another property \(end.relationship)"
    }
    entities[end.entity.number]?.relationships.append(
      Relationship(
        name: end.relationship, destination: end.entity.name, inverse: end.relationship, isToMany: true))
    used[table, default: []].formUnion([end.column, reflexive])
    return nil
  }

  /// The number and the name in `Z_3ARTWORKS`.
  private static func end(_ name: String) -> (number: Int64, name: String)? {
    let upper = name.uppercased()
    guard upper.hasPrefix("Z_") else { return nil }
    let digits = upper.dropFirst(2).prefix { $0.isNumber }
    let rest = upper.dropFirst(2 + digits.count)
    guard let number = Int64(digits), let first = rest.first, first.isLetter else { return nil }
    return (number, String(rest))
  }

  // MARK: - What is left out

  private static let ownTables: Set = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
  private static let ownColumns: Set = ["Z_PK", "Z_ENT", "Z_OPT"]

  /// Notes the tables and columns that hold something and have no place in the model.
  mutating func recordUnmappedTables() throws {
    let ofEntities = Set(roots.compactMap { tables.table(ofRoot: $0.name) })
    for table in tables.columns.keys.sorted() where !Self.ownTables.contains(table.uppercased()) {
      guard ofEntities.contains(table) || used[table] != nil else {
        // Tables of links have been noted with the reason.
        if Self.end(table) == nil { try note(table, leftOut: "no entity has it") }
        continue
      }
      for column in tables.columns[table] ?? [] where !Self.ownColumns.contains(column.name.uppercased()) {
        guard used[table]?.contains(column.name) != true else { continue }
        let name = SQL.quoted(column.name)
        let count = try count("SELECT count(\(name)) FROM \(SQL.quoted(table))")
        guard count > 0 else { continue }
        notes.append(
          "the column \(column.name) of \(table), with \(count) \(count == 1 ? "value" : "values"), is left out"
        )
      }
    }
  }

  private mutating func note(_ table: String, leftOut why: String) throws {
    let count = try count("SELECT count(*) FROM \(SQL.quoted(table))")
    guard count > 0 else { return }
    notes.append("the table \(table), with \(count) \(count == 1 ? "row" : "rows"), is left out: \(why)")
  }

  private func count(_ sql: String) throws -> Int64 {
    let statement = try PreparedStatement(sql, on: handle)
    return try statement.step() ? statement.integer(0) : 0
  }
}

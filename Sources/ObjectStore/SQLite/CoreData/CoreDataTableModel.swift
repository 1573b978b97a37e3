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
  /// What is left out or uncertain, as sentences.
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

import ObjectModel

/// Makes a model of the names of a Core Data store's tables and columns, for a file that has no model in it.
///
/// Names are in lower case, since the columns have capitals only. A column belongs to the entity whose objects, and those
/// of whose sub-entities, have values in it.
struct CoreDataTableModel {
  private let tables: CoreDataTables
  private let handle: OpaquePointer
  private let names: [Int64: CoreDataTables.Entity]
  private var entities: [Int64: Entity] = [:]

  init(_ tables: CoreDataTables, _ handle: OpaquePointer) {
    self.tables = tables
    self.handle = handle
    names = Dictionary(uniqueKeysWithValues: tables.entities.map { ($0.number, $0) })
  }

  func model() throws -> Model {
    var maker = self
    for entity in tables.entities {
      maker.entities[entity.number] = Entity(name: entity.name, parent: names[entity.parent]?.name)
    }
    for root in tables.entities where names[root.parent] == nil {
      guard let table = tables.table(ofRoot: root.name) else { continue }
      let family = tables.entities.filter { self.root(of: $0) == root.number }
      for column in tables.columns[table] ?? [] { try maker.add(column, of: table, root, family) }
    }
    maker.addJoins()
    return Model(entities: tables.entities.compactMap { maker.entities[$0.number] })
  }

  /// The entity at the top of another's parents. Parents that lead in a circle have none.
  private func root(of entity: CoreDataTables.Entity) -> Int64 { ancestry(of: entity).last ?? entity.number }

  private func ancestry(of entity: CoreDataTables.Entity) -> [Int64] {
    var found = [entity.number]
    var current = entity
    while let parent = names[current.parent], !found.contains(parent.number) {
      found.append(parent.number)
      current = parent
    }
    return found
  }

  // MARK: - Columns

  private mutating func add(
    _ column: CoreDataTables.Column, of table: String, _ root: CoreDataTables.Entity,
    _ family: [CoreDataTables.Entity]
  ) throws {
    let upper = column.name.uppercased()
    let rest = upper.dropFirst()
    guard upper.hasPrefix("Z"), let first = rest.first, first.isLetter else { return }
    let owner = try owner(of: column.name, table, root, family)
    let name = rest.lowercased()
    if column.type == "INTEGER", let destination = destination(of: String(rest), column.name, table) {
      entities[owner]?.relationships.append(Relationship(name: name, destination: destination))
    } else {
      entities[owner]?.attributes.append(
        Attribute(name: name, type: Self.type(column.type), isOptional: true))
    }
  }

  /// The lowest entity that all objects with a value in a column have in common.
  private func owner(
    of column: String, _ table: String, _ root: CoreDataTables.Entity, _ family: [CoreDataTables.Entity]
  ) throws -> Int64 {
    guard family.count > 1 else { return root.number }
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

  /// The entity that a column of keys leads to, if its name is that of one.
  private func destination(of name: String, _ column: String, _ table: String) -> String? {
    guard tables.indexed.contains("\(table).\(column)") else { return nil }
    return tables.entities.first { $0.name.uppercased() == name }?.name
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

  // MARK: - Tables of links

  private mutating func addJoins() {
    for table in tables.columns.keys.sorted() where Self.end(table) != nil {
      let ends = (tables.columns[table] ?? []).compactMap { Self.end($0.name) }
      guard ends.count == 2, let first = names[ends[0].number], let second = names[ends[1].number] else {
        continue
      }
      // A column is named after the relationship that leads to the entity whose keys it has.
      let (toFirst, toSecond) = (ends[0].name.lowercased(), ends[1].name.lowercased())
      guard !isTaken(toFirst, second), !isTaken(toSecond, first),
        first.number != second.number || toFirst != toSecond
      else { continue }
      entities[second.number]?.relationships.append(
        Relationship(name: toFirst, destination: first.name, inverse: toSecond, isToMany: true))
      entities[first.number]?.relationships.append(
        Relationship(name: toSecond, destination: second.name, inverse: toFirst, isToMany: true))
    }
  }

  private func isTaken(_ name: String, _ entity: CoreDataTables.Entity) -> Bool {
    guard let known = entities[entity.number] else { return true }
    return known.attributes.contains { $0.name == name } || known.relationships.contains { $0.name == name }
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
}

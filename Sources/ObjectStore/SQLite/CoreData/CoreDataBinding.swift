package import ObjectModel

/// Where the objects of a model are in the tables of a Core Data store.
package struct CoreDataBinding: Sendable {
  /// An entity whose objects are in the store.
  package struct EntityPlace: Sendable {
    /// The entity, as an index into the schema.
    package let entity: Int
    /// What `Z_ENT` has in its rows.
    package let number: Int64
    package let table: String
    /// By the name of each attribute that has a column, composites taken apart: the column.
    var attributes: [String: String] = [:]
    /// By the name of each to-one relationship that has a column: the column.
    var toOnes: [String: String] = [:]
    /// By the name of each to-one relationship whose objects have an order at the other end: the column of the order.
    var orders: [String: String] = [:]
  }

  /// A table of links between objects.
  struct Join: Sendable {
    let table: String
    let owner: String
    let target: String
    /// The column of the target's place in the owner's list, if that is ordered.
    let order: String?
  }

  package let schema: Schema
  /// For each entity of the schema, its place; nil if the store knows no such entity.
  package let places: [EntityPlace?]
  /// By relationship of the schema, the table of its links.
  let joins: [Int: Join]
  /// The names and the parents of the entities by their numbers.
  package let names: [Int64: String]
  /// What the model has and the store lacks, and the other way round, as sentences.
  package private(set) var differences: [String]
  /// The properties of the model that the store has no place for, as `Entity.property`.
  package let missing: Set<String>

  init(_ model: Model, _ tables: CoreDataTables) throws(SchemaError) {
    schema = try Schema(Self.withBulkRoots(model))
    var builder = CoreDataBindingBuilder(schema, tables)
    builder.build()
    places = builder.places
    joins = builder.joins
    let bound = Dictionary(
      uniqueKeysWithValues: builder.places.compactMap(\.self).map { ($0.number, $0.entity) })
    names = Dictionary(
      uniqueKeysWithValues: tables.entities.map { [schema] entity in
        (entity.number, bound[entity.number].map { schema.entities[$0].name } ?? entity.name)
      })
    differences = builder.differences
    missing = builder.missing
  }

  /// The table that holds the objects of an entity and of those that it inherits from.
  func rootTable(of entity: Int) -> String? {
    place(inFamilyOf: schema.entities[entity].root)?.table
  }

  /// The first place of an entity and its sub-entities. All have the columns of what the entity declares.
  func place(inFamilyOf entity: Int) -> EntityPlace? {
    schema.family(of: entity).lazy.compactMap { places[$0] }.first
  }

  /// A copy in which nothing inherits from an abstract root: Core Data has a table for every root, our schema only for
  /// those that are more than a list of properties.
  private static func withBulkRoots(_ model: Model) -> Model {
    var model = model
    for index in model.entities.indices where model.entities[index].parent == nil {
      model.entities[index].isAbstract = false
    }
    return model
  }

  /// The numbers of an entity and its sub-entities.
  func numbers(of entity: Int) -> [Int64] { schema.family(of: entity).compactMap { places[$0]?.number } }
}

/// Finds the columns of a model's properties.
struct CoreDataBindingBuilder {
  let schema: Schema
  let tables: CoreDataTables
  private(set) var places: [CoreDataBinding.EntityPlace?]
  private(set) var joins: [Int: CoreDataBinding.Join] = [:]
  private(set) var differences: [String] = []
  private(set) var missing: Set<String> = []
  /// The columns that belong to a property, by table.
  private var used: [String: Set<String>] = [:]
  /// The numbers of the model's entities, by their names in the model.
  private let numbers: [String: Int64]
  /// The names in the store of entities that were renamed since: Core Data leaves them there.
  private let formerNames: [String: String]

  init(_ schema: Schema, _ tables: CoreDataTables) {
    self.schema = schema
    self.tables = tables
    var numbers = Dictionary(uniqueKeysWithValues: tables.entities.map { ($0.name, $0.number) })
    var formerNames: [String: String] = [:]
    for entity in schema.model.entities where numbers[entity.name] == nil {
      guard let former = entity.renamingIdentifier, schema.entity(former) == nil,
        let number = numbers[former],
        !formerNames.values.contains(former)
      else { continue }
      formerNames[entity.name] = former
      numbers[entity.name] = number
    }
    for former in formerNames.values { numbers[former] = nil }
    (self.numbers, self.formerNames) = (numbers, formerNames)
    places = Array(repeating: nil, count: schema.entities.count)
  }

  mutating func build() {
    for entity in schema.entities { addPlace(of: entity) }
    for root in schema.entities where root.root == root.index { bindColumns(of: root) }
    for relationship in schema.relationships where joins[relationship.index] == nil {
      bindJoin(relationship)
    }
    compareEntities()
    compareColumns()
  }

  private mutating func addPlace(of entity: SchemaEntity) {
    guard let number = numbers[entity.name] else { return }
    let root = schema.entities[entity.root].name
    let former = formerNames[root].flatMap { tables.table(ofRoot: $0) }
    guard let table = tables.table(ofRoot: root) ?? former else {
      differences.append("there is no table Z\(root.uppercased()) for \(entity.name)")
      return
    }
    places[entity.index] = CoreDataBinding.EntityPlace(
      entity: entity.index, number: number, table: table)
  }

  // MARK: - Columns of attributes and to-one relationships

  /// A property of one entity that has a column in the table of the root.
  private struct Property: Hashable {
    let owner: Int
    let name: String
    /// The parts of a composite, each with a column instead.
    var parts: [String] = []
    var isToOne = false
  }

  /// Gives each property of a root and its sub-entities its column. Where several entities have properties of one name,
  /// the one with the lowest number has the name itself, the others have 1, 2 and so on behind it.
  private mutating func bindColumns(of root: SchemaEntity) {
    var byName: [String: [Property]] = [:]
    for member in schema.family(of: root.index).sorted(by: { number($0) < number($1) }) {
      for property in properties(declaredBy: member) {
        byName[property.name.uppercased(), default: []].append(property)
      }
    }
    for (name, properties) in byName.sorted(by: { $0.key < $1.key }) {
      for (place, property) in properties.enumerated() {
        bind(property, to: "Z\(name)\(place == 0 ? "" : String(place))")
      }
    }
  }

  private func number(_ entity: Int) -> Int64 { numbers[schema.entities[entity].name] ?? .max }

  private func properties(declaredBy index: Int) -> [Property] {
    let declared = schema.model.entities[index]
    let attributes = declared.attributes.filter { !$0.isTransient }.map { attribute in
      var property = Property(owner: index, name: attribute.name)
      if case .composite = attribute.type {
        let names = schema.entities[index].attributes.map(\.name)
        property.parts = names.filter { $0.hasPrefix(attribute.name + ".") }
      }
      return property
    }
    let toOnes = declared.relationships.filter { !$0.isToMany && !$0.isTransient }.map {
      Property(owner: index, name: $0.name, isToOne: true)
    }
    return attributes + toOnes
  }

  private mutating func bind(_ property: Property, to column: String) {
    let owner = schema.entities[property.owner]
    guard let table = table(ofRoot: owner.root) else { return }
    guard property.parts.isEmpty else { return bindParts(of: property, column, in: table) }
    guard let found = tables.column(column, of: table) else {
      note(missing: property.name, of: owner, "there is no column \(column) in \(table)")
      return
    }
    used[table, default: []].insert(found)
    let order = property.isToOne ? orderColumn(beside: found, in: table) : nil
    for member in schema.family(of: property.owner) {
      if property.isToOne {
        places[member]?.toOnes[property.name] = found
        places[member]?.orders[property.name] = order
      } else {
        places[member]?.attributes[property.name] = found
      }
    }
  }

  private mutating func orderColumn(beside column: String, in table: String) -> String? {
    tables.column("Z_FOK_\(column.dropFirst())", of: table)
  }

  private mutating func bindParts(of property: Property, _ column: String, in table: String) {
    let owner = schema.entities[property.owner]
    for part in property.parts {
      let last = part.split(separator: ".").last.map { $0.uppercased() } ?? ""
      let whole = part.replacing(".", with: "_").uppercased()
      let names = ["Z\(whole)", "\(column)_\(last)", "\(column)\(last)", "Z\(last)"]
      guard let found = self.column(named: names, of: table) else {
        note(missing: part, of: owner, "there is no column for it in \(table)")
        continue
      }
      used[table, default: []].insert(found)
      for member in schema.family(of: property.owner) { places[member]?.attributes[part] = found }
    }
  }

  private func table(ofRoot root: Int) -> String? {
    schema.family(of: root).lazy.compactMap { places[$0]?.table }.first
  }

  private func column(named names: [String], of table: String) -> String? {
    names.lazy.compactMap { tables.column($0, of: table) }.first
  }

  private mutating func note(missing name: String, of entity: SchemaEntity, _ why: String) {
    missing.insert("\(entity.name).\(name)")
    differences.append("\(entity.name).\(name): \(why)")
  }

  // MARK: - Tables of links

  private mutating func bindJoin(_ relationship: SchemaRelationship) {
    guard relationship.isToMany, !relationship.relationship.isTransient else { return }
    let inverse = relationship.inverse.map { schema.relationships[$0] }
    if let inverse, !inverse.isToMany { return }
    let owner = schema.entities[relationship.owner]
    let target = schema.entities[relationship.destination]
    guard numbers[owner.name] != nil, numbers[target.name] != nil else { return }
    guard let found = CoreDataJoinSearch(tables, numbers, schema).join(of: relationship) else {
      note(missing: relationship.name, of: owner, "there is no table of its links")
      return
    }
    joins[relationship.index] = found
    used[found.table, default: []].formUnion([found.owner, found.target])
    guard let inverse, inverse.index != relationship.index else { return }
    joins[inverse.index] = CoreDataBinding.Join(
      table: found.table, owner: found.target, target: found.owner,
      order: CoreDataJoinSearch.order(of: found.owner, in: found.table, tables))
  }

  // MARK: - What does not fit

  private mutating func compareEntities() {
    for entity in schema.entities where numbers[entity.name] == nil && !isOfAConfiguration {
      differences.append("the store has no entity \(entity.name)")
    }
    let present = Dictionary(formerNames.map { ($0.value, $0.key) }) { first, _ in first }
    for entity in tables.entities where schema.entity(present[entity.name] ?? entity.name) == nil {
      differences.append("the model has no entity \(entity.name)")
    }
    let parents = Dictionary(
      uniqueKeysWithValues: tables.entities.map { ($0.number, present[$0.name] ?? $0.name) })
    for entity in tables.entities {
      guard let known = schema.entity(present[entity.name] ?? entity.name) else { continue }
      let parent = known.ancestry.dropFirst().first.map { schema.entities[$0].name }
      if parent != parents[entity.parent] {
        differences.append(
          "\(entity.name) inherits from \(parents[entity.parent] ?? "nothing") in the store, from"
            + " \(parent ?? "nothing") in the model")
      }
    }
  }

  /// Whether the store has the entities of one of the model's configurations: then it need not have others.
  private var isOfAConfiguration: Bool {
    let names = Set(numbers.keys)
    return schema.model.configurations.contains { Set($0.entities) == names }
  }

  /// Columns that belong to nothing in the model: another version of it had them.
  private mutating func compareColumns() {
    for table in Set(places.compactMap { $0?.table }).sorted() {
      for column in tables.columns[table] ?? [] where !isKnown(column.name, in: table) {
        differences.append("the model has no property for the column \(column.name) of \(table)")
      }
    }
  }

  private func isKnown(_ column: String, in table: String) -> Bool {
    if used[table]?.contains(column) ?? false { return true }
    let name = column.uppercased()
    // Columns of Core Data's own have an underscore after the Z, or a number and an underscore.
    return name.hasPrefix("Z_") || name.dropFirst().drop(while: \.isNumber).first == "_"
  }
}

import Bytes
package import ObjectModel

/// Where the objects of a model are in the tables of a Core Data store.
package struct CoreDataBinding: Sendable {
  /// An entity whose objects are in the store.
  package struct EntityPlace: Sendable {
    /// The entity, as an index into the schema.
    package let entity: Int
    /// The value of `Z_ENT` in its rows.
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
  /// The differences between the model and the store, as sentences.
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

/// The key, as our store has it, of an object that a Core Data store refers to by `Z_PK`.
struct CoreDataKey {
  enum Outcome {
    /// There is no reference.
    case nothing
    case one(Cell)
    /// The parts of a composite key.
    case several([Cell])
    case unusable(expected: String, found: String)
  }

  private enum Form {
    /// Core Data's own key. If several entities are possible, a column has the target's number.
    case objectID(number: Int?)
    /// The target's identity: for each part, its column and how it is read.
    case identity([(column: Int, conversion: CoreDataValue)])
  }

  /// The column of the query with the target's `Z_PK`.
  private let reference: Int
  private let form: Form
  private let destination: String
  /// The name of an object of the destination, up to its number.
  private let prefix: [UInt8]
  private let names: CoreDataNames
  /// The numbers of the entities that the target may be of.
  private let allowed: [Int64]

  /// Adds what it takes to a query. Nil if the target's key cannot be made of what the store has.
  ///
  /// - Parameters:
  ///   - entity: The destination, in the schema of the source.
  ///   - sql: The reference.
  ///   - target: The destination, in the schema of the store that is imported into.
  init?(
    to entity: Int, _ sql: String, _ shared: CoreDataSelection.Shared, _ target: SchemaEntity,
    _ query: inout CoreDataQuery
  ) {
    let binding = shared.binding
    names = shared.names
    allowed = binding.numbers(of: entity)
    destination = binding.schema.entities[entity].name
    prefix = names.keyPrefix(of: destination)
    guard target.hasIdentity, !target.isIdentifiedBelowRoot, let table = binding.rootTable(of: entity) else {
      return nil
    }
    let from = "FROM \(SQL.quoted(table)) r WHERE r.Z_PK = (\(sql))"
    if let name = names.objectID(of: entity), target.identity.map(\.name) == [name] {
      reference = query.add(sql)
      form = .objectID(
        number: binding.tableIsShared(by: entity) ? query.add("(SELECT r.Z_ENT \(from))") : nil)
      return
    }
    guard let place = binding.place(inFamilyOf: entity) else { return nil }
    var parts: [(String, AttributeType)] = []
    for part in target.identity {
      guard part.attribute != nil, let column = place.attributes[part.name] else { return nil }
      parts.append((column, part.type))
    }
    reference = query.add(sql)
    form = .identity(
      parts.map { column, type in
        (query.add("(SELECT r.\(SQL.quoted(column)) \(from))"), CoreDataValue(type: type, external: nil))
      })
  }

  func append(from row: PreparedStatement, _ batch: inout RowBatch) -> Outcome {
    guard row.storage(reference) != nil else { return .nothing }
    let key = row.integer(reference)
    switch form {
    case .objectID(nil): return .one(CoreDataNames.append(key, after: prefix, to: &batch))
    case .objectID(let column?):
      // An object that is not there has no entity number, so the link waits under the name of the destination.
      guard row.storage(column) != nil else {
        return .one(CoreDataNames.append(key, after: prefix, to: &batch))
      }
      let number = row.integer(column)
      let name = names.entity(number)
      guard allowed.contains(number), let name else {
        return .unusable(expected: "a \(destination)", found: "\(name ?? "entity \(number)")/p\(key)")
      }
      return .one(batch.text(names.key(name, key)))
    case .identity(let parts):
      var cells: [Cell] = []
      for (column, conversion) in parts {
        // try?: the value is no key; reading the object tells why.
        guard let cell = try? conversion.cell(row, column, &batch), cell.kind != .null else {
          return .unusable(
            expected: "a \(destination) that is there", found: "\(destination)/p\(key), which is not")
        }
        cells.append(cell)
      }
      return cells.count == 1 ? .one(cells[0]) : .several(cells)
    }
  }
}

/// The names by which objects of a Core Data store are told.
struct CoreDataNames: Sendable {
  private let names: [Int64: String]
  /// By entity of the source's schema, the attribute for Core Data's own key; nil where something else is the identity.
  private let objectIDs: [String?]
  /// The beginning of the keys of objects, where the store has those of another file as well.
  private let qualifier: String

  init(_ binding: CoreDataBinding, _ identities: [CoreDataIdentity], qualifier: String = "") {
    names = binding.names
    self.qualifier = qualifier
    let own = identities.filter(\.isObjectID).map { ($0.entity, $0.attributes.first) }
    let byRoot = Dictionary(own) { first, _ in first }
    objectIDs = binding.schema.entities.map { byRoot[binding.schema.entities[$0.root].name] ?? nil }
  }

  func entity(_ number: Int64) -> String? { names[number] }

  func objectID(of entity: Int) -> String? { objectIDs[entity] }

  /// The name of an object of an entity, up to its number.
  static func prefix(of entity: String) -> [UInt8] { Array("\(entity)/p".utf8) }

  /// The key of an object of an entity, up to its number.
  func keyPrefix(of entity: String) -> [UInt8] { Array("\(qualifier)\(entity)/p".utf8) }

  func key(_ entity: String, _ key: Int64) -> String { "\(qualifier)\(entity)/p\(key)" }

  static func append(_ key: Int64, after prefix: [UInt8], to batch: inout RowBatch) -> Cell {
    let offset = batch.bytes.count
    prefix.withUnsafeBufferPointer { batch.bytes.append($0) }
    batch.bytes.append(decimal: key)
    return .text(at: offset, count: batch.bytes.count - offset)
  }

  /// The last part of Core Data's address of an object.
  func objectName(_ entity: String, _ key: Int64) -> String { "\(entity)/p\(key)" }
}

extension CoreDataBinding {
  /// Whether the table of an entity may have objects of several entities.
  func tableIsShared(by entity: Int) -> Bool {
    schema.family(of: schema.entities[entity].root).count { places[$0] != nil } > 1
  }
}

/// Finds the table of a many-to-many relationship by its columns.
///
/// A column is called `Z_3ARTWORKS`: the number of the entity that is pointed at, and the relationship that leads there.
/// A digit follows where the name was used in another table. The name of the table may be that of either side. The owners'
/// column of a relationship that is its own inverse is called `REFLEXIVE`.
struct CoreDataJoinSearch {
  private let tables: CoreDataTables
  private let numbers: [String: Int64]
  private let schema: Schema

  init(_ tables: CoreDataTables, _ numbers: [String: Int64], _ schema: Schema) {
    self.tables = tables
    self.numbers = numbers
    self.schema = schema
  }

  func join(of relationship: SchemaRelationship) -> CoreDataBinding.Join? {
    relationship.inverse == nil
      ? columnOfTargets(relationship) ?? table(of: relationship) : table(of: relationship)
  }

  /// The column in the targets' rows that has the owner of a list without an inverse: `Z3PHOTOS`, with the number of the
  /// owner's entity.
  private func columnOfTargets(_ relationship: SchemaRelationship) -> CoreDataBinding.Join? {
    let root = schema.entities[schema.entities[relationship.destination].root].name
    guard let table = tables.table(ofRoot: root),
      let number = numbers[schema.entities[relationship.owner].name],
      let column = tables.column("Z\(number)\(relationship.name)", of: table)
    else { return nil }
    let order = tables.column("Z_FOK_\(column.dropFirst())", of: table)
    return CoreDataBinding.Join(table: table, owner: column, target: "Z_PK", order: order)
  }

  private func table(of relationship: SchemaRelationship) -> CoreDataBinding.Join? {
    let inverse = relationship.inverse.map { schema.relationships[$0] }
    let found = candidates.compactMap { table -> (join: CoreDataBinding.Join, rank: Int)? in
      let columns = (tables.columns[table] ?? []).map(\.name).filter { Self.isLink($0) }
      guard columns.count == 2 else { return nil }
      return pair(columns, relationship, inverse).map { owner, target, rank in
        let order = Self.order(of: target, in: table, tables)
        return (CoreDataBinding.Join(table: table, owner: owner, target: target, order: order), rank)
      }
    }
    let best = found.map(\.rank).min()
    let all = found.filter { $0.rank == best }
    // Two tables that fit alike are told apart by the table's own name.
    return all.first { isNamed($0.join.table, after: relationship, inverse) }?.join ?? all.first?.join
  }

  private var candidates: [String] {
    tables.columns.keys.filter { name in
      let rest = name.uppercased()
      return rest.hasPrefix("Z_") && (rest.dropFirst(2).first?.isNumber ?? false)
    }.sorted()
  }

  /// The column of the places of targets.
  static func order(of column: String, in table: String, _ tables: CoreDataTables) -> String? {
    tables.column("Z_FOK_\(column.dropFirst(2))", of: table)
  }

  static let reflexive = "REFLEXIVE"

  private static func isLink(_ column: String) -> Bool {
    let rest = column.uppercased()
    return rest == reflexive || rest.hasPrefix("Z_") && (rest.dropFirst(2).first?.isNumber ?? false)
  }

  private typealias Pair = (owner: String, target: String, rank: Int)

  /// Which of two columns points at the owner, and how well they fit: 0 if all is as expected, more where numbers of
  /// entities differ, as those of sub-entities do.
  private func pair(
    _ columns: [String], _ relationship: SchemaRelationship, _ inverse: SchemaRelationship?
  ) -> Pair? {
    let ways = [(columns[0], columns[1]), (columns[1], columns[0])].compactMap { owner, target -> Pair? in
      guard let toTarget = fit(target, relationship.name, relationship.destination) else { return nil }
      if relationship.isItsOwnInverse, owner.uppercased() == Self.reflexive {
        return (owner, target, toTarget)
      }
      guard let inverse else {
        // Without an inverse, the owner's column has a name of Core Data's own.
        return (owner, target, toTarget + 1)
      }
      guard let toOwner = fit(owner, inverse.name, inverse.destination) else { return nil }
      return (owner, target, toTarget + toOwner)
    }
    return ways.min { $0.2 < $1.2 }
  }

  /// How well the name of a column fits a relationship to an entity; nil if it does not.
  private func fit(_ column: String, _ relationship: String, _ destination: Int) -> Int? {
    let rest = column.uppercased().dropFirst(2)
    let digits = rest.prefix { $0.isNumber }
    let name = rest.dropFirst(digits.count)
    let wanted = relationship.uppercased()
    guard name.hasPrefix(wanted), name.dropFirst(wanted.count).allSatisfy(\.isNumber) else { return nil }
    let suffix = name.count > wanted.count ? 1 : 0
    guard let number = Int64(digits) else { return nil }
    let expected = numbers[schema.entities[destination].name]
    return (number == expected ? 0 : 4) + suffix
  }

  private func isNamed(
    _ table: String, after relationship: SchemaRelationship, _ inverse: SchemaRelationship?
  ) -> Bool {
    func name(_ relationship: SchemaRelationship) -> String? {
      numbers[schema.entities[relationship.owner].name].map { "Z_\($0)\(relationship.name.uppercased())" }
    }
    return [name(relationship), inverse.flatMap(name)].contains(table.uppercased())
  }
}

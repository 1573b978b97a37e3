import ObjectModel

/// Lays out a schema, table by table.
struct LayoutBuilder {
  let schema: Schema
  private(set) var tables: [Table] = []
  private(set) var joins: [JoinTable] = []
  private(set) var storage: [RelationshipStorage] = []

  private var tableNames: Names
  private var columnNames: [Names] = []
  private var tableOfRoot: [Int: Int] = [:]
  /// For each table, the column of each attribute by its name and declaring entity.
  private var attributeColumns: [[AttributePlace: Int]] = []

  private struct AttributePlace: Hashable {
    var name: String
    var owner: Int
  }

  /// For each table, the column of attributes that are alike.
  private var sharedColumns: [[AttributeLikeness: Int]] = []

  private struct AttributeLikeness: Hashable {
    var name: String
    var type: AttributeType
  }

  /// By relationship that is a part of an identity, the columns of the target's key.
  private var identityLinks: [Int: [Int]] = [:]

  private let tablePrefix: String
  private let rules: NameRules

  init(_ schema: Schema, tablePrefix: String = "", _ rules: NameRules = .sqlite) {
    self.schema = schema
    self.rules = rules
    self.tablePrefix = tablePrefix
    tableNames = Names(
      reserved: [
        StoreTable.metadata, StoreTable.pending, StoreTable.pending + "_owner_index", StoreTable.journal,
        StoreTable.imports, StoreTable.importNumbers,
      ] + rules.reservedTables, rules)
    for entity in schema.entities where entity.root == entity.index { addTable(for: entity) }
    for entity in schema.entities where entity.isIdentifiedByOthers { addIdentity(to: table(of: entity)) }
    for entity in schema.entities { addAttributes(of: entity) }
    for index in tables.indices { finishKey(of: index) }
    addRelationships()
    for index in tables.indices { addKindValue(to: index) }
    for entity in schema.entities { addIndexes(of: entity) }
    for table in tables.indices { tables[table].search = SearchTable(of: tables[table], &tableNames) }
  }

  // MARK: - Tables and attributes

  private mutating func addTable(for root: SchemaEntity) {
    tableOfRoot[root.index] = tables.count
    let name = tableNames.take(tablePrefix + root.name)
    var table = Table(name: name, sqlName: rules.sqlName(name), root: root.index)
    var names = Names(columns: rules)
    if schema.family(of: root.index).count > 1 {
      table.kindColumn = names.take("_entity")
    }
    tables.append(table)
    columnNames.append(names)
    attributeColumns.append([:])
    sharedColumns.append([:])
  }

  private func table(of entity: SchemaEntity) -> Int { tableOfRoot[entity.root] ?? 0 }

  private mutating func addAttributes(of entity: SchemaEntity) {
    // The identity comes first, as people expect of a table.
    let identity = entity.identityAttributes.map { entity.attributes[$0] }
    for attribute in identity + entity.attributes { add(attribute, to: table(of: entity)) }
  }

  private mutating func add(_ attribute: SchemaAttribute, to table: Int) {
    let place = AttributePlace(name: attribute.name, owner: attribute.owner)
    guard attributeColumns[table][place] == nil else { return }
    // An attribute of a sibling entity, alike in name and type, has a column already.
    let likeness = AttributeLikeness(name: attribute.name, type: attribute.type)
    let column =
      sharedColumns[table][likeness]
      ?? addColumn(attribute.name.replacing(".", with: "_"), attribute.type, to: table)
    sharedColumns[table][likeness] = column
    attributeColumns[table][place] = column
    if attribute.attribute.isSearched { tables[table].columns[column].isSearched = true }
  }

  private mutating func addColumn(_ name: String, _ type: AttributeType, to table: Int) -> Int {
    add(Column(name: columnNames[table].take(name), type: type), to: table)
  }

  private mutating func add(_ column: Column, to table: Int) -> Int {
    tables[table].columns.append(column)
    return tables[table].columns.count - 1
  }

  private mutating func finishKey(of table: Int) {
    let root = schema.entities[tables[table].root]
    if root.hasIdentity {
      tables[table].key = identityColumns(of: root)
    } else if schema.family(of: root.index).contains(where: { schema.entities[$0].hasIdentity }) {
      let key = Column(name: columnNames[table].take("_id"), type: .undefined, holdsMixedKeys: true)
      tables[table].key = [add(key, to: table)]
      tables[table].rowIDColumn = columnNames[table].take("_row")
      tables[table].holdsMixedKeys = true
    } else {
      tables[table].key = [addColumn("_id", .integer64, to: table)]
    }
    for column in tables[table].key { tables[table].columns[column].isKey = true }
    if tables[table].columns.contains(where: \.isSearched), !tables[table].keyIsRowID,
      tables[table].rowIDColumn == nil
    {
      tables[table].rowIDColumn = columnNames[table].take("_row")
    }
  }

  /// The columns that hold an entity's identity.
  private func identityColumns(of entity: SchemaEntity) -> [Int] {
    entity.identity.compactMap { part in
      if let relationship = part.relationship { return identityLinks[relationship]?[part.place] }
      return part.attribute.flatMap { column(ofAttribute: $0, of: entity) }
    }
  }

  private func column(ofAttribute index: Int, of entity: SchemaEntity) -> Int? {
    let attribute = entity.attributes[index]
    return attributeColumns[table(of: entity)][AttributePlace(name: attribute.name, owner: attribute.owner)]
  }

  /// Adds the columns of the identity of a table's root, and before them those of the roots that it leads to, since a
  /// foreign key is made after the key of its target. Identities lead in no circle.
  private mutating func addIdentity(to table: Int) {
    let root = schema.entities[tables[table].root]
    for part in root.identity where part.place == 0 {
      if let attribute = part.attribute { add(root.attributes[attribute], to: table) }
      guard let relationship = part.relationship, identityLinks[relationship] == nil else { continue }
      let target = self.table(of: schema.entities[schema.relationships[relationship].destination])
      addIdentity(to: target)
      identityLinks[relationship] = addForeignKey(
        of: schema.relationships[relationship],
        toKey: identityColumns(of: schema.entities[tables[target].root]))
    }
  }

  private mutating func addKindValue(to table: Int) {
    guard tables[table].kindColumn != nil else { return }
    tables[table].kindValueColumn = addColumn("_kind", .string, to: table)
  }

  // MARK: - Relationships

  private mutating func addRelationships() {
    var result = [RelationshipStorage?](repeating: nil, count: schema.relationships.count)
    for relationship in schema.relationships where result[relationship.index] == nil {
      if let inverse = relationship.inverse, !schema.relationships[inverse].isToMany || !relationship.isToMany
      {
        let holder = foreignKeyHolder(relationship, schema.relationships[inverse])
        let columns = addForeignKey(of: holder)
        result[holder.index] = .foreignKey(columns: columns)
        if let back = holder.inverse, back != holder.index {
          let other = schema.relationships[back]
          result[back] = .inverse(
            columns: columns, order: other.isOrdered ? addOrder(of: other, to: holder) : nil)
        }
      } else if relationship.isToMany {
        let join = addJoin(for: relationship)
        result[relationship.index] = .join(table: join, isForward: true)
        if let inverse = relationship.inverse, inverse != relationship.index {
          result[inverse] = .join(table: join, isForward: false)
        }
      } else {
        result[relationship.index] = .foreignKey(columns: addForeignKey(of: relationship))
      }
    }
    storage = result.compactMap { $0 }
  }

  /// Which of two ends keeps the foreign key: the to-one; of two to-ones the required one, else the first.
  private func foreignKeyHolder(
    _ first: SchemaRelationship, _ second: SchemaRelationship
  ) -> SchemaRelationship {
    if first.isToMany || second.isIdentity { return second }
    if second.isToMany || first.isIdentity { return first }
    return !second.isOptional && first.isOptional ? second : first
  }

  private mutating func addForeignKey(of relationship: SchemaRelationship) -> [Int] {
    let owner = table(of: schema.entities[relationship.owner])
    let target = table(of: schema.entities[relationship.destination])
    let columns =
      identityLinks[relationship.index] ?? addForeignKey(of: relationship, toKey: tables[target].key)
    // The key's own index begins with these columns.
    if !tables[owner].key.starts(with: columns) { addIndex(named: relationship.name, columns, to: owner) }
    return columns
  }

  /// Adds the columns of a foreign key, of the types of the columns that are the target's key.
  private mutating func addForeignKey(of relationship: SchemaRelationship, toKey key: [Int]) -> [Int] {
    let owner = table(of: schema.entities[relationship.owner])
    let target = tables[table(of: schema.entities[relationship.destination])]
    return key.map { part in
      var column = target.columns[part]
      column.isKey = false
      column.isSearched = false
      let name = key.count == 1 ? relationship.name : "\(relationship.name)_\(column.name)"
      column.name = columnNames[owner].take(name, leaving: attributeNames(ofTable: owner))
      return add(column, to: owner)
    }
  }

  /// The names of the columns of a table's attributes.
  private func attributeNames(ofTable table: Int) -> Set<String> {
    let family = schema.family(of: tables[table].root).map { schema.entities[$0] }
    return Set(family.flatMap { $0.attributes.map { $0.name.replacing(".", with: "_").lowercased() } })
  }

  private mutating func addOrder(of list: SchemaRelationship, to holder: SchemaRelationship) -> Int {
    addColumn("\(holder.name)_order", .integer64, to: table(of: schema.entities[holder.owner]))
  }

  private mutating func addJoin(for relationship: SchemaRelationship) -> Int {
    let owner = schema.entities[relationship.owner]
    let target = schema.entities[relationship.destination]
    let inverse = relationship.inverse.map { schema.relationships[$0] }
    var names = Names(columns: rules)
    let ownerColumns = joinColumns(
      prefix: inverse.map { relationship.isItsOwnInverse ? owner.name : $0.name } ?? owner.name,
      keyOf: owner, &names)
    let targetColumns = joinColumns(prefix: relationship.name, keyOf: target, &names)
    let name = tableNames.take("\(tablePrefix)\(owner.name)_\(relationship.name)")
    joins.append(
      JoinTable(
        name: name, sqlName: rules.sqlName(name), inverseIndex: tableNames.take("\(name)_inverse_index"),
        relationship: relationship.index,
        ownerColumns: ownerColumns, targetColumns: targetColumns,
        targetOrder: relationship.isOrdered ? names.take("\(relationship.name)_order") : nil,
        ownerOrder: inverse.flatMap { inverse in
          inverse.isOrdered && !relationship.isItsOwnInverse ? names.take("\(inverse.name)_order") : nil
        },
        isSymmetric: relationship.isItsOwnInverse))
    return joins.count - 1
  }

  private func joinColumns(prefix: String, keyOf entity: SchemaEntity, _ names: inout Names) -> [Column] {
    let table = tables[table(of: entity)]
    return table.key.map { key in
      var column = table.columns[key]
      column.isKey = false
      column.isSearched = false
      column.name = names.take(table.key.count == 1 ? prefix : "\(prefix)_\(column.name)")
      return column
    }
  }

  // MARK: - Indexes

  private mutating func addIndexes(of entity: SchemaEntity) {
    let declared = schema.model.entities[entity.index]
    let table = table(of: entity)
    for attribute in declared.attributes where attribute.isIndexed {
      let columns = columns(of: attribute.name, entity)
      if let column = columns.first, ComparedType(attribute.type) == .json {
        addElementIndex(column, to: table)
      } else {
        addIndex(named: attribute.name, columns, to: table)
      }
    }
    for index in declared.indexes {
      var parts: [TableIndex.Element] = []
      // An index over something that has no column here, a to-many relationship for example, is no use.
      let isUsable = index.elements.allSatisfy { element in
        let columns = columns(of: element.property, entity)
        parts += columns.map { TableIndex.Element(column: $0, isAscending: element.isAscending) }
        return !columns.isEmpty
      }
      guard isUsable else { continue }
      addIndex(named: index.elements.map(\.property).joined(separator: "_"), parts, to: table)
    }
    for names in declared.uniquenessConstraints {
      let columns = names.map { self.columns(of: $0, entity) }
      guard !columns.contains(where: \.isEmpty) else { continue }
      let ascending = columns.joined().map { TableIndex.Element(column: $0, isAscending: true) }
      addIndex(
        named: names.joined(separator: "_"), ascending, to: table,
        uniqueFor: schema.family(of: entity.index))
    }
  }

  private mutating func addElementIndex(_ column: Int, to table: Int) {
    guard !tables[table].elementIndexes.contains(where: { $0.column == column }) else { return }
    tables[table].elementIndexes.append(ElementIndex(of: column, in: tables[table], &tableNames))
  }

  private func columns(of property: String, _ entity: SchemaEntity) -> [Int] {
    let table = table(of: entity)
    if let attribute = entity.attribute(property) {
      let place = AttributePlace(
        name: entity.attributes[attribute].name, owner: entity.attributes[attribute].owner)
      return attributeColumns[table][place].map { [$0] } ?? []
    }
    for index in entity.relationships where schema.relationships[index].name == property {
      if case .foreignKey(let columns) = storage[index] { return columns }
    }
    return []
  }

  private mutating func addIndex(named name: String, _ columns: [Int], to table: Int) {
    addIndex(named: name, columns.map { TableIndex.Element(column: $0, isAscending: true) }, to: table)
  }

  private mutating func addIndex(
    named name: String, _ columns: [TableIndex.Element], to table: Int,
    uniqueFor entities: [Int]? = nil
  ) {
    guard !columns.isEmpty, columns.map(\.column) != tables[table].key else { return }
    let isThere = tables[table].indexes.contains { index in
      index.columns == columns && index.uniqueFor == entities
    }
    guard !isThere else { return }
    tables[table].indexes.append(
      TableIndex(
        name: tableNames.take("\(tables[table].name)_\(name)_index"), columns: columns,
        uniqueFor: entities))
  }

  // MARK: - Entities

  func entityLayout(of entity: SchemaEntity) -> EntityLayout {
    let index = table(of: entity)
    let table = tables[index]
    let columnOfAttribute = entity.attributes.map { attribute in
      attributeColumns[index][AttributePlace(name: attribute.name, owner: attribute.owner)] ?? 0
    }
    var linkColumns: [(relationship: Int, columns: [Int])] = []
    for relationship in entity.relationships {
      if case .foreignKey(let columns) = storage[relationship] { linkColumns.append((relationship, columns)) }
      if let inverse = schema.relationships[relationship].inverse,
        case .inverse(_, let order?) = storage[inverse]
      {
        linkColumns.append((inverse, [order]))
      }
    }
    let mixedKey = entity.isIdentifiedBelowRoot ? table.key : []
    let slots =
      columnOfAttribute + linkColumns.sorted { $0.relationship < $1.relationship }.flatMap(\.columns)
      + mixedKey + [table.kindValueColumn].compactMap(\.self)
    var slotOfColumn = [Int](repeating: -1, count: table.columns.count)
    for (slot, column) in slots.enumerated() { slotOfColumn[column] = slot }
    let identitySlots = identityColumns(of: entity).map { slotOfColumn[$0] }
    return EntityLayout(
      entity: entity, table: index, slots: slots, slotOfColumn: slotOfColumn,
      attributeSlots: columnOfAttribute.map { slotOfColumn[$0] }, identitySlots: identitySlots,
      keySlots: mixedKey.isEmpty ? identitySlots : mixedKey.map { slotOfColumn[$0] },
      kindValueSlot: table.kindValueColumn.map { slotOfColumn[$0] })
  }
}

/// The rules of a database for the names of tables and columns.
package struct NameRules: Sendable {
  /// The most bytes that a name may have.
  package var longest = Int.max
  /// Names that columns cannot have.
  package var reservedColumns = ["rowid", "oid", "_rowid_"]
  /// Names that tables cannot have, beside those of the store's own tables.
  package var reservedTables: [String] = []
  /// The schema of the tables, which statements name them by; nil where the database is the store's alone.
  package var schema: String?

  package static let sqlite = NameRules()

  package init() {}

  /// A name that is too long without its end, with a hash of the whole instead.
  func shortened(_ name: String) -> String {
    guard name.utf8.count > longest else { return name }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    let digits = String(hash, radix: 16)
    // Room for the hash, and for underscores.
    var beginning = name.prefix(longest)
    while beginning.utf8.count > longest - 18 - 4 { beginning.removeLast() }
    return "\(beginning)_\(String(repeating: "0", count: 16 - digits.count) + digits)"
  }
}

/// Names that differ by more than case, since SQLite takes `ID` and `id` for one.
struct Names {
  private var taken: Set<String>
  private let rules: NameRules

  init(reserved: [String], _ rules: NameRules) {
    taken = Set(reserved.map { $0.lowercased() })
    self.rules = rules
  }

  /// The names of a table's columns.
  init(columns rules: NameRules) { self.init(reserved: rules.reservedColumns, rules) }

  /// The name, or the name with underscores behind it if it is taken.
  mutating func take(_ name: String) -> String {
    var name = rules.shortened(name.lowercased().hasPrefix("sqlite_") ? "_" + name : name)
    while !taken.insert(name.lowercased()).inserted { name += "_" }
    return name
  }

  /// The name, or the name with underscores behind it if it is taken or one of those that others are to have.
  mutating func take(_ name: String, leaving others: Set<String>) -> String {
    var name = name
    while others.contains(name.lowercased()) { name += "_" }
    return take(name)
  }

  /// A name that can be taken together with the names that it gives with some suffixes.
  mutating func take(_ name: String, with suffixes: [String]) -> String {
    func all(_ name: String) -> [String] { ([""] + suffixes).map { (name + $0).lowercased() } }
    var name = name
    while !taken.isDisjoint(with: all(name)) { name += "_" }
    taken.formUnion(all(name))
    return name
  }
}

/// A layout that SQLite has no room for, said before it says so in its own words.
package enum StoreLimits {
  /// SQLite has 2,000 columns for what a query gives; of an object it gives the row and the kind besides.
  package static let columns = 1_998
  /// SQLite joins 64 tables.
  static let joinedTables = 60
  /// SQLite reads its list of tables for each that is made, so that many take long.
  package static let tables = 5_000
}

extension Layout {
  /// - Throws: ``StoreError`` for an entity that a table has no room for, and for too many entities.
  func checkLimits() throws(StoreError) {
    let tableCount = tables.count + joins.count
    guard tableCount <= StoreLimits.tables else {
      throw StoreError.invalid(
        "The model needs \(tableCount) tables, for its root entities and its many-to-many relationships. A store has"
          + " room for \(StoreLimits.tables).")
    }
    var links = [Int](repeating: 0, count: tables.count)
    for relationship in schema.relationships {
      guard case .foreignKey(let columns) = self.relationships[relationship.index] else { continue }
      links[entities[relationship.owner].table] += columns.count
    }
    for (index, table) in tables.enumerated() {
      // Whoever reads whole objects asks of each link besides whether its object has arrived.
      let count = table.columns.count + links[index]
      guard count > StoreLimits.columns else { continue }
      let name = schema.entities[table.root].name
      let family = schema.family(of: table.root).count > 1 ? " with its sub-entities" : ""
      throw StoreError.invalid(
        "\(name)\(family) has \(table.columns.count) attributes and to-one relationships. There is room for"
          + " \(StoreLimits.columns), since a query gives at most 2,000 columns; relationships count twice. Split the"
          + " entity.")
    }
  }
}

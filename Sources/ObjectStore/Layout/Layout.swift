package import ObjectModel

/// Where everything in a schema is kept: which table and which columns.
///
/// A table per root entity, a column per attribute; a relationship is a foreign key that holds the identity of
/// its target, or a join table.
package struct Layout: Sendable {
  package let schema: Schema
  /// The rules of the database for names.
  package let names: NameRules
  package let tables: [Table]
  package let joins: [JoinTable]
  /// For each entity of the schema, what of its table concerns it.
  package let entities: [EntityLayout]
  /// For each relationship of the schema, where it is kept.
  package let relationships: [RelationshipStorage]
  /// See ``precedingOwners(of:)``.
  let precedingOwnerColumns: [[[Int]]]

  /// - Parameters:
  ///   - tablePrefix: What the names of tables begin with, for those that a migration has set aside.
  ///   - names: What the database asks of names.
  package init(_ schema: Schema, tablePrefix: String = "", names: NameRules = .sqlite) {
    let builder = LayoutBuilder(schema, tablePrefix: tablePrefix, names)
    (self.schema, self.names) = (schema, names)
    tables = builder.tables
    joins = builder.joins
    relationships = builder.storage
    precedingOwnerColumns = Self.precedingOwnerColumns(schema, builder.storage)
    entities = schema.entities.map { builder.entityLayout(of: $0) }
  }

  /// Whether the targets of a relationship, if they have no identity, are parts of the owner: they live and go
  /// with it. The other way round, the owner would be a part of them.
  package func isPart(_ relationship: SchemaRelationship) -> Bool { Self.isPart(relationship, schema) }

  static func isPart(_ relationship: SchemaRelationship, _ schema: Schema) -> Bool {
    guard let inverse = relationship.inverse else { return true }
    guard !schema.entities[relationship.owner].hasIdentity else { return true }
    // Between two entities without identity, the list is the owner's, or else the end that deletes with the owner, or
    // else the one that is declared first.
    let back = schema.relationships[inverse]
    if relationship.isToMany != back.isToMany { return relationship.isToMany }
    let isCascade = relationship.relationship.deleteRule == .cascade
    if isCascade != (back.relationship.deleteRule == .cascade) { return isCascade }
    return relationship.index <= inverse
  }

  /// Whether the rows of a relationship's targets keep it, so that an owner may wait for them.
  package func isToldByTargets(_ relationship: Int) -> Bool {
    if case .inverse = relationships[relationship] { true } else { false }
  }

  /// A name of a table of the engine's own, with underscores behind it where a table of the model has it.
  package func freeName(_ name: String) -> String {
    var name = name
    while tables.contains(where: { $0.name == name }) || joins.contains(where: { $0.name == name }) {
      name += "_"
    }
    return name
  }

  /// The table of an entity.
  package func table(of entity: Int) -> Table { tables[entities[entity].table] }

  /// The entity with a name.
  ///
  /// - Throws: ``StoreError`` if there is none, with the nearest name.
  package func entity(named name: String) throws -> SchemaEntity {
    guard let found = schema.entity(name) else {
      throw StoreError.unknownEntity(name, nearest: nearestName(to: name, in: schema.entities.map(\.name)))
    }
    return found
  }

  /// The names of the columns that hold the key of the objects of an entity.
  package func keyNames(of entity: SchemaEntity) -> [String] {
    let table = table(of: entity.index)
    return table.key.map { table.columns[$0].name }
  }
}

/// How SQLite keeps the values of a column.
package enum StorageType: Sendable, Hashable {
  case integer
  case real
  case text
  case blob

  package init(_ type: AttributeType) {
    switch type {
    case .boolean, .integer16, .integer32, .integer64: self = .integer
    case .float, .double: self = .real
    case .binary: self = .blob
    case .decimal, .string, .date, .uuid, .uri, .transformable, .composite, .undefined: self = .text
    }
  }
}

/// A column of a table.
package struct Column: Sendable {
  package internal(set) var name: String
  package let type: AttributeType
  /// Whether it is part of the table's key.
  package var isKey = false
  /// Whether it holds keys of objects some of which have an identity and some none: texts, and row ids.
  package var holdsMixedKeys = false
  /// Whether it has a full-text index.
  package var isSearched = false

  package var storage: StorageType { StorageType(type) }
}

/// A table that holds the objects of a root entity and its sub-entities.
package struct Table: Sendable {
  package let name: String
  /// The name as statements have it.
  package let sqlName: String
  package let root: Int
  package var columns: [Column] = []
  /// The columns that say which object a row is, those of the identity or the one made for the purpose.
  package var key: [Int] = []
  /// The column that keeps a row's id, where something has to rely on that and the key is not the row's id: SQLite may
  /// give rows other ids otherwise when it copies the table.
  var rowIDColumn: String?
  /// Whether the keys of some of its objects are made of identities, and of others are row ids, since some sub-entities
  /// have an identity and the root has none.
  package var holdsMixedKeys = false
  /// The column that names the entity of a row, where rows may differ in it.
  package var kindColumn: String?
  /// Where rows may differ in their entity, the column that keeps the value by which the JSON told it, unless an export
  /// writes the same by itself. It does not go by the mapping, which may change when there are rows.
  package var kindValueColumn: Int?
  /// The columns of indexes, each with its name.
  package var indexes: [TableIndex] = []
  /// The indexes of the elements of lists.
  var elementIndexes: [ElementIndex] = []
  /// The full-text index, where attributes are searched.
  package var search: SearchTable?

  /// Whether the key is one integer, which is then SQLite's row id as well.
  package var keyIsRowID: Bool {
    guard key.count == 1, let only = key.first, !holdsMixedKeys else { return false }
    return columns[only].storage == .integer && columns[only].type != .boolean
  }
}

/// An index of a table.
package struct TableIndex: Sendable {
  package let name: String
  package let columns: [Element]
  /// For a uniqueness constraint, the entities it holds for; nil for a plain index.
  package internal(set) var uniqueFor: [Int]?

  package struct Element: Sendable, Hashable {
    package let column: Int
    package let isAscending: Bool
  }
}

/// A table whose rows are links between the objects of two tables.
package struct JoinTable: Sendable {
  package let name: String
  /// The name as statements have it.
  package let sqlName: String
  /// The name of the index that leads from a target to its owners.
  let inverseIndex: String
  /// The relationship whose owner's key comes first.
  package let relationship: Int
  package let ownerColumns: [Column]
  package let targetColumns: [Column]
  /// The place of the target in the owner's list, where that is ordered.
  package let targetOrder: String?
  /// The place of the owner in the target's list, where that is ordered.
  package let ownerOrder: String?
  /// Whether each link is there in both directions, since the relationship is its own inverse.
  package let isSymmetric: Bool

  /// The columns that say which link it is: the keys at its ends.
  package var keyColumns: [Column] { ownerColumns + targetColumns }
}

/// Where a relationship is kept.
package enum RelationshipStorage: Sendable {
  /// In columns of its owner's table that hold the target's key.
  case foreignKey(columns: [Int])
  /// In the columns of its inverse, on the target's table; with the column that keeps the order, if any.
  case inverse(columns: [Int], order: Int?)
  /// In a join table, whose first columns are the owner's if `isForward`.
  case join(table: Int, isForward: Bool)
}

/// The columns of a table that concern one entity.
///
/// A class, since it is passed around for every row, and a copy of a structure would copy each of its arrays.
package final class EntityLayout: Sendable {
  package let entity: SchemaEntity
  package let table: Int
  /// The columns that its objects use, the key's included unless the store makes it up.
  package let slots: [Int]
  /// The place of each column of the table in ``slots``, or -1.
  package let slotOfColumn: [Int]
  /// The slot of each attribute of the entity.
  package let attributeSlots: [Int]
  /// The slots of the values that are its identity.
  package let identitySlots: [Int]
  /// The slots of the table's key: those of the identity, or the one of a key that is made of the identity and the
  /// kind. Empty if the entity has no identity.
  package let keySlots: [Int]
  /// The slot of the table's ``Table/kindValueColumn``.
  package let kindValueSlot: Int?

  init(
    entity: SchemaEntity, table: Int, slots: [Int], slotOfColumn: [Int], attributeSlots: [Int],
    identitySlots: [Int], keySlots: [Int], kindValueSlot: Int?
  ) {
    self.entity = entity
    self.table = table
    self.slots = slots
    self.slotOfColumn = slotOfColumn
    self.attributeSlots = attributeSlots
    self.identitySlots = identitySlots
    self.keySlots = keySlots
    self.kindValueSlot = kindValueSlot
  }

  /// The slots of columns that all belong to this entity.
  package func slots(of columns: [Int]) -> [Int] { columns.map { slotOfColumn[$0] } }
}

extension Layout {
  /// Whether a relationship leads to an entity and may not be left without a target.
  package func isRequired(_ relationship: SchemaRelationship, of entity: SchemaEntity) -> Bool {
    guard relationship.requiresTarget, entity.ancestry.contains(relationship.destination) else {
      return false
    }
    // The rule to do nothing leaves the links as they are.
    return relationship.inverse.map { schema.relationships[$0].relationship.deleteRule } != .noAction
  }

  /// Whether the targets of a relationship live and go with its owner.
  package func leadsToParts(_ relationship: SchemaRelationship) -> Bool {
    !schema.entities[relationship.destination].hasIdentity && isPart(relationship)
  }
}

extension Layout {
  /// Of a list of parts, the foreign keys of the relationships to owners that come before the list's own owner: a
  /// part that several objects have belongs to one of them first. An ordered list comes before one without order,
  /// an owner that the part requires before one that it does not, then the order of the model counts.
  package func precedingOwners(of relationship: SchemaRelationship) -> [[Int]] {
    precedingOwnerColumns[relationship.index]
  }

  /// By relationship, the columns of ``precedingOwners(of:)``.
  static func precedingOwnerColumns(
    _ schema: Schema, _ storage: [RelationshipStorage]
  ) -> [[[Int]]] {
    var result = [[[Int]]](repeating: [], count: schema.relationships.count)
    var byRoot: [Int: [SchemaRelationship]] = [:]
    for relationship in schema.relationships where !schema.entities[relationship.destination].hasIdentity {
      guard case .inverse = storage[relationship.index], relationship.isToMany,
        isPart(relationship, schema)
      else {
        continue
      }
      byRoot[schema.entities[relationship.destination].root, default: []].append(relationship)
    }
    for lists in byRoot.values where lists.count > 1 {
      let ranked = lists.sorted { rank($0, schema) < rank($1, schema) }
      for (place, list) in ranked.enumerated() {
        result[list.index] = ranked.prefix(place).compactMap { other in
          guard case .inverse(let columns, _) = storage[other.index] else { return nil }
          return columns
        }
      }
    }
    return result
  }

  private static func rank(_ list: SchemaRelationship, _ schema: Schema) -> (Int, Int, Int) {
    let isRequired = list.inverse.map { schema.relationships[$0].requiresTarget } ?? false
    return (list.isOrdered ? 0 : 1, isRequired ? 0 : 1, list.index)
  }
}

/// The index of the elements of an attribute that is a list: a table that has the key of an object beside each element.
package struct ElementIndex: Sendable {
  package let name: String
  /// The column of the list.
  let column: Int
  /// The name of its column with the elements.
  let element: String

  init(of column: Int, in table: Table, _ names: inout Names) {
    self.column = column
    name = names.take("\(table.name)_\(table.columns[column].name)_elements", with: IndexTriggers.suffixes)
    var columnNames = Names(
      reserved: ["rowid", "oid", "_rowid_"] + table.key.map { table.columns[$0].name }, .sqlite)
    element = columnNames.take("element")
  }
}

/// The full-text index of a table: a table of SQLite's extension FTS5, which keeps the words and reads the texts from
/// the table itself, through a view.
package struct SearchTable: Sendable {
  package let name: String
  /// The view that gives the texts.
  let content: String
  /// The column of the view that has the row ids.
  let rowID: String
  /// The columns of the table that are searched, and their names in the index.
  let columns: [(column: Int, name: String)]

  /// SQLite's names for the tables that FTS5 keeps the words in, and for what else is called after the index.
  private static let suffixes =
    [
      "_data", "_idx", "_content", "_docsize", "_config", text,
    ] + IndexTriggers.suffixes
  private static let text = "_text"

  /// Nil if no column is searched.
  init?(of table: Table, _ names: inout Names) {
    let searched = table.columns.indices.filter { table.columns[$0].isSearched }
    guard !searched.isEmpty else { return nil }
    name = names.take("\(table.name)_search", with: Self.suffixes)
    content = name + Self.text
    // FTS5 has columns of its own, one of which is called as the table is.
    var columnNames = Names(reserved: ["rowid", "oid", "_rowid_", "rank", name], .sqlite)
    columns = searched.map { ($0, columnNames.take(table.columns[$0].name)) }
    rowID = columnNames.take("_row")
  }

  /// The name in the index of a column of the table; nil if it is not searched.
  func name(of column: String, in table: Table) -> String? {
    columns.first { table.columns[$0.column].name == column }?.name
  }
}

extension Layout {
  /// The full-text index of the objects of an entity; nil if it and its sub-entities have no searched attributes.
  package func search(of entity: SchemaEntity) -> SearchTable? {
    let isSearched = schema.family(of: entity.index).contains { member in
      schema.entities[member].attributes.contains { $0.attribute.isSearched }
    }
    return isSearched ? table(of: entity.index).search : nil
  }

  /// Whether any attribute is searched.
  var hasSearch: Bool { tables.contains { $0.search != nil } }
}

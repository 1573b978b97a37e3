import ObjectModel

/// The keys that change when an object gets another identity: its own, and those that have its key in them, since the
/// identities of their objects name it. Keys of objects that are not there, which others refer to, are among them.
struct KeyChanges {
  struct Change {
    /// Nil for a key of an object that is not there.
    let row: Int64?
    let entity: SchemaEntity
    let old: [SQLValue]
    let new: [SQLValue]
  }

  private let transaction: SQLiteTransaction
  private let first: Change
  /// All of them, the first one first.
  private(set) var all: [Change]

  private var layout: Layout { transaction.layout }

  init(_ first: Change, _ transaction: SQLiteTransaction) throws {
    self.transaction = transaction
    self.first = first
    all = [first]
    for table in layout.tables {
      let places = KeyPlaces(of: first.entity, in: layout.schema.entities[table.root], layout.schema)
      guard table.root != first.entity.root, !places.groups.isEmpty else { continue }
      let present = try presentKeys(table, places)
      all += present
      let known = Set(present.map(\.old))
      for key in try absentKeys(table, places).subtracting(known).sorted(by: Self.precede) {
        all.append(change(of: key, nil, table, places))
      }
    }
  }

  private static func precede(_ first: [SQLValue], _ second: [SQLValue]) -> Bool {
    KeyText.text(of: first) < KeyText.text(of: second)
  }

  private func change(of key: [SQLValue], _ row: Int64?, _ table: Table, _ places: KeyPlaces) -> Change {
    Change(
      row: row, entity: layout.schema.entities[table.root], old: key,
      new: places.replacing(first.old, by: first.new, in: key))
  }

  // MARK: - Finding

  /// The keys of objects that are there.
  private func presentKeys(_ table: Table, _ places: KeyPlaces) throws -> [Change] {
    let names = table.key.map { table.columns[$0].name }
    let statement = try find("rowid, \(SQL.list(names))", in: table.name, names, places, order: "rowid")
    var result: [Change] = []
    while try statement.step() {
      let key = names.indices.map { statement.value($0 + 1) }
      result.append(change(of: key, statement.integer(0), table, places))
    }
    return result
  }

  /// The keys that others refer to, or that the store remembers, be their objects there or not.
  private func absentKeys(_ table: Table, _ places: KeyPlaces) throws -> Set<[SQLValue]> {
    var result: Set<[SQLValue]> = []
    for relationship in layout.schema.relationships
    where layout.schema.entities[relationship.destination].root == table.root && !relationship.isIdentity {
      let (name, columns): (String, [String])
      switch layout.relationships[relationship.index] {
      case .inverse: continue
      case .foreignKey(let own):
        let owner = layout.table(of: relationship.owner)
        (name, columns) = (owner.name, own.map { owner.columns[$0].name })
      case .join(let index, let isForward):
        let join = layout.joins[index]
        (name, columns) = (join.name, JoinSQL(join: join, isForward: isForward).target)
      }
      let statement = try find("DISTINCT \(SQL.list(columns))", in: name, columns, places)
      while try statement.step() { result.insert(columns.indices.map { statement.value($0) }) }
    }
    let root = layout.schema.entities[table.root]
    for text in try rememberedKeys(of: root) {
      guard let key = layout.identity(text, of: root), places.contain(first.old, in: key) else { continue }
      result.insert(key)
    }
    return result
  }

  /// The keys, as text, that references which wait and the journal name.
  private func rememberedKeys(of root: SchemaEntity) throws -> [String] {
    let name = SQL.literal(root.name)
    let statement = try transaction.cached(
      "SELECT DISTINCT \"target\" FROM \(SQL.quoted(StoreTable.pending)) WHERE \"entity\" = \(name)")
    var result: [String] = []
    while try statement.step() { result.append(statement.string(0)) }
    return try result + (transaction.journal()?.keys(of: root) ?? [])
  }

  /// A statement that finds the old key among columns.
  private func find(
    _ selection: String, in table: String, _ columns: [String], _ places: KeyPlaces, order: String? = nil
  ) throws -> PreparedStatement {
    let conditions = places.groups.map { SQL.equal($0.map { columns[$0] }) }
    let statement = try transaction.cached(
      "SELECT \(selection) FROM \(SQL.quoted(table)) WHERE \(conditions.joined(separator: " OR "))"
        + (order.map { " ORDER BY \($0)" } ?? ""))
    for (index, value) in first.old.enumerated() { statement.bind(value, at: index + 1) }
    return statement
  }

  // MARK: - Keys that are taken

  /// Whether an object that keeps its key has one of the new keys.
  func areTaken() throws -> Bool {
    for change in all where change.row != nil { if try holder(of: change) != nil { return true } }
    return false
  }

  /// The row of another object that has the new key of one; nil if there is none.
  func holder(of change: Change) throws -> Int64? {
    let table = layout.table(of: change.entity.index)
    let names = table.key.map { table.columns[$0].name }
    let statement = try transaction.cached(
      "SELECT rowid FROM \(SQL.quoted(table.name)) WHERE \(SQL.equal(names))")
    for (index, value) in change.new.enumerated() { statement.bind(value, at: index + 1) }
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    let row = statement.integer(0)
    return row == change.row ? nil : row
  }
}

/// Where keys of one entity are in those of another.
struct KeyPlaces {
  /// For each time that the key is in the other, the places of its values there.
  let groups: [[Int]]

  init(of entity: SchemaEntity, in other: SchemaEntity, _ schema: Schema) {
    groups = Self.groups(of: entity.root, in: other, schema)
  }

  private static func groups(of root: Int, in other: SchemaEntity, _ schema: Schema) -> [[Int]] {
    var result: [[Int]] = []
    for relationship in other.identityRelationships {
      let places = other.identity.indices.filter { other.identity[$0].relationship == relationship }
      let target = schema.entities[schema.relationships[relationship].destination]
      if target.root == root {
        result.append(places)
      } else {
        // Identities lead in no circle, and only a few steps far.
        result += groups(of: root, in: target, schema).map { $0.map { places[$0] } }
      }
    }
    return result
  }

  /// Whether a key has another in it.
  func contain(_ key: [SQLValue], in other: [SQLValue]) -> Bool {
    groups.contains { $0.map { other[$0] } == key }
  }

  /// A key with another in place of one that is in it.
  func replacing(_ old: [SQLValue], by new: [SQLValue], in key: [SQLValue]) -> [SQLValue] {
    var result = key
    for group in groups where group.map({ key[$0] }) == old {
      for (place, value) in zip(group, new) { result[place] = value }
    }
    return result
  }
}

import Bytes
package import ObjectModel

extension RowWriter {
  /// Gives an object another identity: every link, every reference that waits and the journal follow it.
  ///
  /// - Parameters:
  ///   - row: The object's row.
  ///   - entity: The object's entity, which has an identity.
  ///   - identity: The parts of the new identity, as the store keeps them.
  package func rename(_ row: Int64, of entity: SchemaEntity, to identity: [SQLValue]) throws -> RenameOutcome
  {
    try context.transaction.makeIndexes()
    let key = context.layout.key(ofIdentity: identity, of: entity)
    guard let old = try Renaming.key(ofRow: row, of: entity, context.transaction), old != key else {
      return .renamed(row: row)
    }
    let first = KeyChanges.Change(row: row, entity: entity, old: old, new: key)
    let changes = try KeyChanges(first, context.transaction)
    guard try !changes.areTaken() else { return .taken }
    let result = try apply(first, of: changes) ?? row
    for change in changes.all.dropFirst() {
      _ = try apply(change, of: changes)
      try Renaming(change, context.transaction).moveFormerKey()
    }
    if !context.policy.isLocal {
      try context.transaction.journal()?.forgetFormer(entity, key: KeyText.text(of: key))
    }
    let renaming = Renaming(first, context.transaction)
    if entity.isIdentifiedBelowRoot { try renaming.setIdentity(identity, ofRow: result) }
    try renaming.leaveLists(row: result)
    return .renamed(row: result)
  }

  /// Gives an object another key, which none has, and all that leads to it. Returns its row, if it is there.
  private func apply(_ change: KeyChanges.Change, of changes: KeyChanges) throws -> Int64? {
    let renaming = Renaming(change, context.transaction)
    let row = try change.row.map(renaming.renameRow)
    try renaming.moveLinks()
    try renaming.movePending()
    if let row { try context.noteChange(of: row, entity: change.entity.index) }
    // What waited for an object that is not there may find one under the new key.
    guard let arrived = try row ?? changes.holder(of: change) else { return nil }
    try pendingLinks.connect(
      arrived: KeyText.text(of: change.new), arrived, context.layout.entities[change.entity.index])
    return row
  }

  /// Makes an object the one that has an identity already: that gets its links and the values of some of its
  /// properties, and the object itself goes. So do the objects whose identity names it.
  ///
  /// - Parameter properties: The names of the attributes, and the relationships that the row itself keeps.
  package func merge(
    _ row: Int64, of entity: SchemaEntity, into identity: [SQLValue], taking properties: Set<String>
  ) throws {
    let key = context.layout.key(ofIdentity: identity, of: entity)
    guard let old = try Renaming.key(ofRow: row, of: entity, context.transaction) else { return }
    let first = KeyChanges.Change(row: row, entity: entity, old: old, new: key)
    let changes = try KeyChanges(first, context.transaction)
    guard let target = try changes.holder(of: first) else { return }
    try merge(first, row, into: target, taking: properties)
    for change in changes.all.dropFirst() {
      try Renaming(change, context.transaction).moveFormerKey()
      if let row = change.row, let target = try changes.holder(of: change) {
        try merge(change, row, into: target, taking: try unsentProperties(of: change))
      } else {
        _ = try apply(change, of: changes)
      }
    }
  }

  private func merge(
    _ change: KeyChanges.Change, _ row: Int64, into target: Int64, taking properties: Set<String>
  ) throws {
    let renaming = Renaming(change, context.transaction)
    let values = try renaming.values(of: properties, ofRow: row)
    try renaming.moveLinks()
    try renaming.movePending()
    try renaming.remove(row)
    try renaming.set(values, ofRow: target)
    try context.noteChange(of: target, entity: change.entity.index)
  }

  /// The properties of an object that the server has not been told of.
  private func unsentProperties(of change: KeyChanges.Change) throws -> Set<String> {
    let entry = try context.transaction.journal()?.entry(of: change.entity, key: KeyText.text(of: change.old))
    return Set((entry?.properties ?? [:]).keys)
  }
}

/// The statements that give an object another identity.
private struct Renaming {
  private let entity: SchemaEntity
  private let old: [SQLValue]
  private let key: [SQLValue]
  private let transaction: SQLiteTransaction
  private let table: Table

  private var layout: Layout { transaction.layout }
  private var keyNames: [String] { table.key.map { table.columns[$0].name } }

  init(_ change: KeyChanges.Change, _ transaction: SQLiteTransaction) {
    entity = change.entity
    old = change.old
    key = change.new
    self.transaction = transaction
    table = transaction.layout.table(of: entity.index)
  }

  /// The key of the object in a row; nil if there is none.
  static func key(
    ofRow row: Int64, of entity: SchemaEntity, _ transaction: SQLiteTransaction
  ) throws -> [SQLValue]? {
    let table = transaction.layout.table(of: entity.index)
    let names = SQL.list(table.key.map { table.columns[$0].name })
    let statement = try transaction.cached(
      "SELECT \(names) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1")
    statement.bind(row, at: 1)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return table.key.indices.map { statement.value($0) }
  }

  /// The columns of properties that the row keeps itself, and their values.
  func values(of properties: Set<String>, ofRow row: Int64) throws -> [(column: String, value: SQLValue)] {
    let place = layout.entities[entity.index]
    var columns = entity.attributes.indices
      .filter { properties.contains(entity.attributes[$0].name) && !entity.identityAttributes.contains($0) }
      .map { place.slots[place.attributeSlots[$0]] }
    for index in entity.relationships where properties.contains(layout.schema.relationships[index].name) {
      if case .foreignKey(let own) = layout.relationships[index] { columns += own }
    }
    guard !columns.isEmpty else { return [] }
    let names = columns.map { table.columns[$0].name }
    let statement = try transaction.prepare(
      "SELECT \(SQL.list(names)) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1")
    statement.bind(row, at: 1)
    guard try statement.step() else { return [] }
    defer { statement.reset() }
    return names.enumerated().map { ($1, statement.value($0)) }
  }

  func set(_ values: [(column: String, value: SQLValue)], ofRow row: Int64) throws {
    guard !values.isEmpty else { return }
    let settings = values.enumerated().map { "\(SQL.quoted($1.column)) = ?\($0 + 2)" }
    let update = try transaction.prepare(
      "UPDATE \(SQL.quoted(table.name)) SET \(settings.joined(separator: ", ")) WHERE rowid = ?1")
    update.bind(row, at: 1)
    bind(values.map(\.value), to: update, from: 2)
    try update.run()
  }

  func remove(_ row: Int64) throws {
    let removal = try transaction.cached("DELETE FROM \(SQL.quoted(table.name)) WHERE rowid = ?1")
    removal.bind(row, at: 1)
    try removal.run()
  }

  /// Changes the row itself, whose new key no other row has. Returns its row id.
  func renameRow(_ row: Int64) throws -> Int64 {
    let name = SQL.quoted(table.name)
    let settings = keyNames.enumerated().map { "\(SQL.quoted($1)) = ?\($0 + 2)" }.joined(separator: ", ")
    let update = try transaction.cached("UPDATE \(name) SET \(settings) WHERE rowid = ?1")
    update.bind(row, at: 1)
    bind(key, to: update, from: 2)
    try update.run()
    guard table.keyIsRowID, case .integer(let new)? = key.first else { return row }
    return new
  }

  /// Sets the attributes of the identity, which the key is only made of.
  func setIdentity(_ identity: [SQLValue], ofRow row: Int64) throws {
    let place = layout.entities[entity.index]
    let settings = place.identitySlots.enumerated().map { part, slot in
      "\(SQL.quoted(table.columns[place.slots[slot]].name)) = ?\(part + 2)"
    }
    let update = try transaction.cached(
      "UPDATE \(SQL.quoted(table.name)) SET \(settings.joined(separator: ", ")) WHERE rowid = ?1")
    update.bind(row, at: 1)
    bind(identity, to: update, from: 2)
    try update.run()
  }

  /// Takes away the places that the object has in the lists of owners that it has no more, which its key named.
  func leaveLists(row: Int64) throws {
    for index in entity.identityRelationships {
      guard case .foreignKey(let columns) = layout.relationships[index],
        let inverse = layout.schema.relationships[index].inverse,
        case .inverse(_, let order?) = layout.relationships[inverse],
        columns.compactMap(table.key.firstIndex).contains(where: { old[$0] != key[$0] })
      else { continue }
      let update = try transaction.cached(
        "UPDATE \(SQL.quoted(table.name)) SET \(SQL.quoted(table.columns[order].name)) = NULL WHERE rowid = ?1"
      )
      update.bind(row, at: 1)
      try update.run()
    }
  }

  /// Has all foreign keys and links that lead to the object lead to its new key, but for those that are a part of
  /// other keys; see ``KeyChanges``.
  func moveLinks() throws {
    let root = entity.root
    for relationship in layout.schema.relationships where !relationship.isIdentity {
      let leadsHere = layout.schema.entities[relationship.destination].root == root
      switch layout.relationships[relationship.index] {
      case .foreignKey(let columns) where leadsHere:
        let owner = layout.table(of: relationship.owner)
        let names = columns.map { owner.columns[$0].name }
        // Of a one-to-one, the object that waited for the new key gives way.
        if let inverse = relationship.inverse, !layout.schema.relationships[inverse].isToMany {
          let nulls = names.map { "\(SQL.quoted($0)) = NULL" }.joined(separator: ", ")
          let release = try transaction.cached(
            "UPDATE \(SQL.quoted(owner.name)) SET \(nulls) WHERE \(SQL.equal(names)) AND EXISTS (SELECT 1 FROM"
              + " \(SQL.quoted(owner.name)) WHERE \(SQL.equal(names, from: names.count + 1)))")
          bind(key + old, to: release, from: 1)
          try release.run()
        }
        try move(names, in: owner.name)
      case .join(let index, let isForward):
        let join = JoinSQL(join: layout.joins[index], isForward: isForward)
        if leadsHere { try move(join.target, in: layout.joins[index].name, mayBeThere: true) }
        if layout.schema.entities[relationship.owner].root == root {
          try move(join.owner, in: layout.joins[index].name, mayBeThere: true)
        }
      case .foreignKey, .inverse: break
      }
    }
  }

  /// - Parameter mayBeThere: Whether rows with the new key may be there already; then the old ones go.
  private func move(
    _ names: [String], in table: String, mayBeThere: Bool = false
  ) throws {
    let settings = names.enumerated().map { "\(SQL.quoted($1)) = ?\($0 + 1)" }.joined(separator: ", ")
    let update = try transaction.cached(
      "UPDATE \(mayBeThere ? "OR IGNORE " : "")\(SQL.quoted(table)) SET \(settings)"
        + " WHERE \(SQL.equal(names, from: names.count + 1))")
    bind(key + old, to: update, from: 1)
    try update.run()
    guard mayBeThere else { return }
    let rest = try transaction.cached("DELETE FROM \(SQL.quoted(table)) WHERE \(SQL.equal(names))")
    bind(old, to: rest, from: 1)
    try rest.run()
  }

  /// Has what the object waits for, what waits for one of its kind, and its entry in the journal follow.
  func movePending() throws {
    let (from, to) = (KeyText.text(of: old), KeyText.text(of: key))
    let pending = SQL.quoted(StoreTable.pending)
    let root = layout.schema.entities[entity.root].name
    let names = layout.schema.relationships.filter { layout.schema.entities[$0.owner].root == entity.root }
      .map { SQL.literal(PendingLinkStore.name(of: $0, layout)) }
    if !names.isEmpty {
      try run(
        "UPDATE OR REPLACE \(pending) SET \"owner\" = ?1"
          + " WHERE \"owner\" = ?2 AND \"relationship\" IN (\(names.joined(separator: ", ")))", to, from)
    }
    try run(
      "UPDATE OR REPLACE \(pending) SET \"target\" = ?1 WHERE \"target\" = ?2 AND \"entity\" = \(SQL.literal(root))",
      to, from)
    try transaction.journal()?.rename(entity, key: from, to: to)
  }

  /// Has the keys follow under which the server knows objects whose keys name one that was renamed.
  func moveFormerKey() throws {
    try transaction.journal()?.renameFormer(entity, key: KeyText.text(of: old), to: KeyText.text(of: key))
  }

  private func run(_ sql: String, _ first: String, _ second: String) throws {
    let statement = try transaction.cached(sql)
    statement.bind(first, at: 1)
    statement.bind(second, at: 2)
    try statement.run()
  }

  private func bind(_ values: [SQLValue], to statement: PreparedStatement, from first: Int) {
    for (index, value) in values.enumerated() { statement.bind(value, at: first + index) }
  }
}

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

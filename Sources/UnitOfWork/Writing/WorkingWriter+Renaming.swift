package import ObjectModel
package import ObjectStore

/// Giving objects other identities.
extension WorkingWriter {
  package func rename(_ row: Int64, of entity: SchemaEntity, to identity: [SQLValue]) throws -> RenameOutcome
  {
    try transaction.lock([entity.index])
    try settleBulkRows()
    let table = state.tableIndex(of: entity.index)
    let place = RowLocation(table: table, row: row)
    let new = RowKey(layout.key(ofIdentity: identity, of: entity), Value.init)
    let old = state.key(of: place)
    guard state.object(place) != nil, old != new else { return .renamed(row: row) }
    let changes = try keyChanges(entity, old, new)
    for change in changes where change.table != table || change.old != old {
      if state.tables[change.table].find(change.old) != nil,
        state.tables[change.table].find(change.new) != nil
      {
        return .taken
      }
    }
    guard state.tables[table].find(new) == nil else { return .taken }
    var result = row
    for change in changes {
      let renamed = setKey(change)
      try moveEntry(change)
      if change.table != table { try moveFormerKey(change) }
      if change.table == table, let renamed { result = renamed }
    }
    if !policy.isLocal { try journal?.forgetFormer(entity, key: new.keyText) }
    if entity.isIdentifiedBelowRoot {
      setIdentity(of: RowLocation(table: table, row: result), entity, identity)
    }
    leaveLists(RowLocation(table: table, row: result), entity, old, new)
    return .renamed(row: result)
  }

  private func setIdentity(of place: RowLocation, _ entity: SchemaEntity, _ identity: [SQLValue]) {
    let model = layout.entities[entity.index]
    state.tables[place.table].update(place.row) { object in
      for (slot, part) in zip(model.identitySlots, identity) {
        object.values[model.slots[slot]] = Value(part)
      }
    }
  }

  /// Takes away the places that an object has in the lists of owners that its key no longer names.
  private func leaveLists(_ place: RowLocation, _ entity: SchemaEntity, _ old: RowKey, _ new: RowKey) {
    let key = layout.tables[place.table].key
    for index in entity.identityRelationships {
      guard case .foreignKey(let columns) = layout.relationships[index],
        let inverse = state.relationship(index).inverse,
        case .inverse(_, let order?) = layout.relationships[inverse],
        columns.compactMap(key.firstIndex).contains(where: { old[$0] != new[$0] })
      else { continue }
      state.tables[place.table].update(place.row) { $0.values[order] = .null }
    }
  }

  // MARK: - Keys that change with others

  struct KeyChange {
    let table: Int
    let old: RowKey
    let new: RowKey
  }

  /// The new keys of an object and of all, be they there or not, whose identity names it.
  func keyChanges(_ entity: SchemaEntity, _ old: RowKey, _ new: RowKey) throws -> [KeyChange] {
    var result = [KeyChange(table: state.tableIndex(of: entity.index), old: old, new: new)]
    for (table, described) in layout.tables.enumerated() where described.root != entity.root {
      let root = layout.schema.entities[described.root]
      guard names(root, entity.root) else { continue }
      var keys: Set<RowKey> = Set(objects(in: table).map(state.tables[table].key))
      for relationship in layout.schema.relationships
      where layout.schema.entities[relationship.destination].root == described.root {
        keys.formUnion(referredKeys(by: relationship))
      }
      keys.formUnion(try journalKeys(of: root))
      for key in keys.sorted(by: { $0.keyText < $1.keyText }) where !key.hasNull {
        let changed = replaced(key, of: root, entity.root, old, new)
        if changed != key { result.append(KeyChange(table: table, old: key, new: changed)) }
      }
    }
    return result
  }

  /// Whether the identity of an entity names objects of a root entity, or such as name these.
  private func names(_ entity: SchemaEntity, _ root: Int) -> Bool {
    entity.identityRelationships.contains { index in
      let target = layout.schema.entities[state.relationship(index).destination]
      return target.root == root || target.index != entity.index && names(target, root)
    }
  }

  private var journal: Journal? {
    get throws { try (transaction as? any StoreTransaction)?.journal() }
  }

  /// The keys of a root entity that the journal names.
  private func journalKeys(of root: SchemaEntity) throws -> [RowKey] {
    let table = layout.table(of: root.index)
    return try (journal?.keys(of: root) ?? []).compactMap { RowKey(text: $0, of: table) }
  }

  /// Has an object's entry in the journal follow.
  func moveEntry(_ change: KeyChange) throws {
    let root = layout.schema.entities[layout.tables[change.table].root]
    try journal?.rename(root, key: change.old.keyText, to: change.new.keyText)
  }

  /// Has the keys follow under which the server knows objects whose keys name one that was renamed.
  func moveFormerKey(_ change: KeyChange) throws {
    let root = layout.schema.entities[layout.tables[change.table].root]
    try journal?.renameFormer(root, key: change.old.keyText, to: change.new.keyText)
  }

  private func objects(in table: Int) -> [StoredRow] {
    state.tables[table].all.compactMap { state.tables[table][$0] }
  }

  private func referredKeys(by relationship: SchemaRelationship) -> [RowKey] {
    let table = layout.table(of: relationship.destination)
    let waiting = state.waiting.all.filter { $0.link.relationship == relationship.index }.compactMap {
      _, link in
      RowKey(text: link.target, of: table)
    }
    switch layout.relationships[relationship.index] {
    case .inverse: return waiting
    case .foreignKey(let columns):
      return waiting
        + objects(in: state.tableIndex(of: relationship.owner)).map { object in
          RowKey(columns) { object.values[$0] }
        }
    case .join(let index, let isForward):
      return waiting + state.joins[index].allKeys(isForward ? 1 : 0)
    }
  }

  /// A key of an entity with another in place of one that is in it.
  private func replaced(
    _ key: RowKey, of entity: SchemaEntity, _ root: Int, _ old: RowKey, _ new: RowKey
  ) -> RowKey {
    if entity.root == root { return key == old ? new : key }
    var result = Array(key)
    for index in entity.identityRelationships {
      let places = entity.identity.indices.filter { entity.identity[$0].relationship == index }
      let target = layout.schema.entities[state.relationship(index).destination]
      let inner = replaced(RowKey(places) { key[$0] }, of: target, root, old, new)
      for (place, part) in zip(places, inner) { result[place] = part }
    }
    return RowKey(result)
  }

  /// Gives an object another key, with all that leads to it. Returns its row, if it is there.
  func setKey(_ change: KeyChange) -> Int64? {
    let (table, root) = (layout.tables[change.table], layout.tables[change.table].root)
    var row = state.tables[change.table].find(change.old)
    if let found = row {
      state.tables[change.table].update(found) { object in
        for (column, part) in zip(table.key, change.new) { object.values[column] = part }
      }
      if table.keyIsRowID, case .integer(let key)? = change.new.first {
        state.tables[change.table].move(found, to: key)
        row = key
      }
    }
    for relationship in layout.schema.relationships where !relationship.isIdentity {
      moveLinks(of: relationship, change.old, change.new, root: root)
    }
    movePending(change.old.keyText, change.new.keyText, root: root)
    guard let arrived = row ?? state.tables[change.table].find(change.new),
      let object = state.tables[change.table][arrived]
    else { return nil }
    let place = RowLocation(table: change.table, row: arrived)
    if row != nil { noteChange(of: place) }
    connect(change.new.keyText, place, layout.schema.entities[object.entity], said: [:], batchRow: nil)
    return row
  }

  // MARK: - What leads to an object

  /// Has the links of a relationship that lead to an object lead to its new key.
  func moveLinks(of relationship: SchemaRelationship, _ old: RowKey, _ new: RowKey, root: Int) {
    let leadsHere = layout.schema.entities[relationship.destination].root == root
    switch layout.relationships[relationship.index] {
    case .foreignKey(let columns) where leadsHere:
      let table = state.tableIndex(of: relationship.owner)
      let owners = state.tables[table].rows(where: columns, are: old)
      let isOneToOne = relationship.inverse.map { !state.relationship($0).isToMany } ?? false
      // Of a one-to-one, the object that waited for the new key gives way.
      if isOneToOne, !owners.isEmpty { clearReferences(columns, table, new) }
      for owner in owners {
        state.tables[table].update(owner) { object in
          for (column, part) in zip(columns, new) { object.values[column] = part }
        }
      }
    case .join(let index, let isForward):
      if leadsHere { state.joins[index].rename(old, to: new, isForward ? 1 : 0) }
      if layout.schema.entities[relationship.owner].root == root {
        state.joins[index].rename(old, to: new, isForward ? 0 : 1)
      }
    case .foreignKey, .inverse: break
    }
  }

  private func clearReferences(_ columns: [Int], _ table: Int, _ key: RowKey) {
    for row in state.tables[table].rows(where: columns, are: key) {
      state.tables[table].update(row) { object in for column in columns { object.values[column] = .null } }
    }
  }

  /// Has what the object waits for, and what waits for one of its kind, follow.
  func movePending(_ old: String, _ new: String, root: Int) {
    for relationship in layout.schema.relationships
    where layout.schema.entities[relationship.owner].root == root {
      for (row, _) in state.waiting.links(of: relationship.index, old) {
        state.waiting.update(row) { $0.owner = new }
      }
    }
    for (row, link) in state.waiting.links(to: old) {
      let destination = state.relationship(link.relationship).destination
      guard layout.schema.entities[destination].root == root else { continue }
      state.waiting.update(row) { $0.target = new }
    }
  }
}

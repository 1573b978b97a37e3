package import ObjectModel
package import ObjectStore

/// The keys of the identity map's rows, and what leads to them.
extension WorkingRows {
  // MARK: - Finding

  package func key(of place: RowLocation) -> [SQLValue]? {
    state.object(place).map { state.tables[place.table].key($0).map(\.sql) }
  }

  package func row(withKey key: [SQLValue], inTable table: Int) -> Int64? {
    state.tables[table].find(RowKey(key, Value.init))
  }

  package func objects(
    inTable table: Int, naming key: [SQLValue], at places: KeyPlaces
  ) -> [(row: Int64, key: [SQLValue])] {
    state.tables[table].all.compactMap { row in
      guard let object = state.tables[table][row] else { return nil }
      let own = state.tables[table].key(object).map(\.sql)
      return places.contain(key, in: own) ? (row, own) : nil
    }
  }

  package func targetKeys(
    of relationship: SchemaRelationship, naming key: [SQLValue], at places: KeyPlaces
  ) -> [[SQLValue]] {
    let keys: [RowKey]
    switch layout.relationships[relationship.index] {
    case .inverse: return []
    case .foreignKey(let columns):
      let table = state.tableIndex(of: relationship.owner)
      keys = state.tables[table].all.compactMap { row in
        state.tables[table][row].map { object in RowKey(columns) { object.values[$0] } }
      }
    case .join(let index, let isForward): keys = state.joins[index].all.map { $0.keys[isForward ? 1 : 0] }
    }
    return keys.filter { !$0.hasNull }.map { $0.map(\.sql) }.filter { places.contain(key, in: $0) }
  }

  package func awaitedKeys(of root: SchemaEntity) -> [String] {
    state.waiting.all.map(\.link)
      .filter { layout.schema.entities[state.relationship($0.relationship).destination].root == root.index }
      .map(\.target)
  }

  package func journal() throws -> Journal? { try (transaction as? any StoreTransaction)?.journal() }

  // MARK: - Changing

  package func setKey(of place: RowLocation, to key: [SQLValue]) -> Int64 {
    let table = layout.tables[place.table]
    setValues(key, of: table.key, in: place)
    guard table.keyIsRowID, case .integer(let row)? = key.first else { return place.row }
    state.tables[place.table].move(place.row, to: row)
    return row
  }

  package func values(of columns: [Int], in place: RowLocation) -> [SQLValue] {
    columns.map { state.object(place)?.values[$0].sql ?? .null }
  }

  package func setValues(_ values: [SQLValue], of columns: [Int], in place: RowLocation) {
    guard !columns.isEmpty else { return }
    state.tables[place.table].update(place.row) { object in
      for (column, value) in zip(columns, values) { object.values[column] = Value(value) }
    }
  }

  package func removeRow(_ place: RowLocation) { state.tables[place.table].remove(place.row) }

  // MARK: - What leads to a key

  package func moveLinks(_ change: KeyChange) {
    let (old, new) = (RowKey(change.old, Value.init), RowKey(change.new, Value.init))
    for relationship in layout.schema.relationships where !relationship.isIdentity {
      let leadsHere = layout.schema.entities[relationship.destination].root == change.root.index
      switch layout.relationships[relationship.index] {
      case .foreignKey(let columns) where leadsHere: moveReferences(of: relationship, columns, old, new)
      case .join(let index, let isForward):
        if leadsHere { state.joins[index].rename(old, to: new, isForward ? 1 : 0) }
        if layout.schema.entities[relationship.owner].root == change.root.index {
          state.joins[index].rename(old, to: new, isForward ? 0 : 1)
        }
      case .foreignKey, .inverse: break
      }
    }
  }

  private func moveReferences(
    of relationship: SchemaRelationship, _ columns: [Int], _ old: RowKey, _ new: RowKey
  ) {
    let table = state.tableIndex(of: relationship.owner)
    let owners = state.tables[table].rows(where: columns, are: old)
    let isOneToOne = relationship.inverse.map { !state.relationship($0).isToMany } ?? false
    // Of a one-to-one, the object that waited for the new key gives way.
    if isOneToOne, !owners.isEmpty { clear(columns, of: relationship.owner, new) }
    for owner in owners {
      state.tables[table].update(owner) { object in
        for (column, part) in zip(columns, new) { object.values[column] = part }
      }
    }
  }

  package func movePending(_ change: KeyChange) {
    for relationship in layout.schema.relationships
    where layout.schema.entities[relationship.owner].root == change.root.index {
      for (row, _) in state.waiting.links(of: relationship.index, change.oldText) {
        state.waiting.update(row) { $0.owner = change.newText }
      }
    }
    for (row, link) in state.waiting.links(to: change.oldText) {
      let destination = state.relationship(link.relationship).destination
      guard layout.schema.entities[destination].root == change.root.index else { continue }
      state.waiting.update(row) { $0.target = change.newText }
    }
  }
}

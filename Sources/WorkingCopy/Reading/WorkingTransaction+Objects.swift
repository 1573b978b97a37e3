package import ObjectModel
package import ObjectStore

/// Objects by their rows and keys.
extension WorkingTransaction {
  package func key(ofRow row: Int64, in table: Table) throws -> String? {
    let index = state.tableIndex(of: table.root)
    return state.tables[index][row].map { state.tables[index].key($0).keyText }
  }

  package func row(of entity: SchemaEntity, key: String) throws -> Int64? {
    let table = layout.table(of: entity.index)
    guard let parts = KeyText.split(key, count: table.key.count) else { return nil }
    let values = zip(table.key, parts).map { Value(stored: $1, in: table.columns[$0]) }
    return state.tables[state.tableIndex(of: entity.index)].find(values)
  }

  package func cells(ofRow row: Int64, in table: Table) throws -> [SQLValue] {
    state.tables[state.tableIndex(of: table.root)][row]?.values.map(\.sql) ?? []
  }

  package func hasTarget(of relationship: SchemaRelationship, row: Int64) throws -> Bool {
    let place = Place(table: state.tableIndex(of: relationship.owner), row: row)
    return !state.places(of: relationship, place).isEmpty
  }

  /// The keys that a relationship of the object in a row leads to, be their objects there or not.
  package func linkedKeys(of relationship: SchemaRelationship, row: Int64) throws -> [[SQLValue]] {
    let owner = Place(table: state.tableIndex(of: relationship.owner), row: row)
    var links = state.targets(of: relationship, owner).map { (key: $0.key.map(\.sql), place: $0.place) }
    guard case .inverse(_, let order) = layout.relationships[relationship.index] else { return links.map(\.key) }
    let target = layout.table(of: relationship.destination)
    let waiting = state.waiting.links(of: relationship.index, state.key(of: owner).keyText).map(\.link)
    for link in waiting.sorted(by: Self.comesBefore) {
      guard let parts = KeyText.split(link.target, count: target.key.count) else { continue }
      let key = zip(target.key, parts).map { Value(stored: $1, in: target.columns[$0]).sql }
      // What waits has its place among those that are there.
      let next = link.place.flatMap { place in links.firstIndex { $0.place ?? .max > place } }
      links.insert((key, link.place), at: order == nil ? links.count : next ?? links.count)
    }
    return links.map(\.key)
  }

  private static func comesBefore(_ left: WaitingLink, _ right: WaitingLink) -> Bool {
    isBefore((left.place, [Value(text: left.target)]), (right.place, [Value(text: right.target)]))
  }
}

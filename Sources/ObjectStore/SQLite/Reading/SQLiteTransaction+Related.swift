package import ObjectModel

extension SQLiteTransaction {
  /// Whether a relationship of the object in a row leads to an object that is there.
  package func hasTarget(of relationship: SchemaRelationship, row: Int64) throws -> Bool {
    let sql = RelationshipSQL(layout: layout, relationship: relationship)
      .targetRows(
        from: layout.table(of: relationship.owner), to: layout.table(of: relationship.destination))
    let statement = try cached(sql)
    statement.bind(row, at: 1)
    guard try statement.step() else { return false }
    statement.reset()
    return true
  }

  /// The keys that a relationship of the object in a row leads to, be their objects there or not.
  package func linkedKeys(of relationship: SchemaRelationship, row: Int64) throws -> [[SQLValue]] {
    let sql = RelationshipSQL(layout: layout, relationship: relationship)
    guard case .inverse(_, let order) = layout.relationships[relationship.index] else {
      let statement = try prepare(sql.keys)
      statement.bind(row, at: 1)
      var keys: [[SQLValue]] = []
      while try statement.step() { keys.append((0..<statement.columnCount).map { statement.value($0) }) }
      return keys
    }
    let target = layout.table(of: relationship.destination)
    let width = target.key.count
    var links: [(key: [SQLValue], place: Int64?)] = []
    let statement = try prepare(sql.keysAndPlaces)
    statement.bind(row, at: 1)
    while try statement.step() {
      let place = order == nil || statement.isNull(width) ? nil : statement.integer(width)
      links.append(((0..<width).map { statement.value($0) }, place))
    }
    let owner = try KeyText.ofRow(row, in: layout.table(of: relationship.owner), self)
    let waiting = try PendingLinkStore(self).waiting(relationship, owner: owner)
    for (text, place) in waiting {
      guard let parts = KeyText.split(text, count: width) else { continue }
      let key = zip(target.key, parts).map {
        target.columns[$0].storage == .integer ? Self.integer($1) : SQLValue.text($1)
      }
      // What waits has its place among those that are there.
      let next = place.flatMap { place in links.firstIndex { $0.place ?? .max > place } }
      links.insert((key, place), at: order == nil ? links.count : next ?? links.count)
    }
    return links.map(\.key)
  }

  private static func integer(_ text: String) -> SQLValue { Int64(text).map(SQLValue.integer) ?? .text(text) }
}

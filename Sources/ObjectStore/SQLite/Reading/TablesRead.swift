import ObjectModel

/// Which tables a statement reads.
extension SQLiteTransaction {
  /// The object tables that a statement reads, by their indexes. The tables at both ends of a join table are among them,
  /// since a link is what their objects have; so is the table of an index that is read.
  func tablesRead(by sql: String) throws -> Set<Int> {
    let names = try cache.authorizer.access(of: sql, on: connection).reads
    var result: Set<Int> = []
    for (index, table) in layout.tables.enumerated() {
      let own = [table.name] + table.elementIndexes.map(\.name) + (table.search.map { [$0.name] } ?? [])
      if own.contains(where: names.contains) { result.insert(index) }
    }
    for join in layout.joins where names.contains(join.name) {
      let relationship = layout.schema.relationships[join.relationship]
      result.insert(layout.entities[relationship.owner].table)
      result.insert(layout.entities[relationship.destination].table)
    }
    return result
  }
}

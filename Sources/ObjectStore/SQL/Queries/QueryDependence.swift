package import ObjectModel

/// What a query depends on.
package struct QueryDependence {
  /// The tables that it reads, by their indexes.
  package var tables: Set<Int>
  /// Whether it may depend on other objects of its own table than those that it gives.
  package var readsOthers: Bool

  package init(tables: Set<Int>, readsOthers: Bool) {
    (self.tables, self.readsOthers) = (tables, readsOthers)
  }

  /// What a statement depends on that was made for a query of an entity, by the names of its tables.
  package init(of sql: String, _ entity: SchemaEntity, _ layout: Layout) {
    tables = []
    func reads(_ name: String) -> Bool {
      sql.contains("FROM \(name)") || sql.contains("JOIN \(name)")
    }
    for (index, table) in layout.tables.enumerated()
    where reads(table.sqlName) || table.elementIndexes.contains(where: { reads(SQL.quoted($0.name)) }) {
      tables.insert(index)
    }
    for join in layout.joins where reads(join.sqlName) {
      let relationship = layout.schema.relationships[join.relationship]
      tables.insert(layout.entities[relationship.owner].table)
      tables.insert(layout.entities[relationship.destination].table)
    }
    // What names the table twice looks at it twice; what only seems to is read once too often.
    readsOthers = sql.ranges(of: layout.table(of: entity.index).sqlName).count > 1
  }
}

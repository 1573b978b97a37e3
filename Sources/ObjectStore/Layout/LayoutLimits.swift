import ObjectModel

/// What SQLite has no room for, said before it says so in its own words.
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

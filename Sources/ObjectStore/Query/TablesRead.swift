import ObjectModel

/// Which tables a statement reads.
extension StoreTransaction {
  /// The object tables that a query reads. The tables at both ends of a join table are among them, since a link is
  /// what their objects have.
  package func tablesRead(by query: (sql: String, arguments: [SQLValue])) throws -> Set<Int> {
    let names = try namesByRootPage()
    let program = try prepare(("EXPLAIN " + query.sql, query.arguments))
    var result: Set<Int> = []
    while try program.step() {
      // A full-text index has no page of its own, and is named in quotes by who searches it.
      if program.string(1) == "VOpen" {
        result.formUnion(
          layout.tables.indices.filter { index in
            layout.tables[index].search.map { query.sql.contains(SQL.quoted($0.name)) } ?? false
          })
      }
      // Of the columns addr, opcode, p1, p2, p3: what OpenRead opens is the page p2 of the database p3.
      guard program.string(1) == "OpenRead", program.integer(4) == 0, let name = names[program.integer(3)]
      else {
        continue
      }
      let table = layout.tables.firstIndex { table in
        table.name == name || table.elementIndexes.contains { $0.name == name }
      }
      if let table { result.insert(table) }
      if let join = layout.joins.first(where: { $0.name == name }) {
        let relationship = layout.schema.relationships[join.relationship]
        result.insert(layout.entities[relationship.owner].table)
        result.insert(layout.entities[relationship.destination].table)
      }
    }
    return result
  }

  /// The names of tables, by the first pages of them and of their indexes.
  func namesByRootPage() throws -> [Int64: String] {
    let schema = try cached("SELECT rootpage, tbl_name FROM sqlite_schema WHERE rootpage > 0")
    var names: [Int64: String] = [:]
    while try schema.step() { names[schema.integer(0)] = schema.string(1) }
    return names
  }
}

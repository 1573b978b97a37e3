import GRDB

extension Folder {
  /// What a store holds, a row a line, without the history of imports, which every import adds to.
  func contents(_ name: String = "store.sqlite") throws -> [String] {
    let database = try DatabaseQueue(path: path(name))
    defer { try? database.close() }
    return try database.read { database in
      let tables = try String.fetchAll(
        database,
        sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence' ORDER BY name"
      )
      return try tables.flatMap { table in
        let rows = try Row.fetchAll(
          database, sql: "SELECT rowid, * FROM \(table.quotedDatabaseIdentifier) ORDER BY rowid")
        return ["# \(table)"] + rows.map(\.description)
      }
    }
  }
}

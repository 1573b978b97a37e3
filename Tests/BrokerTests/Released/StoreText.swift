import Foundation
import GRDB

/// A database file as text: the statements that make it anew, one a line where a value has no line break.
enum StoreText {
  private struct Table {
    var name: String
    var kind: String
    var hasRowID: Bool
    var sql: String
  }

  /// The text of a file. Of a full-text index it has the definition; its words are made anew of the texts.
  static func dump(_ file: URL) throws -> String {
    let queue = try DatabaseQueue(path: file.path)
    let lines = try queue.read { database in
      let tables = try tables(database)
      var lines: [String] = []
      for name in ["application_id", "user_version"] {
        lines.append("PRAGMA \(name) = \(try Int.fetchOne(database, sql: "PRAGMA \(name)") ?? 0)")
      }
      for table in tables where table.kind == "table" {
        lines.append(table.sql)
        lines += try rows(of: table, database)
      }
      if try database.tableExists("sqlite_sequence") {
        lines.append("DELETE FROM sqlite_sequence")
        lines += try rows(
          of: Table(name: "sqlite_sequence", kind: "table", hasRowID: true, sql: ""), database)
      }
      lines += try definitions("view", database)
      for table in tables where table.kind == "virtual" {
        lines.append(table.sql)
        lines.append("INSERT INTO \(quoted(table.name)) (\(quoted(table.name))) VALUES ('rebuild')")
      }
      return lines + (try definitions("index", database)) + (try definitions("trigger", database))
    }
    try queue.close()
    return (["PRAGMA journal_mode = WAL", "BEGIN"] + lines + ["COMMIT"]).map { $0 + ";\n" }.joined()
  }

  /// Makes a file of such a text.
  static func make(_ text: String, at file: URL) throws {
    var configuration = Configuration()
    // The statements come in no order of who refers to whom, and references that wait lead nowhere.
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: text) }
    try queue.close()
  }

  private static func tables(_ database: Database) throws -> [Table] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT t.name, t.type, t.wr, s.sql FROM pragma_table_list t JOIN sqlite_schema s ON s.name = t.name
        WHERE t.schema = 'main' AND t.type IN ('table', 'virtual') AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY s.rowid
        """)
    return rows.map { row in
      Table(name: row["name"], kind: row["type"], hasRowID: row["wr"] == 0, sql: row["sql"])
    }
  }

  private static func definitions(_ kind: String, _ database: Database) throws -> [String] {
    try String.fetchAll(
      database, sql: "SELECT sql FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL ORDER BY rowid",
      arguments: [kind])
  }

  /// A statement for each row, with its row id where no column is the row id.
  private static func rows(of table: Table, _ database: Database) throws -> [String] {
    let info = try Row.fetchAll(
      database, sql: "SELECT name, type, pk FROM pragma_table_info(?)", arguments: [table.name])
    let key = info.filter { ($0["pk"] as Int) > 0 }
    let isRowID = key.count == 1 && (key[0]["type"] as String).uppercased() == "INTEGER"
    var columns = info.map { quoted($0["name"]) }
    if table.hasRowID, !isRowID { columns.insert("rowid", at: 0) }
    let values = columns.map { "quote(\($0))" }.joined(separator: " || ', ' || ")
    return try String.fetchAll(
      database,
      sql: "SELECT \(values) FROM \(quoted(table.name)) ORDER BY \(table.hasRowID ? "rowid" : "1")"
    ).map { "INSERT INTO \(quoted(table.name)) (\(columns.joined(separator: ", "))) VALUES (\($0))" }
  }

  private static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }
}

/// The tables that a statement reads ahead of all others, by `WITH`, in a database whose tables may lie on several servers.
///
/// Such tables can be joined only where rows that belong together lie together, and no statement can look into one from
/// the rows of another. So a statement names one table itself. Each other one is read ahead, with the columns and the rows
/// that are needed, and what was read is joined. In other databases all tables are named, and there are none of these.
struct CommonTables: Sendable {
  private enum Content {
    /// Rows of a table, by the alias that their columns are named with.
    case rows(TableColumns, alias: String, condition: String?)
    case query(String)
  }

  private struct Part {
    let name: String
    let alias: String
    let content: Content
  }

  /// Whether the database needs them.
  let areNeeded: Bool
  /// By alias, what rows are selected from that are known already: those of others can be restricted to what belongs to
  /// them.
  var sources: [String: String] = [:]
  private var parts: [Part] = []

  init(_ dialect: any SQLDialect) { areNeeded = dialect.readsTablesAlone }

  /// No table of the store's is meant by it: they are named with their schema.
  private func newName() -> String { "broker_part_\(parts.count + 1)" }

  /// The text behind `FROM` or `JOIN` for a table: `"Band" t1`, or the rows of it that are read ahead.
  ///
  /// - Parameter condition: Which rows are needed at most; nil for all.
  mutating func source(_ table: TableColumns, as alias: String, where condition: String? = nil) -> String {
    guard areNeeded else { return "\(table.sqlName) \(alias)" }
    let name = newName()
    parts.append(Part(name: name, alias: alias, content: .rows(table, alias: alias, condition: condition)))
    sources[alias] = "\(name) \(alias)"
    return "\(name) \(alias)"
  }

  /// The text behind `FROM` or `JOIN` for the rows of a query, and its alias.
  mutating func source(query: String) -> (source: String, alias: String) {
    for part in parts {
      if case .query(query) = part.content { return ("\(part.name) \(part.alias)", part.alias) }
    }
    let (name, alias) = (newName(), "g\(parts.count + 1)")
    parts.append(Part(name: name, alias: alias, content: .query(query)))
    return ("\(name) \(alias)", alias)
  }

  /// The statement with the tables that it names read ahead.
  func statement(_ sql: String) -> String {
    var definitions: [String] = []
    // The later ones say what of the earlier is needed.
    var text = sql
    for part in parts.reversed() where text.contains("\(part.name) ") {
      let query = Self.query(part.content, of: text)
      text += " " + query
      definitions.append("\(part.name) AS MATERIALIZED (\(query))")
    }
    return definitions.isEmpty ? sql : "WITH \(definitions.reversed().joined(separator: ", ")) \(sql)"
  }

  func statement(_ bound: BoundSQL) -> BoundSQL { BoundSQL(statement(bound.sql), bound.arguments) }

  /// - Parameter text: What names the columns that are needed.
  private static func query(_ content: Content, of text: String) -> String {
    switch content {
    case .query(let sql): return sql
    case .rows(let table, let alias, let condition):
      let needed = table.columns.map { "\(alias).\($0)" }.filter { text.contains($0) }
      let filter = condition.map { " WHERE " + $0 } ?? ""
      let columns = needed.isEmpty ? "1" : needed.joined(separator: ", ")
      return "SELECT \(columns) FROM \(table.sqlName) \(alias)\(filter)"
    }
  }
}

/// A table and the names of its columns, in quotes if need be.
struct TableColumns: Sendable {
  /// The name of the table as statements have it.
  let sqlName: String
  let columns: [String]

  init(_ table: Table, _ dialect: any SQLDialect) {
    sqlName = table.sqlName
    let values = table.columns.map { SQL.quoted($0.name) }
    let row = dialect.rowColumn(of: table)
    columns = values + (table.kindColumn.map { [SQL.quoted($0)] } ?? []) + (values.contains(row) ? [] : [row])
  }

  init(_ join: JoinTable) {
    sqlName = join.sqlName
    columns =
      join.keyColumns.map { SQL.quoted($0.name) }
      + [join.targetOrder, join.ownerOrder].compactMap { $0.map(SQL.quoted) }
  }
}

extension SQL {
  /// One value, or several as a row: `a`, `(a, b)`.
  static func row(_ names: [String]) -> String {
    names.count == 1 ? names[0] : "(\(names.joined(separator: ", ")))"
  }
}

import ObjectModel

/// The SQL that makes and keeps up the index of the elements of a list.
///
/// SQLite has no index over the elements of JSON. This one follows whoever writes, since triggers of the file keep it.
struct ElementIndexSQL {
  let table: Table
  let index: ElementIndex

  private var name: String { SQL.quoted(index.name) }
  private var list: String { SQL.quoted(table.columns[index.column].name) }
  private var key: [String] { table.key.map { table.columns[$0].name } }
  private var columns: [String] { [index.element] + key }

  /// The table of the index.
  func definition(_ declaration: (Column) -> String) -> String {
    let lines =
      ["\(SQL.quoted(index.element)) NOT NULL"]
      + table.key.map { "\(declaration(table.columns[$0])) NOT NULL" }
      + ["PRIMARY KEY (\(SQL.list(columns)))"]
    return "CREATE TABLE \(name) (\n  \(lines.joined(separator: ",\n  "))\n) WITHOUT ROWID"
  }

  /// Puts the elements of all rows in.
  var filling: String { "INSERT OR IGNORE INTO \(name) \(content)" }

  /// A view with what the index would have, for who cannot make one.
  var view: String {
    "CREATE TEMP VIEW \(name) (\(SQL.list(columns))) AS SELECT DISTINCT * FROM (\(content))"
  }

  private var content: String {
    let keys = key.map { "t.\(SQL.quoted($0))" }
    return "SELECT e.value, \(keys.joined(separator: ", "))"
      + " FROM \(SQL.quoted(table.name)) t, \(elements("t")) WHERE \(Self.isIndexed)"
  }

  var triggers: [String] {
    let watched = [table.columns[index.column].name] + key.filter { $0 != table.columns[index.column].name }
    let changed = watched.map { "OLD.\(SQL.quoted($0)) IS NOT NEW.\(SQL.quoted($0))" }
    let triggers = IndexTriggers(index: index.name, table: table.name)
    return [
      triggers.trigger(.insert, when: "NEW.\(list) IS NOT NULL", [addition]),
      triggers.trigger(.delete, when: "OLD.\(list) IS NOT NULL", [removal]),
      triggers.trigger(.update, of: watched, when: changed.joined(separator: " OR "), [removal, addition]),
    ]
  }

  /// The condition that objects have an element, given as a parameter. It may hold for others whose element is of another
  /// type of JSON.
  func condition(_ alias: String, _ parameter: String) -> String {
    let keys = key.map { "\(alias).\(SQL.quoted($0))" }
    let row = keys.count == 1 ? keys[0] : "(\(keys.joined(separator: ", ")))"
    return
      "\(row) IN (SELECT \(SQL.list(key)) FROM \(name) WHERE \(SQL.quoted(index.element)) = \(parameter))"
  }

  // MARK: - Parts

  private var addition: String {
    "INSERT OR IGNORE INTO \(name) SELECT e.value, \(keys(of: "NEW")) FROM \(elements("NEW")) WHERE \(Self.isIndexed)"
  }

  private var removal: String {
    "DELETE FROM \(name) WHERE (\(SQL.list(columns))) IN"
      + " (SELECT e.value, \(keys(of: "OLD")) FROM \(elements("OLD")) WHERE \(Self.isIndexed))"
  }

  private func keys(of row: String) -> String {
    key.map { "\(row).\(SQL.quoted($0))" }.joined(separator: ", ")
  }

  private static let isIndexed = "e.type IN ('text', 'integer', 'real', 'true', 'false')"

  private func elements(_ row: String) -> String {
    let json = "\(row).\(list)"
    return "json_each(CASE WHEN json_valid(\(json)) AND json_type(\(json)) = 'array' THEN \(json) END) e"
  }
}

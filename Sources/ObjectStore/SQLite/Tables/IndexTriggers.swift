import ObjectModel

/// The triggers that keep an index of the store's own up to date, whoever writes to its table.
struct IndexTriggers {
  /// The name of the index, which theirs begin with.
  let index: String
  let table: String

  /// The event of a row.
  enum Event: String, CaseIterable {
    case insert, update, delete
  }

  /// A trigger that runs statements after an event, for rows that a condition holds for.
  ///
  /// - Parameter columns: Of an update, the columns that have to be among those it sets.
  func trigger(
    _ event: Event, of columns: [String] = [], when condition: String, _ statements: [String]
  ) -> String {
    let body = statements.map { "  \($0);\n" }.joined()
    let changed = columns.isEmpty ? "" : " OF \(SQL.list(columns))"
    return
      "CREATE TRIGGER \(name(event)) AFTER \(event.rawValue.uppercased())\(changed) ON \(SQL.quoted(table))"
      + " WHEN \(condition) BEGIN\n\(body)END"
  }

  /// The statements that remove the triggers.
  var removals: [String] { Event.allCases.map { "DROP TRIGGER IF EXISTS \(name($0))" } }

  /// The end of the triggers' names.
  static let suffixes = Event.allCases.map { "_" + $0.rawValue }

  private func name(_ event: Event) -> String { SQL.quoted("\(index)_\(event.rawValue)") }
}

/// The SQL that makes and keeps up the full-text index of a table.
///
/// The index follows whoever writes, with whatever program, since triggers of the file keep it. To take a row out, FTS5
/// has to be given the texts that it was put in with.
struct SearchSQL {
  let table: Table
  let search: SearchTable
  /// The column that has the row ids.
  private let rowID: String

  /// Nil if the table has no full-text index.
  init?(_ table: Table) {
    guard let search = table.search else { return nil }
    self.table = table
    self.search = search
    rowID = table.rowIDColumn ?? table.columns[table.key[0]].name
  }

  private var columns: [Column] { search.columns.map { table.columns[$0.column] } }

  // MARK: - Tables

  /// Words are told apart by Unicode, and compared without case and accents.
  private static let tokenizer = "unicode61 remove_diacritics 2"

  /// The view that the texts are read through, and the index.
  var tables: [String] {
    let texts = zip(columns, search.columns).map { "\(text(of: $0)) AS \(SQL.quoted($1.name))" }
    let view = """
      CREATE VIEW \(SQL.quoted(search.content)) AS
      SELECT \(SQL.quoted(rowID)) AS \(SQL.quoted(search.rowID)), \(texts.joined(separator: ", "))
      FROM \(SQL.quoted(table.name)) WHERE \(hasTexts())
      """
    let index = """
      CREATE VIRTUAL TABLE \(SQL.quoted(search.name)) USING fts5(
        \(SQL.list(search.columns.map(\.name))), content=\(SQL.quoted(search.content)),
        content_rowid=\(SQL.quoted(search.rowID)), tokenize=\(SQL.quoted(Self.tokenizer))
      )
      """
    return [view, index]
  }

  /// An index without any words, for who cannot make the real one.
  var emptyIndex: String {
    "CREATE VIRTUAL TABLE temp.\(SQL.quoted(search.name)) USING fts5(\(SQL.list(search.columns.map(\.name))),"
      + " tokenize=\(SQL.quoted(Self.tokenizer)))"
  }

  /// Puts all rows in.
  var filling: String {
    "INSERT INTO \(SQL.quoted(search.name)) (\(SQL.quoted(search.name))) VALUES ('rebuild')"
  }

  // MARK: - Triggers

  var triggers: [String] {
    let changed = columns.map { "OLD.\(SQL.quoted($0.name)) IS NOT NEW.\(SQL.quoted($0.name))" }
    let moved = "OLD.\(SQL.quoted(rowID)) IS NOT NEW.\(SQL.quoted(rowID))"
    let watched = [rowID] + columns.map(\.name).filter { $0 != rowID }
    return [
      keeper.trigger(.insert, when: hasTexts("NEW"), [addition]),
      keeper.trigger(.delete, when: hasTexts("OLD"), [removal]),
      keeper.trigger(
        .update, of: watched, when: (changed + [moved]).joined(separator: " OR "),
        ["\(removal) WHERE \(hasTexts("OLD"))", "\(addition) WHERE \(hasTexts("NEW"))"]),
    ]
  }

  /// The statements that remove the triggers.
  var removals: [String] { keeper.removals }

  private var keeper: IndexTriggers { IndexTriggers(index: search.name, table: table.name) }

  private var addition: String {
    "INSERT INTO \(SQL.quoted(search.name)) (rowid, \(SQL.list(search.columns.map(\.name))))"
      + " SELECT \(values("NEW"))"
  }

  private var removal: String {
    "INSERT INTO \(SQL.quoted(search.name))"
      + " (\(SQL.quoted(search.name)), rowid, \(SQL.list(search.columns.map(\.name))))"
      + " SELECT 'delete', \(values("OLD"))"
  }

  private func values(_ row: String) -> String {
    (["\(row).\(SQL.quoted(rowID))"] + columns.map { text(of: $0, row) }).joined(separator: ", ")
  }

  /// Whether a row has anything to be found by. What has not is not in the index.
  private func hasTexts(_ row: String? = nil) -> String {
    columns.map { "\(name(of: $0, row)) IS NOT NULL" }.joined(separator: " OR ")
  }

  private func name(of column: Column, _ row: String?) -> String {
    (row.map { $0 + "." } ?? "") + SQL.quoted(column.name)
  }

  // MARK: - Texts

  /// The text of a column. Of JSON, that is the JSON without its signs: FTS5 takes no functions that give the elements
  /// of a list. The store writes JSON with the escapes that are needed and no others.
  private func text(of column: Column, _ row: String? = nil) -> String {
    let name = name(of: column, row)
    guard column.type == .transformable || column.type == .undefined else { return name }
    // A pair of backslashes first: what follows it is no escape.
    let signs = [
      ("\\\\", " "), ("\\n", " "), ("\\r", " "), ("\\t", " "), ("\\\"", "'"), ("\",\"", ", "), ("[\"", ""),
      ("\"]", ""),
    ]
    return signs.reduce(name) { text, sign in
      "replace(\(text), \(SQL.literal(sign.0)), \(SQL.literal(sign.1)))"
    }
  }
}

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

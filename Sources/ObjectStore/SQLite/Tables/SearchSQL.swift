import ObjectModel

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

  /// What takes the triggers away.
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

import ObjectModel

/// What the objects of a query are searched for, in one question to FTS5.
struct QuerySearch: Sendable {
  let table: SearchTable
  /// What FTS5 is asked, all of it.
  var expressions: [String]

  /// The alias of the index where it is joined.
  static let alias = "s0"

  static var rank: String { "\(alias).rank" }

  var expression: String { expressions.map { "(\($0))" }.joined(separator: " AND ") }

  /// The join of the index with the objects.
  var join: String { "JOIN \(SQL.quoted(table.name)) \(Self.alias) ON \(Self.alias).rowid = t0.rowid" }

  /// The condition that a row matches, where the index is joined.
  func joinedCondition(_ parameter: String) -> String {
    "\(Self.alias).\(SQL.quoted(table.name)) MATCH \(parameter)"
  }

  /// The condition that a row matches, where it is not.
  func condition(_ parameter: String, isPointLookup: Bool) -> String {
    table.condition(
      "\(SQL.quoted(table.name)) MATCH \(parameter)", rowsOf: "t0", isPointLookup: isPointLookup)
  }
}

extension SQLiteTransaction {
  /// Gives the places of the texts of a query's objects where what is searched for is.
  ///
  /// - Throws: ``StoreError`` if nothing is searched for.
  package func snippets(of query: Query, _ style: SnippetStyle) throws -> SnippetReader {
    let builder = try QueryBuilder(query, layout)
    guard builder.isSearch else {
      throw StoreError.invalid("Nothing is searched for, so there is no place to show.")
    }
    // What cannot be found has no places either.
    guard let search = builder.search else { return SnippetReader(nil) }
    let name = SQL.quoted(search.table.name)
    let statement = try prepare(
      "SELECT snippet(\(name), -1, ?3, ?4, ?5, \(style.wordCount)) FROM \(name)"
        + " WHERE \(name) MATCH ?2 AND rowid = ?1")
    statement.bind(search.expression, at: 2)
    statement.bind(style.start, at: 3)
    statement.bind(style.end, at: 4)
    statement.bind(style.ellipsis, at: 5)
    return SnippetReader(statement)
  }
}

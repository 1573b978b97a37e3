import ObjectModel

/// Words that the objects of a query have, and that say how well each fits.
package struct SearchCondition: Sendable, Hashable {
  /// What is looked for, as people type it.
  package var text: String
  /// The key paths of the attributes to look in; none for all of the object.
  package var attributes: [String]

  package init(_ text: String, in attributes: [String] = []) {
    self.text = text
    self.attributes = attributes
  }
}

/// How the place that was found is shown.
package struct SnippetStyle: Sendable, Hashable {
  package var start: String
  package var end: String
  package var ellipsis: String
  /// How many words there are at most; FTS5 shows 64.
  package var wordCount: Int

  package init(start: String, end: String, ellipsis: String, wordCount: Int) {
    self.start = start
    self.end = end
    self.ellipsis = ellipsis
    self.wordCount = min(64, max(1, wordCount))
  }
}

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
  func condition(_ parameter: String, isAboutFew: Bool) -> String {
    table.condition("\(SQL.quoted(table.name)) MATCH \(parameter)", rowsOf: "t0", isAboutFew: isAboutFew)
  }
}

/// Gives the places of texts where what was searched for is.
package final class SnippetReader {
  private let statement: PreparedStatement?

  /// - Throws: ``StoreError`` if nothing is searched for.
  package init(_ query: QueryBuilder, _ style: SnippetStyle, _ transaction: StoreTransaction) throws {
    guard query.isSearch else {
      throw StoreError.invalid("Nothing is searched for, so there is no place to show.")
    }
    // What cannot be found has no places either.
    guard let search = query.search else {
      statement = nil
      return
    }
    let name = SQL.quoted(search.table.name)
    let sql =
      "SELECT snippet(\(name), -1, ?3, ?4, ?5, \(style.wordCount)) FROM \(name)"
      + " WHERE \(name) MATCH ?2 AND rowid = ?1"
    let statement = try transaction.prepare(sql)
    statement.bind(search.expression, at: 2)
    statement.bind(style.start, at: 3)
    statement.bind(style.end, at: 4)
    statement.bind(style.ellipsis, at: 5)
    self.statement = statement
  }

  /// The place in the texts of the object in a row.
  package func snippet(ofRow row: Int64) throws -> String {
    guard let statement else { return "" }
    statement.bind(row, at: 1)
    defer { statement.reset() }
    return try statement.step() ? statement.string(0) : ""
  }
}

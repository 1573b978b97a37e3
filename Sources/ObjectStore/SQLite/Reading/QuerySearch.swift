import ObjectModel

/// The search of a query, in one question to FTS5.
struct QuerySearch: Sendable {
  let table: SearchTable
  /// The whole expression for FTS5.
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
    let builder = try QueryBuilder(query, layout, SQLiteDialect())
    guard builder.isSearch else {
      throw StoreError.invalid("Nothing is searched for, so there is no place to show.")
    }
    // A query without a search has no places to mark.
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

/// Words that are looked for.
extension QueryBuilder {
  /// Only objects that words are found in. Those that all searches of the query fit best come first, unless it has
  /// another order.
  ///
  /// - Throws: ``StoreError`` if an attribute is not searched, or the search is too long.
  mutating func add(_ condition: SearchCondition) throws {
    isSearch = true
    let paths = try condition.attributes.map { name in
      do throws(PropertyPath.Failure) {
        return try PropertyPath(name.split(separator: ".").map(String.init), from: entity, layout)
      } catch {
        throw StoreError.invalid(error.message(name.split(separator: ".").map(String.init), layout))
      }
    }
    var columns: [Column] = []
    for path in paths {
      guard path.passed.isEmpty, case .attribute(let index, let owner) = path.end else {
        return try addRelated(condition)
      }
      columns.append(layout.column(of: index, in: owner))
    }
    do {
      let (table, expression) = try layout.search(SearchText(condition.text), in: columns, of: entity)
      guard let expression else { return conditions.append("0") }
      search = QuerySearch(table: table, expressions: (search?.expressions ?? []) + [expression])
    } catch let error as SearchRefusal {
      throw StoreError.invalid(error.message)
    } catch let error as SearchText.Failure {
      throw StoreError.invalid(error.message)
    }
  }

  /// As ``add(_:)-(SearchCondition)``, in attributes some of which are of related objects. These have no rank.
  private mutating func addRelated(_ condition: SearchCondition) throws {
    let comparisons = condition.attributes.map { name in
      let path = name.split(separator: ".").reduce(PredicatePath()) { $0.appending(String($1)) }
      return PredicateNode.comparison(
        PredicateComparison(
          PredicateExpression(.path(path)), .matchesText,
          PredicateExpression(.constant(.string(condition.text)))))
    }
    do throws(ObjectPredicateError) {
      try add(ObjectPredicate(.or(comparisons)))
    } catch {
      throw StoreError.invalid(error.message)
    }
  }

  /// SQL for how well each object fits what is searched for, the least the best. To be selected by
  /// ``statement(selecting:isOrdered:)``.
  mutating func rank() -> String {
    guard search != nil else { return "0.0" }
    needsRank = true
    return QuerySearch.rank
  }

  /// Ordered by how well objects fit what is searched for, after the orders before.
  ///
  /// - Throws: ``StoreError`` if nothing is searched for.
  mutating func addRankOrder() throws {
    guard isSearch else {
      throw StoreError.invalid("Nothing is searched for, so there is no order by how well it is found.")
    }
    ordering.append(rank())
  }
}

/// Conditions on the words of texts, which full-text indexes tell.
extension PredicateSQL {
  /// The condition that words are in what is at the end of a path to one: an attribute, or an object, of which all
  /// searched attributes are meant.
  mutating func searched(
    _ route: PredicateRoute, _ comparison: PredicateComparison, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    let (place, options, right) = (comparison.left.place, comparison.options, comparison.right)
    guard options.isEmpty else {
      throw error("MATCHES_TEXT ignores case and accents by itself: leave \(options.text) out.", at: place)
    }
    guard case .constant(.string(let wanted)) = right.kind else {
      throw error("MATCHES_TEXT looks for words, which stand in quotes.", at: right.place)
    }
    let text: SearchText
    do throws(SearchText.Failure) { text = try SearchText(wanted) } catch {
      throw self.error(error.message, at: right.place)
    }
    let whole = route.passingReference(layout)
    return try existsBehind(whole.steps[...], from: whole.start, scope.isFilter) {
      builder, last throws(ObjectPredicateError) in
      try builder.searched(text, at: whole, last, comparison)
    }
  }

  private mutating func searched(
    _ text: SearchText, at route: PredicateRoute, _ last: ObjectSource, _ comparison: PredicateComparison
  ) throws(ObjectPredicateError) -> String {
    mention(last)
    var column: Column?
    if case .attribute(let attribute) = route.end { column = attribute }
    let (search, expression): (SearchTable, String?)
    do throws(SearchRefusal) {
      (search, expression) = try layout.search(
        text, in: column.map { [$0] } ?? [], of: last.entity)
    } catch {
      throw self.error(error.message, at: comparison.left.place)
    }
    guard let expression else { return "0" }
    let match =
      "\(SQL.quoted(search.name)) MATCH \(try bind(.text(expression), .text, at: comparison.right.place))"
    return search.condition(match, rowsOf: last.alias, isPointLookup: isPointLookup)
  }
}

extension SearchTable {
  /// The condition that a row, of a table with an alias, is among those that match.
  func condition(_ match: String, rowsOf alias: String, isPointLookup: Bool) -> String {
    isPointLookup
      ? "EXISTS (SELECT 1 FROM \(SQL.quoted(name)) WHERE \(match) AND rowid = \(alias).rowid)"
      : "\(alias).rowid IN (SELECT rowid FROM \(SQL.quoted(name)) WHERE \(match))"
  }
}

/// Why something cannot be searched.
struct SearchRefusal: Error {
  let message: String
}

extension Layout {
  /// The index that words are looked for in, and what FTS5 is asked: nil if nothing can be found.
  ///
  /// - Parameter columns: The attributes to look in; none for all.
  func search(
    _ text: SearchText, in columns: [Column], of entity: SchemaEntity
  ) throws(SearchRefusal) -> (SearchTable, String?) {
    let table = table(of: entity.index)
    guard let search = search(of: entity) else {
      let name = columns.first.map { "\(entity.name).\($0.name)" }
      throw SearchRefusal(message: Self.notSearched(name ?? "\(entity.name)", isEntity: name == nil))
    }
    var names: [String] = []
    for column in columns {
      guard let name = search.name(of: column.name, in: table) else {
        throw SearchRefusal(message: Self.notSearched("\(entity.name).\(column.name)", isEntity: false))
      }
      names.append(name)
    }
    guard let expression = text.expression else { return (search, nil) }
    return (search, names.isEmpty ? expression : "{\(SQL.list(names, separator: " "))} : (\(expression))")
  }

  private static func notSearched(_ name: String, isEntity: Bool) -> String {
    (isEntity ? "\(name) has no searched attributes" : "\(name) is not searched")
      + ": give \(isEntity ? "an attribute" : "it") @Attribute(search: true) in Swift,"
      + " or broker.search = true in the userInfo of a model."
  }
}

/// The expression for FTS5.
extension SearchText {
  /// The expression for FTS5; nil if no word is wanted, so that nothing can be found.
  var expression: String? {
    guard !wanted.isEmpty else { return nil }
    let all = wanted.map { "(\(Self.any($0)))" }.joined(separator: " AND ")
    return unwanted.isEmpty ? all : "(\(all)) NOT (\(Self.any(unwanted)))"
  }

  private static func any(_ terms: [Term]) -> String {
    terms.map(\.expression).joined(separator: " OR ")
  }
}

extension SearchText.Term {
  /// In quotes, nothing means anything to FTS5.
  fileprivate var expression: String { SQL.quoted(text) + (isPrefix ? " *" : "") }
}

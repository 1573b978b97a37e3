import ObjectModel

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

import ObjectModel

/// Values that are found beyond the objects that are asked about.
///
/// They are sub-selects for each of these objects. Where a statement cannot look into other tables for each of its rows,
/// the values of all objects are found ahead, and joined.
extension PredicateSQL {
  /// What an expression makes of all that a path leads to from each object.
  ///
  /// - Parameters:
  ///   - condition: Which of them are meant.
  ///   - otherwise: What it makes of nothing; nil for null.
  mutating func together(
    _ expression: String, _ selection: PathSelection, _ route: PredicateRoute, where condition: String? = nil,
    otherwise: String?
  ) -> String {
    guard dialect.readsTablesAlone else { return selection.select(expression, and: condition) }
    guard route.start.number == 0 else { return exactly(nil) }
    let selection = joined(selection)
    let groups = selection.source.columns.joined(separator: ", ")
    let rows = selection.rows(condition ?? dialect.truth(true))
    let value = lookup(expression, selection, "\(rows) GROUP BY \(groups)")
    return otherwise.map { "coalesce(\(value), \($0))" } ?? value
  }

  /// A value of the only object that a path leads to from each object.
  mutating func only(_ part: SQLPart, _ selection: PathSelection, _ route: PredicateRoute) -> String {
    guard dialect.readsTablesAlone else { return selection.selectOnly(part.sql, dialect) }
    // Whether a reference has arrived is a question of its own. Of what has the link in its own row, there may be several.
    let areKept = route.steps.allSatisfy { step in
      if case .foreignKey = layout.relationships[step.index] { true } else { false }
    }
    guard route.start.number == 0, part.arrived == nil, areKept else { return exactly(nil) }
    let selection = joined(selection)
    return lookup(part.sql, selection, selection.rows(dialect.truth(true)))
  }

  /// Joins the values that a query of a selection gives with the objects around it.
  private mutating func lookup(_ expression: String, _ selection: PathSelection, _ rows: String) -> String {
    let keys = selection.source.columns.enumerated().map { "\($1) AS k\($0)" }.joined(separator: ", ")
    let (source, alias) = commonTables.source(query: "SELECT \(keys), \(expression) AS value \(rows)")
    let pairs = selection.source.owner.enumerated().map { "\(alias).k\($0) = \($1)" }
    let join = "LEFT JOIN \(source) ON \(pairs.joined(separator: " AND "))"
    if !lookups.contains(join) { lookups.append(join) }
    return "\(alias).value"
  }
}

extension CommonTables {
  /// The condition that no row that a query gives has some columns equal to others, null among these being equal to
  /// nothing.
  ///
  /// - Parameter rows: `FROM … WHERE …`
  mutating func notAny(_ names: [String], among columns: [String], _ rows: String) -> String {
    let keys = columns.enumerated().map { "\($1) AS k\($0)" }.joined(separator: ", ")
    let (source, alias) = source(query: "SELECT \(keys) \(rows)")
    let pairs = names.enumerated().map { "\(alias).k\($0) = \($1)" }
    return "NOT EXISTS (SELECT 1 FROM \(source) WHERE \(pairs.joined(separator: " AND ")))"
  }
}

import ObjectModel

/// The statements that a query becomes.
extension QueryBuilder {
  /// The statement that selects expressions.
  ///
  /// - Parameter isOrdered: Whether the order matters; it does not to a lone object.
  package func statement(
    selecting columns: [String], isOrdered: Bool = true
  ) -> BoundSQL {
    var sql = "SELECT \(columns.joined(separator: ", ")) FROM \(tables)"
    let byRank = isOrdered && ordering.isEmpty && search != nil
    let isJoined = byRank || needsRank
    let (conditions, arguments) = allConditions(joiningIndex: isJoined)
    if isJoined, let search { sql += " " + search.join }
    if !joins.isEmpty { sql += " " + joins.joined(separator: " ") }
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    guard isOrdered else { return BoundSQL(sql + range, arguments) }
    // The key at the end makes every order a complete one.
    let keys = table.key.map {
      dialect.keyTerm("t0.\(SQL.quoted(table.columns[$0].name))", table.columns[$0])
    }
    let own = byRank ? [QuerySearch.rank] : ownOrdering
    sql += " ORDER BY " + ((ordering.isEmpty ? own : ordering) + keys).joined(separator: ", ")
    return BoundSQL(sql + range, arguments)
  }

  /// The conditions, with what is searched for, and their arguments.
  ///
  /// - Parameter joiningIndex: Whether the full-text index is joined with the objects, which its rank needs.
  private func allConditions(joiningIndex: Bool) -> (conditions: [String], arguments: SQLArguments) {
    guard let search else { return (conditions, arguments) }
    var all = arguments
    all.append(.text(search.expression), .text)
    let parameter = dialect.parameter(all.count)
    let condition =
      joiningIndex
      ? search.joinedCondition(parameter) : search.condition(parameter, isAboutFew: isAboutFew)
    return (conditions + [condition], all)
  }

  /// As ``statement(selecting:isOrdered:)``, but what the objects were when the statement began: SQLite puts all rows
  /// aside, in a temporary file if they are many, before it gives the first.
  func snapshotStatement(selecting columns: [String]) -> BoundSQL {
    let tables = Set((layout.tables.map(\.name) + layout.joins.map(\.name)).map { $0.lowercased() })
    var name = "snapshot"
    while tables.contains(name) { name += "_" }
    let rows = rowsInOrder(selecting: columns)
    return BoundSQL("WITH \(name) AS MATERIALIZED (\(rows.sql)) SELECT * FROM \(name)", rows.arguments)
  }

  /// Each combination of the values of expressions once, where the first object that has it comes.
  ///
  /// The query itself has no range then: limit and offset count combinations.
  package func distinctStatement(selecting columns: [String], limit: Int?, offset: Int?) -> BoundSQL {
    let names = Self.names(columns.count).joined(separator: ", ")
    let rows = rowsInOrder(selecting: Self.named(columns))
    let numbered = "SELECT \(names), row_number() OVER () AS place FROM (\(rows.sql))\(dialect.queryAlias)"
    let sql = "SELECT \(names) FROM (\(numbered))\(dialect.queryAlias) GROUP BY \(names) ORDER BY min(place)"
    return BoundSQL(
      sql + " LIMIT \(limit.map(String.init) ?? dialect.noLimit) OFFSET \(offset ?? 0)", rows.arguments)
  }

  /// What the values of an expression give together, for each combination of the values of others.
  ///
  /// - Parameters:
  ///   - columns: The others, and the last of them that of the values if there are such.
  ///   - groupCount: How many of them the groups go by.
  ///   - form: How the values are kept.
  package func aggregateStatement(
    _ aggregate: Aggregation, selecting columns: [String], groupCount: Int, _ form: SQLForm = .text
  ) -> BoundSQL {
    let names = Self.names(columns.count)
    let groups = names.prefix(groupCount).joined(separator: ", ")
    let value = dialect.value(of: aggregate, names.dropFirst(groupCount).first ?? "", form)
    // Without a range, which objects are meant does not go by their order.
    let rows = statement(selecting: columns.isEmpty ? ["1"] : Self.named(columns), isOrdered: !range.isEmpty)
    guard groupCount > 0 else {
      return BoundSQL("SELECT \(value) FROM (\(rows.sql))\(dialect.queryAlias)", rows.arguments)
    }
    return BoundSQL(
      "SELECT \(groups), \(value) FROM (\(rows.sql))\(dialect.queryAlias) GROUP BY \(groups)", rows.arguments)
  }

  /// Expressions with names, by which a statement around can ask for them.
  private static func named(_ columns: [String]) -> [String] {
    zip(columns, names(columns.count)).map { "\($0) AS \($1)" }
  }

  private static func names(_ count: Int) -> [String] { (0..<count).map { "v\($0)" } }

  /// The statement that selects expressions, to select from.
  private func rowsInOrder(selecting columns: [String]) -> BoundSQL {
    var rows = statement(selecting: columns)
    if range.isEmpty { rows.sql += dialect.keepingOrder }
    return rows
  }

  /// The condition that the objects fulfil, as a statement that changes rows of their table, `t0`, can have it.
  ///
  /// - Parameter isOrdered: Whether it goes by their order which objects are meant.
  func changeCondition(isOrdered: Bool) -> BoundSQL {
    guard !isOrdered, joins.isEmpty, range.isEmpty, tables == "\(SQL.quoted(table.name)) t0" else {
      let rows = statement(selecting: [row], isOrdered: isOrdered)
      return BoundSQL("\(row) IN (\(rows.sql))", rows.arguments)
    }
    let (conditions, arguments) = allConditions(joiningIndex: false)
    return BoundSQL(
      conditions.isEmpty ? dialect.truth(true) : conditions.joined(separator: " AND "), arguments)
  }

  /// The SQL that counts the objects.
  package func count() -> BoundSQL {
    let (conditions, arguments) = allConditions(joiningIndex: false)
    var inner = "SELECT 1 FROM \(tables)"
    if !conditions.isEmpty { inner += " WHERE " + conditions.joined(separator: " AND ") }
    return BoundSQL("SELECT count(*) FROM (\(inner)\(range))\(dialect.queryAlias)", arguments)
  }

  /// ` LIMIT … OFFSET …`, where there is any.
  private var range: String {
    switch (limit, offset) {
    case (nil, nil): ""
    case (let limit?, nil): " LIMIT \(limit)"
    case (let limit, let offset?): " LIMIT \(limit.map(String.init) ?? dialect.noLimit) OFFSET \(offset)"
    }
  }
}

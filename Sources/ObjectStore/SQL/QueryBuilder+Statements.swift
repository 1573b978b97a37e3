import ObjectModel

/// The statements that a query becomes.
extension QueryBuilder {
  /// The statement that selects expressions.
  ///
  /// - Parameter isOrdered: Whether the order matters; it does not to a lone object.
  package func statement(
    selecting columns: [String], isOrdered: Bool = true
  ) -> BoundSQL {
    commonTables.statement(rows(selecting: columns, isOrdered: isOrdered))
  }

  /// The objects that are meant, as statements select from them, `"Band" t0 … WHERE …`; nil if these are all.
  var objects: String? {
    if conditions.isEmpty, case .all = source { return nil }
    let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    return ([tables] + lookups).joined(separator: " ") + filter
  }

  /// The terms of the order. The key at the end makes every order a complete one.
  private func orderTerms(byRank: Bool) -> [String] {
    let keys = table.key.map {
      dialect.keyTerm("t0.\(SQL.quoted(table.columns[$0].name))", table.columns[$0])
    }
    let own = byRank ? [QuerySearch.rank] : ownOrdering
    return (ordering.isEmpty ? own : ordering) + keys
  }

  /// The statement without the tables that are read ahead of it.
  private func rows(selecting columns: [String], isOrdered: Bool) -> BoundSQL {
    var sql = "SELECT \(columns.joined(separator: ", ")) FROM \(tables)"
    let byRank = isOrdered && ordering.isEmpty && search != nil
    let isJoined = byRank || needsRank
    let (conditions, arguments) = allConditions(joiningIndex: isJoined)
    if isJoined, let search { sql += " " + search.join }
    if !lookups.isEmpty { sql += " " + lookups.joined(separator: " ") }
    if !joins.isEmpty { sql += " " + joins.joined(separator: " ") }
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    guard isOrdered else { return BoundSQL(sql + range, arguments) }
    sql += " ORDER BY " + orderTerms(byRank: byRank).joined(separator: ", ")
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
      ? search.joinedCondition(parameter) : search.condition(parameter, isPointLookup: isPointLookup)
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
    let rows = numberedRows(selecting: columns)
    let sql = "SELECT \(names) FROM (\(rows.sql))\(dialect.queryAlias) GROUP BY \(names) ORDER BY min(place)"
    return commonTables.statement(
      BoundSQL(
        sql + " LIMIT \(limit.map(String.init) ?? dialect.noLimit) OFFSET \(offset ?? 0)", rows.arguments))
  }

  /// The rows with names for their values and their number in the order, `place`.
  private func numberedRows(selecting columns: [String]) -> BoundSQL {
    guard !dialect.readsTablesAlone else {
      // The order of a query that is selected from is not kept where its rows come from several servers.
      let place = "row_number() OVER (ORDER BY \(orderTerms(byRank: false).joined(separator: ", "))) AS place"
      return rows(selecting: Self.named(columns) + [place], isOrdered: false)
    }
    let names = Self.names(columns.count).joined(separator: ", ")
    var rows = rowsInOrder(selecting: Self.named(columns))
    rows.sql =
      "SELECT \(names), row_number() OVER () AS place FROM (\(rows.sql))\(dialect.queryAlias)"
    return rows
  }

  /// The aggregate of an expression, for each combination of the values of others.
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
    let rows = rows(selecting: columns.isEmpty ? ["1"] : Self.named(columns), isOrdered: !range.isEmpty)
    let source = "FROM (\(rows.sql))\(dialect.queryAlias)"
    let sql =
      groupCount > 0 ? "SELECT \(groups), \(value) \(source) GROUP BY \(groups)" : "SELECT \(value) \(source)"
    return commonTables.statement(BoundSQL(sql, rows.arguments))
  }

  /// Expressions with names, by which a statement around can ask for them.
  private static func named(_ columns: [String]) -> [String] {
    zip(columns, names(columns.count)).map { "\($0) AS \($1)" }
  }

  private static func names(_ count: Int) -> [String] { (0..<count).map { "v\($0)" } }

  /// The statement that selects expressions, to select from.
  private func rowsInOrder(selecting columns: [String]) -> BoundSQL {
    var rows = rows(selecting: columns, isOrdered: true)
    if range.isEmpty { rows.sql += dialect.keepingOrder }
    return rows
  }

  /// The condition that the objects fulfil, as a statement that changes rows of their table, `t0`, can have it.
  ///
  /// - Parameter isOrdered: Whether it goes by their order which objects are meant.
  func changeCondition(isOrdered: Bool) -> BoundSQL {
    guard !isOrdered, joins.isEmpty, range.isEmpty, tables == "\(table.sqlName) t0" else {
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
    var inner = "SELECT 1 FROM \(([tables] + lookups).joined(separator: " "))"
    if !conditions.isEmpty { inner += " WHERE " + conditions.joined(separator: " AND ") }
    return commonTables.statement(
      BoundSQL("SELECT count(*) FROM (\(inner)\(range))\(dialect.queryAlias)", arguments))
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

extension QueryBuilder {
  /// Only the objects that an export of a whole store lists under the entity: those that are of no sub-entity, and of
  /// entities without identity those that no owner nests.
  ///
  /// - Parameter nesting: The relationships by which owners nest their parts. A part whose owner writes no list of it
  ///   would be lost otherwise.
  mutating func addListedConditions(nestedBy nesting: Set<Int>) {
    if let kind = table.kindColumn {
      conditions.append("t0.\(SQL.quoted(kind)) = \(SQL.literal(entity.name))")
    }
    guard !entity.hasIdentity else { return }
    for relationship in layout.schema.relationships
    where nesting.contains(relationship.index) && entity.ancestry.contains(relationship.destination) {
      conditions.append(hasNoOwner(by: relationship))
    }
  }

  /// The condition that no owner has `t0` by a relationship. An owner that has not arrived is none: it does not nest its
  /// parts.
  private mutating func hasNoOwner(by relationship: SchemaRelationship) -> String {
    let (owner, part) = (layout.table(of: relationship.owner), layout.table(of: relationship.destination))
    let ownerKey = Self.names("o", owner.key.map { owner.columns[$0].name })
    let partKey = Self.names("t0", part.key.map { part.columns[$0].name })
    let owners = "FROM \(owner.sqlName) o"
    switch layout.relationships[relationship.index] {
    case .foreignKey(let columns):
      return hasNone(partKey, among: Self.names("o", columns.map { owner.columns[$0].name }), owners)
    case .inverse(let columns, _):
      return hasNone(Self.names("t0", columns.map { part.columns[$0].name }), among: ownerKey, owners)
    case .join(let index, let isForward):
      let join = JoinSQL(join: layout.joins[index], isForward: isForward)
      let (linked, targets) = (Self.names("j", join.owner), Self.names("j", join.target))
      let links = "FROM \(layout.joins[index].sqlName) j"
      if commonTables.areNeeded {
        let arrived = "\(SQL.row(linked)) IN (SELECT \(ownerKey.joined(separator: ", ")) \(owners))"
        return hasNone(partKey, among: targets, "\(links) WHERE \(arrived)")
      }
      let isOwner = zip(ownerKey, linked).map { "\($0) = \($1)" }.joined(separator: " AND ")
      return hasNone(partKey, among: targets, "\(links) JOIN \(owner.sqlName) o ON \(isOwner)")
    }
  }

  /// The condition that among the columns of rows there are no values equal to some of `t0`.
  private mutating func hasNone(_ own: [String], among columns: [String], _ rows: String) -> String {
    if commonTables.areNeeded { return commonTables.notAny(own, among: columns, rows) }
    let pairs = zip(columns, own).map { "\($0) = \($1)" }.joined(separator: " AND ")
    return "NOT EXISTS (SELECT 1 \(rows) WHERE \(pairs))"
  }

  private static func names(_ alias: String, _ names: [String]) -> [String] {
    names.map { "\(alias).\(SQL.quoted($0))" }
  }
}

/// The tables that a query depends on.
package struct QueryDependence {
  /// The tables that it reads, by their indexes.
  package var tables: Set<Int>
  /// Whether it may depend on other objects of its own table than those that it gives.
  package var readsOthers: Bool

  package init(tables: Set<Int>, readsOthers: Bool) {
    (self.tables, self.readsOthers) = (tables, readsOthers)
  }

  /// The dependencies of a query, by the names of the tables in its statement. SQLite's words say all of it, also what another
  /// database cannot say.
  package init(of query: Query, _ columns: [SelectedColumn], _ layout: Layout) throws {
    var builder = try QueryBuilder(query, layout, SQLiteDialect())
    let expressions = try builder.expressions(of: columns)
    let sql = builder.statement(selecting: expressions).sql
    tables = []
    func reads(_ name: String) -> Bool {
      sql.contains("FROM \(name)") || sql.contains("JOIN \(name)")
    }
    for (index, table) in layout.tables.enumerated()
    where reads(table.sqlName) || table.elementIndexes.contains(where: { reads(SQL.quoted($0.name)) }) {
      tables.insert(index)
    }
    for join in layout.joins where reads(join.sqlName) {
      let relationship = layout.schema.relationships[join.relationship]
      tables.insert(layout.entities[relationship.owner].table)
      tables.insert(layout.entities[relationship.destination].table)
    }
    // A statement that names the table twice reads it twice; a false match only costs one more read.
    readsOthers = sql.ranges(of: builder.table.sqlName).count > 1
  }
}

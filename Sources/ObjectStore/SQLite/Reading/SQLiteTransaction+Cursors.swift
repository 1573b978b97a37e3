import ObjectModel

/// How SQLite answers queries.
extension SQLiteTransaction {
  /// A cursor over the objects of a query.
  ///
  /// - Parameter isOrdered: Whether the order matters; it does not to a lone object.
  /// - Throws: ``StoreError`` if the query names what is not in the model; ``ObjectPredicateError`` if a condition does not
  ///   fit it.
  package func cursor(
    _ query: Query, _ columns: [SelectedColumn], isOrdered: Bool = true
  ) throws -> any Cursor {
    try prepare(statement(query, columns, isOrdered: isOrdered))
  }

  /// As ``cursor(_:_:isOrdered:)``, one that the connection keeps for the next time. It is the caller's until the
  /// transaction ends.
  package func keptCursor(_ query: Query, _ columns: [SelectedColumn]) throws -> any Cursor {
    try cached(statement(query, columns, isOrdered: false))
  }

  /// A cursor over the objects of a query as they are now, whatever is written while it goes on.
  package func snapshotCursor(_ query: Query, _ columns: [SelectedColumn]) throws -> any Cursor {
    var builder = try QueryBuilder(query, layout)
    let expressions = try builder.expressions(of: columns)
    return try prepare(builder.snapshotStatement(selecting: expressions))
  }

  /// A cursor over the combinations of values that the objects of a query have, each once, where the first object comes
  /// that has it. Limit and offset of the query count combinations.
  package func distinctCursor(_ query: Query, _ columns: [SelectedColumn]) throws -> any Cursor {
    var whole = query
    (whole.limit, whole.offset) = (nil, nil)
    var builder = try QueryBuilder(whole, layout)
    let expressions = try builder.expressions(of: columns)
    return try prepare(
      builder.distinctStatement(selecting: expressions, limit: query.limit, offset: query.offset))
  }

  /// A cursor over what values of the objects of a query give together, for each combination of other values: these come
  /// first, then the result.
  ///
  /// - Parameter value: The values; nil to count objects.
  package func aggregateCursor(
    _ aggregation: Aggregation, of value: SelectedColumn?, for query: Query, by groups: [SelectedColumn]
  ) throws -> any Cursor {
    var builder = try QueryBuilder(query, layout)
    let keys = try builder.expressions(of: groups)
    let values = try builder.expressions(of: value.map { [$0] } ?? [])
    return try prepare(
      builder.aggregateStatement(aggregation, selecting: keys + values, groupCount: keys.count))
  }

  /// How many objects a query has.
  package func count(_ query: Query) throws -> Int {
    Int(try prepare(QueryBuilder(query, layout).count()).onlyInteger() ?? 0)
  }

  /// The rows of the objects of a query.
  package func rows(of query: Query) throws -> [Int64] {
    let statement = try prepare(statement(query, [.row], isOrdered: true))
    var rows: [Int64] = []
    while try statement.step() { rows.append(statement.integer(0)) }
    return rows
  }

  private func statement(
    _ query: Query, _ columns: [SelectedColumn], isOrdered: Bool
  ) throws -> BoundSQL {
    var builder = try QueryBuilder(query, layout)
    let expressions = try builder.expressions(of: columns)
    return builder.statement(selecting: expressions, isOrdered: isOrdered)
  }

  // MARK: - About queries

  /// What a query depends on. SQLite itself tells, since conditions may lead anywhere.
  package func dependence(of query: Query, _ columns: [SelectedColumn]) throws -> QueryDependence {
    let statement = try statement(query, columns, isOrdered: true)
    let own = try layout.table(of: layout.entity(named: query.entity).index).name
    return QueryDependence(
      tables: try tablesRead(by: statement.sql),
      // What names the table twice looks at it twice; what only seems to is read once too often. How well an object fits
      // goes by how often others have the words.
      readsOthers: statement.sql.ranges(of: SQL.quoted(own)).count > 1 || query.isRanked)
  }

  /// The SQL that a query becomes, with its arguments put in, for people to look at.
  package func sql(of query: Query, _ columns: [SelectedColumn]) throws -> String {
    SQLText.of(try statement(query, columns, isOrdered: true))
  }
}

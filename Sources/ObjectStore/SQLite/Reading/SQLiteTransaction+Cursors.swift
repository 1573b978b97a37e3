import Foundation
import GRDBSQLite
package import ObjectModel

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
    var builder = try QueryBuilder(query, layout, SQLiteDialect())
    let expressions = try builder.expressions(of: columns)
    return try prepare(builder.snapshotStatement(selecting: expressions))
  }

  /// A cursor over the combinations of values that the objects of a query have, each once, where the first object comes
  /// that has it. Limit and offset of the query count combinations.
  package func distinctCursor(_ query: Query, _ columns: [SelectedColumn]) throws -> any Cursor {
    var whole = query
    (whole.limit, whole.offset) = (nil, nil)
    var builder = try QueryBuilder(whole, layout, SQLiteDialect())
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
    var builder = try QueryBuilder(query, layout, SQLiteDialect())
    let keys = try builder.expressions(of: groups)
    let values = try builder.expressions(of: value.map { [$0] } ?? [])
    return try prepare(
      builder.aggregateStatement(aggregation, selecting: keys + values, groupCount: keys.count))
  }

  /// How many objects a query has.
  package func count(_ query: Query) throws -> Int {
    Int(try prepare(QueryBuilder(query, layout, SQLiteDialect()).count()).onlyInteger() ?? 0)
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
    var builder = try QueryBuilder(query, layout, SQLiteDialect())
    let expressions = try builder.expressions(of: columns)
    return builder.statement(selecting: expressions, isOrdered: isOrdered)
  }

  // MARK: - About queries

  /// The tables that a query depends on. SQLite itself tells, since conditions may lead anywhere.
  package func dependence(of query: Query, _ columns: [SelectedColumn]) throws -> QueryDependence {
    let statement = try statement(query, columns, isOrdered: true)
    let own = try layout.table(of: layout.entity(named: query.entity).index).name
    return QueryDependence(
      tables: try tablesRead(by: statement.sql),
      // A statement that names the table twice reads it twice; a false match only costs one more read. How well an object fits
      // goes by how often others have the words.
      readsOthers: statement.sql.ranges(of: SQL.quoted(own)).count > 1 || query.isRanked)
  }

  /// The SQL that a query becomes, with its arguments put in, for people to look at.
  package func sql(of query: Query, _ columns: [SelectedColumn]) throws -> String {
    SQLText.of(try statement(query, columns, isOrdered: true))
  }

  /// How the store answers a query, by SQLite's `EXPLAIN QUERY PLAN`.
  package func explanation(of query: Query, _ selection: QuerySelection) throws -> QueryExplanation {
    let asked =
      switch selection {
      case .columns(let columns): try statement(query, columns, isOrdered: true)
      case .count: try QueryBuilder(query, layout, SQLiteDialect()).count()
      }
    let rows = try prepare(BoundSQL("EXPLAIN QUERY PLAN " + asked.sql, asked.arguments))
    // Each step has a number and that of the step around it.
    var depths: [Int64: Int] = [:]
    var plan: [String] = []
    while try rows.step() {
      let depth = depths[rows.integer(1)].map { $0 + 1 } ?? 0
      depths[rows.integer(0)] = depth
      plan.append(String(repeating: "  ", count: depth) + rows.string(3))
    }
    return QueryExplanation(
      statement: SQLText.filled(asked, sign: "?", isShortened: true), plan: plan)
  }
}

/// How SQLite answers what relationships of a row lead to.
extension SQLiteTransaction {
  /// A cursor over the targets of a relationship of the object whose row it is told: their ``SelectedColumn/row``,
  /// ``SelectedColumn/kind`` and ``SelectedColumn/stored``, and behind them what the link itself knows of each. Of a join
  /// table, that is the target's key, also of targets that have not arrived, for which all before is null; of an ordered
  /// list that the targets keep, the place.
  package func targets(of relationship: SchemaRelationship) throws -> any Cursor {
    let table = layout.table(of: relationship.destination)
    let kind = table.kindColumn.map { "t.\(SQL.quoted($0))" } ?? "NULL"
    let columns = ["t.rowid", kind] + table.columns.map { "t.\(SQL.quoted($0.name))" }
    return try prepare(
      RelationshipSQL(layout: layout, relationship: relationship, SQLiteDialect()).targets(selecting: columns)
    )
  }

  /// A cursor over the keys of the targets of a relationship of the object whose row it is told, of those that have not
  /// arrived too where the link itself tells, with the place of each behind them where the targets keep it.
  package func targetKeys(of relationship: SchemaRelationship) throws -> any Cursor {
    try prepare(RelationshipSQL(layout: layout, relationship: relationship, SQLiteDialect()).keysAndPlaces)
  }

  /// Whether any object waits for others that have not arrived, in lists that the others keep.
  package func hasPendingTargets() throws -> Bool {
    try prepare("SELECT 1 FROM \(SQL.quoted(StoreTable.pending)) LIMIT 1").onlyInteger() != nil
  }

  /// A cursor over the keys, as text, that the store remembers for a relationship of an object until their objects come,
  /// each with its place. It is told the relationship as `Entity.name` and the owner's key as text.
  package func pendingTargets() throws -> any Cursor {
    try prepare(
      """
      SELECT "target", "position" FROM \(SQL.quoted(StoreTable.pending))
      WHERE "relationship" = ?1 AND "owner" = ?2 ORDER BY "position" NULLS LAST, "target"
      """)
  }

  /// A cursor over what a path that passes a relationship to many gives of the object whose row it is told, in the order
  /// of the lists.
  package func elements(of path: ResolvedPath, _ entity: SchemaEntity) throws -> any Cursor {
    try prepare(path.elementsSQL(of: entity, layout, SQLiteDialect()))
  }
}

extension SQLiteTransaction {
  /// Whether a relationship of the object in a row leads to an object that is there.
  package func hasTarget(of relationship: SchemaRelationship, row: Int64) throws -> Bool {
    let sql = RelationshipSQL(layout: layout, relationship: relationship, SQLiteDialect())
      .targetRows(
        from: layout.table(of: relationship.owner), to: layout.table(of: relationship.destination))
    let statement = try cached(sql)
    statement.bind(row, at: 1)
    guard try statement.step() else { return false }
    statement.reset()
    return true
  }

  /// The keys that a relationship of the object in a row leads to, be their objects there or not.
  package func linkedKeys(of relationship: SchemaRelationship, row: Int64) throws -> [[SQLValue]] {
    let sql = RelationshipSQL(layout: layout, relationship: relationship, SQLiteDialect())
    guard case .inverse(_, let order) = layout.relationships[relationship.index] else {
      let statement = try prepare(sql.keys)
      statement.bind(row, at: 1)
      var keys: [[SQLValue]] = []
      while try statement.step() { keys.append((0..<statement.columnCount).map { statement.value($0) }) }
      return keys
    }
    let target = layout.table(of: relationship.destination)
    let width = target.key.count
    var links: [(key: [SQLValue], place: Int64?)] = []
    let statement = try prepare(sql.keysAndPlaces)
    statement.bind(row, at: 1)
    while try statement.step() {
      let place = order == nil || statement.isNull(width) ? nil : statement.integer(width)
      links.append(((0..<width).map { statement.value($0) }, place))
    }
    let owner = try KeyText.ofRow(row, in: layout.table(of: relationship.owner), self)
    let waiting = try PendingLinkStore(self).targets(of: relationship, owner: owner)
    for (text, place) in waiting {
      guard let parts = KeyText.split(text, count: width) else { continue }
      let key = zip(target.key, parts).map {
        target.columns[$0].storage == .integer ? Self.integer($1) : SQLValue.text($1)
      }
      // A pending target has its place among those that are there.
      let next = place.flatMap { place in links.firstIndex { $0.place ?? .max > place } }
      links.insert((key, place), at: order == nil ? links.count : next ?? links.count)
    }
    return links.map(\.key)
  }

  private static func integer(_ text: String) -> SQLValue { Int64(text).map(SQLValue.integer) ?? .text(text) }
}

/// Which tables a statement reads.
extension SQLiteTransaction {
  /// The object tables that a statement reads, by their indexes. The tables at both ends of a join table are among them,
  /// since a link is what their objects have; so is the table of an index that is read.
  func tablesRead(by sql: String) throws -> Set<Int> {
    let names = try cache.authorizer.access(of: sql, on: connection).reads
    var result: Set<Int> = []
    for (index, table) in layout.tables.enumerated() {
      let own = [table.name] + table.elementIndexes.map(\.name) + (table.search.map { [$0.name] } ?? [])
      if own.contains(where: names.contains) { result.insert(index) }
    }
    for join in layout.joins where names.contains(join.name) {
      let relationship = layout.schema.relationships[join.relationship]
      result.insert(layout.entities[relationship.owner].table)
      result.insert(layout.entities[relationship.destination].table)
    }
    return result
  }
}

/// Statements that people write.
extension SQLiteTransaction {
  /// The effects that a statement may have.
  private enum RawAccess {
    case reading
    case writing

    /// The words that a statement may begin with.
    var words: [String] {
      switch self {
      case .reading: ["SELECT", "WITH", "VALUES", "EXPLAIN"]
      case .writing: ["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"]
      }
    }
  }

  /// The rows that a statement gives which somebody wrote, and the names of their columns.
  ///
  /// - Throws: ``StoreError`` if it is several, writes, or has other parameters than these.
  package func cursor(
    rawSQL sql: String, _ arguments: [SQLValue]
  ) throws -> (rows: any Cursor, columns: [String]) {
    let statement = try prepareRaw(sql, arguments, for: .reading)
    return (statement, (0..<statement.columnCount).map(statement.columnName))
  }

  /// Runs a statement that somebody wrote, and that writes. Returns how many rows it changed.
  ///
  /// - Throws: ``StoreError`` if it is several, writes nothing or what is the store's own, or has other parameters than
  ///   these.
  package func execute(rawSQL sql: String, _ arguments: [SQLValue]) throws -> Int {
    let statement = try prepareRaw(sql, arguments, for: .writing)
    try statement.run()
    return statement.changes
  }

  /// Prepares a statement that somebody wrote, with its arguments.
  ///
  /// - Throws: ``StoreError`` if it is several, does what it may not, or has other parameters than these.
  private func prepareRaw(
    _ sql: String, _ arguments: [SQLValue], for access: RawAccess
  ) throws -> PreparedStatement {
    try checkIsOngoing()
    let word = Self.firstWord(of: sql)
    guard access.words.contains(word) else {
      throw StoreError.invalid(
        "A statement has to begin with \(access.words.joined(separator: ", ")) here, not with"
          + " \(Excerpt.of(word.isEmpty ? sql : word)).")
    }
    try makeSearch()
    let statement = try prepare(sql)
    guard try isAlone(sql) else {
      throw StoreError.invalid("One statement can be run at a time, and no more.")
    }
    guard statement.parameterCount == arguments.count else {
      throw StoreError.invalid(
        "The statement has \(statement.parameterCount) parameters for \(arguments.count) values: put values into it"
          + " by interpolation.")
    }
    switch access {
    case .reading:
      guard statement.isReadOnly else {
        throw StoreError.invalid("A statement that writes is run by execute, in a write transaction.")
      }
    case .writing: try prepareToWrite(sql, statement)
    }
    statement.bind(all: arguments)
    return statement
  }

  /// - Throws: ``StoreError`` if the statement writes what is the store's own.
  private func prepareToWrite(_ sql: String, _ statement: PreparedStatement) throws {
    guard !statement.isReadOnly else { throw StoreError.invalid("The statement writes nothing.") }
    for name in try cache.authorizer.access(of: sql, on: connection).writes {
      let isKnown = layout.tables.contains { $0.name == name } || layout.joins.contains { $0.name == name }
      guard isKnown else {
        throw StoreError.invalid("\(name) is the store's own, and cannot be written by SQL.")
      }
    }
    try noteForeignWrites()
  }

  /// To be called before somebody else writes: what is kept up in the end of a new store is not awaited then.
  package func noteForeignWrites() throws {
    _ = takeFreshness()
    try makeIndexes()
    try makeSearch()
  }

  /// The first word, in capitals.
  private static func firstWord(of sql: String) -> String {
    var rest = Substring(sql)
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == "(" }
      if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        guard let end = rest.range(of: "*/") else { return "" }
        rest = rest[end.upperBound...]
      } else {
        return rest.prefix { $0.isLetter }.uppercased()
      }
    }
  }

  /// Whether nothing but space and comments follows the first statement.
  private func isAlone(_ sql: String) throws -> Bool {
    sql.withCString { text in
      var statement: OpaquePointer?
      var rest: UnsafePointer<CChar>?
      guard sqlite3_prepare_v2(connection, text, -1, &statement, &rest) == SQLITE_OK else { return false }
      sqlite3_finalize(statement)
      // A zero in the text ends it for SQLite, but not for its writer.
      guard strlen(text) == sql.utf8.count, let rest else { return false }
      var next: OpaquePointer?
      let code = sqlite3_prepare_v2(connection, rest, -1, &next, nil)
      defer { sqlite3_finalize(next) }
      return code == SQLITE_OK && next == nil
    }
  }
}

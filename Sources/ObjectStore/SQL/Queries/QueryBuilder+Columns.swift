import ObjectModel

/// What is selected of the objects.
extension QueryBuilder {
  /// The number of the object's row.
  var row: String { "t0.\(dialect.rowColumn(of: table))" }

  /// The expressions for columns that are asked for.
  ///
  /// - Throws: ``StoreError`` if there are too many, or a path passes more relationships than a statement has room for.
  package mutating func expressions(of columns: [SelectedColumn]) throws -> [String] {
    var result: [String] = []
    for column in columns { result += try expressions(of: column) }
    return result
  }

  /// The expressions for a column that is asked for.
  ///
  /// - Throws: ``StoreError`` if a path passes more relationships than a statement has room for.
  mutating func expressions(of column: SelectedColumn) throws -> [String] {
    switch column {
    case .row: return [row]
    case .kind: return [table.kindColumn.map { "t0.\(SQL.quoted($0))" } ?? "NULL"]
    case .key: return table.key.map { "t0.\(SQL.quoted(table.columns[$0].name))" }
    case .stored: return table.columns.map { "t0.\(SQL.quoted($0.name))" }
    case .value(let path): return try columns(of: path)
    case .reference(let path): return try keyColumns(of: path)
    case .targetRow(let path): return [try targetRow(of: path)]
    case .ownerRow:
      guard case .related(let related) = source else { return ["NULL"] }
      let owner = layout.table(of: related.relationship.owner)
      return ["\(RelatedObjects.owner).\(dialect.rowColumn(of: owner))"]
    case .rank: return [rank()]
    }
  }

  /// The expressions for what columns hold at the end of a path of to-one relationships, even of references to
  /// objects that have not arrived.
  mutating func keyColumns(of path: ResolvedPath) throws -> [String] {
    if case .aggregate(let aggregate, let path) = path.end { return [try value(of: aggregate, path)] }
    let alias = try join(path.relationships)
    return path.identity(storedColumns(of: path, alias), layout, dialect)
  }

  private func storedColumns(of path: ResolvedPath, _ alias: String) -> [String] {
    path.columns(layout).map { "\(alias).\(SQL.quoted($0.name))" }
  }

  /// The expressions for the values at the end of a path of to-one relationships.
  mutating func columns(of path: ResolvedPath) throws -> [String] {
    let values = try keyColumns(of: path)
    guard let reference = path.pendingReference(layout) else { return values }
    if let target = try referenced(by: path) {
      let key =
        "\(target).\(SQL.quoted(layout.table(of: reference).columns[layout.table(of: reference).key[0]].name))"
      return values.map { "CASE WHEN \(key) IS NOT NULL THEN \($0) END" }
    }
    // A reference to an object that has not arrived reads as null.
    let stored = storedColumns(of: path, try join(path.relationships))
    let exists = "EXISTS (SELECT 1 \(referenced(reference, by: stored)))"
    return values.map { "CASE WHEN \(exists) THEN \($0) END" }
  }

  /// The expression for the row of the object that a path of to-one relationships leads to; null if it is not there.
  mutating func targetRow(of path: ResolvedPath) throws -> String {
    let alias = try join(path.relationships)
    let target = path.relationships.last.map { layout.schema.relationships[$0].destination } ?? entity.index
    guard let reference = path.pendingReference(layout) else {
      return "\(alias).\(dialect.rowColumn(of: layout.table(of: target)))"
    }
    if let found = try referenced(by: path) {
      return "\(found).\(dialect.rowColumn(of: layout.table(of: reference)))"
    }
    return
      "(SELECT x.\(dialect.rowColumn(of: layout.table(of: reference))) \(referenced(reference, by: storedColumns(of: path, alias))))"
  }

  /// The alias of the object that the reference at the end of a path leads to, joined since the statement cannot look for
  /// it in its table from each row; nil if it can.
  private mutating func referenced(by path: ResolvedPath) throws -> String? {
    guard dialect.readsTablesAlone, case .relationship(let relationship) = path.end else { return nil }
    return try join(path.relationships + [relationship.index])
  }

  /// The object of an entity, as `x`, whose key some columns hold.
  private func referenced(_ entity: Int, by names: [String]) -> String {
    let target = layout.table(of: entity)
    let pairs =
      zip(target.key, names).map { "x.\(SQL.quoted(target.columns[$0].name)) = \($1)" }
      + [layout.kindCondition(of: entity, alias: "x")].compactMap { $0 }
    return "FROM \(target.sqlName) x WHERE \(pairs.joined(separator: " AND "))"
  }

  /// Joins the targets of a path of relationships, once each, and returns the last one's alias.
  private mutating func join(_ path: [Int]) throws -> String {
    if let known = aliases[path] { return known }
    let owner = try join(Array(path.dropLast()))
    let alias = "t\(aliases.count)"
    if let last = path.last {
      let sql = RelationshipSQL(layout: layout, relationship: layout.schema.relationships[last], dialect)
      tableCount += sql.tableCount
      guard tableCount <= StoreLimits.joinedTables else {
        throw StoreError.invalid(
          "What is asked of \(entity.name) goes through more relationships than a query can:"
            + " it has room for \(StoreLimits.joinedTables) tables.")
      }
      commonTables.sources["t0"] = objects
      joins.append(sql.joins(owner: owner, target: alias, kind: "LEFT JOIN", reading: &commonTables))
    }
    aliases[path] = alias
    return alias
  }

  private mutating func value(of aggregate: Aggregate, _ path: PredicatePath) throws -> String {
    do throws(ObjectPredicateError) {
      var sql = PredicateSQL(ObjectPredicate(.always(true)), self)
      let value = try sql.value(of: aggregate, path, of: ObjectSource(alias: "t0", entity: entity))
      takeTables(of: sql)
      return value
    } catch {
      // It stands in no predicate whose text could be shown.
      throw StoreError.invalid(error.message)
    }
  }
}

package import ObjectModel

/// Builds the statement of a query, join by join.
///
/// The objects are `t0`. Every to-one relationship that a key path passes joins its target once.
package struct QueryBuilder {
  package let layout: Layout
  package let entity: SchemaEntity
  private let table: Table
  private var joins: [String] = []
  private var tableCount = 3
  /// The alias of the target of a path of relationships.
  private var aliases: [[Int]: String] = [[]: "t0"]
  private var conditions: [String] = []
  private var arguments: [SQLValue] = []
  private var ordering: [String] = []
  /// Whether the query is about few objects, which are told by other means than its predicates: what these ask for
  /// is then looked for from each of them. It has to be set before they are added.
  package var isAboutFew = false
  private var limit: Int?
  private var offset: Int?
  /// The tables that it begins with.
  private let source: String
  /// The order where none is asked for.
  private let ownOrdering: [String]
  /// What is searched for; nil if nothing is, or nothing can be found.
  private(set) var search: QuerySearch?
  /// Whether anything is searched for.
  package private(set) var isSearch = false
  /// Whether the rank of each object is asked for.
  private var needsRank = false

  /// Begins a query of all objects of an entity, its sub-entities' included.
  ///
  /// - Throws: ``StoreError`` if there is no such entity, with the nearest name.
  package init(_ entity: String, _ layout: Layout) throws {
    self.layout = layout
    guard let found = layout.schema.entity(entity) else {
      throw StoreError.unknownEntity(
        entity, nearest: nearestName(to: entity, in: layout.schema.entities.map(\.name)))
    }
    self.entity = found
    table = layout.table(of: found.index)
    source = "\(SQL.quoted(table.name)) t0"
    ownOrdering = []
    if let ofKind = layout.kindCondition(of: found.index, alias: "t0") { conditions.append(ofKind) }
  }

  /// Begins a query of the objects that a relationship leads to from some owners, in its own order unless another
  /// is asked for.
  package init(_ related: RelatedObjects, _ layout: Layout) {
    self.layout = layout
    entity = layout.schema.entities[related.relationship.destination]
    table = layout.table(of: entity.index)
    source = related.source(layout)
    ownOrdering = [related.ordering(layout)]
    conditions.append(related.condition(layout, &arguments))
    isAboutFew = true
  }

  /// Adds what a query asks for.
  ///
  /// - Throws: ``StoreError`` if a key path leads nowhere or to many, or the identity has other parts;
  ///   ``ObjectPredicateError`` if the predicate names what is not there, or compares what cannot be.
  package mutating func add(_ query: Query) throws {
    if let identity = query.identity {
      try add(identity: identity)
      isAboutFew = true
    }
    if let predicate = query.predicate { try add(predicate) }
    for condition in query.search { try add(condition) }
    for sort in query.sort { try add(sort) }
    guard ordering.count <= StoreLimits.columns else {
      throw StoreError.invalid(
        "\(entity.name) cannot be ordered by \(ordering.count) values: \(StoreLimits.columns) are the most.")
    }
    limit = query.limit
    offset = query.offset
  }

  /// Adds an order, after those before.
  ///
  /// - Throws: ``StoreError`` if the key path leads nowhere or to many.
  package mutating func add(_ sort: Query.Sort) throws {
    for term in try terms(of: sort) { ordering.append(term + (sort.isAscending ? "" : " DESC")) }
  }

  /// Only the objects that a condition on `t0` holds for.
  mutating func add(condition: String) { conditions.append(condition) }

  /// SQLite takes no more arguments than 32,766, those of other conditions among them.
  private static let argumentLimit = 30_000

  /// Only the objects with one of these identities, of which there may be any number.
  ///
  /// - Throws: ``StoreError`` if there are more than SQLite takes of values that are no texts or whole numbers.
  package mutating func add(identities: [[SQLValue]]) throws {
    let layout = layout
    let entity = entity
    guard entity.isIdentifiedBelowRoot else { return try add(keys: identities) }
    try add(keys: identities.map { layout.key(ofIdentity: $0, of: entity) })
  }

  /// Only the objects with one of these keys, as the store has them.
  ///
  /// - Throws: ``StoreError`` as ``add(identities:)`` does.
  package mutating func add(keys identities: [[SQLValue]]) throws {
    let names = table.key.map { "t0.\(SQL.quoted(table.columns[$0].name))" }.joined(separator: ", ")
    if table.key.count == 1, let list = ListedValues.list(identities.flatMap { $0 }) {
      arguments.append(list)
      conditions.append("\(names) IN (SELECT value FROM json_each(?\(arguments.count)))")
      return
    }
    if let list = ListedValues.list(identities) {
      arguments.append(list)
      let parts = table.key.indices.map { "json_extract(value, '$[\($0)]')" }.joined(separator: ", ")
      conditions.append("(\(names)) IN (SELECT \(parts) FROM json_each(?\(arguments.count)))")
      return
    }
    guard arguments.count + identities.count * table.key.count <= Self.argumentLimit else {
      throw StoreError.invalid("\(identities.count) identities that are numbers with fractions are too many.")
    }
    let rows = identities.map { parts in
      let parameters = parts.map { part in
        arguments.append(part)
        return "?\(arguments.count)"
      }
      return "(\(parameters.joined(separator: ", ")))"
    }
    conditions.append(
      rows.isEmpty ? "FALSE" : "(\(names)) IN (VALUES \(rows.joined(separator: ", ")))")
  }

  /// Only the object whose key is bound to the first parameters.
  package mutating func addKeyParameters() {
    for (index, column) in table.key.enumerated() {
      arguments.append(.null)
      conditions.append("t0.\(SQL.quoted(table.columns[column].name)) = ?\(index + 1)")
    }
  }

  /// Only the object in the row that is bound to the first parameter.
  package mutating func addRowParameter() {
    arguments.append(.null)
    conditions.append("t0.rowid = ?1")
  }

  /// Only the objects in some rows.
  package mutating func add(rows: [Int64]) {
    arguments.append(ListedValues.list(rows))
    conditions.append("t0.rowid IN (SELECT value FROM json_each(?\(arguments.count)))")
  }

  /// Only the object in a row.
  package mutating func addRow(_ row: Int64) {
    arguments.append(.integer(row))
    conditions.append("t0.rowid = ?\(arguments.count)")
  }

  private mutating func add(identity: String) throws {
    guard entity.hasIdentity else {
      throw StoreError.invalid("\(entity.name) has no identity, so its objects cannot be named.")
    }
    guard let values = ComparedType.identity(identity, of: entity) else {
      let names = entity.identity.map { entity.attributes[$0].name }.joined(separator: ",")
      throw StoreError.invalid(
        "The identity of \(entity.name) has \(entity.identity.count) parts, \(names): give them joined by"
          + " commas.")
    }
    for (column, value) in zip(table.key, layout.key(ofIdentity: values, of: entity)) {
      arguments.append(value)
      conditions.append("t0.\(SQL.quoted(table.columns[column].name)) = ?\(arguments.count)")
    }
  }

  /// Adds a condition.
  ///
  /// - Throws: ``ObjectPredicateError`` if the predicate names what is not there, or compares what cannot be.
  package mutating func add(_ predicate: ObjectPredicate) throws(ObjectPredicateError) {
    conditions.append(
      try PredicateSQL.condition(
        predicate, of: entity, alias: "t0", isAboutFew: isAboutFew, layout, &arguments))
  }

  // MARK: - Searches

  /// Only objects that words are found in. Those that all searches of the query fit best come first, unless it has
  /// another order.
  ///
  /// - Throws: ``StoreError`` if an attribute is not searched, or the search is too long.
  package mutating func add(_ condition: SearchCondition) throws {
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
  package mutating func rank() -> String {
    guard search != nil else { return "0.0" }
    needsRank = true
    return QuerySearch.rank
  }

  /// Ordered by how well objects fit what is searched for, after the orders before.
  ///
  /// - Throws: ``StoreError`` if nothing is searched for.
  package mutating func addRankOrder() throws {
    guard isSearch else {
      throw StoreError.invalid("Nothing is searched for, so there is no order by how well it is found.")
    }
    ordering.append(rank())
  }

  private mutating func terms(of sort: Query.Sort) throws -> [String] {
    let path = try ResolvedPath(sort.keyPath, from: entity, layout)
    guard !path.isToMany else {
      throw StoreError.invalid("\(sort.keyPath) leads to many objects, so it gives no order.")
    }
    // Decimals are kept as texts, which do not sort as numbers do.
    return try zip(keyColumns(of: path), path.types(layout, from: entity)).map { value, type in
      type == .decimal ? "\(value) COLLATE \(DecimalOrder.collation)" : value
    }
  }

  // MARK: - Columns

  /// The expressions for what columns hold at the end of a path of to-one relationships, even of references to
  /// objects that have not arrived.
  package mutating func keyColumns(of path: ResolvedPath) throws -> [String] {
    if case .aggregate(let aggregate, let path) = path.end {
      return [try PredicateSQL.value(of: aggregate, path, of: entity, alias: "t0", layout).sql]
    }
    let alias = try join(path.relationships)
    return path.identity(storedColumns(of: path, alias), layout)
  }

  private func storedColumns(of path: ResolvedPath, _ alias: String) -> [String] {
    path.columns(layout).map { "\(alias).\(SQL.quoted($0.name))" }
  }

  /// The expressions for the values at the end of a path of to-one relationships.
  package mutating func columns(of path: ResolvedPath) throws -> [String] {
    let values = try keyColumns(of: path)
    guard let reference = path.pendingReference(layout) else { return values }
    // A reference to an object that has not arrived reads as null.
    let stored = storedColumns(of: path, try join(path.relationships))
    let exists = "EXISTS (SELECT 1 \(referenced(reference, by: stored)))"
    return values.map { "CASE WHEN \(exists) THEN \($0) END" }
  }

  /// The expression for the row of the object that a path of to-one relationships leads to; null if it is not there.
  package mutating func targetRow(of path: ResolvedPath) throws -> String {
    let alias = try join(path.relationships)
    guard let reference = path.pendingReference(layout) else { return "\(alias).rowid" }
    return "(SELECT x.rowid \(referenced(reference, by: storedColumns(of: path, alias))))"
  }

  /// The object of an entity, as `x`, whose key some columns hold.
  private func referenced(_ entity: Int, by names: [String]) -> String {
    let target = layout.table(of: entity)
    let pairs =
      zip(target.key, names).map { "x.\(SQL.quoted(target.columns[$0].name)) = \($1)" }
      + [layout.kindCondition(of: entity, alias: "x")].compactMap { $0 }
    return "FROM \(SQL.quoted(target.name)) x WHERE \(pairs.joined(separator: " AND "))"
  }

  /// Joins the targets of a path of relationships, once each, and returns the last one's alias.
  private mutating func join(_ path: [Int]) throws -> String {
    if let known = aliases[path] { return known }
    let owner = try join(Array(path.dropLast()))
    let alias = "t\(aliases.count)"
    if let last = path.last {
      let sql = RelationshipSQL(layout: layout, relationship: layout.schema.relationships[last])
      tableCount += sql.tableCount
      guard tableCount <= StoreLimits.joinedTables else {
        throw StoreError.invalid(
          "What is asked of \(entity.name) goes through more relationships than a query can:"
            + " it has room for \(StoreLimits.joinedTables) tables.")
      }
      joins.append(sql.joins(owner: owner, target: alias, kind: "LEFT JOIN"))
    }
    aliases[path] = alias
    return alias
  }

  // MARK: - The statement

  /// The SQL that selects expressions, and its arguments.
  ///
  /// - Parameter isOrdered: Whether the order matters; it does not to a lone object.
  package func statement(
    selecting columns: [String], isOrdered: Bool = true
  ) -> (sql: String, arguments: [SQLValue]) {
    var sql = "SELECT \(columns.joined(separator: ", ")) FROM \(source)"
    let byRank = isOrdered && ordering.isEmpty && search != nil
    let isJoined = byRank || needsRank
    let (conditions, arguments) = allConditions(joiningIndex: isJoined)
    if isJoined, let search { sql += " " + search.join }
    if !joins.isEmpty { sql += " " + joins.joined(separator: " ") }
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    guard isOrdered else { return (sql + range, arguments) }
    // The key at the end makes every order a complete one.
    let keys = table.key.map { "t0.\(SQL.quoted(table.columns[$0].name))" }
    let own = byRank ? [QuerySearch.rank] : ownOrdering
    sql += " ORDER BY " + ((ordering.isEmpty ? own : ordering) + keys).joined(separator: ", ")
    return (sql + range, arguments)
  }

  /// The conditions, with what is searched for, and their arguments.
  ///
  /// - Parameter joiningIndex: Whether the full-text index is joined with the objects, which its rank needs.
  private func allConditions(joiningIndex: Bool) -> (conditions: [String], arguments: [SQLValue]) {
    guard let search else { return (conditions, arguments) }
    let parameter = "?\(arguments.count + 1)"
    let condition =
      joiningIndex
      ? search.joinedCondition(parameter) : search.condition(parameter, isAboutFew: isAboutFew)
    return (conditions + [condition], arguments + [.text(search.expression)])
  }

  /// As ``statement(selecting:isOrdered:)``, but what the objects were when the statement began: SQLite puts all rows
  /// aside, in a temporary file if they are many, before it gives the first.
  package func snapshotStatement(selecting columns: [String]) -> (sql: String, arguments: [SQLValue]) {
    let tables = Set((layout.tables.map(\.name) + layout.joins.map(\.name)).map { $0.lowercased() })
    var name = "snapshot"
    while tables.contains(name) { name += "_" }
    var (sql, arguments) = statement(selecting: columns)
    // Without a limit, SQLite may leave out the order of what is selected from.
    if range.isEmpty { sql += " LIMIT -1" }
    return ("WITH \(name) AS MATERIALIZED (\(sql)) SELECT * FROM \(name)", arguments)
  }

  /// The condition that the objects fulfil, as a statement that changes rows of their table, `t0`, can have it.
  ///
  /// - Parameter isOrdered: Whether it goes by their order which objects are meant.
  func changeCondition(isOrdered: Bool) -> (sql: String, arguments: [SQLValue]) {
    guard !isOrdered, joins.isEmpty, range.isEmpty, source == "\(SQL.quoted(table.name)) t0" else {
      let (sql, arguments) = statement(selecting: ["t0.rowid"], isOrdered: isOrdered)
      return ("t0.rowid IN (\(sql))", arguments)
    }
    let (conditions, arguments) = allConditions(joiningIndex: false)
    return (conditions.isEmpty ? "1" : conditions.joined(separator: " AND "), arguments)
  }

  /// The SQL that counts the objects.
  package func count() -> (sql: String, arguments: [SQLValue]) {
    let (conditions, arguments) = allConditions(joiningIndex: false)
    var inner = "SELECT 1 FROM \(source)"
    if !conditions.isEmpty { inner += " WHERE " + conditions.joined(separator: " AND ") }
    return ("SELECT count(*) FROM (\(inner)\(range))", arguments)
  }

  /// ` LIMIT … OFFSET …`, where there is any.
  private var range: String {
    switch (limit, offset) {
    case (nil, nil): ""
    case (let limit?, nil): " LIMIT \(limit)"
    case (let limit, let offset?): " LIMIT \(limit ?? -1) OFFSET \(offset)"
    }
  }
}

extension StoreTransaction {
  /// Prepares a statement with its arguments.
  package func prepare(_ query: (sql: String, arguments: [SQLValue])) throws -> PreparedStatement {
    let statement = try prepare(query.sql)
    statement.bind(all: query.arguments)
    return statement
  }
}

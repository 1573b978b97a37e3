package import ObjectModel

/// Builds the statement of a query, join by join.
///
/// The objects are `t0`. Every to-one relationship that a key path passes joins its target once.
package struct QueryBuilder {
  package let layout: Layout
  package let entity: SchemaEntity
  private let table: Table
  private var joins: [String] = []
  /// The alias of the target of a path of relationships.
  private var aliases: [[Int]: String] = [[]: "t0"]
  private var conditions: [String] = []
  private var arguments: [SQLValue] = []
  private var ordering: [String] = []
  private var limit: Int?

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
    if let ofKind = layout.kindCondition(of: found.index, alias: "t0") { conditions.append(ofKind) }
  }

  /// Adds what a query asks for.
  ///
  /// - Throws: ``StoreError`` if a key path leads nowhere or to many, or the identity has other parts;
  ///   ``ObjectPredicateError`` if the predicate names what is not there, or compares what cannot be.
  package mutating func add(_ query: Query) throws {
    if let identity = query.identity { try add(identity: identity) }
    if let predicate = query.predicate { try add(predicate) }
    for sort in query.sort {
      for term in try terms(of: sort) { ordering.append(term + (sort.isAscending ? "" : " DESC")) }
    }
    limit = query.limit
  }

  private mutating func add(identity: String) throws {
    guard entity.hasIdentity else {
      throw StoreError.invalid("\(entity.name) has no identity, so its objects cannot be named.")
    }
    guard let parts = KeyText.split(identity, count: table.key.count) else {
      let names = entity.identity.map { entity.attributes[$0].name }.joined(separator: ",")
      throw StoreError.invalid(
        "The identity of \(entity.name) has \(table.key.count) parts, \(names): give them joined by commas.")
    }
    for (column, part) in zip(table.key, parts) {
      // As a key in JSON is, by the attribute's type; what cannot be converted finds nothing.
      let type = ComparedType(table.columns[column].type)
      arguments.append(type.value(of: .string(part))?.value ?? .text(part))
      conditions.append("t0.\(SQL.quoted(table.columns[column].name)) = ?\(arguments.count)")
    }
  }

  private mutating func add(_ predicate: ObjectPredicate) throws(ObjectPredicateError) {
    conditions.append(
      try PredicateSQL.condition(predicate, of: entity, alias: "t0", layout, &arguments))
  }

  private mutating func terms(of sort: Query.Sort) throws -> [String] {
    let path = try ResolvedPath(sort.keyPath, from: entity, layout)
    guard !path.isToMany else {
      throw StoreError.invalid("\(sort.keyPath) leads to many objects, so it gives no order.")
    }
    let alias = join(path.relationships)
    return path.columns(layout).map { column in
      let name = "\(alias).\(SQL.quoted(column.name))"
      // Decimals are kept as texts, which do not sort as numbers do.
      return column.type == .decimal ? "\(name) COLLATE \(DecimalOrder.collation)" : name
    }
  }

  // MARK: - Columns

  /// The expressions for the values at the end of a path of to-one relationships.
  package mutating func columns(of path: ResolvedPath) -> [String] {
    let alias = join(path.relationships)
    let names = path.columns(layout).map { "\(alias).\(SQL.quoted($0.name))" }
    guard let reference = path.pendingReference(layout) else { return names }
    // A reference to an object that has not arrived reads as null.
    let target = layout.table(of: reference)
    let pairs =
      zip(target.key, names).map { "x.\(SQL.quoted(target.columns[$0].name)) = \($1)" }
      + [layout.kindCondition(of: reference, alias: "x")].compactMap { $0 }
    let exists =
      "EXISTS (SELECT 1 FROM \(SQL.quoted(target.name)) x WHERE \(pairs.joined(separator: " AND ")))"
    return names.map { "CASE WHEN \(exists) THEN \($0) END" }
  }

  /// Joins the targets of a path of relationships, once each, and returns the last one's alias.
  private mutating func join(_ path: [Int]) -> String {
    if let known = aliases[path] { return known }
    let owner = join(Array(path.dropLast()))
    let alias = "t\(aliases.count)"
    if let last = path.last {
      let sql = RelationshipSQL(layout: layout, relationship: layout.schema.relationships[last])
      joins.append(sql.joins(owner: owner, target: alias, kind: "LEFT JOIN"))
    }
    aliases[path] = alias
    return alias
  }

  // MARK: - The statement

  /// The SQL that selects expressions, and its arguments.
  package func statement(selecting columns: [String]) -> (sql: String, arguments: [SQLValue]) {
    var sql = "SELECT \(columns.joined(separator: ", ")) FROM \(SQL.quoted(table.name)) t0"
    if !joins.isEmpty { sql += " " + joins.joined(separator: " ") }
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    // The key at the end makes every order a complete one.
    let keys = table.key.map { "t0.\(SQL.quoted(table.columns[$0].name))" }
    sql += " ORDER BY " + (ordering + keys).joined(separator: ", ")
    if let limit { sql += " LIMIT \(limit)" }
    return (sql, arguments)
  }

  /// The SQL that counts the objects.
  package func count() -> (sql: String, arguments: [SQLValue]) {
    var inner = "SELECT 1 FROM \(SQL.quoted(table.name)) t0"
    if !conditions.isEmpty { inner += " WHERE " + conditions.joined(separator: " AND ") }
    if let limit { inner += " LIMIT \(limit)" }
    return ("SELECT count(*) FROM (\(inner))", arguments)
  }
}

extension StoreTransaction {
  /// Prepares a statement with its arguments.
  package func prepare(_ query: (sql: String, arguments: [SQLValue])) throws -> PreparedStatement {
    let statement = try prepare(query.sql)
    for (index, argument) in query.arguments.enumerated() { statement.bind(argument, at: index + 1) }
    return statement
  }
}

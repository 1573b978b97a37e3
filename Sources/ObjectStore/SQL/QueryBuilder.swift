import Foundation
package import ObjectModel

/// Builds the statement of a query, join by join, in the words of one database.
///
/// The objects are `t0`. Every to-one relationship that a key path passes joins its target once.
package struct QueryBuilder {
  let layout: Layout
  let dialect: any SQLDialect
  package let entity: SchemaEntity
  let table: Table
  /// The moment of `NOW()`, the same in all conditions.
  package let now: Double = Date().timeIntervalSinceReferenceDate
  /// The conditions that the database cannot say: they are to be evaluated for each object, before the range counts.
  package private(set) var furtherConditions: [PredicateNode] = []
  /// The further conditions where each is about one text of the objects' own, as SQL; nil if any is about more.
  package private(set) var furtherTexts: [OwnText]? = []
  /// The tables that are read ahead of the objects.
  var commonTables: CommonTables
  /// The joins with what conditions and selected values look up for each object.
  var lookups: [String] = []
  var joins: [String] = []
  var tableCount = 3
  /// The alias of the target of a path of relationships.
  var aliases: [[Int]: String] = [[]: "t0"]
  var conditions: [String] = []
  var arguments = SQLArguments()
  var ordering: [String] = []
  /// The search for texts that fulfil conditions which the database cannot say; nil if nothing does.
  let texts: TextEvaluation?
  /// Whether the query is about few objects: what its predicates ask for is then looked for from each of them.
  var isPointLookup = false
  /// Whether a predicate alone chooses the objects, and all that fulfil it are asked for.
  var hasOneCondition = false
  package let limit: Int?
  package let offset: Int?
  /// The source of the objects, and its tables.
  let source: Query.Source
  let tables: String
  /// The order where none is asked for.
  let ownOrdering: [String]
  /// The search; nil if there is none, or nothing can be found.
  var search: QuerySearch?
  /// Whether anything is searched for.
  var isSearch = false
  /// Whether the rank of each object is asked for.
  var needsRank = false

  /// - Throws: ``StoreError`` if there is no such entity, a key path leads nowhere or to many, or the identity has other
  ///   parts; ``ObjectPredicateError`` if a predicate names what is not there, or compares what cannot be.
  package init(
    _ query: Query, _ layout: Layout, _ dialect: any SQLDialect,
    texts: TextEvaluation? = nil
  ) throws {
    self.layout = layout
    self.texts = texts
    self.dialect = dialect
    entity = try layout.entity(named: query.entity)
    table = layout.table(of: entity.index)
    (source, limit, offset) = (query.source, query.limit, query.offset)
    commonTables = CommonTables(dialect)
    guard case .related(let related) = query.source else {
      tables = "\(table.sqlName) t0"
      ownOrdering = []
      if let ofKind = layout.kindCondition(of: entity.index, alias: "t0") { conditions.append(ofKind) }
      try add(query)
      return
    }
    let owners = related.condition(layout, dialect, &arguments)
    tables = related.source(layout, dialect, where: owners, &commonTables)
    ownOrdering = [related.ordering(layout, dialect)]
    if !commonTables.areNeeded { conditions.append(owners) }
    try add(query)
  }

  /// Adds what a query asks for.
  private mutating func add(_ query: Query) throws {
    if case .listed(let nesting) = query.source { addListedConditions(nestedBy: nesting) }
    // First, since the parameters of what is told later have fixed numbers.
    for choice in query.choices { try add(choice) }
    if let identity = query.identity { try add(identity: identity) }
    isPointLookup =
      dialect.looksFromFew && (query.isPointLookup || query.identity != nil || !ownOrdering.isEmpty)
    if case .all = query.source {
      hasOneCondition =
        query.predicates.count == 1 && query.choices.isEmpty && query.identity == nil && query.search.isEmpty
        && query.limit == nil && query.offset == nil
    }
    for predicate in query.predicates { try add(predicate) }
    for condition in query.search { try add(condition) }
    for sort in query.sort { try add(sort) }
    guard ordering.count <= StoreLimits.columns else {
      throw StoreError.invalid(
        "\(entity.name) cannot be ordered by \(ordering.count) values: \(StoreLimits.columns) are the most.")
    }
  }

  /// Adds an order, after those before.
  ///
  /// - Throws: ``StoreError`` if the key path leads nowhere or to many, or nothing is searched for.
  private mutating func add(_ sort: Query.Sort) throws {
    guard case .path(let keyPath) = sort.key else { return try addRankOrder() }
    ordering += try terms(of: keyPath, isAscending: sort.isAscending)
  }

  /// Adds a condition.
  ///
  /// - Throws: ``ObjectPredicateError`` if the predicate names what is not there, or compares what cannot be.
  mutating func add(_ predicate: ObjectPredicate) throws(ObjectPredicateError) {
    let object = ObjectSource(alias: "t0", entity: entity)
    var sql = PredicateSQL(predicate, self)
    if let condition = try sql.whole(predicate.root, of: object) { return add(condition, sql) }
    // The conditions that the database can say narrow down the objects that are left to be looked at.
    for node in predicate.root.conjuncts {
      var sql = PredicateSQL(predicate, self)
      guard let condition = try sql.whole(node, of: object) else {
        furtherConditions.append(node)
        if let text = try ownText(node, predicate) {
          furtherTexts?.append(text)
          if let condition = narrowing(text) { conditions.append(condition) }
        } else {
          furtherTexts = nil
        }
        continue
      }
      add(condition, sql)
    }
  }

  /// A text of an object's own and what it has to fulfil.
  package struct OwnText {
    package let sql: String
    package let condition: TextCondition
  }

  /// The text of a condition on an attribute of the object's own; nil for other conditions.
  private mutating func ownText(
    _ node: PredicateNode, _ predicate: ObjectPredicate
  ) throws(ObjectPredicateError) -> OwnText? {
    guard case .comparison(let comparison) = node, comparison.quantifier == nil,
      [.like, .matches, .finds].contains(comparison.operation),
      case .path(let path) = comparison.left.kind, case .constant(let constant) = comparison.right.kind,
      let pattern = ComparedType.text(constant)
    else { return nil }
    var sql = PredicateSQL(predicate, self)
    guard let text = try sql.ownText(path, of: ObjectSource(alias: "t0", entity: entity)) else { return nil }
    return OwnText(
      sql: text, condition: TextCondition(comparison.operation, pattern, comparison.options))
  }

  /// A condition that every object fulfils which fulfils a `LIKE` on a text of its own; nil for other operators.
  private func narrowing(_ text: OwnText) -> String? {
    guard text.condition.operation == .like else { return nil }
    return dialect.mayBeLike(text.sql, text.condition.pattern, text.condition.options)
  }

  private mutating func add(_ condition: String, _ sql: PredicateSQL) {
    conditions.append(condition)
    arguments = sql.arguments
    takeTables(of: sql)
  }

  /// Takes over what a condition or a value has to read ahead.
  mutating func takeTables(of sql: PredicateSQL) {
    let sources = commonTables.sources
    (commonTables, lookups) = (sql.commonTables, sql.lookups)
    commonTables.sources = sources
  }

  private mutating func terms(of keyPath: String, isAscending: Bool) throws -> [String] {
    let path = try ResolvedPath(keyPath, from: entity, layout)
    guard !path.isToMany else {
      throw StoreError.invalid("\(keyPath) leads to many objects, so it gives no order.")
    }
    return try zip(keyColumns(of: path), path.forms(layout, from: entity)).map { value, form in
      dialect.sortTerm(value, form, isAscending: isAscending)
    }
  }
}

/// The selected columns of the objects.
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
      // An aggregate that is selected stands in no predicate, so there is no text to show.
      throw StoreError.invalid(error.message)
    }
  }
}

/// Objects that are named one by one.
extension QueryBuilder {
  /// - Throws: ``StoreError`` if there are more identities than SQLite takes of values that are no texts or whole numbers.
  mutating func add(_ choice: Query.Choice) throws {
    switch choice {
    case .identities(let identities): try add(identities: identities)
    case .keys(let keys): try add(keys: keys)
    case .rows(let rows): add(rows: rows)
    case .givenKey: addKeyParameters()
    case .givenRow: addRowParameter()
    }
  }

  /// SQLite takes no more arguments than 32,766, those of other conditions among them.
  private static let argumentLimit = 30_000

  /// Only the objects with one of these identities, of which there may be any number.
  ///
  /// - Throws: ``StoreError`` if there are more than SQLite takes of values that are no texts or whole numbers.
  private mutating func add(identities: [[SQLValue]]) throws {
    let layout = layout
    let entity = entity
    guard entity.isIdentifiedBelowRoot else { return try add(keys: identities) }
    try add(keys: identities.map { layout.key(ofIdentity: $0, of: entity) })
  }

  /// Only the objects with one of these keys, as the store has them.
  ///
  /// - Throws: ``StoreError`` as ``add(identities:)`` does.
  private mutating func add(keys identities: [[SQLValue]]) throws {
    let key = table.key.map { "t0.\(SQL.quoted(table.columns[$0].name))" }
    let forms = table.key.map { SQLForm(table.columns[$0]) }
    if let condition = dialect.isOne(key, of: identities, forms, &arguments) {
      return conditions.append(condition)
    }
    let names = key.joined(separator: ", ")
    guard arguments.count + identities.count * table.key.count <= Self.argumentLimit else {
      throw StoreError.invalid("\(identities.count) identities that are numbers with fractions are too many.")
    }
    let rows = identities.map { parts in
      let parameters = zip(parts, forms).map { part, form in
        arguments.append(part, form)
        return dialect.parameter(arguments.count)
      }
      return "(\(parameters.joined(separator: ", ")))"
    }
    conditions.append(
      rows.isEmpty ? "FALSE" : "(\(names)) IN (VALUES \(rows.joined(separator: ", ")))")
  }

  /// Only the object whose key is bound to the first parameters.
  private mutating func addKeyParameters() {
    for (index, column) in table.key.enumerated() {
      arguments.append(.null, SQLForm(table.columns[column]))
      conditions.append("t0.\(SQL.quoted(table.columns[column].name)) = \(dialect.parameter(index + 1))")
    }
  }

  /// Only the object in the row that is bound to the first parameter.
  private mutating func addRowParameter() {
    arguments.append(.null, .integer)
    conditions.append("\(row) = \(dialect.parameter(1))")
  }

  /// Only the objects in some rows.
  private mutating func add(rows: [Int64]) {
    guard let only = rows.first, rows.count == 1 else {
      let values = rows.map { [SQLValue.integer($0)] }
      if let condition = dialect.isOne([row], of: values, [.integer], &arguments) {
        conditions.append(condition)
      }
      return
    }
    arguments.append(.integer(only), .integer)
    conditions.append("\(row) = \(dialect.parameter(arguments.count))")
  }

  mutating func add(identity: String) throws {
    let values = try layout.identity(ofQuery: identity, of: entity)
    for (column, value) in zip(table.key, layout.key(ofIdentity: values, of: entity)) {
      let form = SQLForm(table.columns[column])
      guard dialect.holds(value, as: form) else { return conditions.append(dialect.truth(false)) }
      arguments.append(value, form)
      conditions.append(
        "t0.\(SQL.quoted(table.columns[column].name)) = \(dialect.parameter(arguments.count))")
    }
  }
}

extension ResolvedPath {
  /// SQL for the value, or the parts of the identity, at the end, from SQL for its columns.
  func identity(_ columns: [String], _ layout: Layout, _ dialect: any SQLDialect) -> [String] {
    guard case .relationship(let relationship) = end else { return columns }
    return layout.identity(
      fromColumns: columns, of: layout.schema.entities[relationship.destination], dialect)
  }

  /// How the value, or the parts of the identity, at the end are kept.
  package func forms(_ layout: Layout, from entity: SchemaEntity) -> [SQLForm] {
    if case .relationship(let relationship) = end,
      !layout.schema.entities[relationship.destination].isIdentifiedBelowRoot
    {
      return columns(layout).map { SQLForm($0) }
    }
    return types(layout, from: entity).map { SQLForm($0) }
  }

  /// SQL for what a path that passes a relationship to many gives of the object in the row that the first parameter says,
  /// in the order of the lists.
  package func elementsSQL(
    of entity: SchemaEntity, _ layout: Layout, _ dialect: any SQLDialect
  ) -> String {
    let table = layout.table(of: entity.index)
    var tables = CommonTables(dialect)
    let isMeant = "t0.\(dialect.rowColumn(of: table)) = \(dialect.parameter(1))"
    var sql = "FROM \(tables.source(TableColumns(table, dialect), as: "t0", where: isMeant))"
    var ordering: [String] = []
    var alias = "t0"
    for (index, relationship) in relationships.enumerated() {
      let relationship = layout.schema.relationships[relationship]
      let step = RelationshipSQL(layout: layout, relationship: relationship, dialect)
      let next = "t\(index + 1)"
      sql += " " + step.joins(owner: alias, target: next, reading: &tables)
      if relationship.isToMany {
        ordering.append(String(step.ordering(owner: alias, target: next).dropFirst(" ORDER BY ".count)))
      }
      alias = next
    }
    let columns = identity(columns(layout).map { "\(alias).\(SQL.quoted($0.name))" }, layout, dialect)
    sql = "SELECT \(columns.joined(separator: ", ")) \(sql) WHERE \(isMeant)"
    if !ordering.isEmpty { sql += " ORDER BY \(ordering.joined(separator: ", "))" }
    return tables.statement(sql)
  }
}

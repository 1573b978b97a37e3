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
  /// What `NOW()` is, the same in all conditions.
  package let now: Double = Date().timeIntervalSinceReferenceDate
  /// The conditions that the database cannot say: they are to be evaluated for each object, before the range counts.
  package private(set) var furtherConditions: [PredicateNode] = []
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
  let texts: (any TextEvaluation)?
  /// Whether the query is about few objects: what its predicates ask for is then looked for from each of them.
  var isPointLookup = false
  package let limit: Int?
  package let offset: Int?
  /// What the objects are chosen from, and the tables that are.
  let source: Query.Source
  let tables: String
  /// The order where none is asked for.
  let ownOrdering: [String]
  /// What is searched for; nil if nothing is, or nothing can be found.
  var search: QuerySearch?
  /// Whether anything is searched for.
  var isSearch = false
  /// Whether the rank of each object is asked for.
  var needsRank = false

  /// - Throws: ``StoreError`` if there is no such entity, a key path leads nowhere or to many, or the identity has other
  ///   parts; ``ObjectPredicateError`` if a predicate names what is not there, or compares what cannot be.
  package init(
    _ query: Query, _ layout: Layout, _ dialect: any SQLDialect = SQLiteDialect(),
    texts: (any TextEvaluation)? = nil
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
    // What the database can say of it narrows down what is left to be looked at.
    for node in predicate.root.conjuncts {
      var sql = PredicateSQL(predicate, self)
      guard let condition = try sql.whole(node, of: object) else {
        furtherConditions.append(node)
        if let condition = try narrowing(node, predicate) { conditions.append(condition) }
        continue
      }
      add(condition, sql)
    }
  }

  /// A condition that every object fulfils which fulfils a `LIKE` on an attribute of its own; nil for other conditions.
  private mutating func narrowing(
    _ node: PredicateNode, _ predicate: ObjectPredicate
  ) throws(ObjectPredicateError) -> String? {
    guard case .comparison(let comparison) = node, comparison.operation == .like,
      comparison.quantifier == nil,
      case .path(let path) = comparison.left.kind, case .constant(let constant) = comparison.right.kind,
      let pattern = ComparedType.text(constant)
    else { return nil }
    var sql = PredicateSQL(predicate, self)
    guard let text = try sql.ownText(path, of: ObjectSource(alias: "t0", entity: entity)) else { return nil }
    return dialect.mayBeLike(text, pattern, comparison.options)
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

import ObjectModel

/// Builds the statement of a query, join by join.
///
/// The objects are `t0`. Every to-one relationship that a key path passes joins its target once.
struct QueryBuilder {
  let layout: Layout
  let entity: SchemaEntity
  let table: Table
  var joins: [String] = []
  var tableCount = 3
  /// The alias of the target of a path of relationships.
  var aliases: [[Int]: String] = [[]: "t0"]
  var conditions: [String] = []
  var arguments: [SQLValue] = []
  var ordering: [String] = []
  /// Whether the query is about few objects: what its predicates ask for is then looked for from each of them.
  var isAboutFew = false
  let limit: Int?
  let offset: Int?
  /// The tables that it begins with.
  let source: String
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
  init(_ query: Query, _ layout: Layout) throws {
    self.layout = layout
    entity = try layout.entity(named: query.entity)
    table = layout.table(of: entity.index)
    (limit, offset) = (query.limit, query.offset)
    guard case .related(let related) = query.source else {
      source = "\(SQL.quoted(table.name)) t0"
      ownOrdering = []
      if let ofKind = layout.kindCondition(of: entity.index, alias: "t0") { conditions.append(ofKind) }
      try add(query)
      return
    }
    source = related.source(layout)
    ownOrdering = [related.ordering(layout)]
    conditions.append(related.condition(layout, &arguments))
    try add(query)
  }

  /// Adds what a query asks for.
  private mutating func add(_ query: Query) throws {
    if case .listed = query.source { addListedConditions() }
    // First, since the parameters of what is told later have fixed numbers.
    for choice in query.choices { try add(choice) }
    if let identity = query.identity { try add(identity: identity) }
    isAboutFew = query.isAboutFew || query.identity != nil || !ownOrdering.isEmpty
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
    for term in try terms(of: keyPath) { ordering.append(term + (sort.isAscending ? "" : " DESC")) }
  }

  /// Adds a condition.
  ///
  /// - Throws: ``ObjectPredicateError`` if the predicate names what is not there, or compares what cannot be.
  mutating func add(_ predicate: ObjectPredicate) throws(ObjectPredicateError) {
    conditions.append(
      try PredicateSQL.condition(
        predicate, of: entity, alias: "t0", isAboutFew: isAboutFew, layout, &arguments))
  }

  private mutating func terms(of keyPath: String) throws -> [String] {
    let path = try ResolvedPath(keyPath, from: entity, layout)
    guard !path.isToMany else {
      throw StoreError.invalid("\(keyPath) leads to many objects, so it gives no order.")
    }
    // Decimals are kept as texts, which do not sort as numbers do.
    return try zip(keyColumns(of: path), path.types(layout, from: entity)).map { value, type in
      type == .decimal ? "\(value) COLLATE \(DecimalOrder.collation)" : value
    }
  }
}

import ObjectModel
public import ObjectStore

extension ReadTransaction {
  /// The objects of a query with ``Query/matching(_:)``, each with how well it fits and where the words are.
  ///
  /// - Throws: What ``fetch(_:)-(Query<Root>)`` throws; ``QueryError`` if nothing is searched for.
  /// - Complexity: The piece of text is looked for once for each object, so a limit is worth it.
  public func search<Root: Storable>(
    _ query: Query<Root>, snippets: SearchSnippets = SearchSnippets()
  ) throws -> [SearchHit<Root>] {
    var builder = try query.builder(transaction.layout)
    guard builder.isSearch else { throw QueryError.nothingSearched }
    var fetch = try ObjectFetch(query.prefetches, in: &builder)
    let reader = try SnippetReader(builder, snippets.style, transaction)
    let run = FetchRun(transaction)
    let columns = fetch.columns.expressions
    var ranks: [Double] = []
    let rank = builder.rank()
    try run.visit(builder.statement(selecting: columns + [rank])) { statement in
      try fetch.read(statement)
      ranks.append(statement.double(columns.count))
    }
    try fetch.load(run)
    return try zip(fetch.objects, zip(fetch.rows, ranks)).map { object, found in
      SearchHit(object: object, rank: found.1, snippet: try reader.snippet(ofRow: found.0))
    }
  }

  /// The objects of a query with ``ObjectQuery/matching(_:in:)``, each with how well it fits and where the words are.
  ///
  /// - Throws: What ``fetch(_:)-(ObjectQuery)`` throws; ``StoreError`` if nothing is searched for.
  public func search(
    _ query: ObjectQuery, snippets: SearchSnippets = SearchSnippets()
  ) throws -> [SearchHit<Object>] {
    var builder = try query.builder(transaction.layout)
    guard builder.isSearch else { throw QueryError.nothingSearched }
    let reader = try SnippetReader(builder, snippets.style, transaction)
    let objects = try fetch(query)
    var (rows, ranks): ([Int64], [Double]) = ([], [])
    let rank = builder.rank()
    let statement = try transaction.prepare(builder.statement(selecting: ["t0.rowid", rank]))
    while try statement.step() {
      rows.append(statement.integer(0))
      ranks.append(statement.double(1))
    }
    return try zip(objects, zip(rows, ranks)).map { object, found in
      SearchHit(object: object, rank: found.1, snippet: try reader.snippet(ofRow: found.0))
    }
  }
}

extension QueryError {
  fileprivate static let nothingSearched = QueryError("nothing is searched for: say matching(…) what is")
}

extension Store {
  /// The objects of a query with ``Query/matching(_:)``, each with how well it fits and where the words are.
  ///
  /// ```swift
  /// for hit in try await store.search(Band.matching("rock").limit(20)) {
  ///   print(hit.object.name, hit.snippet)
  /// }
  /// ```
  ///
  /// - Throws: What ``fetch(_:)-(Query<Root>)`` throws; ``QueryError`` if nothing is searched for.
  public func search<Root: Storable>(
    _ query: Query<Root>, snippets: SearchSnippets = SearchSnippets()
  ) async throws -> [SearchHit<Root>] {
    try await read { try $0.search(query, snippets: snippets) }
  }

  /// The objects of a query with ``ObjectQuery/matching(_:in:)``, each with how well it fits and where the words are.
  ///
  /// - Throws: What ``fetch(_:)-(ObjectQuery)`` throws; ``QueryError`` if nothing is searched for.
  public func search(
    _ query: ObjectQuery, snippets: SearchSnippets = SearchSnippets()
  ) async throws -> [SearchHit<Object>] {
    try await read { try $0.search(query, snippets: snippets) }
  }
}

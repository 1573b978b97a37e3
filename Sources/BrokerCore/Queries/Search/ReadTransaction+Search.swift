import ObjectModel
public import ObjectStore

extension ReadTransaction {
  /// The objects of a query with ``Query/matching(_:)``, each with how well it matches and where the words are.
  ///
  /// - Throws: What ``fetch(_:)-(Query<Root>)`` throws; ``QueryError`` if nothing is searched for.
  /// - Complexity: The piece of text is looked for once for each object, so a limit is worth it.
  public func search<Root: Storable>(
    _ query: Query<Root>, snippets: SearchSnippets = SearchSnippets()
  ) throws -> [SearchHit<Root>] {
    let stored = try query.stored(transaction.layout)
    guard !stored.search.isEmpty else { throw QueryError.nothingSearched }
    var fetch = try ObjectFetch(query.prefetches, transaction)
    let reader = try transaction.translatingErrors { try transaction.snippets(of: stored, snippets.style) }
    let run = FetchRun(transaction)
    let columns = fetch.columns
    var ranks: [Double] = []
    try run.visit(stored, columns.selected + [.rank]) { row in
      try fetch.read(row)
      ranks.append(row.double(columns.width))
    }
    try fetch.load(run)
    return try zip(fetch.objects, zip(fetch.rows, ranks)).map { object, found in
      SearchHit(object: object, rank: found.1, snippet: try reader.snippet(ofRow: found.0))
    }
  }

  /// The objects of a query with ``ObjectQuery/matching(_:in:)``, each with how well it matches and where the words
  /// are.
  ///
  /// - Throws: What ``fetch(_:)-(ObjectQuery)`` throws; ``StoreError`` if nothing is searched for.
  public func search(
    _ query: ObjectQuery, snippets: SearchSnippets = SearchSnippets()
  ) throws -> [SearchHit<Object>] {
    let stored = query.stored
    guard !stored.search.isEmpty else { throw QueryError.nothingSearched }
    let reader = try transaction.snippets(of: stored, snippets.style)
    let objects = try fetch(query)
    var (rows, ranks): ([Int64], [Double]) = ([], [])
    let found = try transaction.cursor(stored, [.row, .rank])
    while try found.step() {
      rows.append(found.integer(0))
      ranks.append(found.double(1))
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
  /// The objects of a query with ``Query/matching(_:)``, each with how well it matches and where the words are.
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

  /// The objects of a query with ``ObjectQuery/matching(_:in:)``, each with how well it matches and where the words
  /// are.
  ///
  /// - Throws: What ``fetch(_:)-(ObjectQuery)`` throws; ``QueryError`` if nothing is searched for.
  public func search(
    _ query: ObjectQuery, snippets: SearchSnippets = SearchSnippets()
  ) async throws -> [SearchHit<Object>] {
    try await read { try $0.search(query, snippets: snippets) }
  }
}

import ObjectStore

/// Values of the objects of a query, without reading the objects.
///
/// ```swift
/// let sizes = try await store.fetch(Band.sorted(by: \.name).select(\.name, \.albums.count))
/// for (name, count) in sizes { print(name, count) }
/// ```
///
/// Each object gives a tuple. For a single key path, it gives the value itself.
public struct QuerySelection<Root: Storable, each Value: Sendable>: Sendable {
  var query: Query<Root>
  let paths: [PathKey]
  var isDistinct = false

  init(_ query: Query<Root>, _ paths: [PathKey]) {
    self.query = query
    self.paths = paths
  }

  /// Each combination of values once, at the place of the first.
  ///
  /// The query's limit and offset then count combinations.
  public func distinct() -> Self {
    var copy = self
    copy.isDistinct = true
    return copy
  }
}

extension Query {
  /// Values of the objects, without reading the objects.
  ///
  /// A path may lead to an attribute, to a relationship to one object, through such a relationship to a property
  /// (`\.band.name`), or to the count of a list (`\.albums.count`).
  public func select<each Value: Sendable>(
    _ paths: repeat any KeyPath<Result, each Value> & Sendable
  ) -> QuerySelection<Result, repeat each Value> {
    var keys: [PathKey] = []
    for path in repeat each paths { keys.append(PathKey(path)) }
    return QuerySelection(self, keys)
  }
}

extension Storable {
  /// Values of all objects of the type, without reading the objects.
  public static func select<each Value: Sendable>(
    _ paths: repeat any KeyPath<Self, each Value> & Sendable
  ) -> QuerySelection<Self, repeat each Value> {
    all.select(repeat each paths)
  }
}

extension ReadTransaction {
  /// Values of the objects of a query.
  ///
  /// - Throws: ``QueryError`` if the query or a key path cannot be put in the store's words, ``ObjectPredicateError``
  ///   if a condition does not fit the model, ``ReadError`` if the store holds what a type cannot.
  public func fetch<Root: Storable, each Value: Sendable>(
    _ selection: QuerySelection<Root, repeat each Value>
  ) throws -> [(repeat each Value)] {
    var columns = SelectedColumns<Root>()
    var paths = selection.paths.makeIterator()
    func add<Element>(_ type: Element.Type) throws -> SelectedColumns<Root>.Value<Element> {
      guard let path = paths.next() else { throw QueryError("nothing is selected") }
      return try columns.add(path, as: type, transaction.layout)
    }
    let values = (repeat try add((each Value).self))
    let cursor = try selection.cursor(columns, transaction)
    var rows: [(repeat each Value)] = []
    while try cursor.step() { rows.append((repeat try (each values).read(cursor))) }
    return rows
  }
}

// MARK: - One value of each object

// The functions above would give tuples of one element here, which Swift does not treat as that element everywhere.

extension ReadTransaction {
  /// A value of each object of a query.
  ///
  /// - Throws: ``QueryError`` if the query or the key path cannot be put in the store's words, ``ObjectPredicateError``
  ///   if a condition does not fit the model, ``ReadError`` if the store holds what the type cannot.
  public func fetch<Root: Storable, Value: Sendable>(
    _ selection: QuerySelection<Root, Value>
  ) throws -> [Value] {
    var columns = SelectedColumns<Root>()
    guard let path = selection.paths.first else { throw QueryError("nothing is selected") }
    let value = try columns.add(path, as: Value.self, transaction.layout)
    let cursor = try selection.cursor(columns, transaction)
    var values: [Value] = []
    while try cursor.step() { values.append(try value.read(cursor)) }
    return values
  }
}

extension Store {
  /// A value of each object of a query.
  ///
  /// - Throws: ``QueryError`` if the query or the key path cannot be put in the store's words, ``ObjectPredicateError``
  ///   if a condition does not fit the model, ``ReadError`` if the store holds what the type cannot.
  public func fetch<Root: Storable, Value: Sendable>(
    _ selection: QuerySelection<Root, Value>
  ) async throws -> [Value] {
    try await read { try $0.fetch(selection) }
  }
}

extension QuerySelection {
  fileprivate func cursor(
    _ columns: SelectedColumns<Root>, _ transaction: any StoreTransaction
  ) throws -> any Cursor {
    guard (1...StoreLimits.columns).contains(columns.width) else {
      throw QueryError("\(columns.width) values are selected; 1 to \(StoreLimits.columns) can be")
    }
    let stored = try query.stored(transaction.layout)
    return try transaction.translatingErrors {
      try isDistinct
        ? transaction.distinctCursor(stored, columns.selected) : transaction.cursor(stored, columns.selected)
    }
  }
}

extension Store {
  /// Values of the objects of a query.
  ///
  /// - Throws: ``QueryError`` if the query or a key path cannot be put in the store's words, ``ObjectPredicateError``
  ///   if a condition does not fit the model, ``ReadError`` if the store holds what a type cannot.
  public func fetch<Root: Storable, each Value: Sendable>(
    _ selection: QuerySelection<Root, repeat each Value>
  ) async throws -> [(repeat each Value)] {
    try await read { try $0.fetch(selection) }
  }
}

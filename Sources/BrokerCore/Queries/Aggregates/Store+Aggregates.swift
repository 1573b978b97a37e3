public import ObjectStore

// What the values of a query's objects give together. Values that are not there are passed over.

extension Store {
  /// The sum of a property of a query's objects; 0 if there is none.
  ///
  /// ```swift
  /// let turnover = try await store.sum(Shop.all, of: \.turnover)
  /// ```
  ///
  /// Sums of decimals are exact.
  ///
  /// - Throws: ``QueryError`` if the query cannot be put in the store's words, ``ReadError`` if the type has not room
  ///   for the sum, ``StoreError`` if whole numbers add up to more than 64 bits hold.
  public func sum<Root: Storable, Value: SummableValue>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable
  ) async throws -> Value.Sum {
    try await read { try $0.sum(query, of: path) }
  }

  /// The average of a property of a query's objects; nil if none has a value.
  ///
  /// Averages of decimals are rounded to 38 digits.
  public func average<Root: Storable, Value: SummableValue>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable
  ) async throws -> Value.Average? {
    try await read { try $0.average(query, of: path) }
  }

  /// The least value of a property of a query's objects; nil if none has a value.
  public func minimum<Root: Storable, Value: OrderedValue>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable
  ) async throws -> Value.Plain? {
    try await read { try $0.minimum(query, of: path) }
  }

  /// The greatest value of a property of a query's objects; nil if none has a value.
  public func maximum<Root: Storable, Value: OrderedValue>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable
  ) async throws -> Value.Plain? {
    try await read { try $0.maximum(query, of: path) }
  }

  // MARK: - For each value of another property

  /// How many objects of a query there are for each value of a property.
  ///
  /// ```swift
  /// let counts = try await store.count(Band.all, by: \.label?.country)
  /// ```
  ///
  /// - Throws: ``QueryError`` if the query cannot be put in the store's words, ``ReadError`` if the store holds what
  ///   the type cannot.
  public func count<Root: Storable, Key: Hashable & Sendable>(
    _ query: Query<Root>, by key: any KeyPath<Root, Key> & Sendable
  ) async throws -> [Key: Int] {
    try await read { try $0.count(query, by: key) }
  }

  /// The sum of a property of a query's objects for each value of another one.
  public func sum<Root: Storable, Value: SummableValue, Key: Hashable & Sendable>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable,
    by key: any KeyPath<Root, Key> & Sendable
  ) async throws -> [Key: Value.Sum] {
    try await read { try $0.sum(query, of: path, by: key) }
  }

  /// The average of a property of a query's objects for each value of another one for which there is an average.
  public func average<Root: Storable, Value: SummableValue, Key: Hashable & Sendable>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable,
    by key: any KeyPath<Root, Key> & Sendable
  ) async throws -> [Key: Value.Average] {
    try await read { try $0.average(query, of: path, by: key) }
  }

  /// The least value of a property of a query's objects for each value of another one for which there is one.
  public func minimum<Root: Storable, Value: OrderedValue, Key: Hashable & Sendable>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable,
    by key: any KeyPath<Root, Key> & Sendable
  ) async throws -> [Key: Value.Plain] {
    try await read { try $0.minimum(query, of: path, by: key) }
  }

  /// The greatest value of a property of a query's objects for each value of another one for which there is one.
  public func maximum<Root: Storable, Value: OrderedValue, Key: Hashable & Sendable>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable,
    by key: any KeyPath<Root, Key> & Sendable
  ) async throws -> [Key: Value.Plain] {
    try await read { try $0.maximum(query, of: path, by: key) }
  }
}

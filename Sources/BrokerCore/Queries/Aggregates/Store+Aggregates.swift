public import ObjectStore

// Sums, averages, least and greatest values of the objects of a query. Missing values are ignored.

extension Store {
  /// The sum of a property over the objects of a query; 0 if there is none.
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

  /// The average of a property over the objects of a query; nil if none has a value.
  ///
  /// Averages of decimals are rounded to 38 digits.
  public func average<Root: Storable, Value: SummableValue>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable
  ) async throws -> Value.Average? {
    try await read { try $0.average(query, of: path) }
  }

  /// The least value of a property among the objects of a query; nil if none has a value.
  public func minimum<Root: Storable, Value: OrderedValue>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable
  ) async throws -> Value.Plain? {
    try await read { try $0.minimum(query, of: path) }
  }

  /// The greatest value of a property among the objects of a query; nil if none has a value.
  public func maximum<Root: Storable, Value: OrderedValue>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable
  ) async throws -> Value.Plain? {
    try await read { try $0.maximum(query, of: path) }
  }

  // MARK: - For each value of another property

  /// How many objects of a query have each value of a property.
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

  /// The sum of a property over the objects of a query, for each value of another property.
  public func sum<Root: Storable, Value: SummableValue, Key: Hashable & Sendable>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable,
    by key: any KeyPath<Root, Key> & Sendable
  ) async throws -> [Key: Value.Sum] {
    try await read { try $0.sum(query, of: path, by: key) }
  }

  /// The average of a property over the objects of a query, for each value of another property. Values without an
  /// average are left out.
  public func average<Root: Storable, Value: SummableValue, Key: Hashable & Sendable>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable,
    by key: any KeyPath<Root, Key> & Sendable
  ) async throws -> [Key: Value.Average] {
    try await read { try $0.average(query, of: path, by: key) }
  }

  /// The least value of a property among the objects of a query, for each value of another property. Values without a
  /// result are left out.
  public func minimum<Root: Storable, Value: OrderedValue, Key: Hashable & Sendable>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable,
    by key: any KeyPath<Root, Key> & Sendable
  ) async throws -> [Key: Value.Plain] {
    try await read { try $0.minimum(query, of: path, by: key) }
  }

  /// The greatest value of a property among the objects of a query, for each value of another property. Values
  /// without a result are left out.
  public func maximum<Root: Storable, Value: OrderedValue, Key: Hashable & Sendable>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable,
    by key: any KeyPath<Root, Key> & Sendable
  ) async throws -> [Key: Value.Plain] {
    try await read { try $0.maximum(query, of: path, by: key) }
  }
}

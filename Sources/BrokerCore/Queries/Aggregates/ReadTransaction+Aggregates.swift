import ObjectStore

// Sums, averages, least and greatest values of the objects of a query. Missing values are ignored.

extension ReadTransaction {
  /// The sum of a property over the objects of a query; 0 if there is none.
  ///
  /// ```swift
  /// let turnover = try transaction.sum(Shop.all, of: \.turnover)
  /// ```
  ///
  /// Sums of decimals are exact.
  ///
  /// - Throws: ``QueryError`` if the query cannot be put in the store's words, ``ReadError`` if the type has not room
  ///   for the sum, ``StoreError`` if whole numbers add up to more than 64 bits hold.
  public func sum<Root: Storable, Value: SummableValue>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable
  ) throws -> Value.Sum {
    let aggregation = ValueAggregation(query: query, function: .sum, path: PathKey(path))
    guard let sum = try aggregation.result(Value.self, Value.Sum.self, in: transaction) else {
      throw QueryError("there is no sum of \(path.debugDescription)")
    }
    return sum
  }

  /// The average of a property over the objects of a query; nil if none has a value.
  ///
  /// Averages of decimals are rounded to 38 digits.
  public func average<Root: Storable, Value: SummableValue>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable
  ) throws -> Value.Average? {
    try ValueAggregation(query: query, function: .average, path: PathKey(path))
      .result(Value.self, Value.Average.self, in: transaction)
  }

  /// The least value of a property among the objects of a query; nil if none has a value.
  public func minimum<Root: Storable, Value: OrderedValue>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable
  ) throws -> Value.Plain? {
    try ValueAggregation(query: query, function: .minimum, path: PathKey(path))
      .result(Value.self, Value.Plain.self, in: transaction)
  }

  /// The greatest value of a property among the objects of a query; nil if none has a value.
  public func maximum<Root: Storable, Value: OrderedValue>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable
  ) throws -> Value.Plain? {
    try ValueAggregation(query: query, function: .maximum, path: PathKey(path))
      .result(Value.self, Value.Plain.self, in: transaction)
  }

  // MARK: - For each value of another property

  /// How many objects of a query have each value of a property.
  ///
  /// ```swift
  /// let counts = try transaction.count(Band.all, by: \.label?.country)
  /// ```
  ///
  /// - Throws: ``QueryError`` if the query cannot be put in the store's words, ``ReadError`` if the store holds what
  ///   the type cannot.
  public func count<Root: Storable, Key: Hashable & Sendable>(
    _ query: Query<Root>, by key: any KeyPath<Root, Key> & Sendable
  ) throws -> [Key: Int] {
    try ValueAggregation(query: query, function: .count, path: nil)
      .results(by: PathKey(key), Key.self, Int.self, Int.self, in: transaction)
  }

  /// The sum of a property over the objects of a query, for each value of another property.
  public func sum<Root: Storable, Value: SummableValue, Key: Hashable & Sendable>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable,
    by key: any KeyPath<Root, Key> & Sendable
  ) throws -> [Key: Value.Sum] {
    try ValueAggregation(query: query, function: .sum, path: PathKey(path))
      .results(by: PathKey(key), Key.self, Value.self, Value.Sum.self, in: transaction)
  }

  /// The average of a property over the objects of a query, for each value of another property. Values without an
  /// average are left out.
  public func average<Root: Storable, Value: SummableValue, Key: Hashable & Sendable>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable,
    by key: any KeyPath<Root, Key> & Sendable
  ) throws -> [Key: Value.Average] {
    try ValueAggregation(query: query, function: .average, path: PathKey(path))
      .results(by: PathKey(key), Key.self, Value.self, Value.Average.self, in: transaction)
  }

  /// The least value of a property among the objects of a query, for each value of another property. Values without a
  /// result are left out.
  public func minimum<Root: Storable, Value: OrderedValue, Key: Hashable & Sendable>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable,
    by key: any KeyPath<Root, Key> & Sendable
  ) throws -> [Key: Value.Plain] {
    try ValueAggregation(query: query, function: .minimum, path: PathKey(path))
      .results(by: PathKey(key), Key.self, Value.self, Value.Plain.self, in: transaction)
  }

  /// The greatest value of a property among the objects of a query, for each value of another property. Values
  /// without a result are left out.
  public func maximum<Root: Storable, Value: OrderedValue, Key: Hashable & Sendable>(
    _ query: Query<Root>, of path: any KeyPath<Root, Value> & Sendable,
    by key: any KeyPath<Root, Key> & Sendable
  ) throws -> [Key: Value.Plain] {
    try ValueAggregation(query: query, function: .maximum, path: PathKey(path))
      .results(by: PathKey(key), Key.self, Value.self, Value.Plain.self, in: transaction)
  }
}

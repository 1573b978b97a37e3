extension Query {
  /// Only objects that words are found in, in any attribute with `@Attribute(search: true)`; those that fit best come
  /// first, unless another order is asked for.
  ///
  /// ```swift
  /// let bands = try await store.fetch(Band.matching("indie rock -pop"))
  /// ```
  ///
  /// It takes what people type: all words are wanted, in any order. `"words in quotes"` follow one another, `wor*` is
  /// the beginning of a word, `rock OR indie` one of the two, `-pop` and `NOT pop` are not wanted. Case and accents do
  /// not matter. A text without a word that is wanted finds nothing, and none is an error.
  ///
  /// The attributes of sub-entities are searched with those of their entity. Words of several calls must all be found.
  public func matching(_ text: String) -> Self {
    adding { $0.conditions.append(.search(text, in: [])) }
  }

  /// Only objects that words are found in, in some attributes; those that fit best come first, unless another order is
  /// asked for.
  ///
  /// ```swift
  /// let bands = try await store.fetch(Band.matching("rock", in: \.name, \.bandDescription))
  /// ```
  ///
  /// The words may be in one attribute or in several. A path may lead through relationships to one object,
  /// `\.band.bio`; then all words must be in one of the attributes, and how well they fit gives no order.
  public func matching<each Value>(
    _ text: String, in paths: repeat any KeyPath<Result, each Value> & Sendable
  ) -> Self {
    var keys: [PathKey] = []
    for path in repeat each paths { keys.append(PathKey(path)) }
    return adding { $0.conditions.append(.search(text, in: keys)) }
  }

  /// Ordered by how well objects fit what is searched for, after the orders before.
  ///
  /// It is the order of ``matching(_:)`` where no other is asked for.
  public func sortedByRank() -> Self { adding { $0.orders.append(.rank) } }
}

extension Storable {
  /// The objects that words are found in: see ``Query/matching(_:)``.
  public static func matching(_ text: String) -> Query<Self> { all.matching(text) }

  /// The objects that words are found in, in some attributes: see ``Query/matching(_:in:)``.
  public static func matching<each Value>(
    _ text: String, in paths: repeat any KeyPath<Self, each Value> & Sendable
  ) -> Query<Self> {
    all.matching(text, in: repeat each paths)
  }
}

extension ToMany {
  /// The objects of the relationship that words are found in: see ``Query/matching(_:)``.
  public func matching(_ text: String) -> Query<Target> { query.matching(text) }
}

extension Query {
  /// Only objects in which words are found, in any attribute with `@Attribute(search: true)`. The best matches come
  /// first, unless another order is asked for.
  ///
  /// ```swift
  /// let bands = try await store.fetch(Band.matching("indie rock -pop"))
  /// ```
  ///
  /// It takes what people type: all words must be there, in any order. `"words in quotes"` must follow one another,
  /// `wor*` is the beginning of a word, `rock OR indie` is one of the two, and `-pop` or `NOT pop` must not be there.
  /// Case and accents do not matter. A text without any word finds nothing; no text is an error.
  ///
  /// The attributes of sub-entities are searched with those of their entity. Words of several calls must all be found.
  public func matching(_ text: String) -> Self {
    adding { $0.conditions.append(.search(text, in: [])) }
  }

  /// Only objects in which words are found, in some attributes. The best matches come first, unless another order is
  /// asked for.
  ///
  /// ```swift
  /// let bands = try await store.fetch(Band.matching("rock", in: \.name, \.bandDescription))
  /// ```
  ///
  /// The words may be in one attribute or in several. A path may lead through relationships to one object, such as
  /// `\.band.bio`. Then all words must be in one of the attributes, and the result is not sorted by how well objects
  /// match.
  public func matching<each Value>(
    _ text: String, in paths: repeat any KeyPath<Result, each Value> & Sendable
  ) -> Self {
    var keys: [PathKey] = []
    for path in repeat each paths { keys.append(PathKey(path)) }
    return adding { $0.conditions.append(.search(text, in: keys)) }
  }

  /// Sorted by how well objects match the search, after earlier orders.
  ///
  /// This is the order of ``matching(_:)`` if no other is asked for.
  public func sortedByRank() -> Self { adding { $0.orders.append(.rank) } }
}

extension Storable {
  /// The objects in which words are found: see ``Query/matching(_:)``.
  public static func matching(_ text: String) -> Query<Self> { all.matching(text) }

  /// The objects in which words are found, in some attributes: see ``Query/matching(_:in:)``.
  public static func matching<each Value>(
    _ text: String, in paths: repeat any KeyPath<Self, each Value> & Sendable
  ) -> Query<Self> {
    all.matching(text, in: repeat each paths)
  }
}

extension ToMany {
  /// The objects of the relationship in which words are found: see ``Query/matching(_:)``.
  public func matching(_ text: String) -> Query<Target> { query.matching(text) }
}

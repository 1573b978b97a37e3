extension Storable {
  /// The object as one of a sub-entity. The query has no result if it is of another kind.
  ///
  /// ```swift
  /// for event in try await store.fetch(Event.all) {
  ///   if let push = try await store.first(event.as(Push.self)) { print(push.size) }
  /// }
  /// ```
  public func `as`<Kind: Storable>(_ type: Kind.Type) -> Query<Kind> where Kind.ID == ID {
    Kind.filter(ids: [id])
  }
}

extension Storable where ID == RowID {
  /// The object as one of a sub-entity that has an identity of its own. The query has no result if it is of another
  /// kind.
  ///
  /// ```swift
  /// for remark in try await store.fetch(Remark.all) {
  ///   if let review = try await store.first(remark.as(Review.self)) { print(review.stars) }
  /// }
  /// ```
  @_disfavoredOverload
  public func `as`<Kind: Storable>(_ type: Kind.Type) -> Query<Kind> {
    var query = Kind.all
    query.conditions.append(.keys(Self.storedParts(of: id)))
    return query
  }
}

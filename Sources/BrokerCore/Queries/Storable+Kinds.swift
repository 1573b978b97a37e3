extension Storable {
  /// The object as one of a sub-entity: none if it is not of that kind.
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

extension Query {
  /// Gives a clear error where a property is no relationship.
  @available(
    *, unavailable,
    message: "only relationships can be fetched along: properties of the types ToOne, ToOne? and ToMany"
  )
  @_disfavoredOverload
  public func prefetching<Value>(_ path: any KeyPath<Result, Value> & Sendable) -> Self { self }
}

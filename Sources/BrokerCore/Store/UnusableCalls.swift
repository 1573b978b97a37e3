public import ObjectStore

// Calls with a value of the wrong kind. They are never compiled: each exists for the message that the compiler gives in
// place of "no exact matches in call".

extension Store {
  @available(*, unavailable, message: "the identity is of another type than the property id of this entity")
  public func find<Root: Storable, Other>(_ type: Root.Type, _ id: Other) async throws -> Root {
    throw StoreError.invalid("This call is never compiled.")
  }

  @available(*, unavailable, message: "the identity is of another type than the property id of this entity")
  public func delete<Root: Storable, Other>(_ type: Root.Type, _ id: Other) async throws {}

  @available(*, unavailable, message: "the identity is of another type than the property id of this entity")
  public func exists<Root: Storable, Other>(_ type: Root.Type, _ id: Other) async throws -> Bool { false }
}

extension ReadTransaction {
  @available(*, unavailable, message: "the identity is of another type than the property id of this entity")
  public func find<Root: Storable, Other>(_ type: Root.Type, _ id: Other) throws -> Root {
    throw StoreError.invalid("This call is never compiled.")
  }

  @available(*, unavailable, message: "the identity is of another type than the property id of this entity")
  public func exists<Root: Storable, Other>(_ type: Root.Type, _ id: Other) throws -> Bool { false }
}

extension WriteTransaction {
  @available(*, unavailable, message: "the identity is of another type than the property id of this entity")
  public func delete<Root: Storable, Other>(_ type: Root.Type, _ id: Other) throws {}
}

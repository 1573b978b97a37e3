public import Mapping

/// An object of any entity, with its attributes and relationships by name. It is for code that knows its model only
/// at run time.
///
/// ```swift
/// var japan = try await store.find("Band", "Japan")
/// japan["formed"] = 1975
/// japan["label"] = .link("Virgin")
/// try await store.save(japan)
/// ```
///
/// It has the values that were fetched or set. Saving it changes only these: all other properties keep their values
/// in the store.
public struct Object: Sendable, Hashable {
  /// Its entity, which may be a sub-entity of the one in the query.
  public let entity: String
  /// The identity. The values of a composite one are joined by commas. For an entity without identity, the row id;
  /// nil before the object is saved.
  public let identity: String?
  /// The values, by the names of the model.
  public private(set) var values: [String: Value]

  /// A new object.
  public init(_ entity: String, _ values: [String: Value] = [:]) {
    self.entity = entity
    identity = nil
    self.values = values
  }

  init(entity: String, identity: String, values: [String: Value]) {
    self.entity = entity
    self.identity = identity
    self.values = values
  }

  /// The value of an attribute or a relationship; nil if the object does not have the name. For a property without a
  /// value, it is ``Value/null``.
  public subscript(name: String) -> Value? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The object as reports name it; nil before it is saved.
  public var reference: ObjectReference? {
    identity.map { ObjectReference(entity: entity, identity: $0) }
  }
}

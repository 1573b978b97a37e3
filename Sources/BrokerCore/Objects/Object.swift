public import Mapping

/// An object of any entity, with its attributes and relationships by name: for code that knows its model only at run
/// time.
///
/// ```swift
/// var japan = try await store.find("Band", "Japan")
/// japan["formed"] = 1975
/// japan["label"] = .link("Virgin")
/// try await store.save(japan)
/// ```
///
/// It has what it was fetched with, or what was set. Saving one changes that only: names that it does not have stay as
/// they are in the store.
public struct Object: Sendable, Hashable {
  /// The entity that it is of, which may be a sub-entity of the one that was asked for.
  public let entity: String
  /// What tells it from others in the store: its identity, the values of a composite one joined by commas, or for an
  /// entity without identity its row; nil before it is saved.
  public let identity: String?
  /// What it has, by the names of the model.
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

  /// The value of an attribute or a relationship; nil if the object does not have the name. A value that is not
  /// there is ``Value/null``.
  public subscript(name: String) -> Value? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The object as reports name it; nil before it is saved.
  public var reference: ObjectReference? {
    identity.map { ObjectReference(entity: entity, identity: $0) }
  }
}

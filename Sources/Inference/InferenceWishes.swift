/// The words of a person on a model that is to be taken from JSON. They stand above what the data shows.
///
/// ```swift
/// var options = InferenceOptions()
/// options.wishes.entity = "Reading"
/// options.wishes.identities["Reading"] = ["sensor", "time"]
/// ```
public struct InferenceWishes: Sendable, Hashable {
  /// The name of the entity of the objects at the top of the JSON.
  public var entity: String?
  /// The keys that identify the objects of entities.
  public var identities: [String: [String]] = [:]
  /// Other names for entities, by the names that the inference gives them.
  public var renames: [String: String] = [:]
  /// The entities whose objects the values of keys name, by `Entity.key`.
  public var links: [String: String] = [:]
  /// Keys whose values name no objects, as `Entity.key`.
  public var notLinks: Set<String> = []

  public init() {}
}

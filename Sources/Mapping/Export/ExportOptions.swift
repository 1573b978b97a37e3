/// How an export is written.
///
/// ```swift
/// var options = ExportOptions()
/// options.nested = ["albums.tracks", "members"]
/// options.keys = .snake
/// ```
public struct ExportOptions: Sendable, Hashable {
  /// What is written of relationships.
  public enum Relationships: Sendable, Hashable {
    /// Nothing.
    case none
    /// The identities of the objects they lead to. Objects without identity, being parts of their owner, are
    /// written whole.
    case keys
    /// The objects themselves, so many relationships deep; beyond that, their identities.
    case nested(depth: Int)
  }

  /// The style of keys that no annotation gives.
  public enum Keys: String, Sendable, Hashable, CaseIterable {
    /// As the model writes the names: `listImageURL`.
    case camel
    /// `list_image_url`
    case snake
  }

  /// What surrounds the objects.
  public enum Form: Sendable, Hashable {
    /// A list.
    case array
    /// Nothing: an object a line.
    case lines
  }

  /// The keys of relationships.
  public enum RelationshipKeys: Sendable, Hashable {
    /// The name, whatever is written: `albums`.
    case names
    /// As models of Rails take them: `albums_attributes` for nested objects, `album_ids` and `label_id` for
    /// identities.
    case rails
  }

  /// What is written of relationships that ``nested`` does not name.
  public var relationships = Relationships.keys
  /// Relationships whose objects are written themselves, whatever ``relationships`` says of the rest. A key path,
  /// `albums.tracks`, nests the objects on its way too.
  public var nested: [String] = []
  public var relationshipKeys = RelationshipKeys.names
  /// The style of keys that no annotation gives. Nil is that in which the entity's JSON came last, as the store
  /// remembers it; ``Keys/camel`` where nothing came that tells.
  public var keys: Keys?
  /// Whether attributes and relationships without value are written as null.
  public var includesNulls = true
  public var form = Form.array
  /// Whether to break lines and indent.
  public var isPretty = false

  /// By entity, the properties that are written, if not all.
  package var onlyProperties: [String: Set<String>] = [:]
  /// How the JSON came that the store has imported.
  package var habits = JSONHabits()

  public init() {}
}

package import ObjectModel

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
    /// The identities of their targets. Objects without identity are parts of their owner and are written whole.
    case keys
    /// The targets themselves, to this depth; below it, their identities.
    case nested(depth: Int)
  }

  /// The style of keys for properties without a key in an annotation.
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
    /// Nothing: one object on each line.
    case lines
  }

  /// The keys of relationships.
  public enum RelationshipKeys: Sendable, Hashable {
    /// The name, whatever is written: `albums`.
    case names
    /// As Rails models expect them: `albums_attributes` for nested objects, `album_ids` and `label_id` for
    /// identities.
    case rails
  }

  /// What is written of relationships that ``nested`` does not name.
  public var relationships = Relationships.keys
  /// Relationships whose targets are written as objects, whatever ``relationships`` says about others. A key path,
  /// `albums.tracks`, nests the objects on its way too.
  public var nested: [String] = []
  public var relationshipKeys = RelationshipKeys.names
  /// The style of keys for properties without a key in an annotation. If nil, it is the style of the JSON that the
  /// entity's last import had, which the store remembers, or ``Keys/camel`` if that is not known.
  public var keys: Keys?
  /// Whether attributes and relationships without a value are written as null.
  public var includesNulls = true
  public var form = Form.array
  /// Whether to break lines and indent.
  public var isPretty = false

  /// By entity, the properties that are written, if not all are.
  package var onlyProperties: [String: Set<String>] = [:]
  /// How the imported JSON was written.
  package var habits = ObservedJSONStyle()
  /// Whether properties are left out of which nobody can follow what the model or the mapping says; otherwise the export
  /// fails, since it has nobody to tell.
  package var leavesOutUnusable = false
  /// Whether the export is of all objects of the store, and has to give the same store again.
  package var isWhole = false
  /// What the mapping says of documents.
  package var document = DocumentMapping()

  public init() {}
}

import ObjectStore

/// A change of one object that a program made, not an import, and that the server has not been told of.
public struct LocalChange: Sendable, Hashable, Codable {
  public enum Kind: String, Sendable, Hashable, Codable {
    case inserted, updated, renamed, deleted
  }

  public var kind: Kind
  public var entity: String
  /// The object's identity. The values of a composite one are joined by commas. For an entity without identity, the
  /// row id.
  public var identity: String
  /// The identity under which the server knows the object, if a program has renamed it since.
  public var formerIdentity: String?
  /// The names of the attributes and relationships that were changed, of a renamed object those of its identity
  /// included. Empty for an object that was inserted, which is
  /// new as a whole, or deleted.
  public var properties: [String]
  /// The number of the last of these changes. It grows with every change of the store, so a larger number means that
  /// there have been more changes.
  public var revision: Int64

  init(_ entry: JournalEntry) {
    kind =
      switch entry.kind {
      case .inserted: .inserted
      case .updated: entry.former == nil ? .updated : .renamed
      case .deleted: .deleted
      }
    entity = entry.entity
    identity = entry.key
    formerIdentity = entry.former
    properties = entry.kind == .updated ? entry.properties.keys.sorted() : []
    revision = entry.revision
  }
}

import ObjectStore

/// What was changed here of one object, and not by an import, and the server has not been told of.
public struct LocalChange: Sendable, Hashable, Codable {
  public enum Kind: String, Sendable, Hashable, Codable {
    case inserted, updated, deleted
  }

  public var kind: Kind
  public var entity: String
  /// The object's identity, the values of a composite one joined by commas; for an entity without identity, its row.
  public var identity: String
  /// The attributes and relationships that were changed, by name; none of an object that was inserted, which is all
  /// new, or deleted.
  public var properties: [String]
  /// The number of the last of these changes. It grows with every change of the store, so it tells whether there have
  /// been more since.
  public var revision: Int64

  init(_ entry: JournalEntry) {
    kind =
      switch entry.kind {
      case .inserted: .inserted
      case .updated: .updated
      case .deleted: .deleted
      }
    entity = entry.entity
    identity = entry.key
    properties = entry.kind == .updated ? entry.properties.keys.sorted() : []
    revision = entry.revision
  }
}

public import Mapping
import ObjectModel
import ObjectStore

/// What one commit changed.
///
/// ```swift
/// for await changes in store.changes() {
///   for name in changes.updated(Band.self) { print(name) }
/// }
/// ```
///
/// An object that was inserted and then updated counts as inserted. One that was inserted and then deleted is not
/// mentioned. A link of a many-to-many relationship is a change of the objects at both ends. A link that is kept in
/// one object, such as `album.band`, is a change of that object only.
public struct StoreChanges: Sendable {
  private let changes: ObjectChanges
  private let layout: Layout

  init(_ changes: ObjectChanges, _ layout: Layout) {
    self.changes = changes
    self.layout = layout
  }

  /// Whether it was an import, and not a program that saved and deleted.
  public var isImport: Bool { changes.isImport }

  /// Whether all changes are listed. They are not for what others wrote to the same file, for much that others wrote to
  /// the same database, nor for a transaction that had begun before the observation: then anything may have changed, or
  /// what ``counts`` says.
  public var isComplete: Bool { changes.isComplete }

  /// Whether the writer was another process, or another store on the same file. Then it may have been several
  /// commits.
  public var isByOthers: Bool { changes.isByOthers }

  /// How many objects of an entity and its sub-entities were changed.
  public struct Counts: Sendable, Hashable {
    public let inserted: Int
    public let updated: Int
    public let deleted: Int
  }

  /// How many objects were changed, by the names of entities without a parent; nil if that is not known.
  ///
  /// Where not all changes are listed, an object counts as often as it was written.
  public var counts: [String: Counts]? {
    let counted = changes.isComplete ? changes.tables.mapValues(\.counts) : changes.counted
    return counted.map { tables in
      let named = tables.map { table, counts in
        (
          layout.schema.entities[layout.tables[table].root].name,
          Counts(inserted: counts.inserted, updated: counts.updated, deleted: counts.deleted)
        )
      }
      return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }
  }

  // MARK: - By type

  /// The identities of the objects of a type that were inserted.
  public func inserted<Root: Storable>(_ type: Root.Type) -> [Root.ID] { ids(type, \.inserted) }

  /// The identities of the objects of a type that got other values or other links.
  public func updated<Root: Storable>(_ type: Root.Type) -> [Root.ID] { ids(type, \.updated) }

  /// The identities of the objects of a type that were deleted.
  public func deleted<Root: Storable>(_ type: Root.Type) -> [Root.ID] { ids(type, \.deleted) }

  private func ids<Root: Storable>(
    _ type: Root.Type, _ list: (ObjectChanges.InTable) -> [ObjectChanges.Object]
  ) -> [Root.ID] {
    guard let entity = layout.schema.entity(Root.entityName) else { return [] }
    let family = Set(layout.schema.family(of: entity.index))
    let objects = changes.tables[layout.entities[entity.index].table].map(list) ?? []
    return objects.compactMap { object in
      guard family.contains(object.entity) else { return nil }
      var parts = IdentityDecoder(object.key.parts)
      return try? Root.identity(from: &parts)
    }
  }

  // MARK: - By name

  /// The objects that were inserted.
  public var inserted: [ObjectReference] { references(\.inserted) }

  /// The objects that got other values or other links.
  public var updated: [ObjectReference] { references(\.updated) }

  /// The objects that were deleted.
  public var deleted: [ObjectReference] { references(\.deleted) }

  private func references(
    _ list: (ObjectChanges.InTable) -> [ObjectChanges.Object]
  ) -> [ObjectReference] {
    changes.tables.sorted { $0.key < $1.key }.flatMap { list($0.value) }.map { object in
      let entity = layout.schema.entities[object.entity]
      return ObjectReference(
        entity: entity.name, identity: KeyText.text(of: layout.identity(ofKey: object.key.parts, of: entity)))
    }
  }
}

extension Store {
  /// What each commit changes, from now on: one element for each commit, in order, and none for a commit that changes
  /// nothing.
  ///
  /// Commits of other processes, or of other stores on the same file, are reported within a tenth of a second and
  /// without their content; see ``StoreChanges/isByOthers``. In a PostgreSQL database, small commits of others are
  /// reported with their content, and of large ones how many objects they changed. A slow reader misses no change. The sequence ends with
  /// the store.
  public func changes() -> AsyncStream<StoreChanges> {
    AsyncStream { continuation in
      let layout = layout
      let end = StreamEnd(continuation)
      let token = observe { end.continuation.yield(StoreChanges($0, layout)) }
      continuation.onTermination = { _ in token.cancel() }
    }
  }
}

public import Foundation
public import Mapping
public import ObjectStore

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

extension Store {
  /// The changes that programs made and the server has not been told of, the oldest first.
  ///
  /// ```swift
  /// let changes = try await store.localChanges()
  /// try await server.post(try await store.exportLocalChanges(changes))
  /// try await store.confirm(changes)
  /// ```
  ///
  /// Empty if the store does not track local changes. After this call, the store assumes that the program tells the
  /// server: if a new object is deleted afterwards, that is a change to tell as well.
  public func localChanges() async throws -> [LocalChange] { try await write { try $0.localChanges() } }

  /// Local changes as JSON for the server.
  ///
  /// It is a list of objects with `operation` (`insert`, `update`, `rename`, `delete`), `entity`, `identity` and
  /// `revision`. What was renamed also has `formerIdentity`. All but deletions also have `object`, which is written by
  /// the mapping of exports: the whole new object, or the identity and the changed properties.
  ///
  /// - Throws: ``PlanError`` if the mapping cannot be followed.
  public func exportLocalChanges(
    _ changes: [LocalChange], options: ExportOptions = ExportOptions()
  ) async throws -> Data {
    try await write { try $0.exportLocalChanges(changes, options: options) }
  }

  /// Says that the server knows of changes. Later changes of the same objects still have to be told.
  public func confirm(_ changes: [LocalChange]) async throws { try await write { try $0.confirm(changes) } }

  /// Says that the server knows of a new object and has given it an identity; see
  /// ``WriteTransaction/confirm(_:identity:)``.
  ///
  /// - Throws: ``SaveError`` if the entity can have no such identity.
  public func confirm(_ change: LocalChange, identity: String) async throws {
    try await write { try $0.confirm(change, identity: identity) }
  }

  /// Forgets that programs changed objects: the next import may overwrite the changes. The objects stay as they are.
  public func forget(_ changes: [LocalChange]) async throws { try await write { try $0.forget(changes) } }
}

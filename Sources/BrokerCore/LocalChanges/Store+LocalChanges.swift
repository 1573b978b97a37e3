public import Foundation
public import Mapping
public import ObjectStore

extension Store {
  /// What was changed here and the server has not been told of, the oldest change first.
  ///
  /// ```swift
  /// let changes = try await store.localChanges()
  /// try await server.post(try await store.exportLocalChanges(changes))
  /// try await store.confirm(changes)
  /// ```
  ///
  /// None if the store does not track it. Who asks is taken to tell the server: a new object that is deleted after
  /// that is a change to tell, too.
  public func localChanges() async throws -> [LocalChange] { try await write { try $0.localChanges() } }

  /// Local changes as JSON for the server.
  ///
  /// It is a list of objects with `operation` (`insert`, `update`, `delete`), `entity`, `identity`, `revision`, and
  /// but for deletions `object`: the object by the mapping of exports, of an updated one its identity and what was
  /// changed.
  ///
  /// - Throws: ``PlanError`` if the mapping cannot be followed.
  public func exportLocalChanges(
    _ changes: [LocalChange], options: ExportOptions = ExportOptions()
  ) async throws -> Data {
    try await write { try $0.exportLocalChanges(changes, options: options) }
  }

  /// Says that the server knows of changes. What was changed of their objects since, stays to be told.
  public func confirm(_ changes: [LocalChange]) async throws { try await write { try $0.confirm(changes) } }

  /// Says that the server knows of a new object, and which identity it has given it; see
  /// ``WriteTransaction/confirm(_:identity:)``.
  ///
  /// - Throws: ``SaveError`` if the entity can have no such identity.
  public func confirm(_ change: LocalChange, identity: String) async throws {
    try await write { try $0.confirm(change, identity: identity) }
  }

  /// Forgets that objects were changed here: the next import may overwrite them. The objects stay as they are.
  public func forget(_ changes: [LocalChange]) async throws { try await write { try $0.forget(changes) } }
}

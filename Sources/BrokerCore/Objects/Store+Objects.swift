public import Foundation
public import Mapping
public import ObjectStore

// Single reads and writes of objects by the names of the model.

extension Store {
  /// The object of an entity with an identity. The values of a composite one are joined by commas.
  ///
  /// - Throws: ``ObjectNotFound`` if there is none, ``StoreError`` if there is no such entity or it has no identity.
  public func find(_ entity: String, _ identity: String) async throws -> Object {
    try await read { try $0.find(entity, identity) }
  }

  /// Whether there is an object of an entity with an identity.
  ///
  /// - Throws: ``StoreError`` if there is no such entity or it has no identity.
  public func exists(_ entity: String, _ identity: String) async throws -> Bool {
    try await read { try $0.exists(entity, identity) }
  }

  /// The objects of a query.
  ///
  /// - Throws: ``StoreError`` for names that are not in the model, ``ObjectPredicateError`` if a condition does not
  ///   fit it.
  public func fetch(_ query: ObjectQuery) async throws -> [Object] { try await read { try $0.fetch(query) } }

  /// How many objects a query has.
  public func count(_ query: ObjectQuery) async throws -> Int { try await read { try $0.count(query) } }

  /// The SQL of a query with its arguments filled in, for people to look at.
  public func sql(of query: ObjectQuery) async throws -> String { try await read { try $0.sql(of: query) } }

  /// Saves the values of an object: updates the object with its identity, or inserts a new one.
  ///
  /// - Returns: The object as it is in the store.
  /// - Throws: ``SaveError`` if a value is not what the model allows; ``StoreError`` for names that are not in it.
  @discardableResult
  public func save(_ object: Object) async throws -> Object { try await write { try $0.save(object) } }

  /// Deletes the object of an entity with an identity, and other objects by its delete rules.
  ///
  /// - Throws: ``ObjectNotFound`` if there is none; ``SaveError`` if a rule denies it.
  public func delete(_ entity: String, _ identity: String) async throws {
    try await write { try $0.delete(entity, identity) }
  }

  /// Deletes the objects of a query, and other objects by their delete rules.
  ///
  /// - Returns: How many objects of the query were deleted.
  /// - Throws: ``SaveError`` if a rule denies one. Then none is deleted.
  @discardableResult
  public func delete(_ query: ObjectQuery) async throws -> Int { try await write { try $0.delete(query) } }

  /// Imports JSON in a transaction of its own.
  ///
  /// - Parameters:
  ///   - json: The JSON: `Data`, a `String`, a file's `URL`, any ``ImportSource``.
  ///   - entity: What its objects are.
  ///   - options: How to go about it.
  ///   - progress: Told now and then how far the import has come.
  /// - Throws: What `import(_:as:options:progress:)` throws.
  @discardableResult
  public func `import`(
    _ json: some JSONInput, as entity: String, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (Importer.Progress) -> Void)? = nil
  ) async throws -> Report {
    var options = options
    options.entity = entity
    return try await `import`(json, options: options, progress: progress)
  }

  /// The objects of a query as JSON.
  ///
  /// - Throws: What ``fetch(_:)-(ObjectQuery)`` throws; ``PlanError`` if the mapping cannot be followed;
  ///   ``ExportError`` if what is to be nested is no relationship.
  public func export(
    _ query: ObjectQuery, options: ExportOptions = ExportOptions()
  ) async throws -> Data {
    try await read { try $0.export(query, options: options) }
  }
}

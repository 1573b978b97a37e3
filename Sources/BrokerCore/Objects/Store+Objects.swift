public import Foundation
import JSONStream
public import Mapping
import ObjectModel
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

extension ReadTransaction {
  /// The object of an entity with an identity. The values of a composite one are joined by commas.
  ///
  /// - Throws: ``ObjectNotFound`` if there is none, ``StoreError`` if there is no such entity or it has no identity.
  public func find(_ entity: String, _ identity: String) throws -> Object {
    guard let object = try fetch(ObjectQuery(entity).filter(identity: identity)).first else {
      throw ObjectNotFound(object: ObjectReference(entity: entity, identity: identity))
    }
    return object
  }

  /// Whether there is an object of an entity with an identity.
  ///
  /// - Throws: ``StoreError`` if there is no such entity or it has no identity.
  public func exists(_ entity: String, _ identity: String) throws -> Bool {
    try transaction.find(entity, identity: identity) != nil
  }

  /// The objects of a query.
  ///
  /// - Throws: ``StoreError`` for names that are not in the model, ``ObjectPredicateError`` if a condition does not
  ///   fit it.
  public func fetch(_ query: ObjectQuery) throws -> [Object] {
    var objects: [Object] = []
    try inPortions(query, of: .max) { objects = $0 }
    return objects
  }

  /// Looks at the objects of a query one after another, without holding them all.
  ///
  /// They are those that there were when it began, whatever `body` saves or deletes meanwhile.
  ///
  /// - Throws: What `body` throws, and what ``fetch(_:)-(ObjectQuery)`` throws.
  public func forEach(_ query: ObjectQuery, _ body: (Object) throws -> Void) throws {
    try inPortions(query, of: 1_000) { for object in $0 { try body(object) } }
  }

  /// Reads the objects of a query, so many at once.
  private func inPortions(_ query: ObjectQuery, of size: Int, _ body: ([Object]) throws -> Void) throws {
    let entity = try transaction.layout.entity(named: query.entity)
    let reader = try ObjectReader(of: entity, transaction.layout)
    let cursor =
      try canWrite && size < .max
      ? transaction.snapshotCursor(query.stored, reader.selected)
      : transaction.cursor(query.stored, reader.selected)
    var objects: [Object] = []
    var rows: [Int64] = []
    func deliver() throws {
      for name in query.lists { try addLinks(name, of: entity, to: &objects, in: rows) }
      try body(objects)
      (objects, rows) = ([], [])
    }
    while try cursor.step() {
      objects.append(reader.object(cursor))
      rows.append(cursor.integer(0))
      if objects.count == size { try deliver() }
    }
    if !objects.isEmpty { try deliver() }
  }

  /// How many objects a query has.
  ///
  /// - Throws: ``StoreError`` for names that are not in the model, ``ObjectPredicateError`` if a condition does not
  ///   fit it.
  public func count(_ query: ObjectQuery) throws -> Int {
    try transaction.count(query.stored)
  }

  /// The SQL of a query with its arguments filled in, for people to look at.
  public func sql(of query: ObjectQuery) throws -> String {
    let reader = try ObjectReader(of: transaction.layout.entity(named: query.entity), transaction.layout)
    return try transaction.sql(of: query.stored, reader.selected)
  }

  /// The objects of a query as JSON.
  ///
  /// - Throws: What ``fetch(_:)-(ObjectQuery)`` throws; ``PlanError`` if the mapping cannot be followed;
  ///   ``ExportError`` if what is to be nested is no relationship.
  public func export(_ query: ObjectQuery, options: ExportOptions = ExportOptions()) throws -> Data {
    let sink = MemorySink()
    _ = try Exporter(store, options).run(
      query.stored, in: transaction, to: sink, isCancelled: { Task.isCancelled })
    return Data(sink.bytes)
  }

  /// Adds the identities of a relationship's targets to objects.
  private func addLinks(
    _ name: String, of entity: SchemaEntity, to objects: inout [Object], in rows: [Int64]
  ) throws {
    let relationship = try transaction.relationship(name, of: entity)
    let layout = transaction.layout
    let query = StoredQuery(RelatedObjects(relationship, of: .rows(rows)), layout.schema)
    let target = layout.schema.entities[relationship.destination]
    let cursor = try transaction.cursor(query, [.ownerRow, .key])
    var links: [Int64: [String]] = [:]
    while try cursor.step() {
      let key = (1..<cursor.columnCount).map { cursor.value($0) }
      let identity = layout.identity(ofKey: key, of: target)
      links[cursor.integer(0), default: []].append(KeyText.text(of: identity))
    }
    for (index, row) in rows.enumerated() { objects[index][name] = .links(links[row] ?? []) }
  }
}

extension StoreTransaction {
  /// The relationship of an entity with a name.
  ///
  /// - Throws: ``StoreError`` if there is none. It names the closest name.
  func relationship(_ name: String, of entity: SchemaEntity) throws -> SchemaRelationship {
    let relationships = entity.relationships.map { layout.schema.relationships[$0] }
    guard let found = relationships.first(where: { $0.name == name }) else {
      throw StoreError.unknownProperty(
        name, entity: entity.name, nearest: nearestName(to: name, in: relationships.map(\.name)))
    }
    return found
  }
}

/// Which objects of an entity to read, by the names of the model.
///
/// ```swift
/// let query = try ObjectQuery("Band").filter(format: "formed > %d", 1970).sorted(by: "name")
///   .including("albums")
/// let bands = try await store.fetch(query)
/// ```
public struct ObjectQuery: Sendable, Hashable {
  /// The entity. Objects of its sub-entities belong to it too.
  public let entity: String
  var predicates: [ObjectPredicate] = []
  var searches: [SearchCondition] = []
  var identity: String?
  var orders: [Order] = []
  var limit: Int?
  var offset: Int?
  var lists: [String] = []

  struct Order: Sendable, Hashable {
    var keyPath: String
    var isAscending: Bool
  }

  /// All objects of an entity.
  public init(_ entity: String) { self.entity = entity }

  /// Only the object with this identity. The values of a composite one are joined by commas.
  public func filter(identity: String) -> Self { adding { $0.identity = identity } }

  /// Only objects that fulfil conditions, in addition to earlier ones.
  public func filter(matching predicate: ObjectPredicate, _ more: ObjectPredicate...) -> Self {
    adding { $0.predicates += [predicate] + more }
  }

  /// Only objects that fulfil a condition in the language of `NSPredicate`, in addition to earlier ones.
  ///
  /// - Throws: ``ObjectPredicateError`` if the format cannot be read.
  public func filter(format: String, _ arguments: PredicateArgument...) throws -> Self {
    filter(matching: try ObjectPredicate(format: format, arguments))
  }

  /// Only objects in which words are found: in the searched attributes that are named, or if none is named, in all.
  /// The best matches come first, unless another order is asked for.
  ///
  /// ``Query/matching(_:)`` describes what can be written.
  public func matching(_ text: String, in attributes: String...) -> Self {
    adding { $0.searches.append(SearchCondition(text, in: attributes)) }
  }

  /// Sorted by a key path, after earlier orders: `"band.name"`.
  public func sorted(by keyPath: String, _ order: SortOrder = .forward) -> Self {
    adding { $0.orders.append(Order(keyPath: keyPath, isAscending: order == .forward)) }
  }

  /// At most this number of objects.
  public func limit(_ count: Int) -> Self { adding { $0.limit = max(0, count) } }

  /// Without this number of objects at the beginning.
  public func offset(_ count: Int) -> Self { adding { $0.offset = max(0, count) } }

  /// With the identities of the targets of to-many relationships. Each takes one more statement.
  public func including(_ relationships: String...) -> Self { adding { $0.lists += relationships } }

  private func adding(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  /// The query in the form that the store takes.
  var stored: StoredQuery {
    var query = StoredQuery(entity)
    query.identity = identity
    query.predicates = predicates
    query.search = searches
    query.sort = orders.map { StoredQuery.Sort($0.keyPath, isAscending: $0.isAscending) }
    query.limit = limit
    query.offset = offset
    return query
  }
}

public import Foundation
import JSONStream
public import Mapping
import ObjectModel
import ObjectStore

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

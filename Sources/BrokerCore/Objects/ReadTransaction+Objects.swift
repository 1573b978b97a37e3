public import Foundation
import JSONStream
public import Mapping
import ObjectModel
import ObjectStore

extension ReadTransaction {
  /// The object of an entity with an identity, the values of a composite one joined by commas.
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
    var builder = try query.builder(transaction.layout)
    let reader = try ObjectReader(&builder)
    let statement = try transaction.prepare(builder.statement(selecting: reader.expressions))
    var objects: [Object] = []
    var rows: [Int64] = []
    while try statement.step() {
      objects.append(reader.object(statement))
      rows.append(statement.integer(0))
    }
    for name in query.lists { try addLinks(name, of: builder.entity, to: &objects, in: rows) }
    return objects
  }

  /// How many objects a query has.
  ///
  /// - Throws: ``StoreError`` for names that are not in the model, ``ObjectPredicateError`` if a condition does not
  ///   fit it.
  public func count(_ query: ObjectQuery) throws -> Int {
    let statement = try transaction.prepare(query.builder(transaction.layout).count())
    guard try statement.step() else { return 0 }
    defer { statement.reset() }
    return Int(statement.integer(0))
  }

  /// The SQL that a query becomes, with its arguments put in, for people to look at.
  public func sql(of query: ObjectQuery) throws -> String {
    var builder = try query.builder(transaction.layout)
    let reader = try ObjectReader(&builder)
    let (sql, arguments) = builder.statement(selecting: reader.expressions)
    return SQLText.of(sql, arguments)
  }

  /// The objects of a query as JSON.
  ///
  /// - Throws: What ``fetch(_:)-(ObjectQuery)`` throws; ``PlanError`` if the mapping cannot be followed;
  ///   ``ExportError`` if what is to be nested is no relationship.
  public func export(_ query: ObjectQuery, options: ExportOptions = ExportOptions()) throws -> Data {
    let sink = MemorySink()
    _ = try Exporter(store, options).run(
      try query.builder(transaction.layout), isLone: query.identity != nil, in: transaction, to: sink,
      isCancelled: { Task.isCancelled })
    return Data(sink.bytes)
  }

  /// Puts the identities that a relationship leads to into objects.
  private func addLinks(
    _ name: String, of entity: SchemaEntity, to objects: inout [Object], in rows: [Int64]
  ) throws {
    let relationship = try transaction.relationship(name, of: entity)
    let related = RelatedObjects(relationship, of: .rows(rows))
    let builder = QueryBuilder(related, transaction.layout)
    let table = transaction.layout.table(of: relationship.destination)
    let columns = transaction.layout.identity(
      fromColumns: table.key.map { "t0.\(SQL.quoted(table.columns[$0].name))" },
      of: transaction.layout.schema.entities[relationship.destination])
    let statement = try transaction.prepare(
      builder.statement(selecting: ["\(RelatedObjects.owner).rowid"] + columns))
    var links: [Int64: [String]] = [:]
    while try statement.step() {
      links[statement.integer(0), default: []]
        .append(SQLText.key((1...columns.count).map { statement.value($0) }))
    }
    for (index, row) in rows.enumerated() { objects[index][name] = .links(links[row] ?? []) }
  }
}

extension StoreTransaction {
  /// The relationship of an entity with a name.
  ///
  /// - Throws: ``StoreError`` if it has none, with the nearest name.
  func relationship(_ name: String, of entity: SchemaEntity) throws -> SchemaRelationship {
    let relationships = entity.relationships.map { layout.schema.relationships[$0] }
    guard let found = relationships.first(where: { $0.name == name }) else {
      throw StoreError.unknownProperty(
        name, entity: entity.name, nearest: nearestName(to: name, in: relationships.map(\.name)))
    }
    return found
  }
}

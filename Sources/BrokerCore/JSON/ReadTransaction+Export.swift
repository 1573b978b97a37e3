public import Foundation
import JSONStream
public import Mapping
import ObjectStore

extension ReadTransaction {
  /// An object of the store as JSON, by the mapping backwards.
  ///
  /// - Parameters:
  ///   - object: The object; what of it was changed and not saved is not exported.
  ///   - options: How to write it.
  /// - Throws: ``ObjectNotFound`` if the store does not have it; ``PlanError`` if the mapping cannot be followed;
  ///   ``ExportError`` if what is to be nested is no relationship.
  public func export<Root: Storable>(_ object: Root, options: ExportOptions = ExportOptions()) throws -> Data
  {
    let sink = MemorySink()
    let query = Query<Root>().filter(ids: [object.id])
    guard try export(query, isLone: true, options, to: sink) > 0 else {
      throw ObjectNotFound(object: Self.reference(Root.self, object.id))
    }
    return Data(sink.bytes)
  }

  /// The objects of a query as a JSON list. With ``ExportOptions/Form/lines``, one object on each line.
  ///
  /// - Throws: ``QueryError`` if the query cannot be put in the store's words; ``PlanError`` if the mapping cannot be
  ///   followed; ``ExportError`` if what is to be nested is no relationship.
  public func export<Root: Storable>(
    _ query: Query<Root>, options: ExportOptions = ExportOptions()
  ) throws -> Data {
    let sink = MemorySink()
    try export(query, isLone: false, options, to: sink)
    return Data(sink.bytes)
  }

  /// The objects of a query as a JSON list. `relationships` says what is written of their relationships.
  ///
  /// - Throws: What `export(_:options:)` throws for a query.
  public func export<Root: Storable>(
    _ query: Query<Root>, relationships: ExportOptions.Relationships
  ) throws -> Data {
    try export(query, options: .relationships(relationships))
  }

  /// All objects of the store as one JSON document, a list for each entity; see ``Store/exportAll(options:)``.
  ///
  /// - Throws: ``PlanError`` if the mapping cannot be followed.
  public func exportAll(options: ExportOptions = ExportOptions()) throws -> Data {
    let sink = MemorySink()
    try exportAll(options, to: sink)
    return Data(sink.bytes)
  }

  func exportAll(_ options: ExportOptions, to sink: any ByteSink) throws {
    _ = try Exporter(store, options).runAll(in: transaction, to: sink, isCancelled: { Task.isCancelled })
  }

  @discardableResult
  func export<Root: Storable>(
    _ query: Query<Root>, isLone: Bool, _ options: ExportOptions, to sink: any ByteSink
  ) throws -> Int {
    let stored = try query.stored(transaction.layout)
    return try transaction.translatingErrors {
      try Exporter(store, options).run(
        stored, isLone: isLone, in: transaction, to: sink, isCancelled: { Task.isCancelled }
      ).objects
    }
  }
}

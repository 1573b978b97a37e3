package import JSONStream
import ObjectModel
public import ObjectStore

/// Exports objects of a store as JSON, one after another, in constant memory.
public struct Exporter {
  private let store: Store
  private let options: ExportOptions

  public init(_ store: Store, _ options: ExportOptions = ExportOptions()) {
    self.store = store
    self.options = options
  }

  /// Writes the objects of a query.
  ///
  /// - Parameter isCancelled: Asked before each object; once it says true, the export ends.
  /// - Returns: How many objects and bytes were written.
  /// - Throws: ``PlanError`` if the model's annotations cannot be followed, ``ExportError`` if what is to be nested
  ///   is no relationship, ``StoreError`` if the query names what is not in the model, all before anything is
  ///   written; ``SourceError`` if the sink fails, `CancellationError` if the export was cancelled.
  package func run(
    _ query: Query, to sink: any ByteSink, isCancelled: () -> Bool = { false }
  ) throws -> (objects: Int, bytes: Int) {
    try store.read { transaction in
      var builder = try QueryBuilder(query.entity, transaction.layout)
      try builder.add(query)
      return try run(
        builder, isLone: query.identity != nil, in: transaction, to: sink, isCancelled: isCancelled)
    }
  }

  /// Writes the objects of a query as a part of a transaction.
  ///
  /// - Parameter isLone: Whether there is at most one, which stands in no list.
  /// - Returns: How many objects and bytes were written.
  /// - Throws: What ``run(_:to:isCancelled:)`` throws.
  package func run(
    _ query: QueryBuilder, isLone: Bool, in transaction: StoreTransaction, to sink: any ByteSink,
    isCancelled: () -> Bool = { false }
  ) throws -> (objects: Int, bytes: Int) {
    let forms = try ValueForms(store.layout.schema, store.functions)
    let nesting = try Nesting(options.nested, from: query.entity, transaction.layout.schema)
    let isList = options.form == .array && !isLone
    var writer = JSONWriter(sink, isPretty: options.isPretty, breaksOutermost: isList)
    let rows = ObjectRows.columns(of: query.entity, transaction.layout, alias: "t0")
    let statement = try transaction.prepare(query.statement(selecting: rows))
    let exporter = ObjectExporter(transaction, forms, nesting, options)
    var objects = 0
    if isList { writer.beginArray() }
    while try statement.step() {
      try exporter.write(statement, of: query.entity, to: &writer)
      if options.form == .lines { writer.newline() }
      objects += 1
      if isCancelled() { throw CancellationError() }
      try writer.flushIfLarge()
    }
    if isList { writer.endArray() }
    if options.form == .array, isList || objects > 0 { writer.newline() }
    try writer.flush()
    return (objects, writer.count)
  }

  /// The objects of an entity as one JSON text.
  ///
  /// - Parameters:
  ///   - identity: Only the object with this identity, the values of a composite one joined by commas. It stands
  ///     by itself, in no list; the text is empty if there is no such object.
  ///   - predicate: Only the objects that it holds for.
  /// - Throws: ``StoreError`` if there is no such entity, ``ObjectPredicateError`` if the predicate does not fit
  ///   it, ``PlanError`` if the model's annotations cannot be followed, ``ExportError`` if what is to be nested is
  ///   no relationship.
  public func text(
    of entity: String, identity: String? = nil, where predicate: ObjectPredicate? = nil
  ) throws -> String {
    var query = Query(entity)
    query.identity = identity
    query.predicate = predicate
    let sink = MemorySink()
    _ = try run(query, to: sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }
}

/// What is selected of a row so that it can be exported whatever its entity: the row id, the kind, all columns.
enum ObjectRows {
  static func columns(of entity: SchemaEntity, _ layout: Layout, alias: String) -> [String] {
    let table = layout.table(of: entity.index)
    let kind = table.kindColumn.map { "\(alias).\(SQL.quoted($0))" } ?? "NULL"
    return ["\(alias).rowid", kind] + table.columns.map { "\(alias).\(SQL.quoted($0.name))" }
  }

  /// Where the table's columns begin.
  static let firstColumn = 2
}

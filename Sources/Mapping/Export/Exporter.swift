package import JSONStream
package import ObjectModel
public import ObjectStore

/// Exports objects of a store as JSON, one after another, in constant memory.
public struct Exporter {
  private let store: any StoreEngine
  private var options: ExportOptions

  package init(_ store: any StoreEngine, _ options: ExportOptions = ExportOptions()) {
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
      try run(query, in: transaction, to: sink, isCancelled: isCancelled)
    }
  }

  /// Writes the objects of a query as a part of a transaction.
  ///
  /// - Parameter isLone: Whether the query is for one object by its identity, which is not put in a list.
  /// - Returns: How many objects and bytes were written.
  /// - Throws: What ``run(_:to:isCancelled:)`` throws.
  package func run(
    _ query: Query, isLone: Bool = false, in transaction: any EngineTransaction, to sink: any ByteSink,
    isCancelled: () -> Bool = { false }
  ) throws -> (objects: Int, bytes: Int) {
    let isList = options.form == .array && !isLone && query.identity == nil
    let entity = try transaction.layout.entity(named: query.entity)
    let rows = try transaction.cursor(query, ObjectRows.columns, isOrdered: true)
    let document = transaction.layout.schema.model.document
    let isTable = isList && DocumentFrame.hasColumns(document)
    let exporter = try objectExporter(entity, transaction, isTable: isTable)
    let columns = isTable ? exporter.writeRows(of: entity) : nil
    let frame = isList ? DocumentFrame(document, columns: columns) : .none
    var writer = JSONWriter(sink, isPretty: options.isPretty, breaksOutermost: isList)
    frame.begin(&writer)
    if isList { beginList(of: entity, document, to: &writer) }
    if isTable { frame.beginRows(&writer) }
    let objects = try write(rows, of: entity, by: exporter, in: frame, to: &writer, isCancelled)
    if isList { endList(document, to: &writer) }
    frame.end(&writer)
    if options.form == .array, isList || objects > 0 { writer.newline() }
    try writer.flush()
    return (objects, writer.count)
  }

  /// Begins a list of an entity's objects, in a document if the mapping says so.
  private func beginList(of entity: SchemaEntity, _ document: DocumentMapping, to writer: inout JSONWriter) {
    if document.namesLists {
      writer.beginObject()
      writer.key(entity.name)
    }
    writer.beginArray()
  }

  private func endList(_ document: DocumentMapping, to writer: inout JSONWriter) {
    writer.endArray()
    if document.namesLists { writer.endObject() }
  }

  private func objectExporter(
    _ entity: SchemaEntity, _ transaction: any EngineTransaction, isTable: Bool = false
  ) throws -> ObjectExporter {
    let layout =
      options.leavesOutUnusable
      ? try UsableLayout(store.layout, store.functions, includesAnnotations: false).layout : store.layout
    let forms = try ValueForms(layout.schema, store.functions)
    let nesting = try Nesting(options.nested, from: entity, transaction.layout.schema)
    var options = options
    options.habits = try JSONHabits(transaction)
    options.document = transaction.layout.schema.model.document
    // Each column has a value in each row.
    if isTable { options.includesNulls = true }
    return try ObjectExporter(transaction, layout, forms, nesting, options)
  }

  /// Writes the objects of rows one after another. Returns how many there were.
  private func write(
    _ rows: any Cursor, of entity: SchemaEntity, by exporter: ObjectExporter, in frame: DocumentFrame,
    to writer: inout JSONWriter, _ isCancelled: () -> Bool
  ) throws -> Int {
    var objects = 0
    while try rows.step() {
      frame.beginElement(&writer)
      try exporter.write(rows, of: entity, to: &writer)
      frame.endElement(&writer)
      if options.form == .lines { writer.newline() }
      objects += 1
      if isCancelled() { throw CancellationError() }
      try writer.flushIfLarge()
    }
    return objects
  }

  // MARK: - Whole stores

  /// The entities that an export of the whole store lists, each with its objects.
  package func listedEntities(_ layout: Layout) -> [SchemaEntity] {
    layout.schema.entities.filter { !$0.isAbstract }
  }

  /// Writes one document with all objects of the store, a list for each entity: `{"Band": […], "Album": […]}`.
  /// Imported into an empty store with the same model, it gives the same store. Only the numbers that the store gives
  /// to objects without identity differ.
  ///
  /// The options for nesting by name are not used: every object is written once, under its own entity.
  ///
  /// - Returns: How many objects stand in the lists, and how many bytes were written.
  /// - Throws: What ``run(_:to:isCancelled:)`` throws.
  package func runAll(
    in transaction: any EngineTransaction, to sink: any ByteSink, isCancelled: () -> Bool = { false }
  ) throws -> (objects: Int, bytes: Int) {
    var writer = JSONWriter(sink, isPretty: options.isPretty, breaksOutermost: true)
    var objects = 0
    let document = transaction.layout.schema.model.document
    let frame = DocumentFrame(document)
    // Where a value of each object tells its entity, all are in one list.
    let isMixed = document.kindPath != nil
    frame.begin(&writer)
    if isMixed {
      writer.beginArray()
    } else {
      frame.beginList(&writer)
      writer.beginObject()
    }
    for entity in listedEntities(transaction.layout) {
      if !isMixed {
        writer.key(entity.name)
        writer.beginArray()
      }
      objects += try backup.write(
        transaction.cursor(Self.listed(under: entity), ObjectRows.columns, isOrdered: true), of: entity,
        by: backup.objectExporter(entity, transaction), in: isMixed ? frame : .none, to: &writer, isCancelled)
      if !isMixed { writer.endArray() }
    }
    if isMixed {
      writer.endArray()
    } else {
      writer.endObject()
      frame.endList(&writer)
    }
    frame.end(&writer)
    writer.newline()
    try writer.flush()
    return (objects, writer.count)
  }

  /// Writes all objects of the store as ``runAll(in:to:isCancelled:)`` does, as they are at one moment.
  package func runAll(
    to sink: any ByteSink, isCancelled: () -> Bool = { false }
  ) throws -> (objects: Int, bytes: Int) {
    try store.read { try runAll(in: $0, to: sink, isCancelled: isCancelled) }
  }

  /// All objects of the store as one JSON text, a list for each entity: `{"Band": […], "Album": […]}`.
  ///
  /// Imported into an empty store with the same model, it gives the same store. Only the numbers that the store gives
  /// to objects without identity differ.
  ///
  /// - Throws: ``PlanError`` if the model's annotations cannot be followed.
  public func wholeText() throws -> String {
    let sink = MemorySink()
    _ = try runAll(to: sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  /// Writes the objects that ``runAll(in:to:isCancelled:)`` lists under one entity, as a list or one a line.
  package func run(
    listedUnder entity: SchemaEntity, in transaction: any EngineTransaction, to sink: any ByteSink,
    isCancelled: () -> Bool = { false }
  ) throws -> (objects: Int, bytes: Int) {
    var exporter = backup
    exporter.options.form = options.form
    return try exporter.run(
      Self.listed(under: entity), in: transaction, to: sink, isCancelled: isCancelled)
  }

  private static func listed(under entity: SchemaEntity) -> Query {
    var query = Query(entity.name)
    query.source = .listed
    return query
  }

  /// The same exporter with the options that leave nothing out and nest nothing but parts.
  private var backup: Exporter {
    var options = options
    options.nested = []
    options.relationships = .keys
    options.relationshipKeys = .names
    options.form = .array
    return Exporter(store, options)
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

/// The columns that an export needs of a row, whatever its entity: the row id, the kind, and all columns.
enum ObjectRows {
  static let columns: [SelectedColumn] = [.row, .kind, .stored]

  /// Where the table's columns begin.
  static let firstColumn = 2
}

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
    try run(query, isLone: isLone, by: nil, in: transaction, to: sink, isCancelled: isCancelled)
  }

  /// - Parameter shared: What writes the objects, if that is shared with other queries.
  private func run(
    _ query: Query, isLone: Bool, by shared: ObjectExporter?, in transaction: any EngineTransaction,
    to sink: any ByteSink, isCancelled: () -> Bool
  ) throws -> (objects: Int, bytes: Int) {
    let isList = options.form == .array && !isLone && query.identity == nil
    let entity = try transaction.layout.entity(named: query.entity)
    let rows = try transaction.cursor(query, ObjectRows.columns, isOrdered: true)
    let document = transaction.layout.schema.model.document
    let isTable = isList && DocumentFrame.hasColumns(document)
    let exporter = try shared ?? objectExporter(entity, transaction, isTable: isTable)
    let columns = isTable ? exporter.writeRows(of: entity) : nil
    defer { if isTable { exporter.endWritingRows() } }
    let frame =
      try isList && isFound(entity, by: document, transaction.layout.schema)
      ? DocumentFrame(document, columns: columns) : .none
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

  /// Whether a document that is like those that came says that objects in it are of an entity: the way to them names no other one.
  private func isFound(
    _ entity: SchemaEntity, by document: DocumentMapping, _ schema: Schema
  ) throws -> Bool {
    guard document.kindPath == nil, !document.namesLists, let root = document.root else { return true }
    let steps = try RootPath(root).steps
    guard let key = steps.compactMap(\.key).last, let named = try EntityNames(schema).entity(namedBy: key)
    else { return true }
    return schema.family(of: named).contains(entity.index)
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

  /// - Parameter entity: The entity of the outermost objects, from which names of nested relationships begin; nil if
  ///   they are of any entity, and nothing is nested by name.
  private func objectExporter(
    _ entity: SchemaEntity?, _ transaction: any EngineTransaction, isTable: Bool = false
  ) throws -> ObjectExporter {
    let layout =
      options.leavesOutUnusable
      ? try UsableLayout(store.layout, store.functions, includesAnnotations: false).layout : store.layout
    let forms = try ValueForms(layout.schema, store.functions)
    var options = options
    var nesting = Nesting.none
    if let entity { nesting = try Nesting(options.nested, from: entity, transaction.layout.schema) }
    options.habits = try ObservedJSONStyle(transaction)
    options.document = transaction.layout.schema.model.document
    // Each column has a value in each row.
    if isTable || entity == nil && DocumentFrame.hasColumns(options.document) { options.includesNulls = true }
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

  /// Writes one document with all objects of the store, a list for each entity: `{"Band": […], "Album": […]}`.
  /// Imported into an empty store with the same model, it gives the same store. Only the numbers that the store gives
  /// to objects without identity differ.
  ///
  /// The options for nesting by name are not used: every object is written once, under its own entity.
  ///
  /// - Parameter noteLoss: Is told what the document cannot say.
  /// - Returns: How many objects stand in the lists, and how many bytes were written.
  /// - Throws: What ``run(_:to:isCancelled:)`` throws, and ``ExportError`` for objects that no document can have.
  package func runAll(
    in transaction: any EngineTransaction, to sink: any ByteSink, isCancelled: () -> Bool = { false },
    noteLoss: (ExportLoss) -> Void = { _ in }
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
    let exporter = backup
    let writing = try exporter.objectExporter(nil, transaction)
    for entity in Self.listedEntities(transaction.layout) {
      if !isMixed {
        writer.key(entity.name)
        writer.beginArray()
      }
      objects += try exporter.write(
        transaction.cursor(writing.listing(of: entity), ObjectRows.columns, isOrdered: true), of: entity,
        by: writing, in: isMixed ? frame : .none, to: &writer, isCancelled)
      if !isMixed { writer.endArray() }
    }
    try writing.checkAllAreWritten()
    writing.losses.forEach(noteLoss)
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

  /// Writes all objects of the store as ``runAll(in:to:isCancelled:noteLoss:)`` does, as they are at one moment.
  package func runAll(
    to sink: any ByteSink, isCancelled: () -> Bool = { false }, noteLoss: (ExportLoss) -> Void = { _ in }
  ) throws -> (objects: Int, bytes: Int) {
    try store.read { try runAll(in: $0, to: sink, isCancelled: isCancelled, noteLoss: noteLoss) }
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

  /// Writes the objects that ``runAll(in:to:isCancelled:noteLoss:)`` lists, those of each entity to a sink of its own, as lists or
  /// one a line.
  ///
  /// - Parameters:
  ///   - open: Gives the sink for the objects of an entity.
  ///   - noteLoss: Is told what the documents cannot say.
  ///   - close: Is told how many objects and bytes were written to it.
  /// - Throws: What ``runAll(in:to:isCancelled:noteLoss:)`` throws.
  package func runEach(
    in transaction: any EngineTransaction, to open: (SchemaEntity) throws -> any ByteSink,
    isCancelled: () -> Bool = { false }, noteLoss: (ExportLoss) -> Void = { _ in },
    close: (SchemaEntity, _ written: (objects: Int, bytes: Int)) throws -> Void
  ) throws {
    var exporter = backup
    exporter.options.form = options.form
    let writing = try exporter.objectExporter(nil, transaction)
    for entity in Self.listedEntities(transaction.layout) {
      let written = try exporter.run(
        writing.listing(of: entity), isLone: false, by: writing, in: transaction, to: open(entity),
        isCancelled: isCancelled)
      try close(entity, written)
    }
    try writing.checkAllAreWritten()
    writing.losses.forEach(noteLoss)
  }

  /// The entities that an export of the whole store lists, each with its objects.
  private static func listedEntities(_ layout: Layout) -> [SchemaEntity] {
    layout.schema.entities.filter { !$0.isAbstract }
  }

  /// The same exporter with the options that leave nothing out and nest nothing but parts.
  private var backup: Exporter {
    var options = options
    options.nested = []
    options.relationships = .keys
    options.relationshipKeys = .names
    options.form = .array
    options.isWhole = true
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

  /// The index of the table's first column.
  static let firstColumn = 2
}

/// How an export is written.
///
/// ```swift
/// var options = ExportOptions()
/// options.nested = ["albums.tracks", "members"]
/// options.keys = .snake
/// ```
public struct ExportOptions: Sendable, Hashable {
  /// The form of relationships.
  public enum Relationships: Sendable, Hashable {
    /// Nothing.
    case none
    /// The identities of their targets. Objects without identity are parts of their owner and are written whole.
    case keys
    /// The targets themselves, to this depth; below it, their identities.
    case nested(depth: Int)
  }

  /// The style of keys for properties without a key in an annotation.
  public enum Keys: String, Sendable, Hashable, CaseIterable {
    /// The model's names: `listImageURL`.
    case camel
    /// `list_image_url`
    case snake
  }

  /// The frame around the objects.
  public enum Form: Sendable, Hashable {
    /// A list.
    case array
    /// Nothing: one object on each line.
    case lines
  }

  /// The keys of relationships.
  public enum RelationshipKeys: Sendable, Hashable {
    /// The name, whatever is written: `albums`.
    case names
    /// The names that Rails models expect: `albums_attributes` for nested objects, `album_ids` and `label_id` for
    /// identities.
    case rails
  }

  /// The form of relationships that ``nested`` does not name.
  public var relationships = Relationships.keys
  /// Relationships whose targets are written as objects, whatever ``relationships`` says about others. A key path,
  /// `albums.tracks`, nests the objects on its way too.
  public var nested: [String] = []
  public var relationshipKeys = RelationshipKeys.names
  /// The style of keys for properties without a key in an annotation. If nil, it is the style of the JSON that the
  /// entity's last import had, which the store remembers, or ``Keys/camel`` if that is not known.
  public var keys: Keys?
  /// Whether attributes and relationships without a value are written as null.
  public var includesNulls = true
  public var form = Form.array
  /// Whether to break lines and indent.
  public var isPretty = false

  /// By entity, the properties that are written, if not all are.
  package var onlyProperties: [String: Set<String>] = [:]
  /// How the imported JSON was written.
  package var habits = ObservedJSONStyle()
  /// Whether properties are left out of which nobody can follow what the model or the mapping says; otherwise the export
  /// fails, since it has nobody to tell.
  package var leavesOutUnusable = false
  /// Whether the export is of all objects of the store, and has to give the same store again.
  package var isWhole = false
  /// The mapping of documents.
  package var document = DocumentMapping()

  public init() {}
}

/// Why an export cannot be made.
public struct ExportError: Error, Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case noRelationship(
      String, entity: String, path: String, isAttribute: Bool, nearest: String?, known: [String])
    case notExported(String, entity: String)
    case tooManyTransformers(String, most: Int)
    case notReached(String, count: Int)
  }

  let kind: Kind

  init(_ kind: Kind) {
    self.kind = kind
  }
}

extension ExportError: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .noRelationship(let name, let entity, let path, let isAttribute, let nearest, let known):
      (isAttribute
        ? "\(entity).\(name) is an attribute, so nothing can be nested there"
        : "\(entity) has no relationship \(name.isEmpty ? "without a name" : name)")
        + (path == name ? "." : ", as in \(path).")
        + (nearest.map { " Did you mean \($0)?" }
          ?? (known.isEmpty ? " It has none." : " It has \(known.joined(separator: ", "))."))
    case .tooManyTransformers(let name, let most):
      "The objects of \(name), which have transformers, are nested in each other more than \(most) times."
        + " Export their identities, or nest less deep."
    case .notReached(let name, let count):
      "\(count) object\(count == 1 ? "" : "s") of \(name) cannot be exported: without an identity they stand inside their"
        + " owners, and these own each other in a circle. Give \(name) an identity, or break the circle."
    case .notExported(let name, let entity):
      "\(entity).\(name) cannot be nested, since the model says that it is not exported."
    }
  }
}

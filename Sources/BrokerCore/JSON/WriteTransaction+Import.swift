public import Mapping
import ObjectModel
import ObjectStore

extension WriteTransaction {
  /// Imports JSON as a part of the transaction.
  ///
  /// Each import is all or nothing by itself: if it throws and the error is caught, the rest of the transaction
  /// stays. Imports of one transaction may refer to each other's objects in any order.
  ///
  /// - Parameters:
  ///   - json: The JSON: `Data`, a `String`, a file's `URL`, any ``ImportSource``.
  ///   - type: What its objects are; without it the JSON's keys tell.
  ///   - options: How to go about it.
  /// - Throws: ``ImportError`` if the JSON cannot be read, ``PlanError`` if the mapping contradicts itself.
  @discardableResult
  public func `import`(
    _ json: some JSONInput, as type: (any Storable.Type)? = nil, options: ImportOptions = ImportOptions()
  ) throws -> Report {
    try run(json, options.with(type)).report
  }

  /// Imports JSON as the value of an object's relationship. Only the objects of that relationship are compared, and
  /// pruned if asked.
  ///
  /// - Parameters:
  ///   - json: The JSON.
  ///   - list: The relationship, of an object that was read from the store.
  ///   - prune: Whether to delete the objects of the relationship that the JSON does not have.
  ///   - options: How to go about it.
  /// - Throws: ``QueryError`` if the relationship was not read from a store, ``ImportError`` if the JSON cannot be
  ///   read or the object is gone, ``PlanError`` if the mapping contradicts itself.
  @discardableResult
  public func `import`<Target: Storable>(
    _ json: some JSONInput, into list: ToMany<Target>, prune: Bool = false,
    options: ImportOptions = ImportOptions()
  ) throws -> Report {
    try run(json, options.into(list, prune: prune)).report
  }

  /// Imports JSON, which is one object, onto an object of the store. The JSON need not have the identity.
  ///
  /// - Returns: The object as it is then, and the report.
  /// - Throws: ``ImportError`` if the JSON cannot be read or the object is gone, ``PlanError`` if the mapping
  ///   contradicts itself.
  @discardableResult
  public func `import`<Root: Storable>(
    _ json: some JSONInput, onto object: Root, options: ImportOptions = ImportOptions()
  ) throws -> (object: Root, report: Report) {
    let outcome = try run(json, options.onto(object))
    return (try find(Root.self, object.id), outcome.report)
  }

  /// Imports JSON and returns the objects at its top, in its order, each as often as it comes.
  ///
  /// - Throws: What `import(_:as:options:)` throws; ``ReadError`` if the store holds what the type cannot.
  public func importObjects<Root: Storable>(
    _ json: some JSONInput, as type: Root.Type, options: ImportOptions = ImportOptions()
  ) throws -> (objects: [Root], report: Report) {
    var options = options.with(type)
    options.listsObjects = true
    let outcome = try run(json, options)
    return (try objects(in: outcome.rows), outcome.report)
  }

  func run(
    _ json: some JSONInput, _ options: ImportOptions, progress: ((Importer.Progress) -> Void)? = nil
  ) throws -> Importer.Outcome {
    leaveWriter()
    let outcome = try Importer(store, options).execute(
      [json.importSource], in: transaction, { Task.isCancelled }, progress: progress)
    if !options.isDryRun { unresolved += outcome.unresolved }
    return outcome
  }
}

extension ReadTransaction {
  func objects<Root: Storable>(in rows: [Importer.ObjectRowReference]) throws -> [Root] {
    let statements = try TypedCursors<Root>.of(transaction)
    let family = Set(transaction.layout.schema.family(of: statements.plan.entity.index))
    return try rows.compactMap { family.contains($0.entity) ? try statements.find(row: $0.row) : nil }
  }
}

extension ImportOptions {
  func with(_ type: (any Storable.Type)?) -> ImportOptions {
    var options = self
    if let type { options.entity = type.entityName }
    return options
  }

  func into<Target: Storable>(_ list: ToMany<Target>, prune: Bool) throws -> ImportOptions {
    guard let owner = list.owner else {
      throw QueryError("the relationship was not read from a store, so it is nobody's")
    }
    var options = self
    options.entity = nil
    options.prunes = options.prunes || prune
    options.target = .relationship(
      entity: owner.entity, identity: KeyText.text(of: owner.key), name: owner.relationship)
    return options
  }

  func onto<Root: Storable>(_ object: Root) -> ImportOptions {
    var options = self
    options.target = .object(
      entity: Root.entityName, identity: KeyText.text(of: Root.storedParts(of: object.id)))
    return options
  }
}

import Dispatch
public import Mapping
public import ObjectStore
import Synchronization

extension Store {
  /// Imports JSON in a transaction of its own.
  ///
  /// ```swift
  /// let report = try await store.import(data, as: Band.self)
  /// ```
  ///
  /// If the task is cancelled, nothing is changed.
  ///
  /// - Parameters:
  ///   - json: The JSON: `Data`, a `String`, a file's `URL`, any ``ImportSource``.
  ///   - type: What its objects are; without it the JSON's keys tell.
  ///   - options: How to go about it.
  ///   - progress: Told now and then how far the import has come.
  /// - Throws: ``ImportError`` if the JSON cannot be read, or in a strict import at the first issue; ``PlanError`` if
  ///   the mapping contradicts itself; ``StoreError`` if the store cannot be written; `CancellationError`. In each
  ///   case nothing is changed, but in an import in chunks that has committed some: that throws
  ///   ``PartialImportError``.
  @discardableResult
  public func `import`(
    _ json: some JSONInput, as type: (any Storable.Type)? = nil, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (Importer.Progress) -> Void)? = nil
  ) async throws -> Report {
    try await `import`([json], as: type, options: options, progress: progress)
  }

  /// Imports several JSON texts in one transaction, for example the pages of a list. They are one import: an object
  /// that any of them has is not pruned.
  ///
  /// - Throws: What `import(_:as:options:progress:)` throws.
  @discardableResult
  public func `import`(
    _ pages: [some JSONInput], as type: (any Storable.Type)? = nil, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (Importer.Progress) -> Void)? = nil
  ) async throws -> Report {
    let sources = pages.map(\.importSource)
    let options = options.with(type)
    guard !options.commitsInChunks else {
      return try await importInChunks(sources, options, progress: progress)
    }
    return try await asImport(sources, options) { sources, transaction, isCancelled in
      try Importer(self, options)
        .execute(sources, asAllOf: transaction, isCancelled, progress: progress).report
    }
  }

  /// Imports JSON as the value of an object's relationship. Only the objects of that relationship are compared, and
  /// pruned if asked.
  ///
  /// - Throws: ``QueryError`` if the relationship was not read from a store; what `import(_:as:options:progress:)`
  ///   throws.
  @discardableResult
  public func `import`<Target: Storable>(
    _ json: some JSONInput, into list: ToMany<Target>, prune: Bool = false,
    options: ImportOptions = ImportOptions()
  ) async throws -> Report {
    let options = try options.into(list, prune: prune)
    return try await asImport([json.importSource], options) { sources, transaction, isCancelled in
      try Importer(self, options).execute(sources, asAllOf: transaction, isCancelled).report
    }
  }

  /// Imports JSON, which is one object, onto an object of the store. The JSON need not have the identity.
  ///
  /// - Returns: The object as it is then, and the report.
  /// - Throws: What `import(_:as:options:progress:)` throws.
  @discardableResult
  public func `import`<Root: Storable>(
    _ json: some JSONInput, onto object: Root, options: ImportOptions = ImportOptions()
  ) async throws -> (object: Root, report: Report) {
    let options = options.onto(object)
    return try await asImport([json.importSource], options) { sources, transaction, isCancelled in
      let outcome = try Importer(self, options)
        .execute(sources, asAllOf: transaction, isCancelled)
      return (try ReadTransaction(transaction, self).find(Root.self, object.id), outcome.report)
    }
  }

  /// Imports JSON and returns the objects at its top, in its order, each as often as it comes. In an import in
  /// chunks, they are as they were when their chunk was committed.
  ///
  /// - Throws: What `import(_:as:options:progress:)` throws; ``ReadError`` if the store holds what the type cannot.
  public func importObjects<Root: Storable>(
    _ json: some JSONInput, as type: Root.Type, options: ImportOptions = ImportOptions()
  ) async throws -> (objects: [Root], report: Report) {
    var options = options.with(type)
    options.listsObjects = true
    if options.commitsInChunks {
      let objects = Locked<[Root]>([])
      let report = try await importInChunks(
        [json.importSource], options,
        each: { transaction, rows in
          let chunk: [Root] = try ReadTransaction(transaction, self).objects(in: rows)
          objects.withLock { $0 += chunk }
        })
      return (objects.withLock { $0 }, report)
    }
    return try await asImport([json.importSource], options) { [options] sources, transaction, isCancelled in
      let outcome = try Importer(self, options)
        .execute(sources, asAllOf: transaction, isCancelled)
      return (try ReadTransaction(transaction, self).objects(in: outcome.rows), outcome.report)
    }
  }

  /// Imports the JSON of a Swift value, or of a list of them, with the conventions of exports.
  ///
  /// - Throws: `EncodingError` if it cannot be encoded; what `import(_:as:options:progress:)` throws.
  @discardableResult
  public func `import`(
    encoding value: some Encodable & Sendable, as type: (any Storable.Type)? = nil,
    options: ImportOptions = ImportOptions()
  ) async throws -> Report {
    try await `import`(ImportSource.value(value), as: type, options: options)
  }

  /// Runs an import. A dry run is rolled back, and a run that was cancelled throws `CancellationError`.
  func asImport<Result: Sendable>(
    _ sources: [ImportSource], _ options: ImportOptions,
    _ body: @Sendable ([ImportSource], any StoreTransaction, @escaping @Sendable () -> Bool) throws -> Result
  ) async throws -> Result {
    // The reader of an import runs on a thread of its own, where there is no task.
    let stop = StopFlag()
    let isDryRun = options.isDryRun
    do {
      return try await withTaskCancellationHandler {
        let sources = options.receivesFirst ? try await received(sources, options, stop) : sources
        return try await asyncTransaction { transaction in
          transaction.isImport = true
          return (try body(sources, transaction) { stop.isSet }, isDryRun ? .rollback : .commit)
        }
      } onCancel: {
        stop.set()
      }
    } catch let error as ImportError where error.isCancellation {
      throw CancellationError()
    }
  }

  /// The sources, after those that come a few bytes at a time were received as a whole, on a thread that tasks do not
  /// need.
  func received(
    _ sources: [ImportSource], _ options: ImportOptions, _ stop: StopFlag
  ) async throws -> [ImportSource] {
    let sources = sources.map { $0.formatted(byDefaultAs: options.format) }
    guard sources.contains(where: \.isPipe) else { return sources }
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try sources.map { try $0.received { stop.isSet } } })
      }
    }
  }
}

/// Whether the import is to stop.
final class StopFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}

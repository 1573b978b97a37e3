import Dispatch
public import Foundation
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
  private func asImport<Result: Sendable>(
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

extension ImportOptions {
  /// A dry run commits nothing, so it is one transaction.
  fileprivate var commitsInChunks: Bool { !chunks.isWhole && !isDryRun }
}

extension Store {
  /// Imports JSON in chunks, between which other tasks and processes may write.
  ///
  /// - Parameter each: Runs in the transaction of each chunk, with the rows of the chunk's objects.
  private func importInChunks(
    _ sources: [ImportSource], _ options: ImportOptions,
    progress: (@Sendable (Importer.Progress) -> Void)? = nil,
    each: @Sendable (any StoreTransaction, [Importer.ObjectRowReference]) throws -> Void = { _, _ in }
  ) async throws -> Report {
    let stop = StopFlag()
    return try await withTaskCancellationHandler {
      do {
        let sources = options.receivesFirst ? try await received(sources, options, stop) : sources
        let chunked = try ChunkedImport(Importer(self, options), sources, { stop.isSet }, progress: progress)
        do {
          return try await run(chunked, each)
        } catch let error as ImportError where error.isCancellation {
          throw chunked.fail(CancellationError())
        } catch {
          throw chunked.fail(error)
        }
      } catch let error as ImportError where error.isCancellation {
        throw CancellationError()
      }
    } onCancel: {
      stop.set()
    }
  }

  private func run(
    _ chunked: ChunkedImport,
    _ each: @Sendable (any StoreTransaction, [Importer.ObjectRowReference]) throws -> Void
  ) async throws -> Report {
    while true {
      try await asyncTransaction { transaction in
        transaction.isImport = true
        try each(transaction, try chunked.writeChunk(in: transaction))
        return ((), .commit)
      }
      chunked.noteCommit()
      if let report = chunked.report { return report }
      if mayBeShared { try await Task.sleep(for: ChunkedImport.pause) }
    }
  }
}

extension Store {
  /// Imports JSON that comes a few bytes at a time: a response, or a file that is being read.
  ///
  /// ```swift
  /// let (bytes, _) = try await URLSession.shared.bytes(from: url)
  /// let report = try await store.import(bytes: bytes, as: Band.self)
  /// ```
  ///
  /// It is never in memory as a whole: long JSON is kept in a temporary file. Others may write to the store until the
  /// last byte has come.
  ///
  /// - Throws: What the sequence throws; what `import(_:as:options:progress:)` throws. Then nothing is changed.
  @discardableResult
  public func `import`<Bytes: AsyncSequence & Sendable>(
    bytes: Bytes, as type: (any Storable.Type)? = nil, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (Importer.Progress) -> Void)? = nil
  ) async throws -> Report where Bytes.Element == UInt8 {
    var received = ReceivedBytes(isTable: options.format.isTable)
    var piece: [UInt8] = []
    piece.reserveCapacity(1 << 16)
    for try await byte in bytes {
      piece.append(byte)
      guard piece.count == 1 << 16 else { continue }
      try piece.withUnsafeBytes { try received.append($0) }
      piece.removeAll(keepingCapacity: true)
      if received.isBroken { break }
    }
    try piece.withUnsafeBytes { try received.append($0) }
    return try await importReceived(received, type, options, progress)
  }

  /// Imports JSON that comes in pieces, which may be cut anywhere.
  ///
  /// - Throws: What the sequence throws; what `import(_:as:options:progress:)` throws. Then nothing is changed.
  @discardableResult
  public func `import`<Pieces: AsyncSequence & Sendable>(
    pieces: Pieces, as type: (any Storable.Type)? = nil, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (Importer.Progress) -> Void)? = nil
  ) async throws -> Report where Pieces.Element: Sequence<UInt8> {
    var received = ReceivedBytes(isTable: options.format.isTable)
    for try await piece in pieces {
      try Array(piece).withUnsafeBytes { try received.append($0) }
      if received.isBroken { break }
    }
    return try await importReceived(received, type, options, progress)
  }

  private func importReceived(
    _ received: consuming ReceivedBytes, _ type: (any Storable.Type)?, _ options: ImportOptions,
    _ progress: (@Sendable (Importer.Progress) -> Void)?
  ) async throws -> Report {
    // If its task is cancelled, a sequence may just end early.
    try Task.checkCancellation()
    return try await `import`(try received.source(), as: type, options: options, progress: progress)
  }
}

/// An import that runs by itself and tells how far it has come.
///
/// ```swift
/// let running = store.startImport(URL(filePath: "big.json"), as: Band.self)
/// for await progress in running.progress { print(progress.objects) }
/// let report = try await running.report
/// ```
public struct RunningImport: Sendable {
  /// How far it has come, now and then. It ends with the import. A slow reader may miss some values.
  public let progress: AsyncStream<Importer.Progress>
  private let task: Task<Report, any Error>

  init(_ store: Store, _ source: ImportSource, _ options: ImportOptions) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Importer.Progress.self, bufferingPolicy: .bufferingNewest(1))
    progress = stream
    task = Task {
      defer { continuation.finish() }
      return try await store.import(source, options: options) { continuation.yield($0) }
    }
  }

  /// The report, once the import is done.
  ///
  /// - Throws: What `Store.import(_:as:options:progress:)` throws.
  public var report: Report {
    get async throws { try await task.value }
  }

  /// Stops the import. Then nothing is changed.
  public func cancel() { task.cancel() }
}

extension Store {
  /// Starts an import that runs by itself.
  ///
  /// - Parameters:
  ///   - json: The JSON.
  ///   - type: What its objects are; without it the JSON's keys tell.
  ///   - options: How to go about it.
  public func startImport(
    _ json: some JSONInput, as type: (any Storable.Type)? = nil, options: ImportOptions = ImportOptions()
  ) -> RunningImport {
    RunningImport(self, json.importSource, options.with(type))
  }
}

extension Store {
  /// The last imports, at most 100, the last one first: when, from what, what each changed, how long it took.
  ///
  /// ```swift
  /// for record in try await store.importHistory().prefix(3) {
  ///   print(record.date, record.sources.joined(separator: ", "), record.inserted, record.issueCount)
  /// }
  /// ```
  ///
  /// An import that changed nothing is among them; a dry run, and one that failed, is not. Each is remembered in its own
  /// transaction, in the store's file, whichever program it ran in. Observers are not told of that.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  public func importHistory() async throws -> [ImportRecord] {
    try await asyncRead { try $0.importHistory() }
  }
}

extension ReadTransaction {
  /// The last imports; see `Store.importHistory()`.
  public func importHistory() throws -> [ImportRecord] { try transaction.importHistory() }
}

/// JSON that can be imported at once: `Data`, `String`, a file's `URL`, bytes.
public protocol JSONInput: Sendable {
  var importSource: ImportSource { get }
}

extension ImportSource: JSONInput {
  public var importSource: ImportSource { self }
}

extension Data: JSONInput {
  public var importSource: ImportSource { .bytes(self) }
}

extension String: JSONInput {
  public var importSource: ImportSource { .string(self) }
}

extension Array: JSONInput where Element == UInt8 {
  public var importSource: ImportSource { .bytes(self) }
}

/// A file. To import from another address, load its data or its bytes first.
extension URL: JSONInput {
  public var importSource: ImportSource { isFileURL ? .file(path) : .remote(absoluteString) }
}

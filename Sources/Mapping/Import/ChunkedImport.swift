import Foundation
import ObjectModel
package import ObjectStore

/// An import that commits in chunks, each in a transaction of its own.
///
/// One thread reads the JSON from beginning to end. It waits while others write to the store.
///
/// The caller uses it in one transaction at a time, and begins the next after the last has ended.
package final class ChunkedImport: @unchecked Sendable {
  private let importer: Importer
  private let preparation: Importer.Preparation
  private let progress: ((Importer.Progress) -> Void)?
  private let start = Date()
  private var queue: BatchQueue?
  private var run: ImportRun?
  private var box: RecordBatchBox?
  private var place = ImportRun.BatchPlace()
  private var bytes = 0
  /// The state of the present transaction.
  private var chunk: (state: any ChunkState, report: Report)?
  /// The state of the last one that was committed.
  private var committed: (state: any ChunkState, report: Report)?
  private var committedObjects = 0
  /// The number under which the store remembers it.
  private var number: Int64?
  private var commits = 0
  /// The result of the whole import, after it has ended.
  package private(set) var report: Report?

  /// - Throws: ``ImportError`` or ``PlanError`` if it cannot begin.
  package init(
    _ importer: Importer, _ sources: [ImportSource], _ isCancelled: @escaping @Sendable () -> Bool,
    progress: ((Importer.Progress) -> Void)?
  ) throws {
    self.importer = importer
    self.progress = progress
    preparation = try importer.prepare(sources, isCancelled)
  }

  /// How long the file is left unlocked for other processes between two chunks. It is longer than they wait between
  /// two attempts to lock it. Writers in this process come before the next chunk anyway.
  package static let pause = Duration.microseconds(pauseMicroseconds)
  static let pauseMicroseconds: UInt32 = 5_000

  // MARK: - A transaction

  /// Writes the next chunk.
  ///
  /// - Returns: The rows of its objects, if the options ask for them.
  package func writeChunk(in transaction: any EngineTransaction) throws -> [Importer.ObjectRowReference] {
    let run = try run(in: transaction)
    run.rows = []
    guard try fill(run) else {
      let finished = try run.finishChunk()
      chunk = finished
      number = try importer.remember(
        finished.report, preparation, transaction, number: number, isWhole: false)
      return run.rows
    }
    var outcome = try importer.finish(run, preparation, transaction, number: number)
    outcome.report.chunks = commits + 1
    report = outcome.report
    return run.rows
  }

  private func run(in transaction: any EngineTransaction) throws -> ImportRun {
    if let run, let committed {
      try transaction.note(activity: preparation.activity)
      try run.proceed(in: transaction, committed.state)
      return run
    }
    let run = try importer.begin(preparation, transaction, progress)
    if importer.options.prunesScopes || preparation.replacesObjects { try run.takeObjectSetSnapshot() }
    self.run = run
    queue = try BatchQueue(readingFrom: preparation.producer)
    return run
  }

  /// Writes one chunk. True if nothing is left.
  private func fill(_ run: ImportRun) throws -> Bool {
    let (firstObject, firstByte) = (run.objects, bytes)
    while let box = try box ?? queue?.takeFull() {
      self.box = box
      var room = Int.max
      if case .objects(let most) = importer.options.chunks.size { room = most - (run.objects - firstObject) }
      guard room > 0 else { return false }
      bytes = box.batch.offset
      guard try run.consume(&box.batch, from: &place, most: room) else { return false }
      queue?.putBack(box)
      self.box = nil
      if case .bytes(let most) = importer.options.chunks.size, bytes - firstByte >= most { return false }
    }
    return true
  }

  // MARK: - Between transactions

  /// Must be called after each commit.
  package func noteCommit() {
    commits += 1
    committedObjects = run?.objects ?? 0
    if let chunk { committed = chunk }
    chunk = nil
    report?.seconds = Date().timeIntervalSince(start)
  }

  /// Ends the import after an error.
  ///
  /// - Returns: What to throw: that it came to a part, or if it came to nothing the cause.
  package func fail(_ cause: any Error) -> any Error {
    queue?.abandon()
    guard var report = committed?.report else { return cause }
    report.chunks = commits
    report.bytes = bytes
    report.seconds = Date().timeIntervalSince(start)
    return PartialImportError(cause: cause, report: report, objects: committedObjects)
  }
}

extension ImportOptions {
  /// Whether it deletes objects that the lists at the top of the JSON lack.
  var prunesScopes: Bool { prunes || pruneCondition != nil }

  /// Whether it deletes objects that came of a source before and are not there any more.
  var replacesSources: Bool {
    guard case .store = target else { return false }
    return share == nil && !appendsToSources && operations.contains(.delete)
  }
}

extension Importer {
  /// Imports all sources in chunks.
  func executeInChunks(
    _ sources: [ImportSource], _ isCancelled: @escaping @Sendable () -> Bool,
    progress: ((Progress) -> Void)?
  ) throws -> Report {
    let chunked: ChunkedImport
    do {
      chunked = try ChunkedImport(self, try received(sources, isCancelled), isCancelled, progress: progress)
    } catch is CancellationError {
      throw ImportError(.cancelled)
    }
    do {
      while true {
        try store.transaction(isCancelled: isCancelled) { transaction in
          transaction.isImport = true
          _ = try chunked.writeChunk(in: transaction)
          return ((), .commit)
        }
        chunked.noteCommit()
        if let report = chunked.report { return report }
        if store.mayBeShared { usleep(ChunkedImport.pauseMicroseconds) }
      }
    } catch is CancellationError {
      throw chunked.fail(ImportError(.cancelled))
    } catch {
      throw chunked.fail(error)
    }
  }
}

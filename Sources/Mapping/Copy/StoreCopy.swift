import Bytes
import Foundation
import JSONStream
import ObjectModel
package import ObjectStore

/// Puts all that a store holds into another, be they of one engine or of two: objects, links, references that wait, what is
/// remembered of imports and what the server has not been told of.
///
/// The objects go through a pipe, so that memory does not grow with the store. Both stores have to be opened with one model,
/// ``Model/withoutJSONForms``, and one mapping, ``JSONMapping/ofStores``: the rest is about the JSON of others.
package struct StoreCopy {
  let source: Store
  let target: Store
  /// How many objects are committed at a time; nil for all at once.
  package var chunk: Int?

  package init(from source: Store, to target: Store) {
    (self.source, self.target) = (source, target)
  }

  package struct Outcome: Sendable {
    package var report: Report
    /// How many objects of each entity the source has, and the target after the copy.
    package var expected: [String: Int]
    package var found: [String: Int]
    /// How many references wait in each.
    package var expectedPending: Int
    package var foundPending: Int
    /// Links and orders that the copy lacks, though the counts are equal.
    package var losses: [ExportLoss]
    /// Local changes of objects without identity, whose numbers the target gives anew.
    package var changesLeftOut: Int

    /// Whether the target holds as much as the source.
    package var isWhole: Bool {
      report.issues.isEmpty && losses.isEmpty && expectedPending == foundPending
        && expected.filter { $0.value > 0 } == found.filter { $0.value > 0 }
    }
  }

  /// Copies. If it fails, the target is as it was, or holds what was committed before; to copy again makes it whole.
  ///
  /// - Parameters:
  ///   - isCancelled: Asked now and then; once it says true, the copy ends.
  ///   - progress: Told now and then how far the copy has come.
  /// - Throws: ``StoreError``, ``ImportError``; `CancellationError`.
  package func run(
    isCancelled: @escaping @Sendable () -> Bool, progress: ((Importer.Progress) -> Void)? = nil
  ) throws -> Outcome {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw StoreError.invalid(
        "A copy needs a pipe: \(String(cString: strerror(errno))). Nothing was changed.")
    }
    let (input, output) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let reading = Reading(source, output, isCancelled)
    do {
      try StackThread.start(stackSize: 1 << 22) {
        // Where the target fails, nobody reads any more. That is an error of the write, and not the end of the process.
        var pipeSignal = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
        reading.run()
        close(output)
      }
    } catch {
      for end in ends { close(end) }
      throw StoreError.invalid("A copy needs a thread: \(error.message). Nothing was changed.")
    }
    var options = ImportOptions()
    options.receivesFirst = false
    if let chunk { options.chunks = .objects(chunk) }
    let imported = Result {
      try Importer(target, options).run(
        [.descriptor(input, name: source.path)], isCancelled: isCancelled,
        progress: progress)
    }
    // Who still writes to the pipe finds that nobody reads.
    close(input)
    let found = reading.wait()
    // The source failed first, unless its pipe was closed: then the target did.
    if case .failure(let error as SourceError) = found, error.isClosedPipe { _ = try imported.get() }
    let facts = try found.get()
    return try finish(try imported.get(), facts)
  }

  private func finish(_ report: Report, _ facts: Facts) throws -> Outcome {
    let leftOut = try target.transaction { transaction in
      try restore(facts.history, transaction)
      try TakenSources.restore(facts.sources, transaction)
      return (try restore(facts.changes, transaction), .commit)
    }
    return try target.read { transaction in
      Outcome(
        report: report, expected: facts.counts, found: try transaction.objectCounts(),
        expectedPending: facts.pending,
        foundPending: try transaction.pendingReferenceCounts().values.reduce(0, +),
        losses: facts.losses, changesLeftOut: leftOut)
    }
  }

  /// Puts what the source remembers of imports before the copy itself.
  private func restore(_ history: [ImportRecord], _ transaction: any StoreTransaction) throws {
    let own = try transaction.importHistory().filter { !history.contains($0) }
    try transaction.forgetImports()
    for record in history.reversed() + own.reversed() { _ = try transaction.remember(record, number: nil) }
  }

  /// Returns how many were left out.
  private func restore(_ changes: [JournalEntry], _ transaction: any StoreTransaction) throws -> Int {
    guard !changes.isEmpty, let journal = try transaction.journal() else { return changes.count }
    var leftOut = 0
    for change in changes {
      guard let entity = transaction.layout.schema.entity(change.entity), entity.hasIdentity else {
        leftOut += 1
        continue
      }
      try journal.restore(change, of: entity)
    }
    return leftOut
  }

  /// The facts of the source beside its objects, all of one moment.
  private struct Facts: Sendable {
    var counts: [String: Int]
    var pending: Int
    var history: [ImportRecord]
    var sources: [String]
    var changes: [JournalEntry]
    var losses: [ExportLoss] = []
  }

  /// Writes the source to a pipe, on a thread of its own.
  private final class Reading: Sendable {
    private let source: Store
    private let descriptor: Int32
    private let isCancelled: @Sendable () -> Bool
    private let result = Locked<Result<Facts, any Error>?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ source: Store, _ descriptor: Int32, _ isCancelled: @escaping @Sendable () -> Bool) {
      (self.source, self.descriptor, self.isCancelled) = (source, descriptor, isCancelled)
    }

    func run() {
      let found = Result {
        try source.read { transaction in
          var facts = Facts(
            counts: try transaction.objectCounts(),
            pending: try transaction.pendingReferenceCounts().values.reduce(0, +),
            history: try transaction.importHistory(), sources: try TakenSources.all(transaction),
            changes: try transaction.journal()?.entries() ?? [])
          _ = try Exporter(source).runAll(
            in: transaction, to: DescriptorSink(descriptor: descriptor), isCancelled: isCancelled,
            noteLoss: { facts.losses.append($0) })
          return facts
        }
      }
      result.withLock { $0 = found }
      done.signal()
    }

    func wait() -> Result<Facts, any Error> {
      done.wait()
      return result.withLock { $0 } ?? .failure(CancellationError())
    }
  }
}

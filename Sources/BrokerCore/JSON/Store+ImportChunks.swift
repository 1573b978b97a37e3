import Mapping
import ObjectStore

extension ImportOptions {
  /// A dry run commits nothing, so it is one transaction.
  var commitsInChunks: Bool { !chunks.isWhole && !isDryRun }
}

extension Store {
  /// Imports JSON in chunks, between which other tasks and processes may write.
  ///
  /// - Parameter each: Runs in the transaction of each chunk, with the rows of the chunk's objects.
  func importInChunks(
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

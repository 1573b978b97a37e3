import ObjectModel
import ObjectStore

/// Sources of which a store has everything: the same files again, or an export of it.
extension Importer {
  /// Whether an import of sources would change nothing and have nothing to tell, and passes over nothing that may be objects. It is done,
  /// as far as nothing changes, and undone.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read or locked, ``ImportError`` if the caller cancels. Whatever is wrong with the
  ///   sources is left to the import.
  package func wouldChangeNothing(
    _ sources: [ImportSource], _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> Bool {
    var options = options
    (options.isDryRun, options.isStrict, options.prunes, options.pruneCondition) = (true, false, false, nil)
    (options.chunks, options.mayChangeNothing) = (.whole, true)
    do {
      let report = try Importer(store, options).run(sources, isCancelled: isCancelled)
      return !report.changesAnything && report.issueCount == 0 && report.unmatchedKeys.isEmpty
        && report.skipped.isEmpty && report.excluded.isEmpty
    } catch let error as ImportError where !error.isCancellation {
      return false
    }
  }
}

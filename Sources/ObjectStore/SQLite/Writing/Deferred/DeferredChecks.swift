import ObjectModel

extension RowWriter {
  /// Deals with what has to wait until everything is written: values that must be unique, objects that several lists
  /// claim or that lack what they require, objects that lost their owner, and objects to be pruned.
  package func runDeferredChecks(_ request: PruneRequest) throws -> DeferredProblems {
    defer { releases.removeAll() }
    var result = DeferredProblems()
    result.problems = try checkChunk(isLast: true) + releases.problemsOfKept()
    if releases.hasDeletions || !request.scopes.isEmpty {
      let pruning = Pruning(request, context, deleter: deleter, releases: releases, before: before)
      let found = try pruning.run()
      result.problems += found.problems
      result.general = found.general
    }
    try before?.drop(context.transaction)
    before = nil
    return result
  }

  /// Deals with what must not be left open when a part of an import is committed: values that must be unique, claims of
  /// owners, and objects that lack what they require. What is deleted because no row names it waits for the end.
  package func finishChunk() throws -> [DeferredProblem] { try checkChunk(isLast: false) }

  private func checkChunk(isLast: Bool) throws -> [DeferredProblem] {
    try uniqueValues.setAll() + claims.carryOut(lists, isLast: isLast) + requiredLinks.removeObjectsWithout()
      + deleter.standingRefusals() + uniqueValues.restoreChecks()
  }
}

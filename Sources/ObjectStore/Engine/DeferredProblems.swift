package import ObjectModel

/// A problem that had to wait for the end, by its ticket.
package typealias DeferredProblem = (ticket: Int, reason: RowProblem.Reason)

/// What the end of an import found.
package struct DeferredProblems {
  /// Which of the deferred problems are some, by their tickets.
  package var problems: [DeferredProblem] = []
  /// Problems that no single object has.
  package var general: [RowProblem.Reason] = []

  package init() {}
}

/// What an import deletes besides what its lists do away with.
package struct PruneRequest: Sendable {
  /// Of the objects of each of these, those that the import has not come across are deleted.
  package var scopes: [Query] = []
  /// The most that may be deleted.
  package var limit: DeletionLimit?

  package init() {}

  /// The entities of the scopes by their index, each once.
  package func entities(of schema: Schema) -> [Int] {
    var seen: Set<Int> = []
    return scopes.compactMap { schema.index(of: $0.entity) }.filter { seen.insert($0).inserted }
  }
}

package import ObjectStore

/// What the writer needs of a transaction that has a working copy.
package protocol WorkingTransaction: EngineTransaction {
  var state: WorkingState { get set }

  /// The rows of the objects of a query.
  func rows(of query: Query) throws -> [Int64]

  /// Notes which objects there are now.
  func noteObjects() throws -> any NotedObjects

  /// Called when records were written, so that changes can be handed on.
  func recordsWereWritten() throws
}

/// The objects that there were at some time.
package protocol NotedObjects {
  /// Whether an object that is there now was there then.
  func contains(_ place: Place, _ state: WorkingState) throws -> Bool
}

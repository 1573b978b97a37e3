package import ObjectStore

/// What the writer needs of a transaction that has a working copy.
package protocol WorkingTransaction: EngineTransaction {
  var state: IdentityMap { get }

  /// The rows of the objects of a query.
  func rows(of query: Query) throws -> [Int64]

  /// Notes which objects there are now.
  func noteObjects() throws -> any ObjectSetSnapshot

  /// What takes rows of which nothing has to be decided; nil if the writer writes all.
  var bulkRows: (any BulkRows)? { get }

  /// Whether the database keeps neither U+0000, nor more than six digits of a second, nor identities of more than
  /// ``ValueLimit/longestIdentity`` bytes.
  var hasValueLimits: Bool { get }

  /// Locks what imports of these entities may touch, before any of it is looked for or written.
  func lock(_ entities: Set<Int>) throws

  /// Whether it is faster to fetch together what is looked for later than one by one.
  var fetchesTogether: Bool { get }

  /// How large batches had better be that are written by the rules; nil where it does not matter.
  var ruledBatchSize: BatchSize? { get }

  /// Fetches what is looked for next.
  func fetch(_ rows: PrefetchRequest)

  /// What an import has to leave as it is, since a program changed it; nil if there is nothing.
  func unsyncedChanges(isProtective: Bool) throws -> UnsyncedChanges?

  /// Called when records were written, so that changes can be handed on.
  func recordsWereWritten() throws
}

extension WorkingTransaction {
  package var bulkRows: (any BulkRows)? { nil }
  package var hasValueLimits: Bool { false }
  package func lock(_ entities: Set<Int>) throws {}
  package func unsyncedChanges(isProtective: Bool) throws -> UnsyncedChanges? { nil }
  package var fetchesTogether: Bool { false }
  package var ruledBatchSize: BatchSize? { nil }
  package func fetch(_ rows: PrefetchRequest) {}
}

/// The objects that there were at some time.
package protocol ObjectSetSnapshot {
  /// Whether an object that is there now was there then.
  func contains(_ place: RowLocation, _ state: IdentityMap) throws -> Bool
}

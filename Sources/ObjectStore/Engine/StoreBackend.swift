package import ObjectModel

/// What a ``Store`` is made of: an engine that programs use as well, not only imports and exports.
package protocol StoreBackend: StoreEngine where Transaction: StoreTransaction {
  /// Where the store is, as people write it; without a password.
  var path: String { get }
  /// The model and the mapping as they were given, the mapping not yet written into the model.
  var description: StoreDescription { get }
  /// Whether who reads keeps all others from the store, as in memory.
  var hasOneConnection: Bool { get }
  /// Who wants to know what changes.
  var observers: Observers { get }

  /// Runs `body` in a transaction, as `transaction(isCancelled:_:)` does, on a thread that tasks do not need.
  ///
  /// A task that is cancelled neither waits nor writes any longer: everything is undone. Once the transaction is
  /// committed, its result stands.
  ///
  /// - Throws: What `body` throws, ``StoreError``; `CancellationError` if the task was cancelled before the end.
  func asyncTransaction<Result: Sendable>(
    isolation: isolated (any Actor)?,
    _ body: @Sendable (Transaction) throws -> (Result, TransactionEnding)
  ) async throws -> Result

  /// Runs `body` on what the store holds now, as `read(_:)` does, on a thread that tasks do not need.
  ///
  /// - Parameter isLong: Whether it may last for as long as whoever it serves asks the store other things. Then it does
  ///   not count among the connections, of which there would be none left for that.
  /// - Throws: What `body` throws, ``StoreError``; `CancellationError` if the task was cancelled before the end.
  func asyncRead<Result: Sendable>(
    isLong: Bool, isolation: isolated (any Actor)?, _ body: @Sendable (Transaction) throws -> Result
  ) async throws -> Result

  /// To be called when somebody has begun to observe.
  func beginObservation()

  /// Puts into a new file all that the store holds at one moment.
  func backup(to path: String, progress: (@Sendable (Double) -> Void)?) async throws
  /// Gives back the space that nothing is in any more.
  func vacuum() async throws
  /// How large the store is.
  func size() async throws -> Store.Size
  /// The bytes of the log beside the data.
  var logBytes: Int { get }
  /// What it would take to give the store another version of its model.
  func plan(for model: Model, mapping: JSONMapping?, migration: Store.Migration) throws -> MigrationPlan
  /// Distributes the tables over several servers, or says what that takes.
  func distribute(_ request: DistributionRequest, isPlanOnly: Bool) throws -> DistributionPlan
  /// Closes the store.
  func close() throws
}

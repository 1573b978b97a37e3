package import ObjectModel

/// What keeps the objects of a store: its model is known, and transactions read and write it.
///
/// Imports and exports use a store by this, ``EngineTransaction``, ``BatchWriter`` and ``Cursor`` alone. SQLite's are
/// ``SQLiteStore``, ``SQLiteTransaction``, ``RowWriter`` and ``PreparedStatement``. `docs/ENGINE.md` says what each has to do.
package protocol StoreEngine: Sendable {
  associatedtype Transaction: EngineTransaction

  /// The tables, columns and keys of the model, by which batches and queries name everything.
  var layout: Layout { get }
  /// The functions that the model's annotations name.
  var functions: MappingFunctions { get }
  /// What attributes demand of their values beyond what the model says.
  var checks: [ValueCheck.Place: ValueCheck] { get }
  /// Whether other processes may have the store.
  var mayBeShared: Bool { get }
  /// How much of an import is to be written at once, unless a ``BatchWriter`` asks for another size.
  var batchSize: BatchSize { get }

  /// Runs `body` in a transaction that writes, all or nothing: it is undone if `body` throws or asks for it. No other
  /// writer comes between.
  ///
  /// - Parameter isCancelled: Asked now and then; once it says true, neither is waited for others nor written.
  /// - Throws: What `body` throws; ``StoreError`` if the store cannot be written; `CancellationError`.
  func transaction<Result>(
    isCancelled: (@Sendable () -> Bool)?, _ body: (Transaction) throws -> (Result, TransactionEnding)
  ) throws -> Result

  /// Runs `body` on what the store holds at one moment, whatever others write meanwhile.
  ///
  /// - Throws: What `body` throws; ``StoreError`` if the store cannot be read.
  func read<Result>(_ body: (Transaction) throws -> Result) throws -> Result
}

extension StoreEngine {
  package var batchSize: BatchSize { BatchSize() }
}

/// How a transaction ends.
package enum TransactionEnding: Sendable {
  case commit
  case rollback
}

/// How much a batch holds before it is written.
package struct BatchSize: Sendable {
  /// The bytes of texts and of paths.
  package var bytes = 1 << 18
  /// The cells of all rows.
  package var cells = 1 << 14

  package init() {}

  package init(bytes: Int, cells: Int) { (self.bytes, self.cells) = (bytes, cells) }

  /// Whether a batch of so many bytes and cells is full.
  package func isReached(bytes: Int, cells: Int) -> Bool { bytes >= self.bytes || cells >= self.cells }
}

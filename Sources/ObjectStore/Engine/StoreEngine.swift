public import Foundation
package import ObjectModel

/// An engine, which keeps the objects of a store: its model is known, and transactions read and write it.
///
/// Imports and exports use a store by this, ``EngineTransaction``, ``BatchWriter`` and ``Cursor`` alone. SQLite's are
/// ``SQLiteStore``, ``SQLiteTransaction``, ``RowWriter`` and ``PreparedStatement``. `docs/ENGINE.md` says what each has to do.
package protocol StoreEngine: Sendable {
  associatedtype Transaction: EngineTransaction

  /// The tables, columns and keys of the model, by which batches and queries name everything.
  var layout: Layout { get }
  /// The functions that the model's annotations name.
  var functions: MappingFunctions { get }
  /// Rules of attributes for their values beyond what the model says.
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

/// A transaction of imports and exports. One that only reads refuses to write.
package protocol EngineTransaction: AnyObject {
  var layout: Layout { get }
  /// Whether what it writes is an import, for those who observe the store.
  var isImport: Bool { get set }
  /// Notes what the transaction does, for those who look at the sessions of a server: `import bands.json`.
  func note(activity: String) throws

  // MARK: - Reading

  /// A cursor over the objects of a query.
  ///
  /// - Parameter isOrdered: Whether the order matters; it does not to a lone object.
  /// - Throws: ``StoreError`` if the query names what is not in the model, or asks for what the engine does not offer;
  ///   ``ObjectPredicateError`` if a condition does not fit the model.
  func cursor(_ query: Query, _ columns: [SelectedColumn], isOrdered: Bool) throws -> any Cursor

  /// As ``cursor(_:_:isOrdered:)`` without an order, one that may be kept for the next time the same is asked.
  func keptCursor(_ query: Query, _ columns: [SelectedColumn]) throws -> any Cursor

  /// How many objects a query has.
  func count(_ query: Query) throws -> Int

  /// The row of the object with an identity, as text; for an entity without identity, that is the row.
  func row(of entity: SchemaEntity, identity: String) throws -> Int64?

  /// A cursor over the targets of a relationship of the object whose row it is told: their ``SelectedColumn/row``,
  /// ``SelectedColumn/kind`` and ``SelectedColumn/stored``, and behind them what the link itself knows of each. Of a join
  /// table, that is the target's key, also of targets that have not arrived, for which all before is null; of an ordered
  /// list that the targets keep, the place.
  func targets(of relationship: SchemaRelationship) throws -> any Cursor

  /// A cursor over the keys of the targets of a relationship of the object whose row it is told, of those that have not
  /// arrived too where the link itself tells, with the place of each behind them where the targets keep it.
  func targetKeys(of relationship: SchemaRelationship) throws -> any Cursor

  /// Whether any object waits for others that have not arrived, in lists that the others keep.
  func hasPendingTargets() throws -> Bool

  /// A cursor over the keys, as text, that the store remembers for a relationship of an object until their objects come,
  /// each with its place. It is told the relationship as `Entity.name` and the owner's key as text.
  func pendingTargets() throws -> any Cursor

  // MARK: - What the store remembers for the layers above

  /// The text under a key; nil if there is none.
  func remembered(under key: String) throws -> String?

  /// Has the store remember a text under a key.
  func remember(_ text: String, under key: String) throws

  /// Has the store remember an import. It keeps the last ``ImportRecord/most``.
  ///
  /// - Parameter number: The number of an import that goes on, whose record this one replaces.
  /// - Returns: The number of the import.
  func remember(_ record: ImportRecord, number: Int64?) throws -> Int64

  /// The imports that the store remembers, the last one first.
  func importHistory() throws -> [ImportRecord]

  /// Forgets all imports.
  func forgetImports() throws

  // MARK: - Writing

  /// Runs `body`, a step of the transaction: all that it does, or if it throws, nothing.
  func atomically<Result>(_ body: () throws -> Result) throws -> Result

  /// A writer of batches in this transaction.
  ///
  /// - Parameter former: What the writer of the former transaction of the same import left to be done.
  func batchWriter(_ policy: WritePolicy, continuing former: (any ChunkState)?) throws
    -> any BatchWriter
}

extension EngineTransaction {
  /// A store that has no sessions tells nobody.
  package func note(activity: String) {}

  package func keptCursor(_ query: Query, _ columns: [SelectedColumn]) throws -> any Cursor {
    try cursor(query, columns, isOrdered: false)
  }
}

/// An entry in the history of imports.
///
/// The names of entities are those that the model had at that time.
public struct ImportRecord: Sendable, Hashable, Codable {
  /// When it began.
  public var date: Date
  /// How long it took until it was committed, in seconds.
  public var seconds: Double
  /// Where its JSON came from: the names of files as they were given, `-` for standard input, and what a program called
  /// its sources. Those without a name are left out, and of many only the first 20 are kept.
  public var sources: [String]
  /// How many sources there were.
  public var sourceCount: Int
  /// How many objects of each entity were new.
  public var inserted: [String: Int] = [:]
  /// How many objects of each entity got other values or other links.
  public var updated: [String: Int] = [:]
  /// How many objects of each entity were deleted.
  public var deleted: [String: Int] = [:]
  /// How many objects of each entity in the JSON were skipped because of an issue.
  public var skipped: [String: Int] = [:]
  /// How many issues there were.
  public var issueCount = 0
  /// Whether it came to its end. An import in chunks is remembered with its first chunk; if it fails later, this stays
  /// false.
  public var isWhole = true

  package init(date: Date, seconds: Double, sources: [String], sourceCount: Int) {
    self.date = date
    self.seconds = seconds
    self.sources = Array(sources.prefix(Self.mostSources))
    self.sourceCount = sourceCount
  }

  private static let mostSources = 20

  /// How many imports a store remembers.
  package static let most = 100

  /// Whether the import changed objects of the store.
  public var changesAnything: Bool {
    [inserted, updated, deleted].contains { $0.values.contains { $0 > 0 } }
  }
}

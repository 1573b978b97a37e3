public import ObjectModel

/// A relational store of objects.
///
/// ```swift
/// let store = try Store(path: "bands.sqlite", model: model)
/// ```
///
/// In a file it is an SQLite database: the file is in WAL mode once it has tables, and any SQLite tool can read it. Two
/// stores on one file, in one process or several, do not disturb each other: who wants to write waits for whoever is
/// writing.
public final class Store: Sendable {
  /// What keeps the objects.
  package let backend: any StoreBackend

  /// What may be done with a store.
  public enum Access: Sendable {
    case readWrite
    case readOnly
  }

  package init(_ backend: any StoreBackend) { self.backend = backend }

  /// Opens a store in a file, or makes a new one.
  ///
  /// A new store gets its file and its tables with the first transaction that writes, so that nothing is left behind
  /// if that fails. Until that is committed, it reads as an empty store, whoever makes it.
  ///
  /// - Parameters:
  ///   - path: The file's path; `:memory:` for a store in memory, or nothing for one in a temporary file, both
  ///     of which go with this object.
  ///   - model: The model. A store that exists remembers its own, so `nil` will do. If this is another version, the
  ///     store becomes one of it, as far as ``Options/migration`` allows; one that is only read stays as it is.
  ///   - mapping: What is said of the JSON beyond the model's annotations. A store remembers it too, but for
  ///     its functions, until it is given another.
  ///   - access: Whether the store may be written.
  ///   - options: How it is used: how long to wait for others, how much memory to take.
  /// - Throws: ``StoreError`` if the file cannot be opened, is no store, cannot become one of the model without more
  ///   consent, or does not exist while there is no model to create it; ``MappingError`` if the mapping does not fit the model;
  ///   ``SchemaError`` if the model cannot be used.
  public convenience init(
    path: String, model: Model? = nil, mapping: JSONMapping? = nil, access: Access = .readWrite,
    options: Options = Options()
  ) throws {
    self.init(
      try SQLiteStore(path: path, model: model, mapping: mapping, access: access, options: options))
  }

  /// Makes an empty store in a file, with the model, and unless it is given another the mapping, of one that exists.
  package convenience init(path: String, like other: Store, mapping: JSONMapping? = nil) throws {
    let declared = other.backend.description
    try self.init(path: path, model: declared.model, mapping: mapping ?? declared.mapping)
  }

  /// The model of what is in the store, with what the mapping says as annotations.
  public var model: Model { layout.schema.model }

  /// Where the store is: the path of its file, `:memory:`, or the address of its database without a password.
  public var path: String { backend.path }

  /// Closes the store, as soon as what goes on has ended. A new store in a file that nothing was written to leaves no
  /// file. Nothing can be done with the store after that.
  ///
  /// - Throws: ``StoreError`` if it is called within a transaction of the store.
  public func close() throws { try backend.close() }
}

// MARK: - Transactions

extension Store {
  package var layout: Layout { backend.layout }
  package var functions: MappingFunctions { backend.functions }
  package var checks: [ValueCheck.Place: ValueCheck] { backend.checks }
  package var mayBeShared: Bool { backend.mayBeShared }
  package var batchSize: BatchSize { backend.batchSize }

  /// Runs `body` in a transaction; see ``StoreEngine/transaction(isCancelled:_:)``.
  package func transaction<Result>(
    isCancelled: (@Sendable () -> Bool)? = nil,
    _ body: (any StoreTransaction) throws -> (Result, TransactionEnding)
  ) throws -> Result {
    try backend.transaction(isCancelled: isCancelled) { try body($0) }
  }

  /// Runs `body` on what the store holds now; see ``StoreEngine/read(_:)``.
  package func read<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try backend.read { try body($0) }
  }

  /// As ``transaction(isCancelled:_:)``, on a thread that tasks do not need; see ``StoreBackend``.
  package func asyncTransaction<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @Sendable (any StoreTransaction) throws -> (Result, TransactionEnding)
  ) async throws -> Result {
    try await backend.asyncTransaction(isolation: isolation) { try body($0) }
  }

  /// As ``read(_:)``, on a thread that tasks do not need; see ``StoreBackend``.
  package func asyncRead<Result: Sendable>(
    isLong: Bool = false, isolation: isolated (any Actor)? = #isolation,
    _ body: @Sendable (any StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await backend.asyncRead(isLong: isLong, isolation: isolation) { try body($0) }
  }

  /// Whether who reads keeps all others from the store, as in memory.
  package var hasOneConnection: Bool { backend.hasOneConnection }
}

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
  /// The engine.
  package let backend: any StoreBackend

  /// The access to a store.
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

  /// Lets the store's file go before the system suspends the program: no lock is left on it.
  ///
  /// Transactions that go on are interrupted and undone, and from now on each use of the store throws a ``StoreError`` whose
  /// ``StoreError/isSuspended`` is true, until ``resume()`` is called. Observations wait for that. iOS ends a program
  /// that holds a lock on a file of an app group while it is suspended, so that other programs of the group need not wait for it.
  /// ``Options/suspendsInBackground`` has this done at the right moments; call it where work in the background ends that the app's
  /// notifications say nothing of.
  ///
  /// Stores in memory and on servers are not concerned.
  ///
  /// - Parameter limit: How long to wait for what goes on to end. It ends within one of its next statements; a closure that does
  ///   something else meanwhile, or an export that nobody reads on, can take longer.
  /// - Returns: Whether the file is closed. If it is not, it is as soon as the last access ends.
  @discardableResult
  public func suspend(waitingAtMost limit: Duration = .seconds(5)) -> Bool {
    backend.suspend(waitingAtMost: limit)
  }

  /// Lets the store be used again after ``suspend(waitingAtMost:)``. The file is opened with the next use, and observations look at
  /// once what others have written.
  public func resume() { backend.resume() }
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
  // Where a closure would do for it and for the public method with the same name, that one is meant.
  @_disfavoredOverload
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

extension Store {
  /// How a store is used, whatever is in it.
  public struct Options: Sendable {
    /// How long a transaction waits for others that write, in this process or another one. Without, as long as that
    /// takes, or until it is cancelled.
    public var timeout: Duration?
    /// Called once for each access that has been waiting for others for ``longWait``, on any thread. It must not use the
    /// store.
    public var onLongWait: (@Sendable () -> Void)?
    /// As ``onLongWait``, with a name of who writes, as a server has it: its application, process and address. It is nil
    /// where that is not known, as with files.
    public var onLongWaitForWriter: (@Sendable (String?) -> Void)?
    /// How long somebody waits before he wants to know for what.
    public var longWait = Duration.seconds(2)
    /// The bytes of the file that each connection may keep in memory. More of it makes large imports of objects whose
    /// identities come in no order faster.
    public var pageCacheSize = 16 << 20
    /// How many reads of a file go on at the same time, each on a connection of its own; others wait. At least one. Servers have
    /// `connections` in their address for this.
    public var readerCount = 4

    /// Called after each statement that the store has executed, with how long it took, on any thread. It must not use the store.
    ///
    /// ```swift
    /// var options = Store.Options()
    /// options.onStatement = { statement in
    ///   if statement.duration > .milliseconds(100) { print(statement.duration, statement.sql) }
    /// }
    /// ```
    ///
    /// An import executes statements for each object, so this slows it down. In the time of a statement is what the program does
    /// between its rows.
    public var onStatement: (@Sendable (ExecutedStatement) -> Void)?

    /// Whether the store lets its file go while the app is in the background, and takes it again when the app comes back; see
    /// ``Store/suspend(waitingAtMost:)``. Set it for a store in an app group. It follows the notifications of UIKit, of WatchKit and of
    /// the host of an extension; elsewhere it does nothing.
    ///
    /// The file is let go once nobody has used it for two seconds, or when the system says that the time in the background is up.
    /// Work that goes on there later calls ``Store/resume()`` first, and ``Store/suspend(waitingAtMost:)`` when it is done.
    public var suspendsInBackground = false

    /// How the system encrypts what is made in the folder of the store, on Apple's platforms: its file, and those that SQLite makes
    /// beside it now and then. Nil for what the folder or the app says. Give the store a folder of its own; a file that is there keeps
    /// its protection. Elsewhere it does nothing.
    public var fileProtection: FileProtection?

    /// Whether a commit is on the disk when it returns, and so outlives a loss of power. Without, the last commits may be
    /// undone by one, and the store is whole all the same. It costs each commit a wait for the disk. A server has settings
    /// of its own for this.
    public var waitsForDisk = false

    /// Whether a store is written to whose file has triggers that Broker did not make. They run with each write, and a
    /// file from somebody else may hold any. Stores on servers are not asked: their triggers are the server's matter.
    public var allowsOtherTriggers = false

    /// The permissions to take over another version of its model.
    public var migration = Migration.automatic

    /// The description that the store has to have when the first transaction begins, if the model was made of that.
    package var basis: ExpectedDescription?

    /// Asked now and then, on the thread of an access; once it says true, whatever is done ends as if its task was
    /// cancelled.
    package var isCancelled: (@Sendable () -> Bool)?

    public init(timeout: Duration? = nil, onLongWait: (@Sendable () -> Void)? = nil) {
      self.timeout = timeout
      self.onLongWait = onLongWait
    }
  }
}

extension Store {
  /// A statement that a store has executed; see ``Options/onStatement``.
  public struct ExecutedStatement: Sendable, Hashable {
    /// Its SQL, with `?` or `$1` where values are bound: these are not shown, since they may be private.
    public var sql: String
    /// How long it took, up to its last row.
    public var duration: Duration

    package init(sql: String, duration: Duration) {
      (self.sql, self.duration) = (sql, duration)
    }
  }
}

extension Store {
  /// How large a store is, in bytes.
  public struct Size: Sendable, Hashable {
    /// The pages of the database.
    public var pages: Int
    /// Free pages, which ``Store/vacuum()`` gives back.
    public var free: Int
    /// The log beside the file, which SQLite moves into it now and then.
    public var log: Int

    package init(pages: Int, free: Int, log: Int) {
      (self.pages, self.free, self.log) = (pages, free, log)
    }
  }

  /// How large the store is.
  public func size() async throws -> Size { try await backend.size() }

  /// Gives back the space that nothing is in any more, and puts what lies apart together.
  ///
  /// The whole file is written anew, which takes as much space beside it meanwhile. Others may read, and wait to write.
  ///
  /// - Throws: ``StoreError`` if the store cannot be written; `CancellationError` if the task was cancelled. Then it is as
  ///   it was.
  public func vacuum() async throws { try await backend.vacuum() }

  /// Copies the store to a new file, while it is used: what it holds at one moment, whatever others write meanwhile.
  ///
  /// ```swift
  /// try await store.backup(to: "bands-backup.sqlite") { print("\(Int($0 * 100)) %") }
  /// ```
  ///
  /// The copy is a store like any other. It is there when it is whole: a backup that fails or is cancelled leaves no file.
  /// Nobody waits for it but those who use a store in memory, which has one connection only.
  ///
  /// - Parameters:
  ///   - path: Where the copy is to be. There must be no file.
  ///   - progress: Called now and then with the part that is done, from 0 to 1, on any thread.
  /// - Throws: ``StoreError`` if there is a file, or it cannot be written; `CancellationError` if the task was cancelled.
  public func backup(
    to path: String, progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    try await backend.backup(to: path, progress: progress)
  }

  /// Removes a store: its file, and those that SQLite keeps beside it.
  ///
  /// ```swift
  /// try Store.remove(at: "bands.sqlite")
  /// ```
  ///
  /// Where there is none, nothing happens.
  ///
  /// - Throws: ``StoreError`` if the file is no store, or anybody has it open, in this process or another one: close it
  ///   first.
  public static func remove(at path: String) throws { try SQLiteStore.remove(at: path) }

  /// The plan that would give the store another version of its model. Nothing is changed.
  ///
  /// ```swift
  /// let store = try Store(path: "bands.sqlite", access: .readOnly)
  /// print(try store.plan(for: model))
  /// ```
  ///
  /// - Parameters:
  ///   - model: The version.
  ///   - mapping: What is said of the JSON beyond the model's annotations; nil for what the store remembers.
  ///   - migration: What may be done, and what was decided.
  /// - Throws: ``StoreError``, ``SchemaError`` if the model cannot be used, ``MappingError`` if the mapping does not fit it.
  /// - Complexity: Counts objects, values and links, each of which goes through a table.
  public func plan(
    for model: Model, mapping: JSONMapping? = nil, migration: Migration = .automatic
  ) throws -> MigrationPlan {
    try backend.plan(for: model, mapping: mapping, migration: migration)
  }

  /// The model and the mapping as they were given, the mapping not yet written into the model.
  package var declared: (model: Model, mapping: JSONMapping) {
    (backend.description.model, backend.description.mapping ?? JSONMapping())
  }

  /// The bytes of the log beside the data.
  package var logBytes: Int { backend.logBytes }
}

/// The description that a store keeps of itself: its model, and what a mapping says beyond that.
package struct StoreDescription: Sendable {
  package var model: Model
  package var mapping: JSONMapping?

  package init(model: Model, mapping: JSONMapping?) {
    self.model = model
    self.mapping = mapping
  }

  /// The model with the mapping's annotations.
  package func mappedModel() throws -> Model {
    try mapping?.applied(to: model) ?? model
  }

  package func layout(names: NameRules = .sqlite) throws -> Layout {
    Layout(try Schema(try mappedModel()), names: names)
  }

  package func isSame(as other: StoreDescription) throws -> Bool {
    try model == other.model && mapping?.remembered() == other.mapping?.remembered()
  }

  /// The mapping for another version of the model.
  package func mapping(for other: Model) throws -> JSONMapping? {
    guard let mapping, other != model else { return mapping }
    return mapping.migrated(ModelCorrespondence(old: try Schema(model), new: try Schema(other)))
  }
}

/// How what a store remembers differs from what it is opened with.
package enum StoreDifference: Sendable {
  case none
  /// Only in what says nothing of what is in the store.
  case words
  /// Another version: rows of the store may have to change, or its tables.
  case version

  package init(from remembered: StoreDescription?, to description: StoreDescription, _ layout: Layout) throws
  {
    guard let remembered, try !description.isSame(as: remembered) else {
      self = .none
      return
    }
    self = Self.isVersion(try remembered.layout(names: layout.names), layout) ? .version : .words
  }

  /// Whether a layout is of another version of the model than another one.
  static func isVersion(_ before: Layout, _ after: Layout) -> Bool {
    let statements = [before, after].map { Set(TableDefinitions(layout: $0).statements) }
    return statements[0] != statements[1]
      || ModelChanges(ModelCorrespondence(old: before.schema, new: after.schema)).all.contains { !$0.isRule }
  }
}

/// The description that a store has to have still, for a model that was made of that to fit it.
///
/// Who takes a model from JSON looks at the store first, and changes it later, in a transaction. What other programs do to
/// the store in between is found inside that transaction, before anything is changed.
///
/// It is a class since it is a part of the public ``Store/Options``: modules that do not see the types in it must know how
/// much room the options take.
package final class ExpectedDescription: Sendable {
  /// The description that the store had; nil if there was no store.
  private let before: StoreDescription?

  private init(_ before: StoreDescription?) { self.before = before }

  /// There was no store.
  package static let nothing = ExpectedDescription(nil)

  /// There was one of this model and mapping.
  package static func description(_ description: StoreDescription) -> ExpectedDescription {
    ExpectedDescription(description)
  }

  /// - Throws: ``StoreError`` if the store remembers something else by now.
  package func check(_ remembered: StoreDescription?, path: String) throws {
    let isSame =
      switch (before, remembered) {
      case (nil, nil): true
      case (let before?, let now?): try before.isSame(as: now)
      default: false
      }
    guard isSame else { throw StoreError(.basisChanged(path: path)) }
  }
}

extension Store {
  /// The description of the store, for a model that is made of that.
  package var basis: ExpectedDescription { .description(backend.description) }
}

/// An object that is in the store: its entity and its identity as the store has it.
package struct StoredObject: Sendable {
  package let rowID: Int64
  /// The entity that it is of, which may be a sub-entity of the one asked for.
  package let entity: Int
  package let identity: [SQLValue]
}

extension EngineTransaction {
  /// The object of an entity with an identity, the parts of a composite one joined by commas; nil if there is
  /// none.
  ///
  /// - Throws: ``StoreError`` if there is no such entity, if it has no identity, or one of other parts.
  package func find(_ entity: String, identity: String) throws -> StoredObject? {
    var query = Query(entity)
    query.identity = identity
    let statement = try keptCursor(query, [.row, .kind, .key])
    let asked = try layout.entity(named: entity)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    let found = statement.isNull(1) ? nil : layout.schema.index(of: statement.string(1))
    let key = (2..<statement.columnCount).map { statement.value($0) }
    return StoredObject(
      rowID: statement.integer(0), entity: found ?? asked.index,
      identity: layout.identity(ofKey: key, of: asked))
  }
}

/// A table or an index of a store.
package struct DatabaseObject: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case table
    case index
    case uniqueIndex
  }

  package var name: String
  package var kind: Kind
  /// The table; of an index, the one that it belongs to.
  package var table: String
  /// The columns of an index; empty where it is made of expressions.
  package var columns: [String]
  /// The bytes of its pages; nil if that cannot be told.
  package var bytes: Int?

  package init(name: String, kind: Kind, table: String, columns: [String], bytes: Int?) {
    (self.name, self.kind, self.table) = (name, kind, table)
    (self.columns, self.bytes) = (columns, bytes)
  }
}

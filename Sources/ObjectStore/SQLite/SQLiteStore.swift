import Bytes
import Dispatch
import Foundation
import GRDB
import GRDBSQLite
package import ObjectModel

/// The backend of a ``Store`` in an SQLite file.
package final class SQLiteStore: StoreBackend {
  /// Where the file is, or `:memory:`.
  package let path: String
  package let layout: Layout
  /// The metadata for the store.
  package let description: StoreDescription
  /// The options of the caller: a model, a mapping.
  let isModelGiven: Bool
  let isMappingGiven: Bool
  /// The functions that the model's annotations name.
  package let functions: MappingFunctions
  /// Whether the store is to keep a journal of what a program changes.
  let journalsLocalChanges: Bool
  /// Rules of attributes for their values beyond what the model says.
  package let checks: [ValueCheck.Place: ValueCheck]
  /// The connection that writes.
  let writer: ConnectionPool<Connection>
  /// Connections that only read, while another writes.
  let readers: ConnectionPool<Connection>
  let state: StoreState
  let delivery = ChangeDelivery()
  let outside = ExternalChangeMonitor()
  let opening: StoreOpening
  let options: Store.Options
  let suspension: Suspension
  /// The suspension of the store while its app is in the background, if the options ask for it.
  private let background = Locked<BackgroundSuspension?>(nil)

  var model: Model { layout.schema.model }

  /// - Parameter checks: What attributes demand of their values beyond what the model says.
  package init(
    path: String, model: Model? = nil, mapping: JSONMapping? = nil, access: Store.Access = .readWrite,
    options: Store.Options = Store.Options(), checks: [ValueCheck.Place: ValueCheck] = [:],
    journalsLocalChanges: Bool = false
  ) throws {
    self.path = path
    self.journalsLocalChanges = journalsLocalChanges
    self.checks = checks
    suspension = Suspension(path: path)
    functions = mapping?.functions ?? MappingFunctions()
    isModelGiven = model != nil
    isMappingGiven = mapping != nil
    var opening = StoreOpening(path: path, access: access, options: options)
    try opening.checkPath()
    if access == .readWrite, let file = opening.file { try options.fileProtection?.apply(to: file) }
    let found = try opening.look(isModelKnown: model != nil)
    do {
      let remembered = found.remembered?.description
      try options.basis?.check(remembered, path: path)
      guard let known = model ?? remembered?.model else {
        throw StoreError(access == .readOnly ? .missing(path: path) : .modelNeeded(path: path))
      }
      let given = StoreDescription(model: known, mapping: try mapping ?? remembered?.mapping(for: known))
      let guesses = try InferredIdentities(given, over: model == nil ? nil : remembered) { sql in
        try found.connection?.access { try Int64.fetchOne($0, sql: sql) ?? 0 } ?? 0
      }
      description = guesses.description
      var settled = options
      settled.migration.lostGuesses.formUnion(guesses.entities)
      self.options = settled
      layout = Layout(try Schema(try description.mappedModel()))
      try layout.checkLimits()
      try opening.note([layout] + [remembered].compactMap(\.self).map { try $0.layout() }, found)
      let isGiven = model != nil || mapping != nil
      let difference = try isGiven ? StoreDifference(from: remembered, to: description, layout) : .none
      if difference == .version, let remembered { try opening.showAsNew(found, remembered, layout) }
      self.opening = opening
      let state = StoreState(
        opening.file, version: found.remembered?.version, difference,
        mayMigrate: access == .readWrite && difference == .version)
      self.state = state
      if let connection = found.connection, found.remembered != nil {
        try state.chooseJournalMode(connection, mayWrite: access == .readWrite)
      }
      let openingNow = opening
      writer = ConnectionPool(found.connection.map { [$0] } ?? [], limit: 1, path: path) { pending in
        guard let file = openingNow.file else { throw StoreError.closed }
        // A connection that is made once more must not make the file once more.
        if state.knowsTables, !file.isThere { throw StoreError(.missing(path: path)) }
        state.beginCreation()
        return try openingNow.connect(pending)
      }
      readers = ConnectionPool(limit: max(1, options.readerCount), path: path) {
        try openingNow.connectReader($0)
      }
    } catch {
      try? found.connection?.close()
      throw opening.described(error)
    }
    if access == .readWrite, state.needsMigration, !options.migration.isDelayed { try migrate() }
    if options.suspendsInBackground, state.file != nil {
      background.withLock { $0 = BackgroundSuspension(self, AppPhase.all) }
    }
  }

  /// Becomes a store of its model now.
  private func migrate() throws {
    do {
      try transaction { _ in ((), .commit) }
    } catch {
      try? close()
      throw error
    }
  }

  /// Whether who reads keeps all others from the store, as in memory.
  package var hasOneConnection: Bool { !state.hasReaders }

  // MARK: - Leaving

  deinit {
    // The connection that may write goes last: only it can clear away what SQLite keeps beside the file.
    readers.closeIdle()
  }

  package func close() throws {
    guard OngoingAccess.all(of: self).isEmpty else {
      throw StoreError.invalid("A store cannot be closed within one of its transactions.")
    }
    outside.end()
    background.withLock { $0 = nil }
    // Whether closing fails or not, nothing more can be observed.
    defer { delivery.observers.end() }
    try readers.close()
    guard !writer.isClosed else { return }
    try writer.close()
    state.endCreation()
  }
}

// MARK: - Suspension

extension SQLiteStore {
  package func suspend(waitingAtMost limit: Duration) -> Bool {
    guard state.file != nil else { return true }
    suspension.begin()
    let deadline = DispatchTime.now() + limit.seconds
    // As when it is closed, the connection that may write goes last. An access of this very thread cannot end before this does.
    let isOwn = !OngoingAccess.all(of: self).isEmpty
    let haveReadersEnded = readers.suspend(suspension.error, until: isOwn ? .now() : deadline)
    let hasWriterEnded = writer.suspend(suspension.error, until: isOwn ? .now() : deadline)
    // A store that was about to be made has its folder locked.
    if hasWriterEnded { state.endCreation() }
    return haveReadersEnded && hasWriterEnded
  }

  package func resume() {
    guard suspension.end() else { return }
    writer.resume()
    readers.resume()
    // Others may have written meanwhile, and connections that are made now cannot tell.
    outside.restartInDoubt()
    if delivery.observers.areThere {
      delivery.post(ObjectChanges(isComplete: false, isByOthers: true))
      delivery.deliver(self)
    }
  }

  /// Whether nobody uses the store, and how often it was used.
  var usage: (isIdle: Bool, uses: Int) {
    let (reading, writing) = (readers.usage, writer.usage)
    return (reading.isIdle && writing.isIdle, reading.uses + writing.uses)
  }
}

/// SQLite offers what imports and exports ask of an engine.
extension SQLiteStore {
  package var observers: Observers { delivery.observers }

  package func beginObservation() { outside.begin(self) }

  /// Whether other processes may have the store.
  package var mayBeShared: Bool { !path.isEmpty && path != ":memory:" }
}

extension SQLiteTransaction: StoreTransaction {
  package var keptObjects: [ObjectIdentifier: AnyObject] {
    get { cache.objects }
    _modify { yield &cache.objects }
  }

  package func localWriter(
    _ policy: WritePolicy, equality: ValueEquality?
  ) throws -> any BatchWriter {
    try RowWriter(self, policy: policy, equality: equality)
  }

  package func batchWriter(
    _ policy: WritePolicy, continuing former: (any ChunkState)?
  ) throws -> any BatchWriter {
    try RowWriter(self, policy: policy, continuing: former)
  }
}

extension RowWriter {
  package func write(_ indices: Range<Int>, of batch: inout RowBatch) throws {
    if let renamed = context.unsynced?.renamed {
      batch.replaceFormerKeys(renamed, in: indices, context.layout)
    }
    for index in indices {
      let root = batch.roots[index]
      let end = batch.end(ofRecord: index)
      try write(root: root, to: end, over: nil, of: &batch)
    }
  }

  package func storedKind(of row: Int, _ batch: borrowing RowBatch) throws -> Int? {
    try records.storedKind(of: row, batch)
  }
}

/// The state that a transaction finds in the file, and the work on it before anything is written.
extension SQLiteStore {
  /// Creates the tables of a new store, of which the indexes follow; or, if they are others than those that were last
  /// looked at, sees whether they are the model's. True if there were none.
  ///
  /// It is called inside the transaction that writes, so that of several programs that open a new store one creates it,
  /// and the others find what it created.
  ///
  /// - Throws: ``StoreError`` if the file is of another model or no store.
  func prepareTables(_ database: Database) throws -> Bool {
    if try !state.hasTables(database) {
      try checkFileIsInPlace(database)
      let remembered = try opening.remembered(database)
      if let basis = unusedBasis { try basis.check(remembered?.description, path: path) }
      if remembered == nil {
        try createTables(database)
        return true
      }
    } else if let basis = unusedBasis {
      try basis.check(try opening.remembered(database)?.description, path: path)
    }
    let version = try StoreOpening.schemaVersion(database)
    if !state.isCompared(with: version) { try compare(with: version, database) }
    if state.needsMigration { try migrateTables(database) }
    if journalsLocalChanges { try database.execute(sql: SQLiteJournalTable.definition) }
    if state.needsMemory { try StoreOpening.remember(description, database) }
    return false
  }

  /// The description that the store has to have still. After the first commit, it has the one it was opened with.
  private var unusedBasis: ExpectedDescription? { state.hasCommitted ? nil : options.basis }

  private func createTables(_ database: Database) throws {
    if layout.hasSearch { try FullTextSearch.check(database) }
    for statement in TableDefinitions(layout: layout).tables {
      try database.execute(sql: statement)
    }
    try StoreOpening.remember(description, database)
    if journalsLocalChanges { try database.execute(sql: SQLiteJournalTable.definition) }
  }

  /// Compares the model with the tables that another program, or an earlier transaction, has made meanwhile.
  private func compare(with version: Int, _ database: Database) throws {
    guard let remembered = try opening.remembered(database)?.description else { return }
    // A mapping that is not given is taken from the store; here, it is too late for that.
    guard isMappingGiven || description.mapping != nil || remembered.mapping == nil else {
      throw StoreError(.mappingAppeared(path: path))
    }
    let isGiven = isModelGiven || isMappingGiven
    let difference = try StoreDifference(from: remembered, to: description, layout)
    if difference == .version, !state.canMigrate || !isGiven {
      throw StoreError(isGiven ? changedModel(remembered) : .migratedByOthers(path: path))
    }
    state.noteComparison(with: version, isGiven ? difference : .none)
  }

  /// Sees, within a transaction that reads, whether another program has given the store another version of its model
  /// meanwhile.
  ///
  /// - Throws: ``StoreError`` if it has.
  func checkVersion(_ database: Database, _ handle: OpaquePointer, _ cache: ConnectionCache) throws {
    let statement = try cache.statement("PRAGMA schema_version", on: handle)
    guard try statement.step() else { return }
    let version = Int(statement.integer(0))
    statement.reset()
    guard !state.isCompared(with: version), let remembered = try opening.remembered(database)?.description
    else {
      return
    }
    guard opening.views == nil, try StoreDifference(from: remembered, to: description, layout) != .version
    else {
      throw StoreError(.migratedByOthers(path: path))
    }
    state.noteVersion(version)
  }

  private func changedModel(_ remembered: StoreDescription) -> StoreError.Kind {
    guard let before = try? remembered.mappedModel(),
      let changes = try? Model.changes(from: before, to: layout.schema.model)
    else { return .migratedByOthers(path: path) }
    return .modelChanged(path: path, differences: changes.map(\.description))
  }

  /// Someone else may have removed the file while this one was waiting to write to it. What is written to a removed file
  /// is lost.
  private func checkFileIsInPlace(_ database: Database) throws {
    var hasMoved: Int32 = 0
    sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard hasMoved == 0 else {
      throw StoreError(.unreadable(path: path, why: "another program has just removed it; try again"))
    }
  }

  /// The work after a commit, before anybody else can use the file if it is a new one.
  ///
  /// A committed change is in the store, whatever fails from then on: an error here would say that nothing was changed.
  /// Facts about the file that could not be found out are found out by whoever opens it next.
  func noteCommit(
    _ database: Database, _ connection: Connection, _ handle: OpaquePointer, isFresh: Bool
  ) {
    state.releaseLock(handle)
    state.noteCommit()
    state.switchToWAL(database, connection)
    do {
      try state.noteTables(database)
      if isFresh { try outside.restart(handle, connection.cache, self) }
    } catch {
      outside.noteDoubt()
    }
  }
}

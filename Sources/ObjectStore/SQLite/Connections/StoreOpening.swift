import Foundation
import GRDB
import GRDBSQLite
import ObjectModel
import Synchronization

/// The steps that open a store: finding out its state, and setting it up.
struct StoreOpening: Sendable {
  /// The layout of the store's own tables. A change of it that older versions cannot read gets a new number.
  static let format = "1"

  /// The path as it was given, for messages.
  let path: String
  /// Nil for a store in memory or in a temporary file.
  let file: StoreFile?
  let access: Store.Access
  let options: Store.Options
  /// The views that show a store of an older version.
  var views: MigrationViews?
  /// Whether triggers of the store's own need a schema that is trusted.
  var mustTrust = false

  init(path: String, access: Store.Access, options: Store.Options) {
    self.path = path
    self.access = access
    self.options = options
    file = path.isEmpty || path == ":memory:" ? nil : StoreFile(path)
  }

  /// A store as it is found.
  struct Found {
    /// Nil as long as the file holds nothing: who is the first to write to it makes it.
    var connection: Connection?
    var remembered: Remembered?
  }

  /// Looks what there is. Who knows the model does not wait for who is writing to a new file now.
  func look(isModelKnown: Bool) throws -> Found {
    let pending = AccessRequest(options) { Task.isCancelled }
    guard let file else { return Found(connection: try connect(pending)) }
    if file.isBlank {
      // A reader, or a program without a model, may be too early, but does not wait for another to create the store.
      guard !isModelKnown, access == .readWrite, file.isThere else { return Found() }
      return Found(remembered: try rememberedAfterWait(pending))
    }
    let connection = try connect(pending)
    do {
      return Found(connection: connection, remembered: try remembered(connection, pending))
    } catch {
      try? connection.close()
      throw error
    }
  }

  /// The metadata that mark a file as complete.
  private func rememberedAfterWait(_ pending: AccessRequest) throws -> Remembered? {
    let connection = try connect(pending)
    defer { try? connection.close() }
    return try connection.access(pending) { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      defer { try? database.execute(sql: "ROLLBACK") }
      return try remembered(database)
    }
  }

  func connect(_ pending: AccessRequest) throws -> Connection {
    // Even to read, SQLite has to write beside a file in WAL mode, and only who may write clears that away.
    try open(pending, isReadOnly: access == .readOnly && !(file?.isWritable ?? true))
  }

  /// Connects once more to a file that is there and in WAL mode, only to read.
  func connectReader(_ pending: AccessRequest) throws -> Connection {
    try open(pending, isReadOnly: true)
  }

  private func open(_ pending: AccessRequest, isReadOnly: Bool) throws -> Connection {
    if let file, file.hasOneByte { throw notADatabase }
    if let file, ImmutableFile.isNeeded(file),
      // try?: the file is opened in the usual way then, which fails for the same cause.
      let connection = try? open("file:\(file.uriPath)?immutable=1", pending, frozen: ImmutableFile(file))
    {
      if connection.isFileInWAL { return connection }
      try connection.close()
    }
    return try open(file?.path ?? path, pending, isReadOnly: isReadOnly)
  }

  private var notADatabase: StoreError {
    StoreError(.notAStore(path: path, why: "it is not an SQLite database"))
  }

  private func open(
    _ name: String, _ pending: AccessRequest, isReadOnly: Bool = true, frozen: ImmutableFile? = nil
  ) throws -> Connection {
    let handler = BusyHandler()
    handler.serve(pending)
    defer { handler.serve(nil) }
    let configuration = configuration(handler, isReadOnly: isReadOnly)
    do {
      let database =
        name == ":memory:"
        ? try DatabaseQueue(configuration: configuration)
        : try DatabaseQueue(path: name, configuration: configuration)
      return Connection(database, handler, frozen: frozen)
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_NOTADB {
        throw notADatabase
      }
      if error.resultCode == .SQLITE_READONLY { throw StoreError(.readOnly(path: path)) }
      if error.resultCode == .SQLITE_BUSY { try pending.checkWait(for: path) }
      let obstacle = error.resultCode == .SQLITE_CANTOPEN ? file?.obstacle : nil
      throw StoreError(.unreadable(path: path, why: obstacle ?? error.reason))
    }
  }

  /// An error of SQLite's in the store's words, where it has some.
  func described(_ error: any Error) -> any Error {
    guard let found = error as? DatabaseError, found.resultCode == .SQLITE_READONLY else { return error }
    return StoreError(.readOnly(path: path))
  }

  func checkPath() throws {
    guard let file else { return }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) {
      if isFolder.boolValue { throw StoreError(.notAStore(path: path, why: "it is a folder")) }
      return
    }
    guard FileManager.default.fileExists(atPath: file.folder, isDirectory: &isFolder), isFolder.boolValue
    else { throw StoreError(.unreadable(path: path, why: "there is no folder \(file.folder)")) }
  }

  private func configuration(_ busyHandler: BusyHandler, isReadOnly: Bool) -> GRDB.Configuration {
    var configuration = GRDB.Configuration()
    configuration.readonly = isReadOnly
    // Pending references dangle, and delete rules are Broker's own work.
    configuration.foreignKeysEnabled = false
    configuration.label = "broker"
    // Connection sees to it that none is left open; GRDB would stop the program.
    configuration.allowsUnsafeTransactions = true
    // Whoever writes will be done some time: waiting beats failing.
    configuration.busyMode = .callback { busyHandler.wait(attempt: $0) }
    let queriesOnly = access == .readOnly
    let views = views
    let mustTrust = mustTrust
    let cacheSize = max(1, options.pageCacheSize / 1024)
    // A new store is filled with an ordinary journal. Only EXTRA waits until the folder knows that the journal is gone,
    // without which the journal might undo what was committed.
    let synchronous = options.waitsForDisk ? "EXTRA" : "NORMAL"
    let onStatement = options.onStatement
    configuration.prepareDatabase { connection in
      try UntrustedFile.distrust(connection)
      if mustTrust { try UntrustedFile.trust(connection) }
      try connection.execute(sql: "PRAGMA synchronous = \(synchronous)")
      try connection.execute(sql: "PRAGMA cache_size = -\(cacheSize)")
      try connection.execute(sql: "PRAGMA temp_store = FILE")
      try StoreFunctions.register(on: connection.sqliteConnection)
      // Transactions are begun and ended beside GRDB, which need not follow them.
      sqlite3_commit_hook(connection.sqliteConnection, nil, nil)
      sqlite3_rollback_hook(connection.sqliteConnection, nil, nil)
      try views?.make(on: connection)
      if queriesOnly { try connection.execute(sql: "PRAGMA query_only = 1") }
      if let onStatement {
        connection.trace(options: .profile) { event in
          guard case .profile(let statement, let seconds) = event else { return }
          onStatement(Store.ExecutedStatement(sql: statement.sql, duration: .seconds(seconds)))
        }
      }
    }
    return configuration
  }

  /// Has the connections know the layouts, of which the store may be before and after a migration.
  mutating func note(_ layouts: [Layout], _ found: Found) throws {
    mustTrust = layouts.contains(where: UntrustedFile.mustTrust)
    // This connection was opened before that was known.
    if mustTrust { try found.connection?.access { try UntrustedFile.trust($0) } }
  }

  /// Has a store that is only read be seen as if it were of another version of its model.
  mutating func showAsNew(_ found: Found, _ remembered: StoreDescription, _ layout: Layout) throws {
    guard access == .readOnly else { return }
    let views = MigrationViews(from: try remembered.layout(), to: layout)
    self.views = views
    // This connection was opened before it was known that they are needed.
    try found.connection?.access { database in
      try database.execute(sql: "PRAGMA query_only = 0")
      defer { try? database.execute(sql: "PRAGMA query_only = 1") }
      try views.make(on: database)
    }
  }

  // MARK: - The model in the store

  static func hasTables(_ connection: Database) throws -> Bool {
    // Asked of SQLite itself: another process may have made the tables since GRDB looked last.
    try Bool.fetchOne(
      connection, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?)",
      arguments: [StoreTable.metadata]) ?? false
  }

  /// The metadata of the store, and the version of its tables; nil if it is empty.
  func remembered(_ connection: Connection, _ pending: AccessRequest) throws -> Remembered? {
    do {
      return try connection.access(pending) { database in
        // In one transaction: a model of one version and a mapping of the next one would not fit.
        try database.execute(sql: "BEGIN")
        defer { try? database.execute(sql: "ROLLBACK") }
        return try remembered(database)
      }
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_NOTADB {
        throw notADatabase
      }
      if error.resultCode == .SQLITE_READONLY { throw StoreError(.readOnly(path: path)) }
      if error.resultCode == .SQLITE_BUSY { try pending.checkWait(for: path) }
      throw StoreError(.unreadable(path: path, why: error.reason))
    }
  }

  struct Remembered {
    var description: StoreDescription
    /// Changes with each change of the tables.
    var version: Int
  }

  /// - Throws: ``StoreError`` if it is no store.
  func remembered(_ connection: Database) throws -> Remembered? {
    guard try Self.hasTables(connection) else {
      let others = try Int.fetchOne(connection, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
      guard others == 0 else {
        throw StoreError(.notAStore(path: path, why: "it is an SQLite database that Broker did not make"))
      }
      return nil
    }
    // The version first: if the tables change in between, the next transaction looks again.
    let version = try Self.schemaVersion(connection)
    let description = try decodeDescription(connection)
    try SchemaCheck(connection) { try description.layout() }
      .check(path, refusesTriggers: access == .readWrite && !options.allowsOtherTriggers)
    return Remembered(description: description, version: version)
  }

  static func schemaVersion(_ connection: Database) throws -> Int {
    try Int.fetchOne(connection, sql: "PRAGMA schema_version") ?? 0
  }

  private func decodeDescription(_ connection: Database) throws -> StoreDescription {
    guard try Self.isOwnTable(connection) else {
      throw StoreError(.notAStore(path: path, why: "it is an SQLite database that Broker did not make"))
    }
    guard let format = try Self.value(of: "format", connection) else {
      throw StoreError(.notAStore(path: path, why: "its format is missing"))
    }
    guard format == Self.format else {
      // A newer version of Broker says which format can be read by who knows only that.
      guard try Self.value(of: "readable", connection) == Self.format else {
        throw StoreError(.newerFormat(path: path, format: format))
      }
      if access == .readWrite { throw StoreError(.newerReadableFormat(path: path, format: format)) }
      return try decodedDescription(connection)
    }
    return try decodedDescription(connection)
  }

  private func decodedDescription(_ connection: Database) throws -> StoreDescription {
    guard let json = try Self.value(of: "model", connection) else {
      throw StoreError(.notAStore(path: path, why: "its model is missing, or longer than 64 MB"))
    }
    return StoreDescription(
      model: try Model(json: Data(json.utf8)),
      mapping: try Self.value(of: "mapping", connection).map { try JSONMapping(remembered: $0) })
  }

  /// Whether a table of the name is Broker's.
  private static func isOwnTable(_ connection: Database) throws -> Bool {
    let columns = try String.fetchAll(
      connection, sql: "SELECT name FROM pragma_table_info(?)", arguments: [StoreTable.metadata])
    return columns == ["key", "value"]
  }

  private static func value(of key: String, _ connection: Database) throws -> String? {
    try String.fetchOne(
      connection,
      sql: "SELECT \"value\" FROM \(SQL.quoted(StoreTable.metadata)) WHERE \"key\" = ?"
        + " AND length(CAST(\"value\" AS BLOB)) <= \(UntrustedFile.longestDescription)",
      arguments: [key])
  }

  static func remember(_ description: StoreDescription, _ connection: Database) throws {
    let name = SQL.quoted(StoreTable.metadata)
    let mapping = try description.mapping?.remembered()
    for (key, value) in [("format", format), ("model", description.model.json()), ("mapping", mapping)] {
      guard let value else { continue }
      try connection.execute(
        sql: """
          INSERT INTO \(name) VALUES (?, ?)
          ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value" WHERE "value" IS NOT excluded."value"
          """, arguments: [key, value])
    }
  }
}

/// The state of a store's file.
final class StoreState: Sendable {
  /// Nil for a store in memory or in a temporary file.
  let file: StoreFile?
  private let tables: Atomic<Bool>
  private let wal = Atomic(false)
  /// The version of the tables that the store's model was last compared with.
  private let version: Locked<Int?>
  /// Held from before the file is opened until there are tables in it.
  private let creation = Locked<CreationLock?>(nil)

  /// How what the store remembers differs from what it was opened with.
  private let difference: Locked<StoreDifference>
  /// Whether the next transaction may give the store another version of its model: it was found to be of another one when
  /// it was opened, and nothing was committed since. A difference that shows later comes from another program.
  private let mayMigrate: Atomic<Bool>
  private let committed = Atomic(false)

  init(_ file: StoreFile?, version: Int?, _ difference: StoreDifference, mayMigrate: Bool) {
    self.file = file
    self.difference = Locked(difference)
    self.mayMigrate = Atomic(mayMigrate)
    self.version = Locked(version)
    tables = Atomic(version != nil)
  }

  /// Whether there are connections that only read, beside the one that writes: in a file in WAL mode, nobody
  /// disturbs the other.
  var hasReaders: Bool { file != nil && wal.load(ordering: .relaxed) }

  // MARK: - Tables

  /// Whether tables were found in the file.
  var knowsTables: Bool { tables.load(ordering: .relaxed) }

  /// Whether nothing was ever committed to the file, as far as can be told without waiting for who does so now.
  var isBlank: Bool { !tables.load(ordering: .relaxed) && file?.isBlank ?? false }

  /// Whether there are tables; nobody takes them away again.
  func hasTables(_ database: Database) throws -> Bool {
    if tables.load(ordering: .relaxed) { return true }
    guard try StoreOpening.hasTables(database) else { return false }
    try noteTables(database)
    return true
  }

  /// To be called once tables are committed.
  func noteTables(_ database: Database) throws {
    tables.store(true, ordering: .relaxed)
    creation.withLock { $0 = nil }
    try noteWAL(database)
  }

  /// Whether the model was compared with the tables of a version.
  func isCompared(with version: Int) -> Bool { self.version.withLock { $0 == version } }

  func noteComparison(with version: Int, _ difference: StoreDifference) {
    self.version.withLock { $0 = version }
    self.difference.withLock { $0 = difference }
  }

  func noteVersion(_ version: Int) { self.version.withLock { $0 = version } }

  /// Whether the store has to remember another model or mapping.
  var needsMemory: Bool { difference.withLock { $0 == .words } }

  var needsMigration: Bool { difference.withLock { $0 == .version } }

  var canMigrate: Bool { mayMigrate.load(ordering: .relaxed) }

  /// To be called once a transaction is committed.
  func noteCommit() {
    mayMigrate.store(false, ordering: .relaxed)
    committed.store(true, ordering: .relaxed)
  }

  /// Whether this store has committed a transaction.
  var hasCommitted: Bool { committed.load(ordering: .relaxed) }

  // MARK: - Creation

  /// Says that the file, which has no tables yet, is about to be opened.
  func beginCreation() {
    guard let file, !tables.load(ordering: .relaxed) else { return }
    creation.withLock { if $0 == nil { $0 = CreationLock(file) } }
  }

  /// Removes a file that this store made and nothing was written to. To be called once all connections are closed.
  func endCreation() {
    creation.withLock { lock in
      lock?.removeEmptyFile()
      lock = nil
    }
  }

  // MARK: - WAL mode

  /// Finds out the mode of a file that was just opened, and sees to it that it is the right one.
  func chooseJournalMode(_ connection: Connection, mayWrite: Bool) throws {
    guard file != nil else { return }
    try connection.access { database in
      if connection.frozen != nil { return wal.store(true, ordering: .relaxed) }
      try noteWAL(database)
      if mayWrite { switchToWAL(database, connection) }
    }
  }

  private func noteWAL(_ database: Database) throws {
    guard file != nil, !wal.load(ordering: .relaxed) else { return }
    wal.store(try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal", ordering: .relaxed)
  }

  /// Puts the file in WAL mode, unless another connection uses it.
  ///
  /// A new store is filled with an ordinary journal, which writes each page once; WAL would write it twice.
  func switchToWAL(_ database: Database, _ connection: Connection) {
    guard file != nil, !wal.load(ordering: .relaxed) else { return }
    // While another connection uses the file, the switch fails. Then the next one makes it; to wait could be for
    // ever, if the other one waits for the same.
    connection.withoutWaiting {
      // try?: the file keeps its mode, which works too; the next connection tries again.
      guard let mode = try? String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") else { return }
      // Only who has looked into the file in this mode clears away what is beside it in the end.
      // try?: as above.
      guard (try? StoreOpening.hasTables(database)) == true else { return }
      wal.store(mode == "wal", ordering: .relaxed)
    }
  }

  // MARK: - The first transaction

  /// Keeps the lock on the file beyond the commit of the transaction that goes on, so that the file is in WAL mode before
  /// anybody else finds tables in it.
  func keepLock(_ handle: OpaquePointer) {
    guard file != nil else { return }
    sqlite3_exec(handle, "PRAGMA locking_mode = EXCLUSIVE", nil, nil, nil)
  }

  /// Undoes a commit that failed, where SQLite does not, and gives the error that says what is so.
  ///
  /// An ordinary journal is ended before its end is synced: where that sync fails, SQLite takes the commit for failed,
  /// and who opens the file next takes it for done. In a file that held nothing, it is undone by emptying the file, as
  /// long as this connection has it alone.
  ///
  /// - Parameter wasEmpty: Whether the file had no bytes when the transaction began.
  func failedCommit(_ error: StoreError, _ handle: OpaquePointer, wasEmpty: Bool) -> StoreError {
    if file == nil || wal.load(ordering: .relaxed) || !error.isDiskFailure { return error }
    if wasEmpty, Self.empty(handle) { return error }
    return StoreError.uncertainCommit(
      "\(error) That was while the transaction was committed. Whether it is in the store is not known: the same again makes"
        + " sure.")
  }

  /// Removes all bytes of the file that a connection has locked alone; false if it has not, or the disk fails.
  private static func empty(_ handle: OpaquePointer) -> Bool {
    var lock: Int32 = 0
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_LOCKSTATE, &lock) == SQLITE_OK,
      lock == SQLITE_LOCK_EXCLUSIVE,
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let truncate = file?.pointee.pMethods?.pointee.xTruncate
    else { return false }
    return truncate(file, 0) == SQLITE_OK
  }

  /// Lets the lock go with the end of the next transaction.
  func releaseLock(_ handle: OpaquePointer) {
    guard file != nil else { return }
    sqlite3_exec(handle, "PRAGMA locking_mode = NORMAL", nil, nil, nil)
  }
}

/// Whether SQLite can keep full-text indexes. That is for whoever built the library to say.
enum FullTextSearch {
  static let isMissing =
    "The model has searched attributes, and the SQLite library of this program lacks its extension FTS5, which keeps"
    + " the index: use a library that has it, or take “search” away from the attributes."

  /// - Throws: ``StoreError`` if it cannot.
  static func check(_ database: Database) throws {
    let sql = "SELECT EXISTS (SELECT 1 FROM pragma_module_list WHERE name = 'fts5')"
    guard try Bool.fetchOne(database, sql: sql) ?? false else { throw StoreError.invalid(isMissing) }
  }

  /// Whether that is what an error of SQLite's says.
  static func isCause(of message: String) -> Bool { message.contains("no such module: fts5") }
}

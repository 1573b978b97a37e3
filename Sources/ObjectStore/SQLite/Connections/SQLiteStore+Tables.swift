import GRDB
import GRDBSQLite
import ObjectModel

/// What a transaction finds in the file, and has to do about it before anything is written.
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
    // What is not given is taken from the store; here, it is too late for that.
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

  /// What is to be done after a commit, before anybody else can use the file if it is a new one.
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

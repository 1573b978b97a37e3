import Bytes
import Foundation
import GRDB
import GRDBSQLite
package import ObjectModel

extension SQLiteStore {
  /// Gives the store, in the transaction that is open, the version of the model that it was opened with.
  func migrateTables(_ database: Database) throws {
    guard let handle = database.sqliteConnection,
      let remembered = try opening.remembered(database)?.description
    else {
      return
    }
    if layout.hasSearch { try FullTextSearch.check(database) }
    let steps = try options.migration.steps(from: remembered, to: description, layout, path: path)
    var before = try remembered.layout()
    for (index, step) in steps.enumerated() {
      let isLast = index == steps.count - 1
      let after = isLast ? layout : try description.layout(of: step.model, names: layout.names)
      try migrate(database, handle, from: before, to: after, step)
      before = after
    }
    try StoreOpening.remember(description, database)
    try migrateHabits(database, from: remembered)
    state.noteComparison(with: try StoreOpening.schemaVersion(database), .none)
  }

  private func migrate(
    _ database: Database, _ handle: OpaquePointer, from before: Layout, to after: Layout,
    _ step: MigrationStage
  ) throws {
    let migrator = try Migrator(
      from: before, to: after, options.migration, on: handle, keepsOld: step.body != nil)
    var plan = try MigrationPlanner(sources: migrator.sources, countsAll: false).plan()
    // What a stage's own code does about it, the plan cannot know.
    if step.body != nil { plan.leaveToCode() }
    try options.migration.check(plan, of: path)
    if let backup = options.migration.backupPath, plan.steps.contains(where: \.isRemoval) {
      try backUp(to: backup)
    }
    try migrator.checkSpace(file: opening.file, database)
    try migrator.run {
      guard let body = step.body else { return }
      try run(body, handle, database, before, after)
      try options.migration.check(migrator.journal.finish(), of: path)
    }
  }

  /// Runs the code of a stage between the old tables and the new ones.
  private func run(
    _ body: (SQLiteTransaction, SQLiteTransaction) throws -> Void, _ handle: OpaquePointer,
    _ database: Database,
    _ before: Layout, _ after: Layout
  ) throws {
    let caches = (ConnectionCache(), ConnectionCache())
    defer {
      caches.0.removeAll()
      caches.1.removeAll()
    }
    let oldLayout = Layout(before.schema, tablePrefix: Migrator.oldPrefix)
    let old = SQLiteTransaction(handle, database, caches.0, oldLayout, isReadOnly: true)
    let new = SQLiteTransaction(handle, database, caches.1, after)
    defer {
      old.end()
      new.end()
    }
    try body(old, new)
  }

  // MARK: - What a migration needs besides

  /// Copies what is committed, which is all but this transaction.
  private func backUp(to path: String) throws {
    guard let file = opening.file else {
      throw StoreError.invalid("A store in memory cannot be backed up before its migration.")
    }
    let copy = StoreFile(path)
    do {
      let unfinished = try UnfinishedFile(beside: copy.path)
      defer { StoreFile.removeSidecars(at: unfinished.path) }
      var configuration = GRDB.Configuration()
      configuration.readonly = true
      let source = try DatabaseQueue(path: file.path, configuration: configuration)
      defer { try? source.close() }
      let target = try DatabaseQueue(path: unfinished.path)
      try source.backup(to: target)
      try target.close()
      try unfinished.finishBackup(at: copy, path, of: file)
    } catch let error as DatabaseError {
      throw StoreError(.unreadable(path: path, why: error.reason))
    } catch let error as SystemError {
      throw StoreError(.unreadable(path: path, why: error.message))
    }
  }

  /// What the layers above remember of entities and properties by their names, as JSON: under the new names.
  private func migrateHabits(_ database: Database, from remembered: StoreDescription) throws {
    let select = "SELECT \"value\" FROM \(SQL.quoted(StoreTable.metadata)) WHERE \"key\" = 'json'"
    guard let text = try String.fetchOne(database, sql: select),
      let migrated = try ObservedJSONStyle.migrated(text, from: remembered.model, to: description.model)
    else { return }
    try database.execute(
      sql: "UPDATE \(SQL.quoted(StoreTable.metadata)) SET \"value\" = ? WHERE \"key\" = 'json'",
      arguments: [migrated])
  }
}

extension SQLiteStore {
  package func plan(
    for model: Model, mapping: JSONMapping?, migration: Store.Migration
  ) throws -> MigrationPlan {
    let given = StoreDescription(model: model, mapping: try mapping ?? description.mapping(for: model))
    try given.layout().checkLimits()
    if state.isBlank { return .nothing }
    return try read { transaction in
      let engine = try SQLiteMigration(transaction.connection)
      let guesses = try InferredIdentities(given, over: description) { try engine.number($0) }
      var migration = migration
      migration.lostGuesses = guesses.entities
      let sources = MigrationSources(layout, try guesses.description.layout(), migration, engine)
      return try MigrationPlanner(sources: sources, countsAll: true).plan()
    }
  }
}

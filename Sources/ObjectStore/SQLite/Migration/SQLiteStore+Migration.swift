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
    let steps = try migrationSteps(from: remembered)
    var before = try remembered.layout()
    for (index, step) in steps.enumerated() {
      let isLast = index == steps.count - 1
      let after = isLast ? layout : try layout(of: step.model)
      try migrate(database, handle, from: before, to: after, step)
      before = after
    }
    try StoreOpening.remember(description, database)
    try migrateHabits(database, from: remembered)
    state.noteComparison(with: try StoreOpening.schemaVersion(database), .none)
  }

  /// The versions that the store passes: those of the stages that come after its own, and the one that it is opened with.
  private func migrationSteps(from remembered: StoreDescription) throws -> [MigrationStage] {
    let stages = options.migration.stages
    let last = MigrationStage(model: description.model, body: nil)
    guard !stages.isEmpty else { return [last] }
    let before = try remembered.layout()
    let known = try stages.lastIndex { (stage: MigrationStage) throws -> Bool in
      try stage.model == remembered.model || !StoreDifference.isVersion(before, layout(of: stage.model))
    }
    guard let known else {
      throw StoreError.invalid(
        "The store \(path) is of none of the \(stages.count) versions that the migration has stages for. Nothing was"
          + " changed. Add its version as a stage.")
    }
    let rest = Array(stages[(known + 1)...])
    // What leads to the version that the store is opened with is the last stage itself.
    if let final = rest.last, try !StoreDifference.isVersion(layout(of: final.model), layout) {
      return rest
    }
    return rest + [last]
  }

  /// The layout of a version on the way, with what the mapping says as far as that fits.
  private func layout(of model: Model) throws -> Layout {
    let mapped = try? description.mapping(for: model)?.applied(to: model)
    return Layout(try Schema(mapped ?? model))
  }

  private func migrate(
    _ database: Database, _ handle: OpaquePointer, from before: Layout, to after: Layout,
    _ step: MigrationStage
  ) throws {
    let migrator = try Migrator(
      from: before, to: after, options.migration, on: handle, keepsOld: step.body != nil)
    var plan = try MigrationPlanner(sources: migrator.sources, connection: handle, countsAll: false).plan()
    // What a stage's own code does about it, the plan cannot know.
    if step.body != nil { plan.leaveToCode() }
    guard options.migration.isAutomatic || plan.isEmpty else {
      throw StoreError(.modelChanged(path: path, differences: plan.steps.map(\.change.description)))
    }
    guard plan.canRun else { throw StoreError(.migrationRefused(path: path, plan: plan)) }
    if let backup = options.migration.backupPath, plan.steps.contains(where: \.isRemoval) {
      try backUp(to: backup)
    }
    try migrator.checkSpace(file: opening.file, database)
    try migrator.run {
      guard let body = step.body else { return }
      try run(body, handle, database, before, after)
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
    if copy.isThere { throw StoreError.invalid("\(path) is there already: a backup needs a new file.") }
    do {
      var configuration = GRDB.Configuration()
      configuration.readonly = true
      let source = try DatabaseQueue(path: file.path, configuration: configuration)
      defer { try? source.close() }
      let target = try DatabaseQueue(path: copy.path)
      defer { try? target.close() }
      try source.backup(to: target)
    } catch let error as DatabaseError {
      StoreFile.removeAll(at: copy.path)
      throw StoreError(.unreadable(path: path, why: error.message ?? "\(error.resultCode)"))
    }
  }

  /// What the layers above remember of entities and properties by their names, as JSON: under the new names.
  private func migrateHabits(_ database: Database, from remembered: StoreDescription) throws {
    let select = "SELECT \"value\" FROM \(SQL.quoted(StoreTable.metadata)) WHERE \"key\" = 'json'"
    guard let text = try String.fetchOne(database, sql: select),
      let habits = try? JSONDecoder().decode(RememberedHabits.self, from: Data(text.utf8))
    else { return }
    let pairs = ModelCorrespondence(old: try Schema(remembered.model), new: try Schema(description.model))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let migrated = String(decoding: try encoder.encode(habits.migrated(pairs)), as: UTF8.self)
    try database.execute(
      sql: "UPDATE \(SQL.quoted(StoreTable.metadata)) SET \"value\" = ? WHERE \"key\" = 'json'",
      arguments: [migrated])
  }
}

/// How JSON came, by entity and by attribute.
private struct RememberedHabits: Codable {
  var dates: [String: [String: String]]?
  var keys: [String: String]?

  func migrated(_ pairs: ModelCorrespondence) -> RememberedHabits {
    var result = RememberedHabits()
    func entities(_ name: String) -> (SchemaEntity, SchemaEntity)? {
      guard let former = pairs.old.entity(name), let successor = pairs.newEntity[former.index] else {
        return nil
      }
      return (former, pairs.new.entities[successor])
    }
    for (name, style) in keys ?? [:] {
      if let (_, entity) = entities(name) {
        result.keys = (result.keys ?? [:]).merging([entity.name: style]) { $1 }
      }
    }
    for (name, forms) in dates ?? [:] {
      guard let (former, entity) = entities(name) else { continue }
      let names = pairs.names(former, entity)
      let kept = forms.compactMap { attribute, form in names[attribute].map { ($0, form) } }
      let renamed = Dictionary(kept, uniquingKeysWith: { first, _ in first })
      result.dates = (result.dates ?? [:]).merging([entity.name: renamed]) { $1 }
    }
    return result
  }
}

extension MigrationPlan {
  /// Leaves to code what needs a value or has no place.
  mutating func leaveToCode() {
    for index in steps.indices {
      switch steps[index].change.detail {
      case .neededValue, .changedType: steps[index].problem = nil
      default: break
      }
      steps[index].isRemoval = false
    }
  }
}

extension SQLiteStore {
  package func plan(
    for model: Model, mapping: JSONMapping?, migration: Store.Migration
  ) throws -> MigrationPlan {
    let other = StoreDescription(model: model, mapping: try mapping ?? description.mapping(for: model))
    let newLayout = try other.layout()
    try newLayout.checkLimits()
    if state.isBlank { return MigrationPlan(steps: [], allowsRemovals: true) }
    return try read { transaction in
      let functions = MigrationFunctions()
      try functions.register(on: transaction.connection)
      let sources = MigrationSources(layout, newLayout, migration, functions)
      return try MigrationPlanner(sources: sources, connection: transaction.connection, countsAll: true)
        .plan()
    }
  }
}

import ArgumentParser
import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Stores

/// `broker migrate`: gives a store another version of its model.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Give a store another version of its model.",
    discussion: """
      What loses nothing just happens, in one transaction. What removes data needs --allow-removals, and is refused \
      with the counts otherwise. What has to be decided is said, with what decides it.

      Example:
        broker migrate --store bands.sqlite --model Bands.xcdatamodeld --dry-run
        broker migrate --store bands.sqlite --model bands.json --set Band.members=4 --drop Album.year --allow-removals

      Exit status: 0 migrated, or nothing to do; 1 refused or failed, nothing changed; 64 wrong usage; 130 \
      interrupted, nothing changed; 3 migrated, without room for the report.
      """)

  @Option(
    help: ArgumentHelp("The store's file, or postgresql://HOST/DATABASE?schema=NAME.", valueName: "store"),
    completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp(
      "The new version of the model, or of a schema that a model is made of.", valueName: "path"),
    completion: .file())
  var model: String

  @Option(
    help: ArgumentHelp(
      "What is said of the JSON beyond the model, if not what the store remembers.", valueName: "path"),
    completion: .file())
  var mapping: String?

  @OptionGroup var use: StoreUse

  @OptionGroup var consent: MigrationOptions

  @Flag(help: "Try it on the store, report what would happen and change nothing.")
  var dryRun = false

  @Option(help: "The form of the report.")
  var format = ReportFormat.text

  func run() throws {
    Interruption.watch()
    if CoreDataStore.isThere(at: store) {
      throw ValidationError("\(store) is a Core Data store, which is only read.")
    }
    let model = try Model(usableAt: model)
    let mapping = try self.mapping.map(JSONMapping.init(argument:))
    let migration = consent.migration
    try Interruption.telling("Nothing was changed.") {
      let plan = try plan(for: model, mapping, migration)
      if plan.canRun { try migrate(to: model, mapping, migration) }
      do {
        try report(plan)
      } catch  where plan.canRun && !dryRun {
        // A failure says that nothing was changed.
        Terminal.writeError("The store is migrated, but the report could not be written. \(error)\n")
        throw ExitCode(3)
      }
      if !plan.canRun { throw ExitCode.failure }
    }
  }

  private func plan(
    for model: Model, _ mapping: JSONMapping?, _ migration: Store.Migration
  ) throws -> MigrationPlan {
    let store = try Store(readingAt: store, use.options(for: store))
    defer { try? store.close() }
    return try store.plan(for: model, mapping: mapping, migration: migration)
  }

  private func migrate(
    to model: Model, _ mapping: JSONMapping?, _ migration: Store.Migration
  ) throws {
    var options = use.options(for: store)
    options.migration = migration
    options.migration.isDelayed = true
    let line = Terminal.showsProgress ? StatusLine(interval: 0.1) : nil
    defer { line?.clear() }
    if let line {
      options.migration.onProgress = { part in line.show { _ in "Migrating: \(Int(part * 100)) %" } }
    }
    let store = try Store(
      at: StorePlace(store), StoreRequest(model: model, mapping: mapping, options: options))
    defer { try? store.close() }
    let ending: TransactionEnding = dryRun ? .rollback : .commit
    try store.transaction { _ -> (Void, TransactionEnding) in ((), ending) }
  }

  private func report(_ plan: MigrationPlan) throws {
    let lacksBackup = consent.backup.map {
      plan.canRun && !dryRun && !FileManager.default.fileExists(atPath: $0)
    }
    try format.write(
      MigrationResult(plan, isDryRun: dryRun),
      text: MigrationText(plan, isDryRun: dryRun, lacksBackup: lacksBackup ?? false).text)
  }
}

/// The permissions for a store of another version of the model.
struct MigrationOptions: ParsableArguments {
  @Flag(help: "Let entities, properties, links and values go that the new version has no place for.")
  var allowRemovals = false

  @Option(
    help: ArgumentHelp(
      "A value for the objects that have none of an attribute that needs one. May be given several times.",
      valueName: "entity.attribute=value"))
  var set: [Assignment] = []

  @Option(
    help: ArgumentHelp(
      "Remove the objects that have no value of an attribute that needs one. May be given several times.",
      valueName: "entity.attribute"))
  var drop: [String] = []

  @Option(
    help: ArgumentHelp(
      "Copy the store to a new file before anything is removed; not for PostgreSQL.", valueName: "path"),
    completion: .file())
  var backup: String?

  var migration: Store.Migration {
    var migration = Store.Migration.automatic
    if allowRemovals { migration = migration.allowing(.removals) }
    for assignment in set { migration = migration.setting(assignment.value, for: assignment.name) }
    for name in drop { migration = migration.dropping(name) }
    migration.backupPath = backup
    return migration
  }

  /// `Band.members=4`
  struct Assignment: ExpressibleByArgument {
    let name: String
    let value: String

    init?(argument: String) {
      guard let sign = argument.firstIndex(of: "=") else { return nil }
      name = String(argument[..<sign])
      value = String(argument[argument.index(after: sign)...])
    }
  }
}

struct MigrationText {
  private let plan: MigrationPlan
  private let isDryRun: Bool
  /// Whether a backup was asked for that there was no need of.
  private let lacksBackup: Bool

  init(_ plan: MigrationPlan, isDryRun: Bool, lacksBackup: Bool = false) {
    self.plan = plan
    self.isDryRun = isDryRun
    self.lacksBackup = lacksBackup
  }

  var text: String {
    guard !plan.isEmpty else {
      return "Nothing to do: the store is of this version.\n"
        + (lacksBackup ? "No backup was made: nothing is removed.\n" : "")
    }
    var lines = [summary]
    for step in plan.steps {
      lines.append("  \(mark(step)) " + VisibleText.onOneLine(step.description))
    }
    lines += rewriting + advice
    if plan.canRun, plan.changesRulesOnly { lines.append("No table changes, and no object.") }
    if lacksBackup { lines.append("No backup was made: nothing is removed.") }
    return lines.joined(separator: "\n") + "\n"
  }

  private var summary: String {
    let count = Quantity.count(plan.steps.count, "change")
    if !plan.canRun { return "Refused: \(count). Nothing was changed." }
    return isDryRun ? "Would make \(count). Nothing was changed." : "Made \(count)."
  }

  /// A step that takes long, and keeps others from the store meanwhile.
  private var rewriting: [String] {
    guard plan.canRun, let tables = plan.rewrittenTables, !tables.isEmpty else { return [] }
    let names = tables.map { table in
      "\(VisibleText.onOneLine(table.name)) (about \(Quantity.count(table.rows, "row")), \(Quantity.bytes(table.bytes)))"
    }
    let list = names.joined(separator: ", ")
    return [
      isDryRun
        ? "Would write anew: \(list). Who uses the store would wait until that is done."
        : "Wrote anew: \(list)."
    ]
  }

  private func mark(_ step: MigrationPlan.Step) -> String {
    if plan.refused.contains(step) { return "!" }
    switch step.change.action {
    case .added: return "+"
    case .removed: return "-"
    case .renamed, .changed: return "~"
    }
  }

  private var advice: [String] {
    guard !plan.canRun else { return [] }
    var lines: [String] = []
    if plan.refused.contains(where: \.isRemoval) {
      let copy =
        plan.rewrittenTables == nil ? "with --backup PATH to keep a copy" : "after pg_dump to keep a copy"
      lines.append("Removals need consent: --allow-removals, \(copy).")
    }
    if plan.refused.contains(where: { if case .neededValue = $0.change.detail { true } else { false } }) {
      lines.append(
        "Values are given by --set ENTITY.ATTRIBUTE=VALUE, objects without one removed by --drop ENTITY.ATTRIBUTE."
      )
    }
    if plan.refused.contains(where: { if case .neededTarget = $0.change.detail { true } else { false } }) {
      lines.append(
        "Targets are given by --set ENTITY.RELATIONSHIP=IDENTITY, objects without one removed by --drop"
          + " ENTITY.RELATIONSHIP.")
    }
    return lines
  }
}

struct MigrationResult: Encodable {
  struct Step: Encodable {
    let entity: String
    let property: String?
    let action: String
    let summary: String
    let objects: Int?
    let removed: Int
    let unsent: Int
    let refusedValues: Int
    let examples: [String]
    let isRefused: Bool
    let problem: String?
  }

  let isDone: Bool
  let isDryRun: Bool
  let steps: [Step]
  /// The tables of a store on a server.
  let rewrittenTables: [Table]?

  struct Table: Encodable {
    let name: String
    let rows: Int
    let bytes: Int
  }

  init(_ plan: MigrationPlan, isDryRun: Bool) {
    isDone = plan.canRun && !isDryRun
    self.isDryRun = isDryRun
    let refused = Set(plan.refused)
    steps = plan.steps.map { step in
      Step(
        entity: step.change.entity, property: step.change.property, action: step.change.action.rawValue,
        summary: step.change.summary, objects: step.objects, removed: step.removed,
        unsent: step.unsent, refusedValues: step.refusedValues, examples: step.examples,
        isRefused: refused.contains(step), problem: step.problem)
    }
    rewrittenTables = plan.rewrittenTables?.map { Table(name: $0.name, rows: $0.rows, bytes: $0.bytes) }
  }
}

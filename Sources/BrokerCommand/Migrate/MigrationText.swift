import ObjectModel
import ObjectStore

/// A plan for people.
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

  /// What takes long, and keeps others from the store meanwhile.
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

/// A plan for programs.
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
  /// Of a store on a server.
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

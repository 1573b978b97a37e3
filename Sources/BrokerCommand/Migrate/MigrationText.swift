import ObjectModel
import ObjectStore

/// A plan for people.
struct MigrationText {
  private let plan: MigrationPlan
  private let isDryRun: Bool

  init(_ plan: MigrationPlan, isDryRun: Bool) {
    self.plan = plan
    self.isDryRun = isDryRun
  }

  var text: String {
    guard !plan.isEmpty else { return "Nothing to do: the store is of this version.\n" }
    var lines = [summary]
    for step in plan.steps {
      lines.append("  \(mark(step)) " + VisibleText.onOneLine(step.description))
    }
    lines += advice
    return lines.joined(separator: "\n") + "\n"
  }

  private var summary: String {
    let count = Quantity.count(plan.steps.count, "change")
    if !plan.canRun { return "Refused: \(count). Nothing was changed." }
    return isDryRun ? "Would make \(count). Nothing was changed." : "Made \(count)."
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
      lines.append("Removals need consent: --allow-removals, with --backup PATH to keep a copy.")
    }
    if plan.refused.contains(where: { if case .neededValue = $0.change.detail { true } else { false } }) {
      lines.append(
        "Values are given by --set ENTITY.ATTRIBUTE=VALUE, objects without one removed by --drop ENTITY.ATTRIBUTE."
      )
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
    let isRefused: Bool
    let problem: String?
  }

  let isDone: Bool
  let isDryRun: Bool
  let steps: [Step]

  init(_ plan: MigrationPlan, isDryRun: Bool) {
    isDone = plan.canRun && !isDryRun
    self.isDryRun = isDryRun
    let refused = Set(plan.refused)
    steps = plan.steps.map { step in
      Step(
        entity: step.change.entity, property: step.change.property, action: step.change.action.rawValue,
        summary: step.change.summary, objects: step.objects, removed: step.removed,
        isRefused: refused.contains(step), problem: step.problem)
    }
  }
}

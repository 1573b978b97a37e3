import ObjectModel
import ObjectStore

/// Where the tables of a store are or would be, for people.
struct DistributionText {
  private let plan: DistributionPlan
  private let place: String

  init(_ plan: DistributionPlan, place: String) { (self.plan, self.place) = (plan, place) }

  var text: String {
    var parts = [[summary], tables]
    if !plan.isExecuted, !plan.missing.isEmpty {
      parts.append(["What the server lacks for it"] + plan.missing.map { "  " + $0 })
    }
    if !plan.statements.isEmpty || !plan.statementsAfterCommit.isEmpty { parts.append(statements) }
    if !plan.limits.isEmpty {
      let lines = plan.limits.flatMap { ["  \(VisibleText.onOneLine($0.what))", "    \($0.consequence)"] }
      parts.append(["What does not hold for distributed tables"] + lines)
    }
    return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private var summary: String {
    let place = VisibleText.onOneLine(place)
    let servers = "Citus \(plan.extensionVersion ?? ""), \(Quantity.count(plan.nodes, "server"))"
      .replacing("Citus , ", with: "Citus, ")
    let changes = plan.tables.filter { !$0.isDone }.count
    if plan.isUndo { return "\(place): " + undoing(changes, servers) }
    if plan.isExecuted {
      return plan.statements.isEmpty
        ? "\(place): nothing to do, the tables are distributed (\(servers))."
        : "\(place): distributed (\(servers))."
    }
    let extent =
      plan.extensionVersion == nil && plan.nodes == 0 ? "the extension Citus is not there" : servers
    return changes == 0
      ? "\(place): nothing to do (\(extent))."
      : "\(place): would place \(Quantity.count(changes, "table")) (\(extent)). Nothing was changed."
  }

  private func undoing(_ changes: Int, _ servers: String) -> String {
    let number = Quantity.count(changes, "table")
    if plan.statements.isEmpty { return "nothing to do, all tables are local." }
    return plan.isExecuted
      ? "all tables are local again (\(servers))."
      : "would make \(number) local (\(servers)). Nothing was changed."
  }

  private var tables: [String] {
    let rows = plan.tables.map { table in
      [
        table.name, Self.kind(table), Quantity.grouped(table.rows), Quantity.bytes(table.bytes), table.reason,
      ].map(VisibleText.onOneLine)
    }
    let titles = ["table", "rows are", "rows", "size", "because"]
    let table = TextTable(titles, isNumber: [false, false, true, true, false], sizedBy: rows)
    let lines = table.heading + rows.map { table.line($0) }.joined()
    return lines.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  private static func kind(_ table: DistributionPlan.Table) -> String {
    switch table.kind {
    case .local: "local"
    case .reference: "on each server"
    case .distributed:
      "by \(table.column ?? "")" + (table.colocatedWith.map { ", with \($0)" } ?? "")
    }
  }

  private var statements: [String] {
    func shown(_ statements: [String]) -> [String] {
      statements.map { "  \(VisibleText.onOneLine($0));" }
    }
    var lines = [plan.isExecuted ? "Statements that were executed" : "Statements, in their order"]
    if !plan.statements.isEmpty { lines += ["  BEGIN;"] + shown(plan.statements) + ["  COMMIT;"] }
    return lines + shown(plan.statementsAfterCommit)
  }
}

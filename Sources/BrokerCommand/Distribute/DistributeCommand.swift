import ArgumentParser
import ObjectModel
import ObjectStore
import Stores

/// `broker distribute`: puts the tables of a store on several servers.
struct DistributeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "distribute",
    abstract: "Distribute the tables of a store in PostgreSQL over several servers, by the extension Citus.",
    discussion: """
      The objects of a large entity are distributed by their identity, and lists are where their owners are. Small \
      entities become reference tables, which each server has whole. --plan says what would be done, also where the \
      extension is not there yet.

      It is one transaction; imports wait, or are waited for. What is distributed already stays as it is. --undo makes \
      all tables local again, on the server of the address, which needs room for them.

      Example:
        broker distribute --store 'postgresql://db.example.com/music?schema=bands' --plan
        broker distribute --store 'postgresql://db.example.com/music?schema=bands' --reference Label
        broker distribute --store 'postgresql://db.example.com/music?schema=bands' --undo

      Exit status: 0 done, or nothing to do; 1 failed, nothing changed; 64 wrong usage; 130 interrupted, nothing \
      changed.
      """)

  @Option(help: ArgumentHelp("The store: postgresql://HOST/DATABASE?schema=NAME.", valueName: "store"))
  var store: String

  @Flag(help: "Say what would be done, statement by statement, and change nothing.")
  var plan = false

  @Option(
    help: ArgumentHelp(
      "An entity that each server is to have whole. May be given several times.", valueName: "entity"))
  var reference: [String] = []

  @Option(
    help: ArgumentHelp(
      "An entity whose objects are to be distributed, however few they are. May be given several times.",
      valueName: "entity"))
  var distributed: [String] = []

  @Option(
    help: ArgumentHelp(
      "Tables of at most so many rows become reference tables; \(DistributionRequest.usualReferenceRows) unless given.",
      valueName: "rows"))
  var referenceRows: Int?

  @Flag(help: "Make all tables local again.")
  var undo = false

  @OptionGroup var use: StoreUse

  @Option(help: "The form of the report: text or json.")
  var format = ReportFormat.text

  func validate() throws {
    if let referenceRows, referenceRows < 0 {
      throw ValidationError("--reference-rows needs a number of rows, 0 or more.")
    }
    if undo, !reference.isEmpty || !distributed.isEmpty || referenceRows != nil {
      throw ValidationError(
        "--undo makes all tables local: --reference, --distributed and --reference-rows do not go with it.")
    }
  }

  func run() throws {
    Interruption.watch()
    let opened =
      plan
      ? try Store(readingAt: store, use.options(for: store))
      : try Store(at: StorePlace(store), StoreRequest(options: use.options(for: store)))
    defer { try? opened.close() }
    try Interruption.telling("Nothing was changed.") {
      let line = Terminal.showsProgress && !plan ? StatusLine() : nil
      var request = request
      let isUndo = undo
      if let line {
        request.onProgress = { progress in
          line.show { _ in DistributionText.line(progress, isUndo: isUndo) }
        }
      }
      let result: DistributionPlan
      do {
        defer { line?.clear() }
        result = try opened.distribute(request, isPlanOnly: plan)
      }
      try format.write(result, text: DistributionText(result, place: opened.path).text)
    }
  }

  private var request: DistributionRequest {
    var request = DistributionRequest()
    (request.reference, request.distributed) = (reference, distributed)
    if let referenceRows { request.referenceRows = referenceRows }
    request.isUndo = undo
    return request
  }
}

/// The places of the tables of a store, present or planned, for people.
struct DistributionText {
  private let plan: DistributionPlan
  private let place: String

  init(_ plan: DistributionPlan, place: String) { (self.plan, self.place) = (plan, place) }

  /// The line that tells which table is moved. A table is one statement, of which the server tells no part.
  static func line(_ progress: DistributionProgress, isUndo: Bool) -> String {
    let rows = Quantity.count(progress.rows, "row")
    return "\(isUndo ? "Making local" : "Distributing"): \(VisibleText.onOneLine(progress.table)), \(rows)"
      + " (\(progress.number) of \(Quantity.count(progress.count, "table")))"
  }

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

import ArgumentParser
import JSONStream
import ObjectStore

struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Show objects of a store.",
    discussion: """
      Names are the model's. Without --select, all attributes are shown, and the identities that to-one \
      relationships point to. A key path that passes a to-many relationship gives a list.

      Example:
        broker query Album --store bands.sqlite --select title,band.name,band.members.musician.lastName
        broker query Band --store bands.sqlite --where "ANY albums.year > 1985"
        broker query Band --store bands.sqlite --matching "art rock -punk" --snippet
        broker query Band --store bands.sqlite --where "ANY albums.year > 1985" --explain
      """)

  @Argument(help: "The entity.", completion: EntityCompletion.names)
  var entity: String

  @OptionGroup var objects: QueryOptions

  @OptionGroup var location: StoreOption

  @Option(help: ArgumentHelp("What to show.", valueName: "key.path,…"))
  var select: String?

  @Flag(help: "Show where the words of --matching are.")
  var snippet = false

  @Flag(help: "Show how many objects there are.")
  var count = false

  @Flag(
    help: "Show the SQL of the query and the plan that the engine makes for it, and no objects.")
  var explain = false

  @Option(help: "The form of the result.")
  var format = Format.table

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case csv
    case lines
  }

  func validate() throws {
    if let select, QueryOptions.list(select).isEmpty {
      throw ValidationError("--select needs at least one key path.")
    }
    if snippet, objects.matching == nil { throw ValidationError("--snippet goes with --matching.") }
    if count, snippet { throw ValidationError("--count and --snippet exclude each other.") }
    if explain, snippet { throw ValidationError("--explain and --snippet exclude each other.") }
    if explain, format == .csv || format == .lines {
      throw ValidationError("--explain gives text, or JSON by --format json.")
    }
    if count, select != nil { throw ValidationError("--count and --select exclude each other.") }
  }

  func run() throws {
    Interruption.watch()
    objects.noteSQLPatterns()
    try location.reading { store in
      try QueryOptions.checkingPredicate { try store.read { try show($0) } }
    }
  }

  private func show(_ transaction: any StoreTransaction) throws {
    if explain {
      try explain(transaction)
    } else if count {
      try Terminal.write("\(try transaction.count(objects.query(of: entity)))\n")
    } else {
      let keyPaths = select.map(QueryOptions.list)
      try write(
        Projection(
          objects.query(of: entity), selecting: keyPaths, snippets: snippet ? Self.snippets : nil,
          transaction))
    }
  }

  private func explain(_ transaction: any StoreTransaction) throws {
    let query = try objects.query(of: entity)
    let explanation =
      count
      ? try transaction.explanation(of: query, .count)
      : try Projection.explanation(query, selecting: select.map(QueryOptions.list), transaction)
    switch format {
    case .json: try Terminal.write(try ReportText.json(explanation) + "\n", as: .json)
    case .table, .csv, .lines: try Terminal.write(Self.text(of: explanation))
    }
  }

  private static func text(of explanation: QueryExplanation) -> String {
    func part(_ title: String, _ lines: [String]) -> String {
      ([title] + lines.map { "  " + VisibleText.onOneLine($0) }).joined(separator: "\n") + "\n"
    }
    let statement = explanation.statement.split(separator: "\n").map(String.init)
    var parts = [part("Statement", statement)]
    if !explanation.conditionsOnRows.isEmpty {
      parts.append(part("Evaluated on its rows, before limits", explanation.conditionsOnRows))
    }
    parts.append(part("Plan", explanation.plan))
    if !explanation.readForEachObject.isEmpty {
      parts.append(part("Read for each object", explanation.readForEachObject))
    }
    return parts.joined(separator: "\n")
  }

  private static let snippets = SnippetStyle(start: "[", end: "]", ellipsis: "…", wordCount: 12)

  private func write(_ rows: Projection) throws {
    switch format {
    case .table: try TableOutput(rows.names).write(rows)
    case .csv: try CSVOutput.write(rows)
    case .json: try JSONOutput.write(rows, asLines: false)
    case .lines: try JSONOutput.write(rows, asLines: true)
    }
  }
}

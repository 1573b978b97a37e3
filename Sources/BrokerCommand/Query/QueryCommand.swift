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
    if count {
      try Terminal.write("\(try transaction.count(objects.query(of: entity)))\n")
    } else {
      let keyPaths = select.map(QueryOptions.list)
      try write(
        Projection(
          objects.query(of: entity), selecting: keyPaths, snippets: snippet ? Self.snippets : nil,
          transaction))
    }
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

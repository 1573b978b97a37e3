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
      """)

  @Argument(help: "The entity.")
  var entity: String

  @OptionGroup var location: StoreOption

  @Option(help: ArgumentHelp("Only the object with this identity.", valueName: "id"))
  var id: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Key paths to order by; - before one for descending.", valueName: "key,-key"))
  var sort: String?

  @Option(help: ArgumentHelp("At most so many objects.", valueName: "n"))
  var limit: Int?

  @Option(help: ArgumentHelp("What to show.", valueName: "key.path,…"))
  var select: String?

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
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    if count, select != nil { throw ValidationError("--count and --select exclude each other.") }
  }

  func run() throws {
    let store = try location.open()
    defer { try? store.close() }
    try store.read { transaction in
      if count {
        Terminal.write("\(try counted(transaction))\n")
      } else {
        let keyPaths = select.map(ListArgument.split)
        try write(Projection(query, selecting: keyPaths, transaction))
      }
    }
  }

  private var query: Query {
    var query = Query(entity)
    query.identity = id
    query.sort = SortArgument.parse(sort)
    query.limit = limit
    return query
  }

  private func counted(_ transaction: StoreTransaction) throws -> Int64 {
    var builder = try QueryBuilder(entity, transaction.layout)
    try builder.add(query)
    let statement = try transaction.prepare(builder.count())
    return try statement.step() ? statement.integer(0) : 0
  }

  private func write(_ rows: Projection) throws {
    switch format {
    case .table: try TableOutput(rows.names).write(rows)
    case .csv: try CSVOutput.write(rows)
    case .json: try JSONOutput.write(rows, asLines: false)
    case .lines: try JSONOutput.write(rows, asLines: true)
    }
  }
}

/// `a,b.c`
enum ListArgument {
  static func split(_ text: String) -> [String] {
    text.split(separator: ",").map { item in
      var item = item
      while item.first == " " { item.removeFirst() }
      while item.last == " " { item.removeLast() }
      return String(item)
    }
  }
}

/// `year,-title`
enum SortArgument {
  static func parse(_ text: String?) -> [Query.Sort] {
    ListArgument.split(text ?? "").map { key in
      key.hasPrefix("-") ? Query.Sort(String(key.dropFirst()), isAscending: false) : Query.Sort(key)
    }
  }
}

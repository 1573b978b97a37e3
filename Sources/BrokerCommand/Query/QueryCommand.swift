import ArgumentParser
import JSONStream
import Mapping
import ObjectModel
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

/// A query's result as a table for people.
struct TableOutput {
  private let names: [String]

  init(_ names: [String]) {
    self.names = names.map(VisibleText.onOneLine)
  }

  /// Writes all rows. The widths of the columns are those of the first thousand rows, so that a table of any
  /// length takes little memory.
  func write(_ rows: Projection) throws {
    var waiting: [[String]] = []
    var isNumber = Array(repeating: true, count: names.count)
    while waiting.count < 1000, let row = try rows.next() {
      for (index, value) in row.enumerated() where !Self.isNumeric(value) { isNumber[index] = false }
      waiting.append(row.map(Self.text))
    }
    let table = TextTable(names, isNumber: isNumber, sizedBy: waiting)
    try Terminal.write(table.heading + waiting.map(table.line).joined())
    while let row = try rows.next() { try Terminal.write(table.line(row.map(Self.text))) }
    guard !table.missing.isEmpty else { return }
    Terminal.writeError(
      "No room for \(table.missing.joined(separator: ", ")). --select names columns, --format lines shows all.\n"
    )
  }

  private static func isNumeric(_ value: QueryValue) -> Bool {
    switch value {
    case .integer, .real, .text(_, .decimal), .null: true
    default: false
    }
  }

  private static func text(_ value: QueryValue) -> String {
    let plain = shortened(PlainText.of(value))
    // Nearly all values are printable ASCII, which stays as it is.
    guard plain.utf8.contains(where: { !(0x20...0x7E).contains($0) }) else { return plain }
    var line = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in plain.unicodeScalars {
      switch scalar {
      case "\n":
        // A carriage return before it is a part of the same end of a line.
        if last == "\r" { line.removeLast() }
        line.append("⏎")
      case "\t": line.append(" ")
      default: line.append(scalar)
      }
      last = scalar
    }
    return VisibleText.onOneLine(String(line))
  }

  /// The part of a text that a terminal can show: no more of it is looked at. Each character takes a column at least, but for
  /// accents.
  private static func shortened(_ text: String) -> String {
    guard let columns = Terminal.columns, text.utf8.count > 8 * columns else { return text }
    return String(text.prefix(2 * columns))
  }
}

/// Values as text without quotes.
enum PlainText {
  static func of(_ value: QueryValue) -> String {
    switch value {
    case .null: ""
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let text, _): text
    case .blob(let bytes): "\(bytes.count) bytes"
    case .list(let values): values.map(of).joined(separator: ", ")
    }
  }
}

/// A query's result as comma-separated values, by RFC 4180.
enum CSVOutput {
  static func write(_ rows: Projection) throws {
    var text = line(rows.names)
    while let row = try rows.next() {
      text += line(try row.map(field))
      if text.utf8.count > 1 << 16 {
        try Terminal.write(text, as: .csv)
        text = ""
      }
    }
    try Terminal.write(text, as: .csv)
  }

  private static func field(_ value: QueryValue) throws -> String {
    switch value {
    case .blob(let bytes): Base64.text(of: bytes)
    // A list in one field is JSON, so that programs can take it apart.
    case .list: try JSONOutput.text(of: value)
    default: PlainText.of(value)
    }
  }

  private static func line(_ fields: [String]) -> String {
    fields.map(quoted).joined(separator: ",") + "\r\n"
  }

  private static func quoted(_ field: String) -> String {
    let needsQuotes = field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    return needsQuotes ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
  }
}

/// A query's result as JSON: one list of objects, or an object a line.
enum JSONOutput {
  static func write(_ rows: Projection, asLines: Bool) throws {
    var writer = JSONWriter(Terminal.jsonSink(), breaksOutermost: !asLines)
    if !asLines { writer.beginArray() }
    while let row = try rows.next() {
      writer.beginObject()
      for (name, value) in zip(rows.names, row) {
        writer.key(name)
        write(value, to: &writer)
      }
      writer.endObject()
      if asLines { writer.newline() }
      try writer.flushIfLarge()
    }
    if !asLines {
      writer.endArray()
      writer.newline()
    }
    try writer.flush()
  }

  static func text(of value: QueryValue) throws -> String {
    let sink = MemorySink()
    var writer = JSONWriter(sink)
    write(value, to: &writer)
    try writer.flush()
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  private static func write(_ value: QueryValue, to writer: inout JSONWriter) {
    switch value {
    case .null: writer.null()
    case .boolean(let value): writer.bool(value)
    case .integer(let value): writer.integer(value)
    case .real(let value): writer.double(value)
    case .text(let text, .decimal), .text(let text, .transformable), .text(let text, .undefined):
      writer.raw(text)
    case .text(let text, _): writer.string(text)
    case .blob(let bytes): writer.string(Base64.text(of: bytes))
    case .list(let values):
      writer.beginArray()
      for value in values { write(value, to: &writer) }
      writer.endArray()
    }
  }
}

import ObjectModel
import ObjectStore

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

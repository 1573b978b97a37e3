import ObjectModel
import ObjectStore

/// A query's result as a table for people.
struct TableOutput {
  private let names: [String]
  /// Longer values are cut.
  private static let widest = 48

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
    var widths = names.map(\.count)
    for row in waiting {
      for (index, text) in row.enumerated() { widths[index] = max(widths[index], Self.width(of: text)) }
    }
    var lines = Self.line(names, widths, isNumber.map { _ in false })
    lines += Self.line(widths.map { String(repeating: "─", count: $0) }, widths, isNumber)
    for row in waiting { lines += Self.line(row, widths, isNumber) }
    try Terminal.write(lines)
    while let row = try rows.next() { try Terminal.write(Self.line(row.map(Self.text), widths, isNumber)) }
  }

  private static func line(_ texts: [String], _ widths: [Int], _ isNumber: [Bool]) -> String {
    var line = ""
    for (index, text) in texts.enumerated() {
      let space = String(repeating: " ", count: max(0, widths[index] - width(of: text)))
      if index > 0 { line += "  " }
      line += isNumber[index] ? space + text : text + space
    }
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }

  private static func isNumeric(_ value: QueryValue) -> Bool {
    switch value {
    case .integer, .real, .text(_, .decimal), .null: true
    default: false
    }
  }

  private static func text(_ value: QueryValue) -> String {
    let plain = PlainText.of(value).replacing("\r\n", with: "⏎").replacing("\n", with: "⏎")
      .replacing("\t", with: " ")
    let text = VisibleText.onOneLine(plain)
    return text.count > widest ? text.prefix(widest - 1) + "…" : text
  }

  /// How many columns of a terminal a text takes: East Asian characters and emoji take two.
  private static func width(of text: String) -> Int {
    var width = 0
    for character in text {
      guard let first = character.unicodeScalars.first else { continue }
      let isWide =
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
          0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
          true
        default: false
        }
      width += isWide ? 2 : 1
    }
    return width
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

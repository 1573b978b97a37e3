/// Rows whose cells begin below each other, each with a text behind them, which a terminal that is narrow has in several
/// lines.
enum Listing {
  struct Row {
    var cells: [String]
    var text: String

    init(_ cells: [String], _ text: String) {
      self.cells = cells.map(VisibleText.onOneLine)
      self.text = VisibleText.onOneLine(text)
    }
  }

  /// A text is not made narrower than this.
  private static let least = 24

  static func lines(_ rows: [Row], indent: Int = 2) -> [String] {
    lines(of: rows, indent: indent).flatMap(\.self)
  }

  /// The lines of each row.
  static func lines(of rows: [Row], indent: Int = 2, within width: Int? = Terminal.columns) -> [[String]] {
    let count = rows.map(\.cells.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { $0.cells.count > column ? TextWidth.of($0.cells[column]) : 0 }.max() ?? 0
    }
    let space = String(repeating: " ", count: indent)
    let start = indent + widths.reduce(0) { $0 + $1 + 2 }
    return rows.map { row in
      let cells = zip(row.cells, widths).map { TextWidth.padded($0, to: $1) }
      let head = space + cells.map { $0 + "  " }.joined()
      guard let width else { return [head + row.text] }
      guard width - start >= least else {
        return [TextWidth.shortened(trimmed(head), to: width)]
          + wrapped(row.text, indent: indent + 4, within: width)
      }
      let texts = TextWidth.lines(of: row.text, within: width - start)
      return texts.enumerated().map { index, text in
        (index == 0 ? head : String(repeating: " ", count: start)) + text
      }
    }
  }

  /// A text that a terminal which is narrow has in several lines.
  static func wrapped(_ text: String, indent: Int = 0, within width: Int? = Terminal.columns) -> [String] {
    let space = String(repeating: " ", count: indent)
    guard let width else { return [space + text] }
    return TextWidth.lines(of: text, within: max(10, width - indent)).map { space + $0 }
  }

  private static func trimmed(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}

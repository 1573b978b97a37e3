import ObjectModel

/// A table for people: a line of titles, a rule, and a line for each row.
///
/// On a terminal it is no wider than that: cells are shortened, texts before numbers, and where even that is not enough, the
/// last columns are left out. Elsewhere nothing is shortened, and very long cells stand out of their columns.
struct TextTable {
  private let titles: [String]
  private let isNumber: [Bool]
  private let widths: [Int]
  /// The titles of the columns for which there is no room.
  let missing: [String]
  /// Whether cells may be shortened.
  private let isLimited: Bool

  /// The least that is left of a text.
  private static let least = 6
  private static let gap = 2
  /// The widest column that is filled with spaces. In a wider one, long cells move what follows them to the right: else one
  /// value of a megabyte would add a megabyte to each row.
  private static let mostAligned = 500

  /// - Parameters:
  ///   - titles: The titles of the columns.
  ///   - isNumber: Which columns have numbers, which end below each other.
  ///   - rows: The rows that decide how wide the columns are.
  ///   - width: How wide the terminal is; nil if there is none.
  init(_ titles: [String], isNumber: [Bool], sizedBy rows: [[String]], within width: Int? = Terminal.columns)
  {
    var widths = titles.map(TextWidth.of)
    let most = width ?? Self.mostAligned
    for row in rows {
      for (index, text) in row.enumerated() {
        widths[index] = max(widths[index], min(most + 1, TextWidth.of(text, upTo: most)))
      }
    }
    widths = width.map { Self.fitted(widths, isNumber, $0) } ?? widths.map { min($0, Self.mostAligned) }
    self.titles = titles
    self.isNumber = isNumber
    self.widths = widths
    missing = Array(titles[widths.count...])
    isLimited = width != nil
  }

  /// The line of titles and the rule.
  var heading: String {
    let titles = line(titles, alignsNumbers: false)
    return titles + line(widths.map { String(repeating: "─", count: $0) }, alignsNumbers: false)
  }

  func line(_ texts: [String]) -> String { line(texts, alignsNumbers: true) }

  private func line(_ texts: [String], alignsNumbers: Bool) -> String {
    var line = ""
    for (index, width) in widths.enumerated() {
      let text = isLimited ? TextWidth.shortened(texts[index], to: width) : texts[index]
      if index > 0 { line += String(repeating: " ", count: Self.gap) }
      line += TextWidth.padded(text, to: width, alignsRight: alignsNumbers && isNumber[index])
    }
    let end = line.utf8.lastIndex { $0 != UInt8(ascii: " ") }.map { line.utf8.index(after: $0) }
    return line[..<(end ?? line.startIndex)] + "\n"
  }

  /// The widths of as many columns as there is room for.
  private static func fitted(_ natural: [Int], _ isNumber: [Bool], _ width: Int) -> [Int] {
    var widths = natural
    while true {
      let room = width - gap * (widths.count - 1)
      var isText = widths.indices.map { !isNumber[$0] }
      if shrink(&widths, where: isText, into: room) { return widths }
      if widths.count == 1 {
        isText = [true]
        _ = shrink(&widths, where: isText, into: room)
        return widths
      }
      widths = Array(natural.prefix(widths.count - 1))
    }
  }

  /// Shortens the widest of some columns until all have room. False if there is none.
  private static func shrink(_ widths: inout [Int], where mayShrink: [Bool], into room: Int) -> Bool {
    var excess = widths.reduce(0, +) - room
    while excess > 0 {
      let candidates = widths.indices.filter { mayShrink[$0] && widths[$0] > least }
      guard let widest = candidates.map({ widths[$0] }).max() else { return false }
      // All that are as wide as the widest lose the same, down to the width of the next.
      let equals = candidates.filter { widths[$0] == widest }
      let next = candidates.map { widths[$0] }.filter { $0 < widest }.max() ?? least
      let step = max(1, min(widest - next, excess / equals.count))
      for index in equals where excess > 0 {
        widths[index] -= step
        excess -= step
      }
    }
    return true
  }
}

/// How many columns of a terminal a text takes.
enum TextWidth {
  static func of(_ text: String) -> Int { of(text, upTo: .max) }

  /// How many columns a text takes; of a longer one, only that it takes more than a limit.
  static func of(_ text: String, upTo limit: Int) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    var width = 0
    for character in text {
      width += of(character)
      if width > limit { break }
    }
    return width
  }

  /// A text that takes no more than so many columns: what is too long ends in `…`.
  static func shortened(_ text: String, to width: Int) -> String {
    guard of(text, upTo: width) > width else { return text }
    let (start, _) = split(text, at: width - 1)
    return width > 0 ? start + "…" : ""
  }

  /// A text with spaces behind it, or before it, so that it takes at least so many columns.
  static func padded(_ text: String, to width: Int, alignsRight: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - of(text, upTo: width)))
    return alignsRight ? space + text : text + space
  }

  /// A text in lines of no more than so many columns, broken between words where that is possible.
  static func lines(of text: String, within width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      var word = String(word)
      if !line.isEmpty, of(line) + 1 + of(word) <= width {
        line += " " + word
        continue
      }
      if !line.isEmpty { lines.append(line) }
      while of(word) > width {
        let (start, rest) = split(word, at: width)
        guard !start.isEmpty else { break }
        lines.append(start)
        word = rest
      }
      line = word
    }
    return lines + [line]
  }

  /// The part of a text that takes no more than so many columns, and the rest.
  private static func split(_ text: String, at width: Int) -> (start: String, rest: String) {
    var (taken, end) = (0, text.startIndex)
    while end < text.endIndex, taken + of(text[end]) <= width {
      taken += of(text[end])
      end = text.index(after: end)
    }
    return (String(text[..<end]), String(text[end...]))
  }

  private static func of(_ character: Character) -> Int {
    if character.isASCII { return 1 }
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    // Two of them are a flag.
    if (0x1F1E6...0x1F1FF).contains(first.value) { return min(2, scalars.count) }
    // A family, a skin colour, a sign that is to be shown as an emoji.
    let isEmoji = first.properties.isEmojiPresentation || scalars.contains { $0.value == 0xFE0F }
    return isEmoji ? 2 : scalars.reduce(0) { $0 + of($1) }
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0xAD: 1
    // Vowels and final consonants of Korean, which join what stands before them.
    case 0x1160...0x11FF: 0
    // Characters that Unicode calls wide: those of Chinese, Japanese and Korean.
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x16FE0...0x16FF1, 0x17000...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD:
      isJoined(scalar) ? 0 : 2
    default: isJoined(scalar) ? 0 : 1
    }
  }

  /// Whether a character takes no column of its own: accents, joiners, selectors.
  private static func isJoined(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: true
    default: false
    }
  }
}

/// Text in which control characters are seen and do nothing.
///
/// A terminal obeys some of what comes from data: the characters below the space, DEL and those from 0x80 to 0x9F are
/// commands, others turn the direction of what follows or are not seen at all.
enum VisibleText {
  /// The text as people may read it, `\u{1B}` for an escape. Lines stay lines, and tabs tabs.
  static func of(_ text: String) -> String {
    escaping(text) { scalar in
      isHarmful(scalar) && scalar != "\n" && scalar != "\t" ? "\\u{\(hexadecimal(scalar, 1))}" : nil
    }
  }

  /// The text on one line.
  static func onOneLine(_ text: String) -> String {
    escaping(text) { isHarmful($0) ? "\\u{\(hexadecimal($0, 1))}" : nil }
  }

  /// JSON that says the same. Between its strings there are no characters of that kind but white space.
  static func ofJSON(_ text: String) -> String {
    escaping(text) { scalar in
      guard isHarmful(scalar), scalar != "\n", scalar != "\t", scalar != "\r" else { return nil }
      return Character(scalar).utf16.map { "\\u" + hexadecimal(Unicode.Scalar($0) ?? scalar, 4) }.joined()
    }
  }

  private static func escaping(_ text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
    guard text.unicodeScalars.contains(where: { escape($0) != nil }) else { return text }
    return text.replacingScalars(escape)
  }

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F: true
    // Separators of lines, directions of writing, tags.
    case 0x2028...0x202E, 0x2066...0x2069, 0xE0000...0xE007F: true
    default: false
    }
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar, _ digits: Int) -> String {
    let text = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

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

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

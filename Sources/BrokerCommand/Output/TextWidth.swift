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

  /// As much of a text as takes no more than so many columns, and the rest.
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
    // What Unicode calls wide: the characters of Chinese, Japanese and Korean.
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

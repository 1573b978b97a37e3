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
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let escaped = escape(scalar) {
        result.append(contentsOf: escaped.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
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

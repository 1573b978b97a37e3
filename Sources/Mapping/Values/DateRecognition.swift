import ObjectStore

/// Which texts are dates that an import reads without being told.
package enum DateRecognition {
  package enum Form: Sendable {
    /// ISO 8601 without a time.
    case day
    /// ISO 8601 with a time.
    case moment
    /// English words: `Sun Aug 31 00:29:15 +0000 2014`.
    case words
  }

  /// The form of a text that is a date; nil if it is none. A number alone is no date here.
  package static func form(of text: UnsafeBufferPointer<UInt8>) -> Form? {
    guard text.count >= 8, text.count <= 40, let first = text.first else { return nil }
    if TextCursor.isDigit(first) {
      guard text.count > 8 || text[4] == UInt8(ascii: "-") else { return nil }
      if let time = ISODate.read(text) { return time.hasTime ? .moment : .day }
    }
    guard TextCursor.isLetter(first) || TextCursor.isDigit(first), WordDate.read(text) != nil else {
      return nil
    }
    return .words
  }

  /// Whether a text is a date by a pattern of Unicode's letters, `dd.MM.yyyy`.
  package static func matches(_ text: UnsafeBufferPointer<UInt8>, _ format: DateFormat) -> Bool {
    format.read(text, isNumber: false) != nil
  }
}

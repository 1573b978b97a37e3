/// ISO 8601: `2014-08-31T00:29:15.120+02:00`, `2014-08-31`, `20140831T002915Z`, with a space for the `T`.
package enum ISODate {
  package static func read(_ text: UnsafeBufferPointer<UInt8>) -> CivilTime? {
    var cursor = TextCursor(text)
    var time = CivilTime()
    guard readDate(&cursor, &time) else { return nil }
    time.hasTime = !cursor.isAtEnd
    if !cursor.isAtEnd {
      let separator = cursor.next | 0x20
      guard separator == UInt8(ascii: "t") || separator == 0x20 else { return nil }
      cursor.skip()
      guard readTime(&cursor, &time) else { return nil }
    }
    return cursor.isAtEnd && time.isValid ? time : nil
  }

  private static func readDate(_ cursor: inout TextCursor, _ time: inout CivilTime) -> Bool {
    // Without separators, a date is eight digits; other numbers are Unix times.
    let isBasic = cursor.digitCount == 8
    guard isBasic || cursor.digitCount == 4, let year = cursor.digits(4) else { return false }
    if !isBasic, !cursor.skip(UInt8(ascii: "-")) { return false }
    guard let month = cursor.digits(2) else { return false }
    if !isBasic, !cursor.skip(UInt8(ascii: "-")) { return false }
    guard let day = cursor.digits(2) else { return false }
    (time.year, time.month, time.day) = (year, month, day)
    return true
  }

  private static func readTime(_ cursor: inout TextCursor, _ time: inout CivilTime) -> Bool {
    guard let hour = cursor.digits(2) else { return false }
    time.hour = hour
    let hasSeparators = cursor.skip(UInt8(ascii: ":"))
    guard let minute = cursor.digits(2) else { return false }
    time.minute = minute
    if hasSeparators ? cursor.skip(UInt8(ascii: ":")) : TextCursor.isDigit(cursor.next) {
      guard let second = cursor.digits(2) else { return false }
      time.second = second
      _ = cursor.fraction(into: &time)
    }
    if cursor.next == 0x20 { cursor.skip() }
    guard !cursor.isAtEnd else { return true }
    guard let offset = cursor.offset() else { return false }
    time.offset = offset
    return true
  }
}

import Bytes
import ObjectStore

/// Reads dates in the forms that web APIs send. It finds out the form itself.
enum DateReader {
  /// A date in a string: ISO 8601, RFC 1123 and its relatives, or a Unix time.
  static func read(_ text: UnsafeBufferPointer<UInt8>) -> CivilTime? {
    if let time = ISODate.read(text) { return time }
    // If there are eight digits, they are a date without separators.
    if text.count == 8, text.allSatisfy(TextCursor.isDigit) { return nil }
    if let first = text.first, TextCursor.isLetter(first) || TextCursor.isDigit(first),
      let time = WordDate.read(text)
    {
      return time
    }
    return unixTime(text, unit: nil)
  }

  /// The unit that a Unix time counts.
  enum UnixUnit: Sendable, Hashable {
    case seconds
    case milliseconds
  }

  /// A number of seconds or milliseconds since 1970, with fractions. If the unit is not given, the size of the number
  /// tells it.
  ///
  /// A number below 10¹¹ counts seconds. As seconds, 10¹¹ is in the year 5138; as milliseconds, it is in 1973.
  static func unixTime(_ text: UnsafeBufferPointer<UInt8>, unit: UnixUnit?) -> CivilTime? {
    if text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { return exponential(text, unit: unit) }
    var cursor = TextCursor(text)
    let isNegative = cursor.skip(UInt8(ascii: "-"))
    guard (1...18).contains(cursor.digitCount), let whole = cursor.number(upTo: 18) else { return nil }
    var time = CivilTime()
    let hasFraction = cursor.fraction(into: &time)
    guard cursor.isAtEnd else { return nil }
    let isMilliseconds = unit.map { $0 == .milliseconds } ?? (whole >= 100_000_000_000)
    // The moment in nanoseconds, as whole seconds and the rest.
    var seconds = whole
    var nanoseconds = hasFraction ? scaled(time.fraction, time.fractionDigits) : 0
    if isMilliseconds {
      seconds = whole / 1000
      nanoseconds = whole % 1000 * 1_000_000 + nanoseconds / 1000
    }
    if isNegative {
      seconds = -seconds
      if nanoseconds > 0 {
        seconds -= 1
        nanoseconds = 1_000_000_000 - nanoseconds
      }
    }
    guard time.setSeconds(seconds) else { return nil }
    time.fraction = nanoseconds
    time.fractionDigits = nanoseconds > 0 ? 9 : 0
    while time.fractionDigits > 0, time.fraction % 10 == 0 {
      time.fraction /= 10
      time.fractionDigits -= 1
    }
    time.offset = 0
    return time
  }

  /// Writes a number such as `1.4e9` in plain digits.
  private static func exponential(_ text: UnsafeBufferPointer<UInt8>, unit: UnixUnit?) -> CivilTime? {
    var plain = ByteBuffer()
    guard let number = DecimalNumber(text), number.append(to: &plain) else { return nil }
    return unixTime(plain.elements, unit: unit)
  }

  private static func scaled(_ fraction: Int, _ digits: Int) -> Int {
    var value = fraction
    for _ in digits..<9 { value *= 10 }
    return value
  }
}

/// Dates in English words: RFC 1123 (`Sun, 06 Nov 1994 08:49:37 GMT`), RFC 850, C's `asctime`, and Twitter's `Sun Aug
/// 31 00:29:15 +0000 2014`. The form of each part tells whether it is a month, day, year, time or zone.
enum WordDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  /// The number of a month, from its name or the usual abbreviations of the name.
  static func month(_ word: String) -> Int? {
    months.firstIndex { isName(word, $0, of: fullMonths) || word == "sept" && $0 == "sep" }.map { $0 + 1 }
  }

  static func isWeekday(_ word: String) -> Bool {
    weekdays.contains { isName(word, $0, of: fullWeekdays) }
      || ["tues", "wednes", "thur", "thurs"].contains(word)
  }

  private static func isName(_ word: String, _ short: String, of names: [String]) -> Bool {
    word == short || (word.hasPrefix(short) && names.contains(word))
  }

  private static let fullMonths = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
  ]
  private static let fullWeekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  static func read(_ text: UnsafeBufferPointer<UInt8>) -> CivilTime? {
    var cursor = TextCursor(text)
    var time = CivilTime()
    var year: Int?
    var month: Int?
    var day: Int?
    var hasTime = false
    while !cursor.isAtEnd {
      let byte = cursor.next
      if byte == 0x20 || byte == UInt8(ascii: ",") {
        cursor.skip()
      } else if byte == UInt8(ascii: "-"), !hasTime {
        cursor.skip()
      } else if TextCursor.isDigit(byte) {
        let count = cursor.digitCount
        if cursor.peek(count) == UInt8(ascii: ":") {
          guard !hasTime, readTime(&cursor, &time) else { return nil }
          hasTime = true
        } else if count == 4, year == nil {
          year = cursor.digits(4)
        } else if count <= 2, day == nil {
          day = cursor.number(upTo: 2)
        } else if count == 2, year == nil, !hasTime {
          // RFC 850: `06-Nov-94`.
          year = cursor.digits(2).map { ($0 < 50 ? 2000 : 1900) + $0 }
        } else {
          return nil
        }
      } else if let offset = cursor.offset() {
        time.offset = offset
      } else {
        guard let word = cursor.word() else { return nil }
        if let found = WordDate.month(word), month == nil {
          month = found
        } else if !isWeekday(word) {
          return nil
        }
      }
    }
    guard let year, let month, let day else { return nil }
    (time.year, time.month, time.day) = (year, month, day)
    time.hasTime = hasTime
    return time.isValid ? time : nil
  }

  private static func readTime(_ cursor: inout TextCursor, _ time: inout CivilTime) -> Bool {
    guard let hour = cursor.number(upTo: 2), cursor.skip(UInt8(ascii: ":")), let minute = cursor.digits(2)
    else { return false }
    (time.hour, time.minute) = (hour, minute)
    if cursor.skip(UInt8(ascii: ":")) {
      guard let second = cursor.digits(2) else { return false }
      time.second = second
      _ = cursor.fraction(into: &time)
    }
    return true
  }
}

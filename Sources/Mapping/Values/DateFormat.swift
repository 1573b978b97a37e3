import Bytes
import Foundation
import ObjectStore

/// How the dates of an attribute are written in JSON.
package struct DateFormat: Sendable, Hashable {
  enum Form: Sendable, Hashable {
    /// Any form that ``DateReader`` knows is read; ISO 8601 is written.
    case automatic
    case unix(DateReader.UnixUnit)
    case pattern(DatePattern, text: String)
  }

  let form: Form
  /// The zone of dates that name no zone; nil for UTC.
  private let zone: TimeZone?

  package static let automatic = DateFormat(form: .automatic, zone: nil)

  private init(form: Form, zone: TimeZone?) {
    self.form = form
    self.zone = zone
  }

  /// Reads a format, which is `auto`, `seconds`, `milliseconds` (or `UnixTime`) or a pattern, and a time zone by name
  /// or offset. Nil if either cannot be read.
  package init?(_ text: String?, timeZone: String? = nil) {
    switch text?.lowercased() {
    case nil, "auto", "iso8601": form = .automatic
    case "seconds", "unix": form = .unix(.seconds)
    // MagicalRecord writes `UnixTime`.
    case "milliseconds", "unixtime": form = .unix(.milliseconds)
    default:
      guard let text, let pattern = DatePattern(text) else { return nil }
      form = .pattern(pattern, text: text)
    }
    guard let timeZone, !timeZone.isEmpty else {
      zone = nil
      return
    }
    guard let named = Self.zone(timeZone) else { return nil }
    zone = named
  }

  /// A zone by its offset, `+01:00`, or its name, `Europe/Berlin`.
  private static func zone(_ name: String) -> TimeZone? {
    var text = name
    let offset = text.withUTF8 { bytes in
      var cursor = TextCursor(bytes)
      let offset = cursor.offset()
      return cursor.isAtEnd ? offset : nil
    }
    if let offset { return TimeZone(secondsFromGMT: offset) }
    return TimeZone(identifier: name)
  }

  /// The zone's offset, in seconds east of UTC, at a moment given in seconds since 1970.
  func offset(at seconds: Int) -> Int {
    zone?.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))) ?? 0
  }

  /// The zone's offset at the moment when its clocks show a time.
  func offset(local time: CivilTime) -> Int {
    guard zone != nil else { return 0 }
    let shown = time.secondsSince1970
    // The offset at that moment is not known before the moment is, so it is looked up twice: a day has at most one
    // change.
    return offset(at: shown - offset(at: shown - offset(at: shown)))
  }

  /// The expected form, for issues about dates that could not be read.
  var expectation: String {
    switch form {
    case .automatic: "a date"
    case .unix(.seconds): "a date in seconds since 1970"
    case .unix(.milliseconds): "a date in milliseconds since 1970"
    case .pattern(_, let text): "a date like \(text)"
    }
  }

  /// Reads the text of a JSON string or number.
  @inline(__always)
  func read(_ text: UnsafeBufferPointer<UInt8>, isNumber: Bool) -> CivilTime? {
    let time: CivilTime? =
      switch form {
      case .automatic: isNumber ? DateReader.unixTime(text, unit: nil) : DateReader.read(text)
      case .unix(let unit): DateReader.unixTime(text, unit: unit)
      case .pattern(let pattern, _): pattern.read(text)
      }
    guard var found = time, found.normalize(defaultOffset: found.offset == nil ? offset(local: found) : 0)
    else {
      return nil
    }
    return found
  }
}

/// A date format in the pattern letters of Unicode: `yyyy/MM/dd HH:mm:ss ZZZZZ`.
///
/// Letters: `y` year, `M` month (`MMM` its name), `d` day, `H` or `h` hour, `m` minute, `s` second, `S`
/// fraction, `a` AM or PM, `E` weekday, `Z`, `X`, `x`, `z` zone. Text in single quotes stands for itself.
/// Names are English.
package struct DatePattern: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case field(Character, Int)
    case literal(String)
  }

  private var parts: [Part] = []
  /// Whether it has a time, and not only a date.
  private var hasTime = false

  /// Reads a pattern; nil if it has a letter that is none of these.
  package init?(_ pattern: String) {
    var rest = Substring(pattern)
    while let first = rest.first {
      if first == "'" {
        parts.append(.literal(Self.quoted(&rest)))
      } else if first.isASCII, first.isLetter {
        let run = rest.prefix { $0 == first }
        guard "yuMLdHhKkmsSaEZXxzOV".contains(first) else { return nil }
        if "HhKkmsSa".contains(first) { hasTime = true }
        parts.append(.field(first, run.count))
        rest = rest.dropFirst(run.count)
      } else {
        parts.append(.literal(String(first)))
        rest.removeFirst()
      }
    }
    guard !parts.isEmpty else { return nil }
  }

  /// Reads a text in quotes. Two quotes, inside the text or by themselves, are one quote.
  private static func quoted(_ rest: inout Substring) -> String {
    rest.removeFirst()
    var text = ""
    while let first = rest.popFirst() {
      if first == "'" {
        guard rest.first == "'", !text.isEmpty || rest.dropFirst().contains("'") else { break }
        rest.removeFirst()
      }
      text.append(first)
    }
    return text.isEmpty ? "'" : text
  }

  // MARK: - Reading

  func read(_ text: UnsafeBufferPointer<UInt8>) -> CivilTime? {
    var cursor = TextCursor(text)
    var time = CivilTime()
    var isAfternoon: Bool?
    for part in parts {
      switch part {
      case .literal(let literal):
        for byte in literal.utf8 { guard cursor.skip(byte) else { return nil } }
      case .field("a", _):
        guard let word = cursor.word(), word == "am" || word == "pm" else { return nil }
        isAfternoon = word == "pm"
      case .field(let letter, let count):
        guard Self.read(letter, count, &cursor, &time) else { return nil }
      }
    }
    if let isAfternoon {
      guard time.hour <= 12 else { return nil }
      time.hour = time.hour % 12 + (isAfternoon ? 12 : 0)
    } else if time.hour == 24, parts.contains(where: { if case .field("k", _) = $0 { true } else { false } })
    {
      // `k` counts the hours of a day from 1 to 24.
      time.hour = 0
    }
    time.hasTime = hasTime
    return cursor.isAtEnd && time.isValid ? time : nil
  }

  private static func read(
    _ letter: Character, _ count: Int, _ cursor: inout TextCursor, _ time: inout CivilTime
  ) -> Bool {
    switch letter {
    case "y", "u":
      guard let year = count == 2 ? cursor.digits(2) : cursor.number(upTo: 4) else { return false }
      // Two digits mean a year from 1950 to 2049.
      time.year = count == 2 ? (year < 50 ? 2000 : 1900) + year : year
      return true
    case "M", "L":
      if count >= 3 {
        guard let month = cursor.word().flatMap(WordDate.month) else { return false }
        time.month = month
        return true
      }
      return set(&time.month, cursor.number(upTo: 2))
    case "d": return set(&time.day, cursor.number(upTo: 2))
    case "H", "h", "K", "k": return set(&time.hour, cursor.number(upTo: 2))
    case "m": return set(&time.minute, cursor.number(upTo: 2))
    case "s": return set(&time.second, cursor.number(upTo: 2))
    case "S":
      let digits = cursor.digitCount
      guard digits > 0 else { return false }
      time.setFraction(cursor.rest.prefix(digits))
      cursor.skip(digits)
      return true
    case "E": return cursor.word().map(WordDate.isWeekday) ?? false
    default:
      time.offset = cursor.offset()
      return time.offset != nil
    }
  }

  private static func set(_ field: inout Int, _ value: Int?) -> Bool {
    guard let value else { return false }
    field = value
    return true
  }

  // MARK: - Writing

  /// Writes a moment in UTC as clocks show it that are `offset` seconds east of UTC.
  func write(_ time: CivilTime, offset: Int, to bytes: inout ByteBuffer) {
    var local = time
    if offset != 0 { _ = local.setSeconds(time.secondsSince1970 + offset) }
    for part in parts {
      switch part {
      case .literal(let literal): bytes.append(utf8: literal)
      case .field(let letter, let count):
        bytes.append(utf8: Self.text(of: letter, count, local, offset))
      }
    }
  }

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
  private static let weekdayNames = [
    "Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday",
  ]

  private static func text(of letter: Character, _ count: Int, _ time: CivilTime, _ offset: Int) -> String {
    switch letter {
    case "y", "u": count == 2 ? padded(time.year % 100, 2) : padded(time.year, count)
    case "M", "L":
      switch count {
      case 3: String(monthNames[time.month - 1].prefix(3))
      case 4...: monthNames[time.month - 1]
      default: padded(time.month, count)
      }
    case "d": padded(time.day, count)
    case "H": padded(time.hour, count)
    case "k": padded((time.hour + 23) % 24 + 1, count)
    case "h": padded((time.hour + 11) % 12 + 1, count)
    case "K": padded(time.hour % 12, count)
    case "m": padded(time.minute, count)
    case "s": padded(time.second, count)
    case "S": fraction(time, count)
    case "a": time.hour < 12 ? "AM" : "PM"
    case "E": weekday(time, count)
    default: zone(letter, count, offset)
    }
  }

  private static func fraction(_ time: CivilTime, _ count: Int) -> String {
    let digits = time.fractionDigits > 0 ? padded(time.fraction, time.fractionDigits) : ""
    return String((digits + String(repeating: "0", count: count)).prefix(count))
  }

  private static func weekday(_ time: CivilTime, _ count: Int) -> String {
    let days =
      time.secondsSince1970 >= 0 ? time.secondsSince1970 / 86_400 : (time.secondsSince1970 - 86_399) / 86_400
    let name = weekdayNames[((days % 7) + 7) % 7]
    return count >= 4 ? name : String(name.prefix(3))
  }

  private static func zone(_ letter: Character, _ count: Int, _ offset: Int) -> String {
    let usesZ = letter == "X" || (letter == "Z" && count == 5)
    if usesZ, offset == 0 { return "Z" }
    if letter == "z" || letter == "O" || letter == "V", offset == 0 { return "GMT" }
    let sign = offset < 0 ? "-" : "+"
    let minutes = abs(offset) / 60
    let hasColon = (letter == "Z" && count == 5) || ((letter == "X" || letter == "x") && count >= 3)
    return sign + padded(minutes / 60, 2) + (hasColon ? ":" : "") + padded(minutes % 60, 2)
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

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

/// The recognition of texts that an import reads as dates without being told.
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

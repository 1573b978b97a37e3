import Bytes
import ObjectStore

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

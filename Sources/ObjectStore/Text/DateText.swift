package import Bytes

/// A moment as the store writes it: `1981-11-13 20:15:00`, in UTC, with a fraction if there is one.
///
/// SQLite's date functions take it, and texts sort as their moments do.
package struct DateText: Sendable, Hashable {
  package let text: String

  /// The moment as ISO 8601 writes it: `1981-11-13T20:15:00Z`.
  package var iso8601: String { text.replacing(" ", with: "T") + "Z" }

  /// A moment by the seconds since 2001-01-01T00:00:00Z, with as many digits as it takes to read the same number, at most
  /// nine; nil outside the years 0 to 9999. Nine are enough but for the 97 days around 2001.
  package init?(secondsSince2001 seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
    let (since2001, fraction, width) = Self.parts(of: seconds)
    let whole = since2001 + 978_307_200
    guard let (year, month, day) = Calendar.date(daysSince1970: Int(floorDiv(whole, 86_400))) else {
      return nil
    }
    let second = Int(whole - floorDiv(whole, 86_400) * 86_400)
    var text = "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2)) "
    text += "\(pad(second / 3600, 2)):\(pad(second / 60 % 60, 2)):\(pad(second % 60, 2))"
    if fraction > 0 {
      var digits = pad(Int(fraction), width)
      while digits.last == "0" { digits.removeLast() }
      text += "." + digits
    }
    self.text = text
  }

  /// Appends the text of a moment. False, and nothing appended, outside the years 0 to 9999.
  static func append(secondsSince2001 seconds: Double, to bytes: inout ByteBuffer) -> Bool {
    guard seconds.rounded(.down) == seconds, abs(seconds) < 1e12 else {
      guard let date = DateText(secondsSince2001: seconds) else { return false }
      bytes.append(utf8: date.text)
      return true
    }
    let whole = Int64(seconds) + 978_307_200
    let days = floorDiv(whole, 86_400)
    guard let (year, month, day) = Calendar.date(daysSince1970: Int(days)) else { return false }
    let second = whole - days * 86_400
    bytes.append(decimal: Int64(year), width: 4)
    bytes.append(UInt8(ascii: "-"))
    bytes.append(decimal: Int64(month), width: 2)
    bytes.append(UInt8(ascii: "-"))
    bytes.append(decimal: Int64(day), width: 2)
    bytes.append(UInt8(ascii: " "))
    bytes.append(decimal: second / 3600, width: 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(decimal: second / 60 % 60, width: 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(decimal: second % 60, width: 2)
    return true
  }

  /// Whole seconds, and the fraction as a number of so many digits.
  private static func parts(of seconds: Double) -> (whole: Int64, fraction: Int64, digits: Int) {
    var (digits, scale) = (6, Int64(1_000_000))
    let whole = seconds.rounded(.down)
    while true {
      var parts = (Int64(whole), Int64(((seconds - whole) * Double(scale)).rounded()))
      if parts.1 == scale { parts = (parts.0 + 1, 0) }
      if digits == 9 || read(parts.0, parts.1, digits, scale) == seconds { return (parts.0, parts.1, digits) }
      digits += 1
      scale *= 10
    }
  }

  /// The seconds that reading them gives.
  package static func read(_ whole: Int64, _ fraction: Int64, _ digits: Int, _ scale: Int64) -> Double {
    // Divided once and no more: what was saved to the microsecond reads as it was.
    digits <= 6
      ? Double(whole * scale + fraction) / Double(scale) : Double(whole) + Double(fraction) / Double(scale)
  }
}

private func floorDiv(_ value: Int64, _ divisor: Int64) -> Int64 {
  value >= 0 ? value / divisor : (value - divisor + 1) / divisor
}

private func pad(_ value: Int, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// The Gregorian calendar, extended to before its introduction, as ISO 8601 and SQLite have it.
package enum Calendar {
  /// The days from 1970-01-01 to a date.
  ///
  /// The year is counted from March, so that the leap day is its last, in cycles of 400 years.
  package static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let cycle = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfCycle = shifted - cycle * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
    return cycle * 146_097 + dayOfCycle - 719_468
  }

  /// The date so many days after 1970-01-01; nil outside the years 0 to 9999.
  package static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int)? {
    guard (-719_528...2_932_896).contains(days) else { return nil }
    let shifted = days + 719_468
    let cycle = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfCycle = shifted - cycle * 146_097
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  package static func days(inMonth month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}

/// A moment by the calendar and the clock, as texts give it.
package struct CivilTime {
  package var year = 0
  package var month = 1
  package var day = 1
  package var hour = 0
  package var minute = 0
  package var second = 0
  /// The digits behind the second, at most nine, as a number and as a count.
  package var fraction = 0
  package var fractionDigits = 0
  /// Whether the text says a time, and not only a date.
  package var hasTime = true
  /// Seconds east of UTC; nil if the text does not say.
  package var offset: Int?

  package init() {}

  /// Whether the calendar and the clock have such a moment. A second of 60, a leap second, is allowed.
  package var isValid: Bool {
    (0...9999).contains(year) && (1...12).contains(month) && day >= 1
      && day <= Calendar.days(inMonth: month, year: year) && (0...23).contains(hour)
      && (0...59).contains(minute) && (0...60).contains(second)
  }

  /// Puts the clock to UTC. False if that leaves the years 0 to 9999.
  package mutating func normalize(defaultOffset: Int) -> Bool {
    let offset = self.offset ?? defaultOffset
    self.offset = 0
    guard offset != 0 || second == 60 else { return true }
    let days = Calendar.daysSince1970(year: year, month: month, day: day)
    return setSeconds(days * 86_400 + hour * 3600 + minute * 60 + second - offset)
  }

  /// Sets all but the fraction from seconds since 1970. False outside the years 0 to 9999.
  package mutating func setSeconds(_ seconds: Int) -> Bool {
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let rest = seconds - days * 86_400
    guard let date = Calendar.date(daysSince1970: days) else { return false }
    (year, month, day) = (date.year, date.month, date.day)
    (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    return true
  }

  package var secondsSince1970: Int {
    Calendar.daysSince1970(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// Takes digits behind the decimal point; those past the ninth are dropped.
  package mutating func setFraction(_ digits: some Sequence<UInt8>) {
    fraction = 0
    fractionDigits = 0
    for digit in digits where fractionDigits < 9 {
      fraction = fraction * 10 + Int(digit - UInt8(ascii: "0"))
      fractionDigits += 1
    }
    while fractionDigits > 0, fraction % 10 == 0 {
      fraction /= 10
      fractionDigits -= 1
    }
  }

  /// Appends `1981-11-13 20:15:00.5`, the form of the store, or with a `T` and a `Z` that of ISO 8601.
  package func append(to bytes: inout ByteBuffer, iso8601: Bool = false) {
    let room = bytes.reserve(32)
    Self.write(year, 4, to: room)
    room[4] = UInt8(ascii: "-")
    Self.write(month, 2, to: room + 5)
    room[7] = UInt8(ascii: "-")
    Self.write(day, 2, to: room + 8)
    room[10] = iso8601 ? UInt8(ascii: "T") : 0x20
    Self.write(hour, 2, to: room + 11)
    room[13] = UInt8(ascii: ":")
    Self.write(minute, 2, to: room + 14)
    room[16] = UInt8(ascii: ":")
    Self.write(second, 2, to: room + 17)
    var count = 19
    if fractionDigits > 0 {
      room[19] = UInt8(ascii: ".")
      Self.write(fraction, fractionDigits, to: room + 20)
      count = 20 + fractionDigits
    }
    if iso8601 {
      room[count] = UInt8(ascii: "Z")
      count += 1
    }
    bytes.commit(count)
  }

  private static func write(_ value: Int, _ width: Int, to room: UnsafeMutablePointer<UInt8>) {
    var value = value
    for place in (0..<width).reversed() {
      room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
      value /= 10
    }
  }
}

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

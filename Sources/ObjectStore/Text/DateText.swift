import Bytes

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

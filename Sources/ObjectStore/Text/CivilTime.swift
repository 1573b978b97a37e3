package import Bytes

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

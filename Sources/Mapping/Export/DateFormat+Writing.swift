import Bytes
import ObjectStore

extension DateFormat {
  /// How JSON writes a date.
  enum Written {
    case string
    case number
  }

  /// Appends a date of the store in this format.
  ///
  /// - Parameter alone: Whether the time is left out if it is midnight and the format is the automatic one.
  func append(_ stored: UnsafeBufferPointer<UInt8>, alone: Bool = false, to bytes: inout ByteBuffer)
    -> Written
  {
    switch form {
    case .automatic:
      if alone, appendDate(of: stored, to: &bytes) { return .string }
      // `1981-11-13 20:15:00` becomes `1981-11-13T20:15:00Z`. A fraction stays as it is.
      let start = bytes.count
      bytes.append(stored)
      guard stored.count >= 19, stored[10] == 0x20 else { return .string }
      bytes[start + 10] = UInt8(ascii: "T")
      bytes.append(UInt8(ascii: "Z"))
      return .string
    case .pattern(let pattern, _):
      guard let time = ISODate.read(stored) else { break }
      pattern.write(time, offset: offset(at: time.secondsSince1970), to: &bytes)
      return .string
    case .unix(let unit):
      guard let time = ISODate.read(stored) else { break }
      time.appendUnix(unit, to: &bytes)
      return .number
    }
    bytes.append(stored)
    return .string
  }
}

extension DateFormat {
  /// Appends the date of a moment that is midnight in the format's zone, if reading it back gives the same moment.
  private func appendDate(of stored: UnsafeBufferPointer<UInt8>, to bytes: inout ByteBuffer) -> Bool {
    guard var time = ISODate.read(stored), time.fraction == 0 else { return false }
    let moment = time.secondsSince1970
    guard time.setSeconds(moment + offset(at: moment)), time.hour == 0, time.minute == 0, time.second == 0,
      time.secondsSince1970 - offset(local: time) == moment
    else { return false }
    let start = bytes.count
    time.append(to: &bytes)
    bytes.truncate(to: start + 10)
    return true
  }
}

extension CivilTime {
  /// Appends the seconds or milliseconds since 1970, with the fraction.
  fileprivate func appendUnix(_ unit: DateReader.UnixUnit, to bytes: inout ByteBuffer) {
    var nanoseconds = fraction
    for _ in fractionDigits..<9 { nanoseconds *= 10 }
    let perUnit = unit == .seconds ? 1_000_000_000 : 1_000_000
    let unitsPerSecond = unit == .seconds ? 1 : 1000
    var whole = secondsSince1970 * unitsPerSecond + nanoseconds / perUnit
    var rest = nanoseconds % perUnit
    // Before 1970, `whole` is rounded down and `rest` is added to it. In JSON, both count from zero.
    let isNegative = whole < 0
    if isNegative, rest > 0 {
      whole += 1
      rest = perUnit - rest
    }
    bytes.append(utf8: isNegative ? "-\(abs(whole))" : "\(whole)")
    guard rest > 0 else { return }
    let digits = String(rest)
    var text = String(repeating: "0", count: (unit == .seconds ? 9 : 6) - digits.count) + digits
    while text.last == "0" { text.removeLast() }
    bytes.append(utf8: "." + text)
  }
}

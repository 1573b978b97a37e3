#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

package import Bytes
import Foundation

/// The digits of a number and where its point is: `digits × 10^exponent`, without zeros at either end.
package struct DecimalNumber {
  package private(set) var isNegative = false
  /// The digits from the first to the last that is not zero, the point left out; none for zero.
  package private(set) var digits: Digits
  package var exponent = 0

  /// Digits in a text that may have a point among them.
  package struct Digits: RandomAccessCollection {
    fileprivate let bytes: UnsafeBufferPointer<UInt8>
    /// Where the point is, or past the end.
    fileprivate let point: Int

    package var startIndex: Int { 0 }
    package var endIndex: Int { bytes.count - (point < bytes.count ? 1 : 0) }
    package subscript(index: Int) -> UInt8 { bytes[index < point ? index : index + 1] }
  }

  /// Reads `[+-]digits[.digits][e[+-]digits]`, as JSON writes numbers and a little more: `+1`, `01`, `.5`, `5.`.
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    var index = 0
    let count = text.count
    if index < count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
      isNegative = text[index] == UInt8(ascii: "-")
      index += 1
    }
    var start = index
    var point = -1
    var digitCount = 0
    while index < count {
      if text[index] &- 0x30 <= 9 {
        digitCount += 1
      } else if text[index] == UInt8(ascii: "."), point < 0 {
        point = index
      } else {
        break
      }
      index += 1
    }
    guard digitCount > 0 else { return nil }
    var end = index
    guard let written = Self.exponent(text, from: index) else { return nil }
    exponent = written
    if point < 0 { point = end }
    // Zeros and the point at either end say nothing but the exponent.
    while start < end, text[start] == 0x30 || start == point { start += 1 }
    while end > start, text[end - 1] == 0x30 || end - 1 == point { end -= 1 }
    if end <= start {
      digits = Digits(bytes: UnsafeBufferPointer(rebasing: text[0..<0]), point: 0)
      exponent = 0
      return
    }
    // Places between the last digit and the point.
    exponent += point >= end ? point - end : -(end - 1 - point)
    digits = Digits(
      bytes: UnsafeBufferPointer(rebasing: text[start..<end]),
      point: point >= start && point < end ? point - start : Int.max)
  }

  /// The digits as one number; nil if there are more than seventeen.
  package var shortMantissa: Int64? {
    let digits = digits
    guard digits.endIndex <= 17 else { return nil }
    var mantissa: Int64 = 0
    for index in 0..<digits.endIndex { mantissa = mantissa &* 10 &+ Int64(digits[index] &- 0x30) }
    return mantissa
  }

  /// The written exponent from `start` to the end; 0 if there is none, nil if it is no exponent.
  private static func exponent(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard start < text.count else { return 0 }
    guard text[start] | 0x20 == UInt8(ascii: "e") else { return nil }
    var index = start + 1
    var isNegative = false
    if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
      isNegative = text[index] == UInt8(ascii: "-")
      index += 1
    }
    guard index < text.count, text.count - index <= 6 else { return nil }
    var value = 0
    while index < text.count {
      guard text[index] &- 0x30 <= 9 else { return nil }
      value = value * 10 + Int(text[index] - 0x30)
      index += 1
    }
    return isNegative ? -value : value
  }

  /// Whether the store keeps it as a decimal: with no more than 200 places.
  package var isKept: Bool { digits.count + abs(exponent) <= 200 }

  /// Appends the number in the one form that the store has for it: `-0.5`, `1200`, no zeros that say nothing.
  /// False if that would take more than 200 places.
  package func append(to bytes: inout ByteBuffer) -> Bool {
    guard isKept else { return false }
    guard !digits.isEmpty else {
      bytes.append(0x30)
      return true
    }
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    let wholePlaces = digits.count + exponent
    if wholePlaces <= 0 {
      bytes.append("0.")
      for _ in 0..<(-wholePlaces) { bytes.append(0x30) }
    }
    for place in 0..<Swift.max(digits.count, wholePlaces) {
      if place == wholePlaces, place > 0 { bytes.append(UInt8(ascii: ".")) }
      bytes.append(place < digits.count ? digits[place] : 0x30)
    }
    return true
  }
}

/// Reads texts as doubles that hold them; what a double does not hold is refused.
///
/// A double holds a number of up to 17 digits in its range, since it gives so many back. Of more digits, it holds those that
/// are what it prints: its exact value, be it rounded, or the shortest text for it. A whole number is held if it is exact,
/// or written as the double prints it, such as `1e300`.
package enum RealNumber {
  package static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let number = DecimalNumber(text) else { return nil }
    if let value = shortDouble(number) { return value }
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
    if number.digits.isEmpty { return value }
    guard value.isNormal else { return isPrinted(number, value, digits: number.digits.count) ? value : nil }
    if number.exponent >= 0, value.magnitude >= 9_007_199_254_740_992 {
      return isPrinted(number, value, digits: nil) ? value : nil
    }
    let most = 17
    return number.digits.count <= most || isPrinted(number, value, digits: number.digits.count) ? value : nil
  }

  /// Whether a number is how a double is written: as shortly as possible, or rounded to so many digits; exactly, if no
  /// number of digits is given.
  private static func isPrinted(_ number: DecimalNumber, _ value: Double, digits: Int?) -> Bool {
    // No double has more digits than this.
    guard number.digits.count <= 800 else { return false }
    return isSame(number, value.description)
      || isSame(number, digits.map { rounded(value, to: $0) } ?? String(format: "%.0f", value))
  }

  private static func isSame(_ number: DecimalNumber, _ text: String) -> Bool {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      guard let shown = DecimalNumber(bytes) else { return false }
      return shown.exponent == number.exponent && shown.digits.elementsEqual(number.digits)
    }
  }

  /// A double, rounded to a number of digits.
  private static func rounded(_ value: Double, to digits: Int) -> String {
    var text = [CChar](repeating: 0, count: digits + 32)
    let length = withVaList([Int32(clamping: digits - 1), value]) {
      vsnprintf(&text, text.count, "%.*e", $0)
    }
    guard length > 0, length < text.count else { return "" }
    return String(decoding: text.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The powers of ten that a double holds exactly.
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]

  /// Reads a number of few digits, as the nearest double.
  private static func shortDouble(_ number: DecimalNumber) -> Double? {
    guard (-27...22).contains(number.exponent), let mantissa = number.shortMantissa else { return nil }
    if mantissa == 0 { return number.isNegative ? -0.0 : 0 }
    guard number.digits.count <= 15, number.exponent >= -22 else {
      guard number.exponent < 0 else { return nil }
      let quotient = quotient(UInt64(mantissa), places: -number.exponent)
      return number.isNegative ? -quotient : quotient
    }
    // One operation on two doubles that are exact (Clinger's fast path).
    let value = Double(number.isNegative ? -mantissa : mantissa)
    return number.exponent < 0 ? value / powers[-number.exponent] : value * powers[number.exponent]
  }

  /// The double that is nearest to `mantissa / 10^places`, for at most 27 places, of whose power of five a word has room.
  private static func quotient(_ mantissa: UInt64, places: Int) -> Double {
    let (bits, divisor) = (mantissa.leadingZeroBitCount, fives[places])
    let divisorBits = divisor.leadingZeroBitCount
    // The quotient of both, moved to the left end of a word, has at least 63 bits, ten more than a double.
    let dividend = mantissa << bits
    let (quotient, rest) = (divisor << divisorBits).dividingFullWidth((dividend >> 1, dividend << 63))
    // The rest only matters where the bits behind those of a double are a half.
    let rounded = Double(rest == 0 ? quotient : quotient | 1)
    return rounded * Double(sign: .plus, exponent: divisorBits - bits - places - 63, significand: 1)
  }

  /// The powers of five that a word has room for.
  private static let fives: [UInt64] = (0...27).map { count in (0..<count).reduce(1) { power, _ in power * 5 }
  }
}

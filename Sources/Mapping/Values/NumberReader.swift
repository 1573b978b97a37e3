import Bytes
import Foundation
import ObjectStore

/// Reads numbers from texts without losing digits; what would lose some is refused.
enum NumberReader {
  /// A whole number: `42`, `-7`, or with no digits but zeros behind the point: `42.0`, `4.2e1`.
  static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    if let value = plainInteger(text) { return value }
    guard let number = DecimalNumber(text), number.exponent >= 0, number.exponent <= 19 else { return nil }
    var magnitude: UInt64 = 0
    for place in 0..<(number.digits.count + number.exponent) {
      let digit = place < number.digits.count ? number.digits[place] - 0x30 : 0
      let (product, tooLarge) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, tooLargeStill) = product.addingReportingOverflow(UInt64(digit))
      if tooLarge || tooLargeStill { return nil }
      magnitude = sum
    }
    if number.isNegative {
      return magnitude <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }
    return Int64(exactly: magnitude)
  }

  /// A whole number of at most 18 digits and nothing else but a minus.
  private static func plainInteger(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative ? UnsafeBufferPointer(rebasing: text.dropFirst()) : text
    guard (1...18).contains(digits.count) else { return nil }
    var value: Int64 = 0
    for byte in digits {
      let digit = byte &- 0x30
      guard digit <= 9 else { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    return isNegative ? -value : value
  }

  /// A number with a fraction. Integers that a double cannot hold exactly are refused. Digits behind the point are
  /// rounded, as in every double.
  static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let number = DecimalNumber(text) else { return nil }
    if let value = shortDouble(number) { return value }
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
    let isLargeInteger = number.exponent >= 0 && value.magnitude >= 9_007_199_254_740_992
    return !isLargeInteger || isWritten(number, value) ? value : nil
  }

  /// Whether a large integer is what its double holds: exactly, or as the shortest way to write that double, such as
  /// `1e300`.
  private static func isWritten(_ number: DecimalNumber, _ value: Double) -> Bool {
    for text in [value.description, String(format: "%.0f", value)] {
      let isSame = Array(text.utf8).withUnsafeBufferPointer { bytes in
        guard let shown = DecimalNumber(bytes) else { return false }
        return shown.exponent == number.exponent && shown.digits.elementsEqual(number.digits)
      }
      if isSame { return true }
    }
    return false
  }

  /// The powers of ten that a double holds exactly.
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]

  /// Reads a number of few digits by one operation on two exact doubles, so that the result is the nearest double
  /// (Clinger's fast path).
  private static func shortDouble(_ number: DecimalNumber) -> Double? {
    guard (-22...22).contains(number.exponent), let mantissa = number.shortMantissa else { return nil }
    let value = Double(number.isNegative ? -mantissa : mantissa)
    if mantissa == 0 { return number.isNegative ? -0.0 : 0 }
    return number.exponent < 0 ? value / powers[-number.exponent] : value * powers[number.exponent]
  }
}

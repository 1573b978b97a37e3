#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

import Bytes
import Foundation

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

  /// Reads a number of few digits by one operation on two exact doubles, so that the result is the nearest double
  /// (Clinger's fast path).
  private static func shortDouble(_ number: DecimalNumber) -> Double? {
    guard (-22...22).contains(number.exponent), let mantissa = number.shortMantissa else { return nil }
    let value = Double(number.isNegative ? -mantissa : mantissa)
    if mantissa == 0 { return number.isNegative ? -0.0 : 0 }
    return number.exponent < 0 ? value / powers[-number.exponent] : value * powers[number.exponent]
  }
}

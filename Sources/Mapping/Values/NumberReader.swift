import Bytes
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
}

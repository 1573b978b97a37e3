import Bytes
import Foundation

/// Reads numbers from texts without losing anything, or not at all.
enum NumberReader {
  /// An integer written as one: `42`, `-7`, or with nothing behind the point: `42.0`, `4.2e1`.
  static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
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

  /// A number with a fraction. Integers beyond what a double can hold exactly are refused; digits behind the
  /// point are rounded, as every double rounds them.
  static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let number = DecimalNumber(text) else { return nil }
    if let value = shortDouble(number) { return value }
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
    let isLargeInteger = number.exponent >= 0 && value.magnitude > 9_007_199_254_740_992
    return !isLargeInteger || isWritten(number, value) ? value : nil
  }

  /// Whether a large integer is the double that its digits stand for: exactly, or as the shortest way to write
  /// that double, as in `1e300`.
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

  /// Powers of ten that a double holds exactly.
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]

  /// A number of few digits, by one operation on two doubles that are exact, so that the result is the
  /// nearest (Clinger's fast path).
  private static func shortDouble(_ number: DecimalNumber) -> Double? {
    guard number.digits.count <= 15, (-22...22).contains(number.exponent) else { return nil }
    var mantissa: Int64 = 0
    for digit in number.digits { mantissa = mantissa &* 10 &+ Int64(digit - 0x30) }
    let value = Double(number.isNegative ? -mantissa : mantissa)
    if mantissa == 0 { return number.isNegative ? -0.0 : 0 }
    return number.exponent < 0 ? value / powers[-number.exponent] : value * powers[number.exponent]
  }
}

/// The digits of a number and where its point is: `digits × 10^exponent`, without zeros at either end.
struct DecimalNumber {
  var isNegative = false
  /// The digits from the first to the last that is not zero, the point left out; none for zero.
  private(set) var digits: Digits
  private(set) var exponent = 0

  /// Digits in a text that may have a point among them.
  struct Digits: RandomAccessCollection {
    fileprivate let bytes: UnsafeBufferPointer<UInt8>
    /// Where the point is, or past the end.
    fileprivate let point: Int

    var startIndex: Int { 0 }
    var endIndex: Int { bytes.count - (point < bytes.count ? 1 : 0) }
    subscript(index: Int) -> UInt8 { bytes[index < point ? index : index + 1] }
  }

  /// Reads `[+-]digits[.digits][e[+-]digits]`, as JSON writes numbers and a little more: `+1`, `01`, `.5`, `5.`.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
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
      if TextCursor.isDigit(text[index]) {
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
      guard TextCursor.isDigit(text[index]) else { return nil }
      value = value * 10 + Int(text[index] - 0x30)
      index += 1
    }
    return isNegative ? -value : value
  }

  /// Appends the number in the one form that the store has for it: `-0.5`, `1200`, no zeros that say nothing.
  /// False if that would take more than 200 places.
  func append(to bytes: inout ByteBuffer) -> Bool {
    guard digits.count + abs(exponent) <= 200 else { return false }
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

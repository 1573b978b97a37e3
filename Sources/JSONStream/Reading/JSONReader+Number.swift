extension JSONReader {
  /// Reads a number that starts at the cursor, and its value if it is an integer.
  mutating func readNumber() throws(JSONError) {
    textIsScratch = false
    textStart = cursor
    let isNegative = window.base[cursor] == UInt8(ascii: "-")
    if isNegative { cursor += 1 }
    let magnitude = try readInteger()
    var isInteger = true
    if try numberByte() == UInt8(ascii: ".") {
      isInteger = false
      cursor += 1
      try readDigits()
    }
    if try numberByte() | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      cursor += 1
      let sign = try numberByte()
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { cursor += 1 }
      try readDigits()
    }
    textCount = cursor - textStart
    setInteger(magnitude, isNegative: isNegative, isInteger: isInteger)
  }

  private mutating func setInteger(_ magnitude: UInt64?, isNegative: Bool, isInteger: Bool) {
    numberIsInteger = false
    guard isInteger, let magnitude else { return }
    if isNegative {
      guard magnitude <= UInt64(Int64.max) + 1 else { return }
      integer = Int64(truncatingIfNeeded: 0 &- magnitude)
    } else {
      guard magnitude <= UInt64(Int64.max) else { return }
      integer = Int64(magnitude)
    }
    numberIsInteger = true
  }

  /// Reads the digits before the point; nil if they are too many for 64 bits.
  private mutating func readInteger() throws(JSONError) -> UInt64? {
    if try numberByte() == UInt8(ascii: "0") {
      cursor += 1
      let next = try numberByte() &- UInt8(ascii: "0")
      if next <= 9 { throw error(.invalidNumber) }
      return 0
    }
    var value: UInt64 = 0
    var overflows = false
    var count = 0
    while true {
      let digit = window.base[cursor] &- UInt8(ascii: "0")
      if digit <= 9 {
        count += 1
        if count <= 18 {
          value = value &* 10 &+ UInt64(digit)
        } else {
          let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
          let (sum, tooLargeStill) = product.addingReportingOverflow(UInt64(digit))
          overflows = overflows || tooLarge || tooLargeStill
          value = sum
        }
        cursor += 1
      } else if cursor == window.count, try refill(keeping: textStart) {
        continue
      } else {
        guard count > 0 else { throw error(numberEnded) }
        return overflows ? nil : value
      }
    }
  }

  private mutating func readDigits() throws(JSONError) {
    var count = 0
    while try numberByte() &- UInt8(ascii: "0") <= 9 {
      cursor += 1
      count += 1
    }
    guard count > 0 else { throw error(numberEnded) }
  }

  /// The byte at the cursor, fetched if need be while the number so far is kept.
  @inline(__always)
  private mutating func numberByte() throws(JSONError) -> UInt8 {
    if cursor == window.count { _ = try refill(keeping: textStart) }
    return window.base[cursor]
  }

  private var numberEnded: JSONError.Kind {
    cursor == window.count ? .unexpectedEnd(expected: "a digit") : .invalidNumber
  }
}

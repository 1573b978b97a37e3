#if PostgreSQL
  /// Where the digits of a decimal number stand in its text: `-12.50e3`.
  struct DecimalText {
    var isNegative = false
    /// The digits and at most one point, without sign and exponent.
    var mantissa: Range<Int> = 0..<0
    var pointIndex: Int?
    var exponent = 0

    /// The number of digits before the point, with the exponent.
    var integerDigits: Int { (pointIndex ?? mantissa.upperBound) - mantissa.lowerBound + exponent }

    /// The number of digits behind the point that the number shows.
    var scale: Int {
      let written = pointIndex.map { mantissa.upperBound - $0 - 1 } ?? 0
      return max(0, written - exponent)
    }

    /// The number of digits in the mantissa.
    var digitCount: Int { mantissa.count - (pointIndex == nil ? 0 : 1) }

    /// Reads a sign, digits with at most one point, and an exponent. There must be a digit.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
      var index = 0
      if let first = text.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
        isNegative = first == UInt8(ascii: "-")
        index = 1
      }
      let begin = index
      while index < text.count {
        if text[index] == UInt8(ascii: "."), pointIndex == nil {
          pointIndex = index
        } else if !Self.isDigit(text[index]) {
          break
        }
        index += 1
      }
      mantissa = begin..<index
      guard digitCount > 0 else { return nil }
      guard index < text.count else { return }
      guard let exponent = Self.exponent(text, from: index) else { return nil }
      self.exponent = exponent
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// The exponent that begins with `e` at an index and ends with the text.
    private static func exponent(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
      guard text[start] | 0x20 == UInt8(ascii: "e") else { return nil }
      var index = start + 1
      var isNegative = false
      if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
        isNegative = text[index] == UInt8(ascii: "-")
        index += 1
      }
      guard index < text.count else { return nil }
      var value = 0
      while index < text.count {
        guard isDigit(text[index]) else { return nil }
        // Larger ones are refused in any case: the value only has to stay too large.
        value = min(value * 10 + Int(text[index] - UInt8(ascii: "0")), 1_000_000)
        index += 1
      }
      return isNegative ? -value : value
    }
  }
#endif

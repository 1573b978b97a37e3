#if PostgreSQL
  /// The binary form of `numeric`: the number of groups of four digits, the weight of the first group, the
  /// sign, the number of digits shown behind the point, then the groups.
  enum NumericForm {
    static let negative: UInt16 = 0x4000
    static let notANumber: UInt16 = 0xC000
    static let infinity: UInt16 = 0xD000
    static let negativeInfinity: UInt16 = 0xF000
    /// The limits of the server: digits before the point and behind it.
    static let maximumIntegerDigits = 131_072
    static let maximumScale = 16_383
  }

  extension PostgreSQLBuffer {
    /// Appends the binary form of a decimal number, of `NaN` or of an infinity. All digits are kept.
    /// - Throws: `notNumeric`, also for numbers that the type cannot hold.
    func append(numeric text: UnsafeBufferPointer<UInt8>) throws(PostgreSQLDataError) {
      if let sign = Self.specialSign(text) {
        return appendNumericHeader(groups: 0, weight: 0, sign, scale: 0)
      }
      guard let decimal = DecimalText(text), decimal.scale <= NumericForm.maximumScale else {
        throw .notNumeric
      }
      guard let digits = SignificantDigits(decimal, text) else {
        return appendNumericHeader(groups: 0, weight: 0, 0, scale: decimal.scale)
      }
      guard digits.integerDigits <= NumericForm.maximumIntegerDigits else { throw .notNumeric }
      let sign = decimal.isNegative ? NumericForm.negative : 0
      appendNumericHeader(groups: digits.groupCount, weight: digits.weight, sign, scale: decimal.scale)
      appendGroups(of: digits, text)
    }

    private func appendNumericHeader(groups: Int, weight: Int, _ sign: UInt16, scale: Int) {
      reserve(8 + groups * 2)
      append(bigEndian: Int16(truncatingIfNeeded: groups))
      append(bigEndian: Int16(truncatingIfNeeded: weight))
      append(bigEndian: sign)
      append(bigEndian: UInt16(truncatingIfNeeded: scale))
    }

    private func appendGroups(of digits: SignificantDigits, _ text: UnsafeBufferPointer<UInt8>) {
      // The first group may have fewer than four digits, and the last is filled with zeros.
      var group: Int16 = 0
      var missing = digits.firstGroupLength
      for index in digits.range where text[index] != UInt8(ascii: ".") {
        group = group * 10 + Int16(text[index] - UInt8(ascii: "0"))
        missing -= 1
        if missing == 0 {
          append(bigEndian: group)
          (group, missing) = (0, 4)
        }
      }
      guard missing < 4 else { return }
      while missing > 0 {
        group *= 10
        missing -= 1
      }
      append(bigEndian: group)
    }

    /// The sign of a value that is no number, in any case: `NaN`, `Infinity`, `-inf`.
    private static func specialSign(_ text: UnsafeBufferPointer<UInt8>) -> UInt16? {
      guard let first = text.first, text.count <= 9 else { return nil }
      let isSigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
      let word = UnsafeBufferPointer(rebasing: text[(isSigned ? 1 : 0)...])
      func says(_ other: StaticString) -> Bool {
        word.count == other.utf8CodeUnitCount
          && word.indices.allSatisfy { word[$0] | 0x20 == other.utf8Start[$0] }
      }
      if says("infinity") || says("inf") {
        return first == UInt8(ascii: "-") ? NumericForm.negativeInfinity : NumericForm.infinity
      }
      return !isSigned && says("nan") ? NumericForm.notANumber : nil
    }
  }

  /// The digits of a number from the first to the last one that is not zero, and the groups they fall into.
  private struct SignificantDigits {
    var range: Range<Int>
    /// The number of digits before the point, counted from the first digit. It may be negative.
    var integerDigits: Int
    var digitCount: Int

    /// Groups are counted from the point: the first holds what is left of a whole number of groups.
    var firstGroupLength: Int {
      let rest = integerDigits % 4
      return rest > 0 ? rest : rest + 4
    }

    var groupCount: Int { 1 + max(0, digitCount - firstGroupLength + 3) / 4 }

    /// The power of 10,000 of the first group.
    var weight: Int {
      let last = integerDigits - firstGroupLength
      return last / 4
    }

    /// - Returns: `nil` for zero.
    init?(_ decimal: DecimalText, _ text: UnsafeBufferPointer<UInt8>) {
      func counts(_ index: Int) -> Bool {
        text[index] != UInt8(ascii: "0") && text[index] != UInt8(ascii: ".")
      }
      guard let first = decimal.mantissa.first(where: counts), let last = decimal.mantissa.last(where: counts)
      else { return nil }
      let range = first..<last + 1
      self.range = range
      let point = decimal.pointIndex
      let skipped = first - decimal.mantissa.lowerBound - ((point ?? .max) < first ? 1 : 0)
      integerDigits = decimal.integerDigits - skipped
      digitCount = range.count - (point.map { range.contains($0) } ?? false ? 1 : 0)
    }
  }

  extension PostgreSQLField {
    /// Appends a `numeric` as text, with all the digits it shows: `1.10`, `NaN`, `-Infinity`.
    package func appendNumeric(to text: inout [UInt8]) throws(PostgreSQLDataError) {
      let bytes = try self.bytes()
      guard bytes.count >= 8 else { throw .malformed(type: "numeric") }
      func word(_ index: Int) -> Int {
        Int(bytes[index * 2]) << 8 | Int(bytes[index * 2 + 1])
      }
      let groups = word(0)
      let weight = Int(Int16(truncatingIfNeeded: word(1)))
      let scale = word(3)
      guard bytes.count == 8 + groups * 2, scale <= NumericForm.maximumScale else {
        throw .malformed(type: "numeric")
      }
      switch UInt16(word(2)) {
      case 0: break
      case NumericForm.negative: text.append(UInt8(ascii: "-"))
      case NumericForm.notANumber: return text.append(contentsOf: "NaN".utf8)
      case NumericForm.infinity: return text.append(contentsOf: "Infinity".utf8)
      case NumericForm.negativeInfinity: return text.append(contentsOf: "-Infinity".utf8)
      default: throw .malformed(type: "numeric")
      }
      for index in 0..<groups where word(4 + index) > 9999 { throw .malformed(type: "numeric") }
      /// The group that stands for a power of 10,000: zero where none was sent.
      func group(_ power: Int) -> Int {
        let index = weight - power
        return index >= 0 && index < groups ? word(4 + index) : 0
      }
      Self.appendInteger(weight: weight, group, to: &text)
      Self.appendFraction(scale: scale, group, to: &text)
    }

    private static func appendInteger(weight: Int, _ group: (Int) -> Int, to text: inout [UInt8]) {
      guard weight >= 0 else { return text.append(UInt8(ascii: "0")) }
      var isLeading = true
      for power in stride(from: weight, through: 0, by: -1) {
        let value = group(power)
        var divisor = 1000
        while divisor > 0 {
          let digit = value / divisor % 10
          // The very last digit stays, so that zero is written as 0.
          if digit != 0 || !isLeading || (power == 0 && divisor == 1) {
            text.append(UInt8(ascii: "0") + UInt8(digit))
            isLeading = false
          }
          divisor /= 10
        }
      }
    }

    private static func appendFraction(scale: Int, _ group: (Int) -> Int, to text: inout [UInt8]) {
      guard scale > 0 else { return }
      text.append(UInt8(ascii: "."))
      var written = 0
      var power = -1
      while written < scale {
        let value = group(power)
        var divisor = 1000
        while divisor > 0, written < scale {
          text.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
          written += 1
          divisor /= 10
        }
        power -= 1
      }
    }
  }

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

#if PostgreSQL
  /// The binary form of `numeric`: the number of groups of four digits, the weight of the first group, the
  /// sign, the number of digits shown behind the point, then the groups.
  enum NumericForm {
    static let negative: UInt16 = 0x4000
    static let notANumber: UInt16 = 0xC000
    static let infinity: UInt16 = 0xD000
    static let negativeInfinity: UInt16 = 0xF000
    /// What the server can hold: digits before the point and behind it.
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
#endif

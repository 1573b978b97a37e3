#if PostgreSQL
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
#endif

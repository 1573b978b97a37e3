#if PostgreSQL
  /// The 16 bytes of a UUID.
  package struct PostgreSQLUUID: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    @inlinable
    package init(high: UInt64, low: UInt64) {
      self.high = high
      self.low = low
    }

    /// Reads 32 hexadecimal digits in either case, with the four hyphens or without any.
    package init?(text: UnsafeBufferPointer<UInt8>) {
      guard text.count == 36 || text.count == 32 else { return nil }
      let hasHyphens = text.count == 36
      var halves: (UInt64, UInt64) = (0, 0)
      var digits = 0
      for (index, byte) in text.enumerated() {
        if hasHyphens, index == 8 || index == 13 || index == 18 || index == 23 {
          guard byte == UInt8(ascii: "-") else { return nil }
          continue
        }
        guard let value = Self.value(ofDigit: byte) else { return nil }
        if digits < 16 {
          halves.0 = halves.0 << 4 | value
        } else {
          halves.1 = halves.1 << 4 | value
        }
        digits += 1
      }
      self.init(high: halves.0, low: halves.1)
    }

    /// Appends the 36 characters of the usual form, in lower case.
    package func append(to text: inout [UInt8]) {
      for index in 0..<32 {
        if index == 8 || index == 12 || index == 16 || index == 20 { text.append(UInt8(ascii: "-")) }
        let half = index < 16 ? high : low
        let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - index % 16 * 4)) & 15
        text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }

    private static func value(ofDigit byte: UInt8) -> UInt64? {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
      default: nil
      }
    }
  }
#endif

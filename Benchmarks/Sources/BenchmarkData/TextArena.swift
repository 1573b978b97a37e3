/// Where a piece of UTF-8 lies in a ``TextArena``.
package struct Text: Sendable {
  package var offset: Int
  package var count: Int
}

/// All text of a set of rows in one array, so that half a million rows cost no allocation each.
package struct TextArena: Sendable {
  package private(set) var bytes: [UInt8] = []

  /// Appends whatever `body` writes and says where it lies.
  mutating func append(_ body: (inout [UInt8]) -> Void) -> Text {
    let offset = bytes.count
    body(&bytes)
    return Text(offset: offset, count: bytes.count - offset)
  }

  package subscript(text: Text) -> ArraySlice<UInt8> {
    bytes[text.offset..<text.offset + text.count]
  }
}

extension [UInt8] {
  /// Appends a number in decimal, with zeros in front up to `width`.
  mutating func append(_ number: Int, width: Int = 1) {
    var digits = Array(String(number).utf8)
    while digits.count < width { digits.insert(UInt8(ascii: "0"), at: 0) }
    append(contentsOf: digits)
  }

  mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a moment of the years 2000 to 2024 as SQLite writes it: `2019-04-12 08:33:21`.
  mutating func appendMoment(_ random: inout Randomness) {
    append(2000 + random.below(25))
    append("-")
    append(1 + random.below(12), width: 2)
    append("-")
    append(1 + random.below(28), width: 2)
    append(" ")
    append(random.below(24), width: 2)
    append(":")
    append(random.below(60), width: 2)
    append(":")
    append(random.below(60), width: 2)
  }
}

package import Bytes

/// A place in the bytes of a text that is being read.
package struct TextCursor {
  private let bytes: UnsafeBufferPointer<UInt8>
  package private(set) var index = 0

  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  package var isAtEnd: Bool { index >= bytes.count }
  /// The next byte; 0 at the end.
  package var next: UInt8 { index < bytes.count ? bytes[index] : 0 }
  package var rest: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[index...]) }

  package func peek(_ distance: Int) -> UInt8 {
    index + distance < bytes.count ? bytes[index + distance] : 0
  }

  package mutating func skip(_ count: Int = 1) { index += count }

  package mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte, !isAtEnd else { return false }
    index += 1
    return true
  }

  @inlinable package static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }
  @inlinable package static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  /// How many digits come next.
  package var digitCount: Int {
    var count = 0
    while Self.isDigit(peek(count)) { count += 1 }
    return count
  }

  /// Reads a number of exactly so many digits.
  package mutating func digits(_ count: Int) -> Int? {
    guard count <= bytes.count - index, let start = bytes.baseAddress else { return nil }
    var value = 0
    for place in index..<index + count {
      let digit = start[place] &- 0x30
      guard digit <= 9 else { return nil }
      value = value &* 10 &+ Int(digit)
    }
    index += count
    return value
  }

  /// Reads a number of at least one and at most so many digits.
  package mutating func number(upTo most: Int) -> Int? {
    let count = min(digitCount, most)
    return count > 0 ? digits(count) : nil
  }

  /// Reads a word of letters, in lower case.
  package mutating func word() -> String? {
    var letters: [UInt8] = []
    while Self.isLetter(next), !isAtEnd {
      letters.append(next | 0x20)
      index += 1
    }
    return letters.isEmpty ? nil : String(decoding: letters, as: UTF8.self)
  }

  /// Reads a point or comma and the digits behind it, if they come next.
  package mutating func fraction(into time: inout CivilTime) -> Bool {
    guard next == UInt8(ascii: ".") || next == UInt8(ascii: ","), Self.isDigit(peek(1)) else { return false }
    index += 1
    let count = digitCount
    time.setFraction(bytes[index..<index + count])
    index += count
    return true
  }

  /// Reads `Z`, `+01:00`, `+0100`, `+01` or the name of a zone that is UTC; seconds east of UTC.
  package mutating func offset() -> Int? {
    if next | 0x20 == UInt8(ascii: "z"), !Self.isLetter(peek(1)) {
      index += 1
      return 0
    }
    guard next == UInt8(ascii: "+") || next == UInt8(ascii: "-") else { return namedOffset() }
    let sign = next == UInt8(ascii: "-") ? -1 : 1
    index += 1
    guard let hours = digits(2), hours <= 18 else { return nil }
    var minutes = 0
    let mark = index
    _ = skip(UInt8(ascii: ":"))
    if let given = digits(2), given < 60 { minutes = given } else { index = mark }
    return sign * (hours * 3600 + minutes * 60)
  }

  private mutating func namedOffset() -> Int? {
    let mark = index
    if let name = word(), ["gmt", "utc", "ut", "z"].contains(name) { return 0 }
    index = mark
    return nil
  }
}

/// UUIDs in the one form that the store has for them: lower case, with hyphens.
package enum UUIDText {
  /// Appends a UUID as the store writes it. False if the text is none; then the buffer may have a part of it.
  package static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout ByteBuffer) -> Bool {
    var digits = 0
    let hasBraces = text.first == UInt8(ascii: "{") && text.last == UInt8(ascii: "}") && text.count == 38
    let bare = hasBraces ? text[1..<37] : text[...]
    guard bare.count == 32 || bare.count == 36 else { return false }
    for (place, byte) in bare.enumerated() {
      let isHyphen = byte == UInt8(ascii: "-")
      if bare.count == 36, [8, 13, 18, 23].contains(place) {
        guard isHyphen else { return false }
        continue
      }
      let lower = (byte | 0x20) &- 0x61 < 26 ? byte | 0x20 : byte
      guard digits < 32, lower &- 0x30 <= 9 || (0x61...0x66).contains(lower) else { return false }
      if digits == 8 || digits == 12 || digits == 16 || digits == 20 { bytes.append(UInt8(ascii: "-")) }
      bytes.append(lower)
      digits += 1
    }
    return digits == 32
  }
}

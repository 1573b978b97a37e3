import Bytes

extension JSONReader {
  /// Reads a string whose opening quote is at the cursor.
  mutating func readString() throws(JSONError) {
    cursor += 1
    textIsScratch = false
    textStart = cursor
    while true {
      let byte = plainBytesEnd()
      switch byte {
      case UInt8(ascii: "\""):
        textCount = cursor - textStart
        cursor += 1
        return
      case UInt8(ascii: "\\"):
        return try readEscapedString()
      case 0 where cursor == window.count:
        guard try refill(keeping: textStart) else {
          throw error(.unexpectedEnd(expected: "the end of a string"))
        }
      case ..<0x20:
        throw error(.controlCharacter(byte))
      default:
        try skipScalar(keeping: textStart)
      }
    }
  }

  /// Goes on with a string that has escapes, copying it to the scratch bytes.
  private mutating func readEscapedString() throws(JSONError) {
    scratch.removeAll()
    flushPlainBytes()
    while true {
      let byte = plainBytesEnd()
      switch byte {
      case UInt8(ascii: "\""):
        flushPlainBytes()
        cursor += 1
        textIsScratch = true
        textCount = scratch.count
        return
      case UInt8(ascii: "\\"):
        flushPlainBytes()
        try readEscape()
        textStart = cursor
      case 0 where cursor == window.count:
        flushPlainBytes()
        guard try refill(keeping: cursor) else {
          throw error(.unexpectedEnd(expected: "the end of a string"))
        }
        textStart = cursor
      case ..<0x20:
        throw error(.controlCharacter(byte))
      default:
        try skipScalar(keeping: textStart)
      }
    }
  }

  private mutating func flushPlainBytes() {
    scratch.append(UnsafeBufferPointer(start: window.base + textStart, count: cursor - textStart))
    textStart = cursor
  }

  /// Moves to the next byte that is a quote, a backslash, a control character or not ASCII; returns it.
  @inline(__always)
  private mutating func plainBytesEnd() -> UInt8 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    var index = cursor
    while true {
      // The zeros behind the window stop the loop and make reading past its end safe.
      let word = window.word(at: index)
      let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
      let slashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
      let found =
        (((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
          | ((word &- (ones &* 0x20)) & ~word) | word) & highs
      if found != 0 {
        index += found.trailingZeroBitCount >> 3
        cursor = index
        return window.base[index]
      }
      index += 8
    }
  }

  /// Moves over one character outside ASCII, checking that it is UTF-8.
  private mutating func skipScalar(keeping start: Int) throws(JSONError) {
    var length = scalarLength()
    if length == 0, window.count - cursor < 4 {
      // Its end may not have arrived yet.
      let distance = cursor - start
      while window.count - cursor < 4 {
        let count = window.count - cursor
        _ = try refill(keeping: cursor - distance)
        if window.count - cursor == count { break }
      }
      length = scalarLength()
    }
    guard length > 0 else { throw error(.invalidUTF8) }
    cursor += length
  }

  /// The length of the well-formed sequence of UTF-8 at the cursor, as Unicode's table 3-7 has them; 0 if
  /// there is none.
  private func scalarLength() -> Int {
    let bytes = window.base + cursor
    let first = bytes[0]
    func continues(_ index: Int) -> Bool { bytes[index] & 0xC0 == 0x80 }
    switch first {
    case 0xC2...0xDF:
      return continues(1) ? 2 : 0
    case 0xE0...0xEF:
      let isValid =
        switch first {
        case 0xE0: bytes[1] >= 0xA0
        case 0xED: bytes[1] < 0xA0
        default: true
        }
      return isValid && continues(1) && continues(2) ? 3 : 0
    case 0xF0...0xF4:
      let isValid =
        switch first {
        case 0xF0: bytes[1] >= 0x90
        case 0xF4: bytes[1] < 0x90
        default: true
        }
      return isValid && continues(1) && continues(2) && continues(3) ? 4 : 0
    default:
      return 0
    }
  }

  // MARK: - Escapes

  /// Reads an escape whose backslash is at the cursor and appends what it stands for.
  private mutating func readEscape() throws(JSONError) {
    try need(2)
    let letter = window.base[cursor + 1]
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(letter)
    case UInt8(ascii: "b"): scratch.append(0x08)
    case UInt8(ascii: "f"): scratch.append(0x0C)
    case UInt8(ascii: "n"): scratch.append(0x0A)
    case UInt8(ascii: "r"): scratch.append(0x0D)
    case UInt8(ascii: "t"): scratch.append(0x09)
    case UInt8(ascii: "u"): return try readUnicodeEscape()
    default: throw error(.invalidEscape)
    }
    cursor += 2
  }

  private mutating func readUnicodeEscape() throws(JSONError) {
    let unit = try readHexadecimal()
    var scalar = UInt32(unit)
    if unit & 0xFC00 == 0xD800 {
      scalar =
        try readLowSurrogate().map { 0x10000 + ((scalar & 0x3FF) << 10) + (UInt32($0) & 0x3FF) } ?? 0xFFFD
    }
    let character = Unicode.Scalar(scalar) ?? "\u{FFFD}"
    for byte in UTF8.encode(character) ?? UTF8.encodedReplacementCharacter { scratch.append(byte) }
  }

  /// Reads an escaped low surrogate, if there is one at the cursor.
  private mutating func readLowSurrogate() throws(JSONError) -> UInt16? {
    while window.count - cursor < 6 {
      let count = window.count - cursor
      _ = try refill(keeping: cursor)
      if window.count - cursor == count { return nil }
    }
    let bytes = window.base + cursor
    guard bytes[0] == UInt8(ascii: "\\"), bytes[1] == UInt8(ascii: "u"),
      bytes[2] | 0x20 == UInt8(ascii: "d"), Self.digit(bytes[3]) ?? 0 >= 0xC
    else { return nil }
    return try readHexadecimal()
  }

  /// Reads `\uXXXX` at the cursor.
  private mutating func readHexadecimal() throws(JSONError) -> UInt16 {
    try need(6)
    var value: UInt16 = 0
    for index in 2..<6 {
      guard let digit = Self.digit(window.base[cursor + index]) else { throw error(.invalidEscape) }
      value = value << 4 | UInt16(digit)
    }
    cursor += 6
    return value
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Makes sure that `count` bytes from the cursor on are in the window.
  private mutating func need(_ count: Int) throws(JSONError) {
    while window.count - cursor < count {
      let available = window.count - cursor
      _ = try refill(keeping: cursor)
      guard window.count - cursor > available else {
        throw error(.unexpectedEnd(expected: "the end of a string"))
      }
    }
  }
}

/// UTF-16 or UTF-32, in either order of bytes.
enum WideEncoding: Sendable, Hashable {
  case utf16(isBigEndian: Bool)
  case utf32(isBigEndian: Bool)

  /// The encoding that a byte order mark tells; nil if there is none, or that of UTF-8.
  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xFE, 0x00, 0x00]) {
      self = .utf32(isBigEndian: false)
    } else if bytes.starts(with: [0x00, 0x00, 0xFE, 0xFF]) {
      self = .utf32(isBigEndian: true)
    } else if bytes.starts(with: [0xFF, 0xFE]) {
      self = .utf16(isBigEndian: false)
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      self = .utf16(isBigEndian: true)
    } else {
      return nil
    }
  }

  /// The bytes of a unit.
  var width: Int {
    switch self {
    case .utf16: 2
    case .utf32: 4
    }
  }

  var isBigEndian: Bool {
    switch self {
    case .utf16(let isBigEndian), .utf32(let isBigEndian): isBigEndian
    }
  }
}

/// Text in UTF-16 or UTF-32 as UTF-8, without its byte order mark.
final class WideTextSource: ByteSource {
  private var source: any ByteSource
  private let encoding: WideEncoding
  private let input: UnsafeMutableRawBufferPointer
  private static let inputSize = 1 << 16
  /// The bytes of the input that are not yet used.
  private var start = 0
  private var end = 0
  private var isExhausted = false
  /// The first half of a surrogate pair.
  private var high: UInt32?
  private var place = SourcePlace(offset: 0, line: 1, column: 0)

  init(_ source: any ByteSource, _ encoding: WideEncoding) {
    self.source = source
    self.encoding = encoding
    input = .allocate(byteCount: Self.inputSize, alignment: 4)
  }

  deinit {
    input.deallocate()
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    let width = encoding.width
    var count = 0
    // A character takes four bytes at most.
    while count + 4 <= buffer.count {
      if end - start < width {
        if count > 0 { return count }
        guard try refill() else { return 0 }
        continue
      }
      guard let scalar = try nextScalar() else { continue }
      count += Self.encode(scalar, at: count, of: buffer)
    }
    return count
  }

  /// Gets more bytes. False at the end.
  private func refill() throws(SourceError) -> Bool {
    guard !isExhausted else { return try end(start == end && high == nil) }
    let rest = end - start
    if rest > 0, let base = input.baseAddress { base.copyMemory(from: base + start, byteCount: rest) }
    (start, end) = (0, rest)
    let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: input[rest...]))
    end += count
    isExhausted = count == 0
    return isExhausted ? try end(end == 0 && high == nil) : true
  }

  private func end(_ isWhole: Bool) throws(SourceError) -> Bool {
    guard isWhole else { throw broken("it ends inside a character") }
    return false
  }

  /// The next character; nil for a byte order mark and for the first half of a surrogate pair.
  private func nextScalar() throws(SourceError) -> UInt32? {
    let unit = nextUnit()
    if let first = high {
      guard encoding.width == 2, 0xDC00...0xDFFF ~= unit else { throw brokenPair() }
      high = nil
      return 0x1_0000 + ((first - 0xD800) << 10) + (unit - 0xDC00)
    }
    move(over: unit)
    switch unit {
    case 0xD800...0xDBFF where encoding.width == 2:
      high = unit
      return nil
    case 0xD800...0xDFFF: throw brokenPair()
    case 0x11_0000...: throw broken("found a number that is no character of Unicode")
    case 0xFEFF where place.offset == encoding.width: return nil
    default: return unit
    }
  }

  private func nextUnit() -> UInt32 {
    defer {
      start += encoding.width
      place.offset += encoding.width
    }
    if encoding.width == 2 {
      let unit = input.loadUnaligned(fromByteOffset: start, as: UInt16.self)
      return UInt32(encoding.isBigEndian ? UInt16(bigEndian: unit) : UInt16(littleEndian: unit))
    }
    let unit = input.loadUnaligned(fromByteOffset: start, as: UInt32.self)
    return encoding.isBigEndian ? UInt32(bigEndian: unit) : UInt32(littleEndian: unit)
  }

  private func move(over unit: UInt32) {
    if unit == 0x0A {
      place.line += 1
      place.column = 0
    } else if unit != 0xFEFF || place.offset > encoding.width {
      place.column += 1
    }
  }

  private func brokenPair() -> SourceError {
    broken("found half of a surrogate pair without the other half")
  }

  private func broken(_ message: String) -> SourceError {
    SourceError("\(message) at \(place)", place: place)
  }

  /// Writes a character and returns how many bytes it takes.
  private static func encode(
    _ scalar: UInt32, at index: Int, of buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    func rest(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: (scalar >> shift) & 0x3F) }
    switch scalar {
    case ..<0x80:
      buffer[index] = UInt8(truncatingIfNeeded: scalar)
      return 1
    case ..<0x800:
      buffer[index] = 0xC0 | UInt8(truncatingIfNeeded: scalar >> 6)
      buffer[index + 1] = rest(0)
      return 2
    case ..<0x1_0000:
      buffer[index] = 0xE0 | UInt8(truncatingIfNeeded: scalar >> 12)
      buffer[index + 1] = rest(6)
      buffer[index + 2] = rest(0)
      return 3
    default:
      buffer[index] = 0xF0 | UInt8(truncatingIfNeeded: scalar >> 18)
      buffer[index + 1] = rest(12)
      buffer[index + 2] = rest(6)
      buffer[index + 3] = rest(0)
      return 4
    }
  }
}

import Bytes

/// Splits a table into records and their fields.
///
/// It holds a part of the input in memory: from the record that it is at on. A structure, since every access to a variable
/// of a class is checked.
struct CSVScanner: ~Copyable {
  /// A field of a record.
  struct Field: BitwiseCopyable {
    /// Where its bytes are, counted from the start of the record, without the quotes around it.
    var start: Int
    var count: Int
    var isQuoted: Bool
    /// Whether it has bytes that JSON escapes, or doubled quotes.
    var needsEscapes: Bool

    /// Whether it is empty and has no quotes.
    var isNull: Bool { count == 0 && !isQuoted }
  }

  /// The class of a byte.
  private enum Class {
    static let separator: UInt8 = 1
    static let lineEnd: UInt8 = 2
    static let quote: UInt8 = 3
    static let escaped: UInt8 = 4
  }

  /// Bytes behind the input that may be read with it.
  private static let padding = 16

  private var source: any ByteSource
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity = 1 << 17
  /// The bytes that are left: from the record to come.
  private var start = 0
  private var end = 0
  private var isExhausted = false
  /// How many bytes of the input lie before those in memory.
  private var offset = 0
  private let classes: UnsafeMutablePointer<UInt8>
  /// The separator in each byte.
  private var separators: UInt64 = 0
  /// Whether JSON escapes the separator, inside quotes.
  private var separatorNeedsEscape = false
  /// Where the record that was read last begins.
  private var record = 0
  /// A longer record is most likely a quote that nothing closes.
  private static let longestRecord = 64 << 20

  private(set) var fields = PlainBuffer<Field>()
  /// The line of the record, from 1.
  private(set) var line = 1
  /// How many lines end in the record and at its end.
  private(set) var linesOfRecord = 0
  /// Whether any field has bytes that JSON escapes.
  private(set) var needsEscapes = false

  /// How many bytes the record has, with the line end behind it.
  var recordCount: Int { start - record }

  init(_ source: any ByteSource) {
    self.source = source
    base = .allocate(capacity: capacity + Self.padding)
    base.initialize(repeating: 0, count: capacity + Self.padding)
    classes = .allocate(capacity: 256)
    classes.initialize(repeating: 0, count: 256)
    for byte in 0..<0x20 { classes[byte] = Class.escaped }
    classes[0x0A] = Class.lineEnd
    classes[0x0D] = Class.lineEnd
    classes[0x22] = Class.quote
    classes[0x5C] = Class.escaped
  }

  deinit {
    base.deallocate()
    classes.deallocate()
  }

  /// Whether the record is a line with nothing in it.
  var isBlank: Bool { fields.count == 1 && fields[0].isNull }

  /// The bytes of a field, with doubled quotes as they stand. Some bytes behind them can be read too.
  @inline(__always)
  func bytes(of field: Field) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + record + field.start, count: field.count)
  }

  /// The text of a field.
  func text(of field: Field) -> String {
    let text = String(decoding: bytes(of: field), as: UTF8.self)
    return field.isQuoted ? text.replacing("\"\"", with: "\"") : text
  }

  // MARK: - Beginning

  /// Passes over a byte order mark, and finds the separator if it is not given.
  mutating func begin(separator: UInt8?) throws(SourceError) {
    while end < 3, !isExhausted { try refill() }
    if end >= 3, base[0] == 0xEF, base[1] == 0xBB, base[2] == 0xBF { start = 3 }
    let found: UInt8
    if let separator { found = separator } else { found = try separatorOfHeader() }
    classes[Int(found)] = Class.separator
    separators = Self.ones &* UInt64(found)
    separatorNeedsEscape = found < 0x20 || found == UInt8(ascii: "\\")
  }

  /// The comma, semicolon or tab that the header has most often outside quotes.
  private mutating func separatorOfHeader() throws(SourceError) -> UInt8 {
    let candidates: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    var counts = [0, 0, 0]
    var (index, isInQuotes, hasText) = (start, false, false)
    while true {
      if index == end {
        guard !isExhausted, end - start < Self.longestRecord else { break }
        let before = start
        try refill()
        index -= before - start
        continue
      }
      let byte = base[index]
      if byte == UInt8(ascii: "\"") { isInQuotes.toggle() }
      let isLineEnd = byte == 0x0A || byte == 0x0D
      if isLineEnd, !isInQuotes, hasText { break }
      if !isLineEnd { hasText = true }
      if !isInQuotes, let place = candidates.firstIndex(of: byte) { counts[place] += 1 }
      index += 1
    }
    let most = max(counts[0], counts[1], counts[2])
    return candidates[counts.firstIndex(of: most) ?? 0]
  }

  // MARK: - Records

  /// Reads the next record. False at the end.
  mutating func next() throws(SourceError) -> Bool {
    line += linesOfRecord
    linesOfRecord = 0
    while true {
      if start < end || !isExhausted, let after = try scan() {
        record = start
        start = after
        return true
      }
      if isExhausted { return false }
      if end - start > Self.longestRecord {
        throw broken("a row is longer than \(Self.longestRecord >> 20) MB; is a quote missing?", at: start)
      }
      try refill()
    }
  }

  /// Splits the record at the start. Returns where the next one begins; nil if more bytes are needed, or at the end.
  private mutating func scan() throws(SourceError) -> Int? {
    fields.removeAll()
    linesOfRecord = 0
    needsEscapes = false
    guard start < end else { return nil }
    var index = start
    while true {
      let isQuoted = index < end && base[index] == UInt8(ascii: "\"")
      guard let after = isQuoted ? try scanQuoted(index) : scanPlain(index) else { return nil }
      index = after
      if index == end { return isExhausted ? index : nil }
      let byte = base[index]
      guard classes[Int(byte)] == Class.separator else {
        linesOfRecord += 1
        return lineEnd(at: index)
      }
      index += 1
      if index == end, !isExhausted { return nil }
    }
  }

  /// Where the next line begins, after a line end at an index; nil if more bytes are needed.
  private func lineEnd(at index: Int) -> Int? {
    guard base[index] == 0x0D else { return index + 1 }
    if index + 1 == end { return isExhausted ? end : nil }
    return base[index + 1] == 0x0A ? index + 2 : index + 1
  }

  /// Scans a field without quotes. Returns where it ends; nil if more bytes are needed.
  @inline(__always)
  private mutating func scanPlain(_ first: Int) -> Int? {
    var index = first
    var hasEscapes = false
    while index < end {
      let special = special(at: index)
      guard special != 0 else {
        index += 8
        continue
      }
      index += special.trailingZeroBitCount >> 3
      guard index < end, classes[Int(base[index])] > Class.lineEnd else { break }
      hasEscapes = true
      index += 1
    }
    index = min(index, end)
    if index == end, !isExhausted { return nil }
    if hasEscapes { needsEscapes = true }
    fields.append(
      Field(start: first - start, count: index - first, isQuoted: false, needsEscapes: hasEscapes))
    return index
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  /// The top bits of the bytes from an index on that are separators, quotes, backslashes or control characters; at least
  /// the lowest is right.
  @inline(__always)
  private func special(at index: Int) -> UInt64 {
    let word = UInt64(
      littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
    // A byte of a difference is zero where there is that character. Subtracting one borrows there.
    let separator = word ^ separators
    let quote = word ^ (Self.ones &* 0x22)
    let backslash = word ^ (Self.ones &* 0x5C)
    let found =
      ((separator &- Self.ones) & ~separator) | ((quote &- Self.ones) & ~quote)
      | ((backslash &- Self.ones) & ~backslash) | ((word &- (Self.ones &* 0x20)) & ~word)
    return found & Self.tops
  }

  /// Scans a field in quotes. Returns where it ends, behind the quote; nil if more bytes are needed.
  private mutating func scanQuoted(_ quote: Int) throws(SourceError) -> Int? {
    var index = quote + 1
    var hasEscapes = false
    while index < end {
      let special = special(at: index)
      guard special != 0 else {
        index += 8
        continue
      }
      index += special.trailingZeroBitCount >> 3
      guard index < end else { break }
      let kind = classes[Int(base[index])]
      if kind > Class.separator {
        if kind == Class.quote {
          if index + 1 == end, !isExhausted { return nil }
          guard index + 1 < end, base[index + 1] == UInt8(ascii: "\"") else { break }
          index += 1
        } else if kind == Class.lineEnd {
          let isFirstOfTwo = base[index] == 0x0D && index + 1 < end && base[index + 1] == 0x0A
          if !isFirstOfTwo { linesOfRecord += 1 }
        }
        hasEscapes = true
      } else if separatorNeedsEscape {
        hasEscapes = true
      }
      index += 1
    }
    guard index < end else {
      guard isExhausted else { return nil }
      throw broken("the quote that begins a field is never closed", at: quote)
    }
    if hasEscapes { needsEscapes = true }
    fields.append(
      Field(start: quote + 1 - start, count: index - quote - 1, isQuoted: true, needsEscapes: hasEscapes))
    index += 1
    if index < end, classes[Int(base[index])] != Class.separator, classes[Int(base[index])] != Class.lineEnd {
      throw broken("there is more behind the quote that ends a field", at: index)
    }
    return index
  }

  // MARK: - Bytes

  /// Gets more bytes, at least a half as many as the record has so far.
  private mutating func refill() throws(SourceError) {
    let rest = end - start
    if start > 0 {
      base.update(from: base + start, count: rest)
      offset += start
      (start, end) = (0, rest)
    }
    if capacity - end < capacity / 2 { grow() }
    let wanted = end + rest / 2
    repeat {
      let room = UnsafeMutableRawBufferPointer(start: base + end, count: capacity - end)
      let count = try source.read(into: room)
      isExhausted = count == 0
      end += count
    } while !isExhausted && end < wanted
  }

  private mutating func grow() {
    capacity *= 2
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + Self.padding)
    larger.initialize(repeating: 0, count: capacity + Self.padding)
    larger.update(from: base, count: end)
    base.deallocate()
    base = larger
  }

  /// An error at a byte of the record that is being read.
  private func broken(_ message: String, at index: Int) -> SourceError {
    var place = SourcePlace(offset: offset + index, line: line, column: 1)
    for index in start..<index {
      let byte = base[index]
      if byte == 0x0A || (byte == 0x0D && !(index + 1 < end && base[index + 1] == 0x0A)) {
        place.line += 1
        place.column = 1
      } else if byte & 0xC0 != 0x80, byte != 0x0D {
        place.column += 1
      }
    }
    return SourceError("\(message) at \(place)", place: place)
  }
}

import Bytes

/// Reads JSON, token by token, from a source of any length in constant memory.
///
/// It accepts what RFC 8259 allows and nothing else, but for a byte order mark at the very start, which the
/// RFC lets a reader ignore. An escaped half of a surrogate pair, which the grammar allows and Unicode does
/// not, reads as U+FFFD.
///
/// ```swift
/// var reader = JSONReader(MemorySource(bytes))
/// while try reader.next() != .end { … }
/// ```
///
/// Only the window of bytes from the current token on is held (from the last ``checkpoint()`` on, while there
/// is one), so a token's text is valid until the next call.
package struct JSONReader: ~Copyable {
  /// The expected next token.
  enum Expectation: UInt8 {
    case root
    case value
    case valueOrEndOfArray
    case keyOrEndOfObject
    case key
    case colon
    case commaOrEnd
    case nextRoot
  }

  /// The limits and the form of the input.
  package struct Options: Sendable {
    /// How deep arrays and objects may nest.
    package var maximumDepth = 512
    /// Whether further values may follow the first: objects and lists with or without white space between them, others
    /// each on a new line or behind a record separator (RFC 7464).
    package var allowsSequence = true
    /// The bytes that are asked of the source at once.
    package var windowSize = 1 << 18

    package init(maximumDepth: Int = 512, allowsSequence: Bool = true, windowSize: Int = 1 << 18) {
      self.maximumDepth = maximumDepth
      self.allowsSequence = allowsSequence
      self.windowSize = windowSize
    }
  }

  var window: Window
  var cursor = 0
  var expectation = Expectation.root
  package let options: Options

  /// The kinds of the containers around the cursor: true for an object.
  private var containers: [Bool] = []
  /// The token's text: a range of the window, or the scratch bytes if it had escapes.
  var textStart = 0
  var textCount = 0
  var textIsScratch = false
  var scratch = ByteBuffer()

  /// The value of the number just read, if it is an integer that fits; see ``numberIsInteger``.
  package internal(set) var integer: Int64 = 0
  /// Whether the number just read is written without fraction and exponent and fits 64 bits.
  package internal(set) var numberIsInteger = false

  package init(_ source: any ByteSource, options: Options = Options()) {
    self.options = options
    window = Window(source, size: options.windowSize)
    containers.reserveCapacity(64)
  }

  /// How many arrays and objects are open.
  package var depth: Int { containers.count }

  /// The line, from 1, that the reader has come to. After the first token of a value, it is that token's.
  package private(set) var line = 1
  /// The offset at which it begins. JSON has line ends between tokens only.
  private var lineStart = 0

  /// How many bytes have been read.
  package var offset: Int { window.offset + cursor }

  /// The text of the key, string or number just read.
  package var text: UnsafeBufferPointer<UInt8> {
    textIsScratch
      ? scratch.elements : UnsafeBufferPointer(start: window.base + textStart, count: textCount)
  }

  // MARK: - Tokens

  /// Moves on by one token.
  package mutating func next() throws(JSONError) -> JSONToken {
    while true {
      let byte = try skipSpace()
      switch expectation {
      case .commaOrEnd:
        if byte == UInt8(ascii: ",") {
          cursor += 1
          expectation = containers[containers.count - 1] ? .key : .value
          continue
        }
        return try endContainer(byte)
      case .colon:
        guard byte == UInt8(ascii: ":") else { throw unexpected(byte, "a colon") }
        cursor += 1
        expectation = .value
      case .key, .keyOrEndOfObject:
        if byte == UInt8(ascii: "\"") {
          try readString()
          expectation = .colon
          return .key
        }
        guard expectation == .keyOrEndOfObject, byte == UInt8(ascii: "}") else {
          throw unexpected(byte, expectation == .key ? "a key" : "a key or '}'")
        }
        return try endContainer(byte)
      case .valueOrEndOfArray:
        if byte == UInt8(ascii: "]") { return try endContainer(byte) }
        return try readValue(byte)
      case .value:
        return try readValue(byte)
      case .root:
        if byte == 0, cursor == window.count { throw error(.empty) }
        return try readValue(byte)
      case .nextRoot:
        return try readNextRoot()
      }
    }
  }

  /// Reads the rest of a value whose first token was just read, and forgets it.
  package mutating func skip(from token: JSONToken) throws(JSONError) {
    guard token == .beginObject || token == .beginArray else { return }
    let outside = depth - 1
    while depth > outside { _ = try next() }
  }

  private mutating func readValue(_ byte: UInt8) throws(JSONError) -> JSONToken {
    switch byte {
    case UInt8(ascii: "\""):
      try readString()
      expectation = afterValue
      return .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try readNumber()
      expectation = afterValue
      return .number
    case UInt8(ascii: "{"):
      try open(object: true)
      return .beginObject
    case UInt8(ascii: "["):
      try open(object: false)
      return .beginArray
    case UInt8(ascii: "t"): return try readWord("true", .true)
    case UInt8(ascii: "f"): return try readWord("false", .false)
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default:
      throw unexpected(byte, expectation == .valueOrEndOfArray ? "a value or ']'" : "a value")
    }
  }

  /// After a root value: the end, or another value.
  private mutating func readNextRoot() throws(JSONError) -> JSONToken {
    let byte = window.base[cursor]
    if byte == 0, cursor == window.count { return .end }
    let isContainer = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
    guard options.allowsSequence, sawNewline || isContainer else { throw error(.trailingValue) }
    sawNewline = false
    return try readValue(byte)
  }

  private var afterValue: Expectation { containers.isEmpty ? .nextRoot : .commaOrEnd }

  private mutating func open(object: Bool) throws(JSONError) {
    guard containers.count < options.maximumDepth else {
      throw error(.tooDeep(limit: options.maximumDepth))
    }
    cursor += 1
    containers.append(object)
    expectation = object ? .keyOrEndOfObject : .valueOrEndOfArray
  }

  private mutating func endContainer(_ byte: UInt8) throws(JSONError) -> JSONToken {
    let isObject = containers[containers.count - 1]
    guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
      throw unexpected(byte, isObject ? "',' or '}'" : "',' or ']'")
    }
    cursor += 1
    containers.removeLast()
    expectation = afterValue
    return isObject ? .endObject : .endArray
  }

  private mutating func readWord(
    _ word: StaticString, _ token: JSONToken
  ) throws(JSONError) -> JSONToken {
    for index in 0..<word.utf8CodeUnitCount {
      let byte = try byteAtCursor()
      guard byte == word.utf8Start[index] else { throw unexpected(byte, "'\(word)'") }
      cursor += 1
    }
    expectation = afterValue
    return token
  }

  // MARK: - Bytes

  /// Whether a line ended since the last root value.
  private var sawNewline = false

  /// Moves to the next byte that is not white space and returns it; 0 at the end.
  @inline(__always)
  private mutating func skipSpace() throws(JSONError) -> UInt8 {
    let byte = window.base[cursor]
    if byte > 0x20 { return byte }
    // One blank is the most frequent white space.
    let next = window.base[cursor + 1]
    if byte == 0x20, next > 0x20 {
      cursor += 1
      return next
    }
    return try skipSpaceSlowly()
  }

  private mutating func skipSpaceSlowly() throws(JSONError) -> UInt8 {
    while true {
      let byte = window.base[cursor]
      switch byte {
      case 0x20, 0x09, 0x0D: cursor += 1
      case 0x0A:
        if expectation == .nextRoot { sawNewline = true }
        cursor += 1
        line += 1
        lineStart = window.offset + cursor
        skipIndentation()
      case 0x1E where options.allowsSequence && (expectation == .root || expectation == .nextRoot):
        sawNewline = expectation == .nextRoot
        cursor += 1
      case 0 where cursor == window.count:
        guard try refill(keeping: cursor) else { return 0 }
      default: return byte
      }
    }
  }

  /// Moves over the blanks at the cursor, eight at once.
  @inline(__always)
  private mutating func skipIndentation() {
    while true {
      let others = window.word(at: cursor) ^ 0x2020_2020_2020_2020
      cursor += others.trailingZeroBitCount >> 3
      if others != 0 { return }
    }
  }

  /// The byte at the cursor, fetched if need be; 0 at the end. Keeps nothing before the cursor.
  private mutating func byteAtCursor() throws(JSONError) -> UInt8 {
    if cursor == window.count { _ = try refill(keeping: cursor) }
    return window.base[cursor]
  }

  /// Gets more bytes, keeping those from `start` on. Moves the cursor along. False at the end.
  mutating func refill(keeping start: Int) throws(JSONError) -> Bool {
    do throws(SourceError) {
      let shift = try window.refill(keeping: start, lineStart: lineStart)
      cursor -= shift
      textStart -= shift
      if window.offset == 0, cursor == 0, expectation == .root { try skipByteOrderMark() }
      return cursor < window.count
    } catch {
      throw self.error(.source(error))
    }
  }

  private mutating func skipByteOrderMark() throws(SourceError) {
    guard window.count > 0, window.base[0] == 0xEF else { return }
    while window.count < 3 {
      let count = window.count
      _ = try window.refill(keeping: 0, lineStart: 0)
      if window.count == count { return }
    }
    guard window.base[1] == 0xBB, window.base[2] == 0xBF else { return }
    cursor = 3
    if cursor == window.count { _ = try window.refill(keeping: 0, lineStart: 0) }
  }

  // MARK: - Errors

  func error(_ kind: JSONError.Kind) -> JSONError {
    JSONError(
      kind: kind, offset: offset, line: line, column: window.column(of: cursor, lineStart: lineStart))
  }

  private func unexpected(_ byte: UInt8, _ expected: String) -> JSONError {
    if byte == 0, cursor == window.count { return error(.unexpectedEnd(expected: expected)) }
    return error(.unexpectedByte(byte, expected: expected))
  }

  // MARK: - Going back

  /// A place to return to.
  package struct Checkpoint {
    let offset: Int
    let line: Int
    let lineStart: Int
    let depth: Int
    /// The kind of the innermost container: true for an object.
    let innermost: Bool
    let expectation: Expectation
  }

  /// Remembers the place before the next token and holds on to all bytes from there, until ``release(_:)``.
  package mutating func checkpoint() -> Checkpoint {
    window.hold(from: cursor)
    return Checkpoint(
      offset: offset, line: line, lineStart: lineStart, depth: depth, innermost: containers.last ?? false,
      expectation: expectation)
  }

  /// Goes back to a checkpoint. Of the containers that were open at its time, only the innermost may have
  /// ended since.
  package mutating func rewind(to checkpoint: Checkpoint) {
    cursor = checkpoint.offset - window.offset
    line = checkpoint.line
    lineStart = checkpoint.lineStart
    if containers.count < checkpoint.depth {
      containers.append(checkpoint.innermost)
    } else {
      containers.removeLast(containers.count - checkpoint.depth)
    }
    expectation = checkpoint.expectation
  }

  /// Lets go of the bytes that a checkpoint held on to.
  package mutating func release(_ checkpoint: consuming Checkpoint) {
    window.release()
  }
}

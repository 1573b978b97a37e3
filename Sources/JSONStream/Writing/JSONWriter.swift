import Bytes

/// Writes JSON to a sink, a buffer at a time.
///
/// The caller opens and closes containers in order; the writer puts commas, colons and, when asked, line
/// breaks and indentation.
package struct JSONWriter: ~Copyable {
  private var sink: any ByteSink
  private var buffer: ByteBuffer
  private let isPretty: Bool
  /// Whether the elements of the outermost container stand on lines of their own.
  private let breaksOutermost: Bool
  /// How many containers are open.
  private var depth = 0
  /// Whether the innermost of them has had an element. Those around it have: it is one itself.
  private var hasElements = false
  private var followsKey = false
  /// The bytes handed to the sink so far.
  private var flushed = 0

  package init(_ sink: any ByteSink, isPretty: Bool = false, breaksOutermost: Bool = false) {
    self.sink = sink
    buffer = ByteBuffer(capacity: 1 << 16)
    self.isPretty = isPretty
    self.breaksOutermost = breaksOutermost
  }

  /// Makes a writer for a few values that stay in memory.
  private init() {
    sink = MemorySink()
    buffer = ByteBuffer(capacity: 1 << 8)
    isPretty = false
    breaksOutermost = false
  }

  /// The JSON that `body` writes.
  package static func bytes<Failure>(
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var writer = JSONWriter()
    try body(&writer)
    return Array(writer.buffer.elements)
  }

  /// How many bytes have been written.
  package var count: Int { flushed + buffer.count }

  // MARK: - Containers

  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  private mutating func begin(_ byte: UInt8) {
    separate()
    buffer.append(byte)
    depth += 1
    hasElements = false
  }

  private mutating func end(_ byte: UInt8) {
    depth -= 1
    if hasElements, isPretty || (breaksOutermost && depth == 0) { breakLine() }
    hasElements = true
    buffer.append(byte)
  }

  // MARK: - Keys and values

  package mutating func key(_ text: UnsafeBufferPointer<UInt8>) {
    separate()
    appendQuoted(text)
    buffer.append(UInt8(ascii: ":"))
    if isPretty { buffer.append(0x20) }
    followsKey = true
  }

  package mutating func key(_ text: String) {
    var text = text
    text.withUTF8 { key($0) }
  }

  /// Writes a key whose quoted and escaped form, colon included, was made before; see ``quotedKey(_:)``. In a list it is
  /// empty.
  @inline(__always)
  package mutating func quotedKey(_ bytes: UnsafeBufferPointer<UInt8>) {
    separate()
    buffer.append(bytes)
    if isPretty, bytes.count > 0 { buffer.append(0x20) }
    followsKey = true
  }

  /// A key as ``quotedKey(_:)`` wants it.
  package static func quotedKey(_ text: String) -> [UInt8] {
    var writer = JSONWriter(MemorySink())
    writer.string(text)
    writer.buffer.append(UInt8(ascii: ":"))
    return Array(writer.buffer.elements)
  }

  package mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
    separate()
    appendQuoted(text)
  }

  package mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { string($0) }
  }

  /// Writes bytes that are JSON already.
  package mutating func raw(_ json: UnsafeBufferPointer<UInt8>) {
    separate()
    buffer.append(json)
  }

  package mutating func raw(_ json: String) {
    var json = json
    json.withUTF8 { raw($0) }
  }

  package mutating func null() {
    separate()
    buffer.append("null")
  }

  package mutating func bool(_ value: Bool) {
    separate()
    buffer.append(value ? "true" : "false")
  }

  package mutating func integer(_ value: Int64) {
    separate()
    var magnitude = value.magnitude
    // A 64-bit integer has at most 19 digits and a sign.
    let room = buffer.reserve(20)
    var start = 20
    repeat {
      start -= 1
      room[start] = UInt8(ascii: "0") + UInt8(magnitude % 10)
      magnitude /= 10
    } while magnitude > 0
    if value < 0 {
      start -= 1
      room[start] = UInt8(ascii: "-")
    }
    room.update(from: room + start, count: 20 - start)
    buffer.commit(20 - start)
  }

  /// Writes a number with the fewest digits that read as the same number; null for what JSON cannot write.
  package mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    if let integer = Self.wholeNumber(value) { return self.integer(integer) }
    raw(value.description)
  }

  /// The integer to write for a number, where that is shorter.
  static func wholeNumber(_ value: Double) -> Int64? {
    guard abs(value) < 1e15, value != 0 || value.sign == .plus else { return nil }
    return Int64(exactly: value)
  }

  @inline(__always)
  private mutating func separate() {
    if followsKey {
      followsKey = false
      return
    }
    guard depth > 0 else { return }
    if hasElements { buffer.append(UInt8(ascii: ",")) }
    hasElements = true
    if isPretty || (breaksOutermost && depth == 1) { breakLine() }
  }

  private mutating func breakLine() {
    buffer.append(0x0A)
    guard isPretty else { return }
    for _ in 0..<max(depth, 0) { buffer.append("  ") }
  }

  // MARK: - Strings

  private mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) {
    buffer.append(UInt8(ascii: "\""))
    var start = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        index += 1
        continue
      }
      buffer.append(UnsafeBufferPointer(rebasing: text[start..<index]))
      appendEscaped(byte)
      index += 1
      start = index
    }
    buffer.append(UnsafeBufferPointer(rebasing: text[start...]))
    buffer.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): buffer.append("\\\"")
    case UInt8(ascii: "\\"): buffer.append("\\\\")
    case 0x08: buffer.append("\\b")
    case 0x09: buffer.append("\\t")
    case 0x0A: buffer.append("\\n")
    case 0x0C: buffer.append("\\f")
    case 0x0D: buffer.append("\\r")
    default:
      buffer.append("\\u00")
      for digit in [byte >> 4, byte & 15] {
        buffer.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }

  // MARK: - Output

  /// Ends a line of JSON Lines, or the document.
  package mutating func newline() {
    buffer.append(0x0A)
  }

  /// Hands the bytes to the sink if there are many; call it between objects.
  package mutating func flushIfLarge() throws(SourceError) {
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Hands all bytes to the sink.
  package mutating func flush() throws(SourceError) {
    guard buffer.count > 0 else { return }
    try sink.write(buffer.elements)
    flushed += buffer.count
    buffer.removeAll()
  }
}

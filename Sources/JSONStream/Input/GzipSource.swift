import CZlib

/// The text of a gzip file: of one member, or of several one after another.
final class GzipSource: ByteSource {
  private var source: any ByteSource
  private let limits: InputLimits
  private let stream: UnsafeMutablePointer<z_stream>
  private let input: UnsafeMutableRawBufferPointer
  private static let inputSize = 1 << 16
  private var isExhausted = false
  private var isBetweenMembers = false
  /// The bytes that have been taken from the source, and those that were made of them.
  private var received = 0
  private var produced = 0

  init(_ source: any ByteSource, limits: InputLimits) throws(SourceError) {
    self.source = source
    self.limits = limits
    input = .allocate(byteCount: Self.inputSize, alignment: 1)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // The greatest window, and the header of gzip.
    let windowBits: Int32 = 15 + 16
    let code = inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw SourceError("zlib cannot be used (\(code))") }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    let room = min(buffer.count, Int(Int32.max))
    guard room > 0 else { return 0 }
    while true {
      if stream.pointee.avail_in == 0 { try refill() }
      if isBetweenMembers {
        guard try beginMember() else { return 0 }
        continue
      }
      stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(room)
      let code = inflate(stream, Z_NO_FLUSH)
      let count = room - Int(stream.pointee.avail_out)
      produced += count
      switch code {
      case Z_OK, Z_BUF_ERROR:
        if count == 0, isExhausted, stream.pointee.avail_in == 0 {
          throw SourceError("its gzip data ends too early, after \(received) bytes")
        }
      case Z_STREAM_END: isBetweenMembers = true
      default: throw broken(code)
      }
      try limits.check(text: produced, compressed: consumed)
      if count > 0 { return count }
    }
  }

  /// The compressed bytes that have been used.
  private var consumed: Int { received - Int(stream.pointee.avail_in) }

  private func refill() throws(SourceError) {
    guard !isExhausted else { return }
    let count = try source.read(into: input)
    isExhausted = count == 0
    received += count
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(count)
  }

  /// Goes on with the next member, if there is one. Zeros that fill up a block are passed over.
  private func beginMember() throws(SourceError) -> Bool {
    guard stream.pointee.avail_in > 0, let next = stream.pointee.next_in else { return !isExhausted }
    if next.pointee == 0 {
      stream.pointee.next_in = next + 1
      stream.pointee.avail_in -= 1
      return true
    }
    guard next.pointee == 0x1F else {
      throw SourceError("there is something else behind its gzip data, at byte \(consumed)")
    }
    inflateReset(stream)
    isBetweenMembers = false
    return true
  }

  private func broken(_ code: Int32) -> SourceError {
    let reason = stream.pointee.msg.map { String(cString: $0) } ?? "code \(code)"
    return SourceError("its gzip data is broken at byte \(consumed): \(reason)")
  }
}

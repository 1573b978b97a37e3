/// The text of a zstd file, decompressed by the system's library.
final class ZstdSource: ByteSource {
  private var source: any ByteSource
  private let limits: InputLimits
  private let library: ZstdLibrary
  private let stream: OpaquePointer
  private let input: UnsafeMutableRawBufferPointer
  /// The library's descriptions of the bytes that it reads and of those that it writes: where they are, how many, and
  /// how far it has come.
  private let reading: UnsafeMutablePointer<UInt>
  private let writing: UnsafeMutablePointer<UInt>
  private static let inputSize = 1 << 17
  private var isExhausted = false
  private var isInFrame = true
  private var received = 0
  private var produced = 0

  init(_ source: any ByteSource, limits: InputLimits) throws(SourceError) {
    guard let library = ZstdLibrary.shared, let stream = library.create() else {
      throw SourceError(
        "it is compressed with zstd, and the system's library for that, libzstd, is not there; decompress it first:"
          + " zstd -dc FILE | broker import -")
    }
    self.source = source
    self.limits = limits
    self.library = library
    self.stream = stream
    input = .allocate(byteCount: Self.inputSize, alignment: 1)
    reading = .allocate(capacity: 3)
    reading.initialize(repeating: 0, count: 3)
    writing = .allocate(capacity: 3)
    writing.initialize(repeating: 0, count: 3)
  }

  deinit {
    _ = library.free(stream)
    input.deallocate()
    reading.deallocate()
    writing.deallocate()
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    guard buffer.count > 0 else { return 0 }
    while true {
      if reading[2] == reading[1] { try refill() }
      let hasInput = reading[2] < reading[1]
      if !hasInput, !isInFrame { return 0 }
      set(writing, UnsafeRawPointer(buffer.baseAddress), buffer.count)
      let result = library.decompress(
        stream, UnsafeMutableRawPointer(writing), UnsafeMutableRawPointer(reading))
      if library.isError(result) != 0 {
        let reason = library.errorName(result).map { String(cString: $0) } ?? "code \(result)"
        throw SourceError("its zstd data is broken before byte \(consumed): \(reason)")
      }
      let count = Int(writing[2])
      produced += count
      isInFrame = result != 0
      try limits.check(text: produced, compressed: consumed)
      if count > 0 { return count }
      if !hasInput, isInFrame {
        throw SourceError("its zstd data ends too early, after \(received) bytes")
      }
    }
  }

  private var consumed: Int { received - Int(reading[1] - reading[2]) }

  private func refill() throws(SourceError) {
    guard !isExhausted else { return }
    let count = try source.read(into: input)
    isExhausted = count == 0
    received += count
    set(reading, UnsafeRawPointer(input.baseAddress), count)
  }

  private func set(_ words: UnsafeMutablePointer<UInt>, _ address: UnsafeRawPointer?, _ count: Int) {
    words[0] = UInt(bitPattern: address)
    words[1] = UInt(count)
    words[2] = 0
  }
}

/// The part of the input that is in memory.
///
/// Behind its last byte stand zeros. A zero is not allowed in JSON text, so loops need to look whether they
/// are at the end only when they meet one, and may read eight bytes at once.
struct Window: ~Copyable {
  private static let padding = 16

  private(set) var base: UnsafeMutablePointer<UInt8>
  /// How many bytes are there.
  private(set) var count = 0
  /// How many bytes of the input lie before it.
  private(set) var offset = 0
  /// The first byte of the input, if any, that must stay.
  private var checkpoint: Int?
  private var checkpoints = 0

  private var source: any ByteSource
  private let step: Int
  private var capacity: Int
  private var isExhausted = false
  private var place = Place()

  init(_ source: any ByteSource, size: Int) {
    self.source = source
    step = max(size, 16)
    capacity = step
    base = .allocate(capacity: capacity + Self.padding)
    base.initialize(repeating: 0, count: capacity + Self.padding)
  }

  deinit {
    base.deallocate()
  }

  /// Lets go of the bytes before `start`, or before the checkpoint, and gets more from the source.
  ///
  /// - Returns: How far the bytes moved towards the start of the window.
  mutating func refill(keeping start: Int) throws(SourceError) -> Int {
    guard !isExhausted else { return 0 }
    let shift = min(start, checkpoint.map { $0 - offset } ?? start)
    discard(shift)
    if capacity - count < step / 2 { grow() }
    let room = UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count)
    let more = try source.read(into: room)
    isExhausted = more == 0
    count += more
    (base + count).update(repeating: 0, count: Self.padding)
    return shift
  }

  private mutating func discard(_ shift: Int) {
    guard shift > 0 else { return }
    place.advance(over: UnsafeBufferPointer(start: base, count: shift))
    base.update(from: base + shift, count: count - shift)
    count -= shift
    offset += shift
  }

  private mutating func grow() {
    capacity *= 2
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + Self.padding)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }

  /// The line and the column, both from 1, of a byte in the window.
  func place(of index: Int) -> (line: Int, column: Int) {
    var place = place
    place.advance(over: UnsafeBufferPointer(start: base, count: index))
    return (place.line, place.column)
  }

  /// Keeps all bytes from `index` on until ``release()`` has been called as often as this.
  mutating func hold(from index: Int) {
    checkpoints += 1
    if checkpoint == nil { checkpoint = offset + index }
  }

  mutating func release() {
    checkpoints -= 1
    if checkpoints == 0 { checkpoint = nil }
  }
}

/// A line and a column, both from 1, kept up to date as bytes pass by.
private struct Place {
  var line = 1
  var column = 1

  mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
    let newlines = Self.count(in: bytes) { $0 == 0x0A }
    var rest = bytes
    if newlines > 0 {
      line += newlines
      column = 1
      if let last = bytes.lastIndex(of: 0x0A) { rest = UnsafeBufferPointer(rebasing: bytes[(last + 1)...]) }
    }
    // All bytes of a character but the first have the form 10xxxxxx.
    column += Self.count(in: rest) { $0 & 0xC0 != 0x80 }
  }

  /// How many bytes a condition holds for.
  ///
  /// It counts in bytes, a block at a time that cannot overflow them, since then the compiler compares and
  /// counts many at once.
  @inline(__always)
  private static func count(
    in bytes: UnsafeBufferPointer<UInt8>, where condition: (UInt8) -> Bool
  ) -> Int {
    guard var next = bytes.baseAddress else { return 0 }
    var total = 0
    for _ in 0..<bytes.count / 240 {
      var count: UInt8 = 0
      for index in 0..<240 { count &+= condition(next[index]) ? 1 : 0 }
      total &+= Int(count)
      next += 240
    }
    for index in 0..<bytes.count % 240 where condition(next[index]) { total &+= 1 }
    return total
  }
}

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
  /// The column, from 1, of the first byte.
  private var column = 1

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
  /// - Parameter lineStart: The offset in the input of the last line that is known to begin.
  /// - Returns: How far the bytes moved towards the start of the window.
  mutating func refill(keeping start: Int, lineStart: Int) throws(SourceError) -> Int {
    guard !isExhausted else { return 0 }
    let shift = min(start, checkpoint.map { $0 - offset } ?? start)
    discard(shift, lineStart)
    if capacity - count < step / 2 { grow() }
    let room = UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count)
    let more = try source.read(into: room)
    isExhausted = more == 0
    count += more
    (base + count).update(repeating: 0, count: Self.padding)
    return shift
  }

  private mutating func discard(_ shift: Int, _ lineStart: Int) {
    guard shift > 0 else { return }
    column = column(of: shift, lineStart: lineStart)
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

  /// The column, from 1, of a byte in the window.
  ///
  /// - Parameter lineStart: The offset in the input of the last line that is known to begin, be it behind the byte.
  func column(of index: Int, lineStart: Int) -> Int {
    var first = lineStart - offset
    if first > index {
      let before = UnsafeBufferPointer(start: base, count: index)
      first = 1 + (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1)
    }
    return first > 0 ? 1 + characters(in: first..<index) : column + characters(in: 0..<index)
  }

  /// How many characters begin in a range: all bytes of a character but the first have the form 10xxxxxx.
  private func characters(in range: Range<Int>) -> Int {
    let highs: UInt64 = 0x8080_8080_8080_8080
    func continuations(_ word: UInt64) -> Int { ((word >> 7) & ~(word >> 6) & (highs >> 7)).nonzeroBitCount }
    var total = range.count
    var index = range.lowerBound
    while index + 32 <= range.upperBound {
      let (first, second) = (word(at: index), word(at: index + 8))
      let (third, fourth) = (word(at: index + 16), word(at: index + 24))
      if (first | second | third | fourth) & highs != 0 {
        total -= continuations(first) + continuations(second) + continuations(third) + continuations(fourth)
      }
      index += 32
    }
    while index < range.upperBound {
      if base[index] & 0xC0 == 0x80 { total -= 1 }
      index += 1
    }
    return total
  }

  /// The eight bytes from `index` on, of which the first is the lowest. Those behind the last byte are zeros.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
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

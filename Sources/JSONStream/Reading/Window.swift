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
    let newlines = Self.count(in: bytes) { word in
      // A byte of the difference is zero where there is a newline; its top bit tells, after this sum.
      let difference = word ^ 0x0A0A_0A0A_0A0A_0A0A
      let isOther = ((difference & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | difference
      return (~isOther >> 7) & 0x0101_0101_0101_0101
    }
    var rest = bytes
    if newlines > 0 {
      line += newlines
      column = 1
      if let last = bytes.lastIndex(of: 0x0A) { rest = UnsafeBufferPointer(rebasing: bytes[(last + 1)...]) }
    }
    // All bytes of a character but the first have the form 10xxxxxx.
    column += rest.count - Self.count(in: rest) { (($0 >> 7) & ~($0 >> 6)) & 0x0101_0101_0101_0101 }
  }

  /// How many bytes there are of a kind, which `marks` tells for eight bytes at once by a one in each.
  @inline(__always)
  private static func count(in bytes: UnsafeBufferPointer<UInt8>, marks: (UInt64) -> UInt64) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var total = 0
    var index = 0
    while index + 8 <= raw.count {
      // Each byte of the sum has room for 255 ones.
      var sums: UInt64 = 0
      let end = min(raw.count - 7, index + 255 * 8)
      while index < end {
        sums &+= marks(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        index += 8
      }
      let pairs = (sums & 0x00FF_00FF_00FF_00FF) &+ ((sums >> 8) & 0x00FF_00FF_00FF_00FF)
      total &+= Int((pairs &* 0x0001_0001_0001_0001) >> 48)
    }
    while index < raw.count {
      total &+= Int(marks(UInt64(raw[index])) & 1)
      index += 1
    }
    return total
  }
}

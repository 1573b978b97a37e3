/// Bytes that grow at the end, in memory of their own that no copy shares.
///
/// An array would do the same with a uniqueness check and a bounds check at every byte.
package struct ByteBuffer: ~Copyable {
  package private(set) var base: UnsafeMutablePointer<UInt8>
  package private(set) var count = 0
  private var capacity: Int

  package init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    base = .allocate(capacity: self.capacity)
  }

  deinit {
    base.deallocate()
  }

  /// The bytes, until the next change.
  package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  package mutating func removeAll() {
    count = 0
  }

  /// Drops all bytes from `end` on.
  package mutating func truncate(to end: Int) {
    count = min(count, end)
  }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    base[count] = byte
    count += 1
  }

  @inline(__always)
  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return }
    if count + bytes.count > capacity { grow(by: bytes.count) }
    (base + count).update(from: start, count: bytes.count)
    count += bytes.count
  }

  package mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package mutating func append(utf8 text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Makes room for `extra` more bytes and returns where they start.
  package mutating func reserve(_ extra: Int) -> UnsafeMutablePointer<UInt8> {
    if count + extra > capacity { grow(by: extra) }
    return base + count
  }

  /// Counts `extra` bytes, written where ``reserve(_:)`` said, as part of the buffer.
  package mutating func commit(_ extra: Int) {
    count += extra
  }

  private mutating func grow(by extra: Int) {
    capacity = max(capacity * 2, count + extra)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }
}

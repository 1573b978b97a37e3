/// Elements that grow at the end, in memory of their own that no copy shares.
///
/// An array would do the same with a uniqueness check and a bounds check at every element. It is meant for
/// the few places that see every byte or value of an import: indices are the caller's responsibility.
///
/// Everything is inlinable, since generic code is only fast where it is specialised.
package struct PlainBuffer<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline package internal(set) var base: UnsafeMutablePointer<Element>
  @usableFromInline package internal(set) var count = 0
  @usableFromInline var capacity: Int

  @inlinable
  package init(capacity: Int = 64) {
    self.capacity = Swift.max(capacity, 16)
    base = .allocate(capacity: self.capacity)
  }

  @inlinable
  deinit {
    base.deallocate()
  }

  /// The elements, until the next change.
  @inlinable
  package var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }

  package subscript(index: Int) -> Element {
    @inlinable @inline(__always) get {
      assert(index >= 0 && index < count)
      return base[index]
    }
    @inlinable @inline(__always) nonmutating set {
      assert(index >= 0 && index < count)
      base[index] = newValue
    }
  }

  @inlinable
  package mutating func removeAll() {
    count = 0
  }

  /// Drops all elements from `end` on.
  @inlinable
  package mutating func truncate(to end: Int) {
    count = Swift.min(count, end)
  }

  @inlinable @inline(__always)
  package mutating func append(_ element: Element) {
    if count == capacity { grow(by: 1) }
    base[count] = element
    count += 1
  }

  @inlinable
  package mutating func append(_ elements: UnsafeBufferPointer<Element>) {
    guard let start = elements.baseAddress, elements.count > 0 else { return }
    if count + elements.count > capacity { grow(by: elements.count) }
    (base + count).update(from: start, count: elements.count)
    count += elements.count
  }

  /// Appends an element many times and returns the index of the first.
  @inlinable
  package mutating func append(repeating element: Element, count extra: Int) -> Int {
    if count + extra > capacity { grow(by: extra) }
    (base + count).update(repeating: element, count: extra)
    defer { count += extra }
    return count
  }

  /// Makes room for `extra` more elements and returns where they start.
  @inlinable
  package mutating func reserve(_ extra: Int) -> UnsafeMutablePointer<Element> {
    if count + extra > capacity { grow(by: extra) }
    return base + count
  }

  /// Counts `extra` elements, written where ``reserve(_:)`` said, as part of the buffer.
  @inlinable
  package mutating func commit(_ extra: Int) {
    count += extra
  }

  @inlinable
  mutating func grow(by extra: Int) {
    capacity = Swift.max(capacity * 2, count + extra)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }
}

/// Bytes that grow at the end.
package typealias ByteBuffer = PlainBuffer<UInt8>

extension PlainBuffer where Element == UInt8 {
  @inlinable
  package mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inlinable
  package mutating func append(utf8 text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }
}

/// Elements that grow at the end, in memory of their own that no copy shares.
///
/// An array would do the same with a uniqueness check and a bounds check at every element. It is meant for
/// the few places that see every byte or value of an import: indices are the caller's responsibility.
///
/// Everything is inlinable, since generic code is only fast where it is specialised; and public, though only this package
/// needs it, since the compiler takes the bodies of no other functions into other modules.
public struct PlainBuffer<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var start: UnsafeMutablePointer<Element>
  @usableFromInline var filled = 0
  @usableFromInline var capacity: Int

  /// No elements, and room for some.
  @inlinable
  public init(capacity: Int = 64) {
    self.capacity = Swift.max(capacity, 16)
    start = .allocate(capacity: self.capacity)
  }

  @inlinable
  deinit {
    start.deallocate()
  }

  /// Where the elements are, until the next change.
  @inlinable
  public var base: UnsafeMutablePointer<Element> { start }

  /// How many elements there are.
  @inlinable
  public var count: Int { filled }

  /// The elements, until the next change.
  @inlinable
  public var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: start, count: filled) }

  /// The element at an index, which must be one.
  public subscript(index: Int) -> Element {
    @inlinable @inline(__always) get {
      assert(index >= 0 && index < filled)
      return start[index]
    }
    @inlinable @inline(__always) nonmutating set {
      assert(index >= 0 && index < filled)
      start[index] = newValue
    }
  }

  /// Drops all elements and keeps their room.
  @inlinable
  public mutating func removeAll() {
    filled = 0
  }

  /// Drops all elements from `end` on.
  @inlinable
  public mutating func truncate(to end: Int) {
    filled = Swift.min(filled, end)
  }

  /// Adds an element.
  @inlinable @inline(__always)
  public mutating func append(_ element: Element) {
    if filled == capacity { grow(by: 1) }
    start[filled] = element
    filled += 1
  }

  /// Adds elements.
  @inlinable
  public mutating func append(_ elements: UnsafeBufferPointer<Element>) {
    guard let first = elements.baseAddress, elements.count > 0 else { return }
    if filled + elements.count > capacity { grow(by: elements.count) }
    (start + filled).update(from: first, count: elements.count)
    filled += elements.count
  }

  /// Appends an element many times and returns the index of the first.
  @inlinable
  public mutating func append(repeating element: Element, count extra: Int) -> Int {
    if filled + extra > capacity { grow(by: extra) }
    (start + filled).update(repeating: element, count: extra)
    defer { filled += extra }
    return filled
  }

  /// Makes room for `extra` more elements and returns where they start.
  @inlinable
  public mutating func reserve(_ extra: Int) -> UnsafeMutablePointer<Element> {
    if filled + extra > capacity { grow(by: extra) }
    return start + filled
  }

  /// Counts `extra` elements, written where ``reserve(_:)`` said, as part of the buffer.
  @inlinable
  public mutating func commit(_ extra: Int) {
    filled += extra
  }

  @inlinable @inline(never)
  mutating func grow(by extra: Int) {
    capacity = Swift.max(capacity * 2, filled + extra)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    larger.update(from: start, count: filled)
    start.deallocate()
    start = larger
  }
}

/// Bytes that grow at the end.
public typealias ByteBuffer = PlainBuffer<UInt8>

extension PlainBuffer where Element == UInt8 {
  /// Adds the UTF-8 of a literal.
  @inlinable
  public mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Adds the UTF-8 of a text.
  @inlinable
  public mutating func append(utf8 text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Adds a whole number in decimal digits, with zeros in front up to a width.
  public mutating func append(decimal value: Int64, width: Int = 1) {
    if value < 0 { append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var digits = 1
    var limit: UInt64 = 10
    while digits < 19, rest >= limit {
      digits += 1
      limit *= 10
    }
    if digits == 19, rest >= limit { digits = 20 }
    let places = Swift.max(digits, width)
    let start = reserve(places)
    for place in stride(from: places - 1, through: 0, by: -1) {
      start[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    commit(places)
  }
}

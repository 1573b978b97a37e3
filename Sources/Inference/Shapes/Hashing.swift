/// Hashes of bytes. They are no secret: whoever makes two values with one hash only misleads a guess.
enum Hashing {
  @inline(__always)
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard let start = UnsafeRawPointer(bytes.baseAddress) else { return 0x9E37 }
    var hash = UInt64(truncatingIfNeeded: bytes.count &+ 1) &* 0x9E37_79B9_7F4A_7C15
    var index = 0
    while index + 8 <= bytes.count {
      hash = (hash ^ start.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash >> 32
      index += 8
    }
    return mix(hash ^ rest(start, index, bytes.count))
  }

  /// The bytes from an index on, which are fewer than eight, as a number.
  @inline(__always)
  private static func rest(_ start: UnsafeRawPointer, _ index: Int, _ count: Int) -> UInt64 {
    let left = count - index
    guard left > 0 else { return 0 }
    // Bytes that were taken into the hash before do no harm.
    if count >= 8 { return start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self) }
    if left >= 4 {
      let first = start.loadUnaligned(fromByteOffset: index, as: UInt32.self)
      let last = start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      return UInt64(first) << 32 | UInt64(last)
    }
    let middle = start.load(fromByteOffset: index + left / 2, as: UInt8.self)
    let last = start.load(fromByteOffset: count - 1, as: UInt8.self)
    return UInt64(start.load(fromByteOffset: index, as: UInt8.self)) << 16 | UInt64(middle) << 8
      | UInt64(last)
  }

  @inline(__always)
  static func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    value = (value ^ (value >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return value ^ (value >> 33)
  }

  /// A hash of two values that is kept in samples together with the first.
  @inline(__always)
  static func pair(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let mask = DistinctValues.samplingBits
    return (mix(first ^ mix(second)) & ~mask) | (first & mask)
  }
}

/// Hashes of bytes. They are no secret: whoever makes two values with one hash only misleads a guess.
enum Hashing {
  @inline(__always)
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard let start = UnsafeRawPointer(bytes.baseAddress) else { return 0x9E37 }
    var hash = 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: bytes.count)
    var index = 0
    while index + 8 <= bytes.count {
      hash = (hash ^ start.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash >> 32
      index += 8
    }
    var rest: UInt64 = 0
    while index < bytes.count {
      rest = rest << 8 | UInt64(bytes[index])
      index += 1
    }
    return mix(hash ^ rest)
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

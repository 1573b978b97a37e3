extension UnsafeBufferPointer<UInt8> {
  /// Whether one of the bytes is zero.
  @inlinable @inline(__always)
  package var hasZero: Bool {
    let raw = UnsafeRawBufferPointer(self)
    var offset = 0
    while offset + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0 { return true }
      offset += 8
    }
    while offset < raw.count {
      if raw[offset] == 0 { return true }
      offset += 1
    }
    return false
  }
}

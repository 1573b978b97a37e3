#if PostgreSQL
  /// A set of the 64-bit hashes of keys.
  ///
  /// Two keys may have one hash: what is not in the set is certainly new, what is in it may be.
  struct KeyHashes {
    private var slots: [UInt64] = []
    private var hasZero = false
    private(set) var count = 0

    /// Adds a hash. False if it was there.
    @inline(__always)
    mutating func insert(_ hash: UInt64) -> Bool {
      guard hash != 0 else {
        defer { hasZero = true }
        return !hasZero
      }
      if count * 2 >= slots.count { grow() }
      let mask = slots.count - 1
      var index = Int(truncatingIfNeeded: hash) & mask
      while slots[index] != 0 {
        if slots[index] == hash { return false }
        index = (index + 1) & mask
      }
      slots[index] = hash
      count += 1
      return true
    }

    func contains(_ hash: UInt64) -> Bool {
      guard hash != 0, !slots.isEmpty else { return hash == 0 && hasZero }
      let mask = slots.count - 1
      var index = Int(truncatingIfNeeded: hash) & mask
      while slots[index] != 0 {
        if slots[index] == hash { return true }
        index = (index + 1) & mask
      }
      return false
    }

    mutating func removeAll() {
      count = 0
      hasZero = false
      for index in slots.indices { slots[index] = 0 }
    }

    private mutating func grow() {
      let old = slots
      slots = Array(repeating: 0, count: max(1024, old.count * 2))
      let mask = slots.count - 1
      for hash in old where hash != 0 {
        var index = Int(truncatingIfNeeded: hash) & mask
        while slots[index] != 0 { index = (index + 1) & mask }
        slots[index] = hash
      }
    }
  }

  /// A hash of the values of a key, one after another.
  struct KeyHash {
    private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

    @inline(__always)
    mutating func combine(_ bits: UInt64) {
      let (high, low) = (value ^ bits).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
      value = high ^ low ^ 0xA076_1D64_78BD_642F
    }

    mutating func combine(_ bytes: UnsafeBufferPointer<UInt8>) {
      let raw = UnsafeRawBufferPointer(bytes)
      var offset = 0
      while offset + 8 <= raw.count {
        combine(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      var rest = UInt64(raw.count) << 56
      while offset < raw.count {
        rest = rest << 8 ^ UInt64(raw[offset])
        offset += 1
      }
      combine(rest)
    }
  }
#endif

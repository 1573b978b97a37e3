#if PostgreSQL
  /// Bytes that grow at the end and whose memory is used again.
  ///
  /// Not thread-safe. The properties are not checked for overlapping access, since every value passes here
  /// and no function calls out while it changes them.
  package final class PostgreSQLBuffer {
    @exclusivity(unchecked) @usableFromInline var start: UnsafeMutableRawPointer
    @exclusivity(unchecked) @usableFromInline var capacity: Int
    /// The number of bytes in it.
    @exclusivity(unchecked) @usableFromInline var end = 0

    package init(capacity: Int) {
      self.capacity = max(capacity, 16)
      start = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { start.deallocate() }

    @inlinable package var count: Int { end }

    /// The bytes, until the next change.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: end) }

    /// Removes the bytes from `count` on.
    package func truncate(to count: Int) { end = min(end, max(0, count)) }

    /// Moves the bytes behind the first ones to the beginning.
    func removeFirst(_ count: Int) {
      let count = min(max(0, count), end)
      start.copyMemory(from: start + count, byteCount: end - count)
      end -= count
    }

    /// Removes all bytes, and memory that only one large value needed.
    package func removeAll(keepingAtMost limit: Int) {
      end = 0
      guard capacity > limit else { return }
      start.deallocate()
      capacity = max(limit, 16)
      start = .allocate(byteCount: capacity, alignment: 16)
    }

    /// Makes place for this many more bytes.
    @inlinable
    package func reserve(_ more: Int) {
      if capacity - end < more { grow(more) }
    }

    @usableFromInline
    func grow(_ more: Int) {
      let larger = max(capacity * 2, end + more)
      let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
      moved.copyMemory(from: start, byteCount: end)
      start.deallocate()
      (start, capacity) = (moved, larger)
    }

    /// Appends an integer, the highest byte first.
    @inlinable
    package func append<Integer: FixedWidthInteger & BitwiseCopyable>(bigEndian value: Integer) {
      reserve(MemoryLayout<Integer>.size)
      start.storeBytes(of: value.bigEndian, toByteOffset: end, as: Integer.self)
      end += MemoryLayout<Integer>.size
    }

    @inlinable
    package func append(bytes: UnsafeRawBufferPointer) {
      guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
      reserve(bytes.count)
      start.advanced(by: end).copyMemory(from: source, byteCount: bytes.count)
      end += bytes.count
    }

    /// Replaces an integer that was appended before. `offset` must lie in the buffer.
    @inlinable
    func set<Integer: FixedWidthInteger & BitwiseCopyable>(bigEndian value: Integer, at offset: Int) {
      guard offset >= 0, offset + MemoryLayout<Integer>.size <= end else { return }
      start.storeBytes(of: value.bigEndian, toByteOffset: offset, as: Integer.self)
    }
  }

  /// Values in the form that rows of a binary COPY have: the length as four bytes, then the bytes.
  ///
  /// These functions are inlinable because every value of an import passes one of them.
  extension PostgreSQLBuffer {
    /// The server refuses values of 1 GB.
    @inlinable package static var maximumLength: Int { 0x3FFF_FFFF }

    @inlinable package func appendNullField() { append(bigEndian: Int32(-1)) }

    @inlinable
    package func appendField(bool value: Bool) {
      appendField(integer: value ? 1 as UInt8 : 0)
    }

    @inlinable
    package func appendField<Integer: FixedWidthInteger & BitwiseCopyable>(integer value: Integer) {
      let length = MemoryLayout<Integer>.size
      reserve(4 + length)
      start.storeBytes(of: Int32(truncatingIfNeeded: length).bigEndian, toByteOffset: end, as: Int32.self)
      start.storeBytes(of: value.bigEndian, toByteOffset: end + 4, as: Integer.self)
      end += 4 + length
    }

    @inlinable package func appendField(float8 value: Double) { appendField(integer: value.bitPattern) }

    @inlinable
    package func appendField(uuid value: PostgreSQLUUID) {
      reserve(20)
      append(bigEndian: Int32(16))
      append(bigEndian: value.high)
      append(bigEndian: value.low)
    }

    /// - Throws: `tooLong` for values that the server cannot take. Nothing is appended then.
    @inlinable
    package func appendField(bytes: UnsafeRawBufferPointer) throws(PostgreSQLDataError) {
      guard bytes.count <= Self.maximumLength else { throw .tooLong }
      reserve(4 + bytes.count)
      let length = Int32(truncatingIfNeeded: bytes.count)
      start.storeBytes(of: length.bigEndian, toByteOffset: end, as: Int32.self)
      if let source = bytes.baseAddress { (start + end + 4).copyMemory(from: source, byteCount: bytes.count) }
      end += 4 + bytes.count
    }

    /// - Throws: `notNumeric`. Nothing is appended then.
    package func appendField(numeric text: UnsafeBufferPointer<UInt8>) throws(PostgreSQLDataError) {
      let place = count
      append(bigEndian: Int32(0))
      do {
        try append(numeric: text)
        set(bigEndian: Int32(truncatingIfNeeded: count - place - 4), at: place)
      } catch {
        truncate(to: place)
        throw error
      }
    }
  }
#endif

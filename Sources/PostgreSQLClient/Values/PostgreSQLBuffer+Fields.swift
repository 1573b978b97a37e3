#if PostgreSQL
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

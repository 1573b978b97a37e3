#if PostgreSQL
  /// One value of a row in its binary form.
  ///
  /// It points into the memory of the rows, the stream or the COPY it was taken from, and is valid until
  /// these are released or step on. Each decoder checks the length, since a server can send anything.
  /// They are inlinable because every value of an export passes one of them.
  package struct PostgreSQLField {
    /// `nil` for NULL.
    @usableFromInline let start: UnsafeRawPointer?
    @usableFromInline let count: Int

    @inlinable
    package init(start: UnsafeRawPointer?, count: Int) {
      self.start = start
      self.count = count
    }

    @inlinable package static var null: PostgreSQLField { PostgreSQLField(start: nil, count: 0) }

    @inlinable package var isNull: Bool { start == nil }

    /// The bytes as they were sent: of `bytea`, or of a type that has no decoder here.
    @inlinable
    package func bytes() throws(PostgreSQLDataError) -> UnsafeRawBufferPointer {
      guard let start else { throw .unexpectedNull }
      return UnsafeRawBufferPointer(start: start, count: count)
    }

    /// The bytes of `text`, `varchar`, `name`, `json`.
    @inlinable
    package func text() throws(PostgreSQLDataError) -> UnsafeBufferPointer<UInt8> {
      try bytes().assumingMemoryBound(to: UInt8.self)
    }

    /// The text as a string: invalid UTF-8, which only SQL_ASCII databases can send, is repaired.
    package func string() throws(PostgreSQLDataError) -> String {
      String(decoding: try text(), as: UTF8.self)
    }

    @inlinable
    func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
      _: Integer.Type, _ type: StaticString
    ) throws(PostgreSQLDataError) -> Integer {
      guard let start, count == MemoryLayout<Integer>.size else { throw mismatch(type) }
      return Integer(bigEndian: start.loadUnaligned(as: Integer.self))
    }

    @usableFromInline
    func mismatch(_ type: StaticString) -> PostgreSQLDataError {
      start == nil ? .unexpectedNull : .malformed(type: "\(type)")
    }

    @inlinable package func int2() throws(PostgreSQLDataError) -> Int16 { try integer(Int16.self, "int2") }
    @inlinable package func int4() throws(PostgreSQLDataError) -> Int32 { try integer(Int32.self, "int4") }
    @inlinable package func int8() throws(PostgreSQLDataError) -> Int64 { try integer(Int64.self, "int8") }

    /// A `smallint`, `integer` or `bigint`.
    package func anyInteger() throws(PostgreSQLDataError) -> Int64 {
      switch count {
      case 2: Int64(try int2())
      case 4: Int64(try int4())
      default: try int8()
      }
    }

    @inlinable
    package func float8() throws(PostgreSQLDataError) -> Double {
      Double(bitPattern: try integer(UInt64.self, "float8"))
    }

    @inlinable
    package func float4() throws(PostgreSQLDataError) -> Float {
      Float(bitPattern: try integer(UInt32.self, "float4"))
    }

    @inlinable
    package func bool() throws(PostgreSQLDataError) -> Bool { try integer(UInt8.self, "bool") != 0 }

    /// Microseconds since 2000-01-01 00:00 UTC; `Int64.max` is infinity and `Int64.min` minus infinity.
    @inlinable
    package func timestamptz() throws(PostgreSQLDataError) -> Int64 { try integer(Int64.self, "timestamptz") }

    /// Days since 2000-01-01.
    @inlinable
    package func date() throws(PostgreSQLDataError) -> Int32 { try integer(Int32.self, "date") }

    @inlinable
    package func uuid() throws(PostgreSQLDataError) -> PostgreSQLUUID {
      guard let start, count == 16 else { throw mismatch("uuid") }
      return PostgreSQLUUID(
        high: UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)),
        low: UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }

  /// The 16 bytes of a UUID.
  package struct PostgreSQLUUID: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    @inlinable
    package init(high: UInt64, low: UInt64) {
      self.high = high
      self.low = low
    }

    /// Reads 32 hexadecimal digits in either case, with the four hyphens or without any.
    package init?(text: UnsafeBufferPointer<UInt8>) {
      guard text.count == 36 || text.count == 32 else { return nil }
      let hasHyphens = text.count == 36
      var halves: (UInt64, UInt64) = (0, 0)
      var digits = 0
      for (index, byte) in text.enumerated() {
        if hasHyphens, index == 8 || index == 13 || index == 18 || index == 23 {
          guard byte == UInt8(ascii: "-") else { return nil }
          continue
        }
        guard let value = Self.value(ofDigit: byte) else { return nil }
        if digits < 16 {
          halves.0 = halves.0 << 4 | value
        } else {
          halves.1 = halves.1 << 4 | value
        }
        digits += 1
      }
      self.init(high: halves.0, low: halves.1)
    }

    /// Appends the 36 characters of the usual form, in lower case.
    package func append(to text: inout [UInt8]) {
      for index in 0..<32 {
        if index == 8 || index == 12 || index == 16 || index == 20 { text.append(UInt8(ascii: "-")) }
        let half = index < 16 ? high : low
        let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - index % 16 * 4)) & 15
        text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }

    private static func value(ofDigit byte: UInt8) -> UInt64? {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
      default: nil
      }
    }
  }
#endif

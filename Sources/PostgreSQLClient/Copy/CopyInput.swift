#if PostgreSQL
  import CLibPQ

  /// The bytes of a binary COPY from the server, cut into rows.
  ///
  /// The server sends one row in a piece, and the pieces are read where libpq has put them. Where a row goes on
  /// in the next piece, as a proxy may cut it, its parts are joined in memory of this type.
  struct CopyInput {
    enum Step {
      case row
      /// Another piece is needed.
      case incomplete
    }

    /// The latest piece, to be released with PQfreemem, unless it was joined.
    private var piece: UnsafeMutablePointer<CChar>?
    private let joined = PostgreSQLBuffer(capacity: 0)
    /// The bytes to read: of the piece, or of the joined ones.
    private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    private var offset = 0
    private var hasHeader = false
    /// The server's mark of the end has been read.
    private(set) var isAtEnd = false

    /// Takes a piece over, when `nextRow` said `incomplete`.
    mutating func take(_ start: UnsafeMutablePointer<CChar>, _ count: Int) {
      let isRest = offset < bytes.count
      if isRest, piece == nil {
        joined.removeFirst(offset)
      } else {
        joined.removeAll(keepingAtMost: 1 << 20)
        if isRest { joined.append(bytes: UnsafeRawBufferPointer(rebasing: bytes[offset...])) }
      }
      release()
      offset = 0
      let new = UnsafeRawBufferPointer(start: start, count: count)
      guard isRest else {
        piece = start
        bytes = new
        return
      }
      joined.append(bytes: new)
      PQfreemem(start)
      bytes = joined.bytes
    }

    /// Releases the piece.
    mutating func release() {
      PQfreemem(piece)
      piece = nil
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Steps to the next row.
    /// - Throws: `malformed` for lengths that cannot be.
    mutating func nextRow(into fields: inout [PostgreSQLField]) throws(PostgreSQLDataError) -> Step {
      fields.removeAll(keepingCapacity: true)
      guard try readHeader(), !isAtEnd, let count = integer(Int16.self, at: offset) else {
        return .incomplete
      }
      var place = offset + 2
      guard count >= 0 else {
        guard count == -1 else { throw Self.malformed }
        isAtEnd = true
        offset = place
        return .incomplete
      }
      for _ in 0..<count {
        guard let length = integer(Int32.self, at: place) else { return .incomplete }
        place += 4
        guard length >= 0 else {
          guard length == -1 else { throw Self.malformed }
          fields.append(.null)
          continue
        }
        // The pieces of a value that long would fill the memory before its end could be missed.
        guard length <= PostgreSQLBuffer.maximumLength else { throw Self.malformed }
        guard Int(length) <= bytes.count - place, let start = bytes.baseAddress else { return .incomplete }
        fields.append(PostgreSQLField(start: start + place, count: Int(length)))
        place += Int(length)
      }
      offset = place
      return .row
    }

    private static var malformed: PostgreSQLDataError { .malformed(type: "binary COPY") }

    /// - Returns: Whether the header has been read.
    private mutating func readHeader() throws(PostgreSQLDataError) -> Bool {
      if hasHeader { return true }
      let length = CopyForm.signature.count
      guard let flags = integer(UInt32.self, at: length),
        let extra = integer(Int32.self, at: length + 4)
      else { return false }
      guard bytes.prefix(length).elementsEqual(CopyForm.signature), flags & CopyForm.criticalFlags == 0,
        extra >= 0, extra <= 1 << 20
      else { throw Self.malformed }
      guard bytes.count >= CopyForm.headerLength + Int(extra) else { return false }
      offset = CopyForm.headerLength + Int(extra)
      hasHeader = true
      return true
    }

    private func integer<Integer: FixedWidthInteger & BitwiseCopyable>(_: Integer.Type, at place: Int)
      -> Integer?
    {
      guard bytes.count - place >= MemoryLayout<Integer>.size else { return nil }
      return Integer(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Integer.self))
    }
  }
#endif

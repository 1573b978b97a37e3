#if PostgreSQL
  import CLibPQ

  /// Reads the rows of `COPY … TO STDOUT (FORMAT binary)`, one after another.
  ///
  /// ```swift
  /// let reader = try connection.copyOut("COPY bands (id, name) TO STDOUT (FORMAT binary)")
  /// while try reader.next() { print(try reader.field(0).int8()) }
  /// ```
  /// Values point into libpq's memory: nothing is copied. A reader that is released before the end cancels
  /// the COPY.
  package final class PostgreSQLCopyReader {
    private let connection: PostgreSQLConnection
    private var input = CopyInput()
    private var fields: [PostgreSQLField] = []
    private var hasEnded = false
    /// The number of rows that were read.
    package private(set) var rowCount = 0

    init(_ connection: PostgreSQLConnection) { self.connection = connection }

    deinit {
      close()
      input.release()
    }

    package var columnCount: Int { fields.count }

    /// The value of a column of the row, counted from 0, valid until the next step. NULL outside.
    package func field(_ column: Int) -> PostgreSQLField {
      fields.indices.contains(column) ? fields[column] : .null
    }

    /// Steps to the next row.
    /// - Returns: False after the last one.
    package func next() throws -> Bool {
      guard !hasEnded else { return false }
      do {
        while true {
          switch try input.nextRow(into: &fields) {
          case .row:
            rowCount += 1
            return true
          case .incomplete:
            if try connection.cancellable({ try connection.readCopyData(into: &input) }) { continue }
            guard input.isAtEnd else { throw PostgreSQLDataError.malformed(type: "binary COPY") }
            finish()
            return false
          }
        }
      } catch {
        close()
        throw error
      }
    }

    private func finish() {
      hasEnded = true
      fields.removeAll()
      connection.activity = .none
    }

    /// Ends the COPY, also on the server. What is left of the rows is not read.
    package func close() {
      guard !hasEnded else { return }
      finish()
      connection.endActivity()
    }
  }

  extension PostgreSQLConnection {
    /// Takes the next piece of a COPY.
    /// - Returns: False when the COPY has ended well.
    func readCopyData(into input: inout CopyInput) throws -> Bool {
      let handle = try open()
      while true {
        var bytes: UnsafeMutablePointer<CChar>?
        let length = PQgetCopyData(handle, &bytes, 1)
        if length > 0, let bytes {
          input.take(bytes, Int(length))
          return true
        }
        guard length == 0 else { break }
        _ = try wait(for: .readable)
        if PQconsumeInput(handle) != 1, PQstatus(handle) == CONNECTION_BAD { break }
      }
      var failure: PostgreSQLError?
      while let result = try nextResult() {
        if PQresultStatus(result) != PGRES_COMMAND_OK { failure = failure ?? error(of: result) }
        PQclear(result)
      }
      if let failure { throw failure }
      return false
    }
  }

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

#if PostgreSQL
  import CLibPQ

  /// Writes rows into `COPY … FROM STDIN (FORMAT binary)`.
  ///
  /// ```swift
  /// let writer = try connection.copyIn("COPY bands (id, name) FROM STDIN (FORMAT binary)")
  /// writer.beginRow()
  /// writer.append(int8: 1)
  /// try writer.append(text: name)
  /// try writer.endRow()
  /// let rows = try writer.finish()
  /// ```
  /// Each value has to have the type of its column exactly: no `int8` for an `integer` column. No value
  /// allocates memory. A writer that is released before `finish` aborts the COPY.
  ///
  /// libpq reports an error of the server in `finish` only: rows that are sent after it are ignored.
  package final class PostgreSQLCopyWriter {
    /// Rows are sent when there are this many bytes of them.
    @usableFromInline static let pieceLength = 256 << 10

    private let connection: PostgreSQLConnection
    @usableFromInline let buffer: PostgreSQLBuffer
    /// Where the row begins, with the number of its values.
    @exclusivity(unchecked) @usableFromInline var rowStart = 0
    @exclusivity(unchecked) @usableFromInline var fieldCount = 0
    /// How many rows have ended.
    @exclusivity(unchecked) @usableFromInline var rowCount = 0
    private var hasEnded = false

    init(_ connection: PostgreSQLConnection) {
      self.connection = connection
      buffer = PostgreSQLBuffer(capacity: Self.pieceLength + 16 << 10)
      for byte in CopyForm.signature { buffer.append(bigEndian: byte) }
      // No flags, no extension of the header.
      buffer.append(bigEndian: Int64(0))
      rowStart = buffer.count
    }

    deinit { abort("the writer was released") }

    // MARK: - Rows

    /// Begins a row. A row that was begun and not ended is forgotten.
    @inlinable
    package func beginRow() {
      buffer.truncate(to: rowStart)
      fieldCount = 0
      buffer.append(bigEndian: Int16(0))
    }

    /// Ends a row, and sends the rows if there are enough of them.
    @inlinable
    package func endRow() throws {
      guard fieldCount <= Int(Int16.max) else {
        beginRow()
        throw PostgreSQLDataError.tooMany
      }
      buffer.set(bigEndian: Int16(truncatingIfNeeded: fieldCount), at: rowStart)
      rowStart = buffer.count
      rowCount &+= 1
      if rowStart >= Self.pieceLength { try send() }
    }

    @inlinable
    package func appendNull() {
      buffer.appendNullField()
      fieldCount &+= 1
    }

    @inlinable
    package func append(bool value: Bool) {
      buffer.appendField(bool: value)
      fieldCount &+= 1
    }

    @inlinable
    package func append(int2 value: Int16) {
      buffer.appendField(integer: value)
      fieldCount &+= 1
    }

    @inlinable
    package func append(int4 value: Int32) {
      buffer.appendField(integer: value)
      fieldCount &+= 1
    }

    @inlinable
    package func append(int8 value: Int64) {
      buffer.appendField(integer: value)
      fieldCount &+= 1
    }

    @inlinable
    package func append(float8 value: Double) {
      buffer.appendField(float8: value)
      fieldCount &+= 1
    }

    /// - Parameter value: Microseconds since 2000-01-01 00:00 UTC.
    @inlinable package func append(timestamptz value: Int64) { append(int8: value) }

    /// - Parameter value: Days since 2000-01-01.
    @inlinable package func append(date value: Int32) { append(int4: value) }

    @inlinable
    package func append(uuid value: PostgreSQLUUID) {
      buffer.appendField(uuid: value)
      fieldCount &+= 1
    }

    /// Appends a text. The server refuses U+0000 and what is no UTF-8.
    @inlinable
    package func append(text: UnsafeBufferPointer<UInt8>) throws(PostgreSQLDataError) {
      try append(bytea: UnsafeRawBufferPointer(text))
    }

    @inlinable
    package func append(bytea bytes: UnsafeRawBufferPointer) throws(PostgreSQLDataError) {
      try buffer.appendField(bytes: bytes)
      fieldCount &+= 1
    }

    /// Appends a decimal number with all its digits.
    /// - Throws: `notNumeric`. Nothing is appended then: append NULL, or begin another row.
    package func append(numeric text: UnsafeBufferPointer<UInt8>) throws(PostgreSQLDataError) {
      try buffer.appendField(numeric: text)
      fieldCount &+= 1
    }

    // MARK: - Sending

    /// How many rows were sent, or will be by ``finish()``.
    package var endedRows: Int { rowCount }

    /// Sends the rows that have ended. Called between rows.
    @usableFromInline
    func send() throws {
      guard !hasEnded else { throw PostgreSQLError.misuse("the COPY has ended") }
      do {
        try connection.cancellable { try connection.put(buffer.bytes) }
      } catch {
        close()
        throw error
      }
      buffer.removeAll(keepingAtMost: 4 << 20)
      rowStart = 0
    }

    /// Sends what is left and ends the COPY. A row that was begun and not ended is not sent.
    /// - Returns: The number of rows that the server counted.
    /// - Throws: The server's error about any row. Nothing was inserted then.
    package func finish() throws -> Int {
      buffer.truncate(to: rowStart)
      buffer.append(bigEndian: Int16(-1))
      try send()
      defer { close() }
      return try connection.cancellable { try connection.endCopyIn(nil) }
    }

    /// Ends the COPY so that nothing is inserted. In a transaction, the transaction has then failed.
    package func abort(_ message: String) {
      guard !hasEnded else { return }
      close()
      connection.abortCopyIn(message)
    }

    private func close() {
      hasEnded = true
      connection.activity = .none
    }
  }

  /// The parts of a binary COPY beside its rows.
  enum CopyForm {
    /// `PGCOPY\n\377\r\n\0`
    static let signature: [UInt8] = [0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00]
    /// The signature, four bytes of flags and the length of an extension.
    static let headerLength = 19
    /// Bits of the flags that a reader has to know. There are none that are sent today.
    static let criticalFlags: UInt32 = 0xFFFF_0000
  }

  extension PostgreSQLConnection {
    /// Begins a `COPY … FROM STDIN (FORMAT binary)`.
    package func copyIn(_ sql: String) throws -> PostgreSQLCopyWriter {
      try beginCopy(sql, expecting: PGRES_COPY_IN)
      activity = .copyIn
      noteRunning(sql)
      return PostgreSQLCopyWriter(self)
    }

    /// Begins a `COPY … TO STDOUT (FORMAT binary)`.
    package func copyOut(_ sql: String) throws -> PostgreSQLCopyReader {
      try beginCopy(sql, expecting: PGRES_COPY_OUT)
      activity = .copyOut
      noteRunning(sql)
      return PostgreSQLCopyReader(self)
    }

    private func beginCopy(_ sql: String, expecting status: ExecStatusType) throws {
      let handle = try idle()
      guard PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1 else { throw callError() }
      try cancellable {
        guard let result = try nextResult() else { throw callError() }
        let found = PQresultStatus(result)
        if found == status, PQbinaryTuples(result) == 1 { return PQclear(result) }
        let failure =
          found == PGRES_FATAL_ERROR
          ? error(of: result)
          : PostgreSQLError.misuse("not a binary COPY in the direction that was asked for")
        PQclear(result)
        try endCopy(found)
        try discardResults()
        throw failure
      }
    }

    // MARK: - Data to the server

    /// Sends a piece of a COPY. It waits until the pieces before it are sent: libpq holds one at most.
    func put(_ bytes: UnsafeRawBufferPointer) throws {
      try flush()
      let handle = try open()
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
      var offset = 0
      while offset < bytes.count {
        let length = min(bytes.count - offset, 1 << 30)
        switch PQputCopyData(handle, start + offset, Int32(length)) {
        case 1: offset += length
        case 0: _ = try wait(for: .writable)
        default: throw copyError()
        }
      }
      // The rest is sent while the next piece is made.
      if PQflush(handle) < 0 { throw copyError() }
      if isBroken { throw copyError() }
    }

    /// Why data could not be sent: the server's last message if there is one.
    private func copyError() -> any Error {
      guard let handle else { return callError() }
      _ = PQputCopyEnd(handle, "the client lost the connection")
      guard PQstatus(handle) == CONNECTION_BAD, let result = PQgetResult(handle) else { return callError() }
      defer { PQclear(result) }
      return error(of: result)
    }

    /// Ends a COPY and waits for its result.
    /// - Parameter message: Why nothing is to be inserted, or `nil`.
    func endCopyIn(_ message: String?) throws -> Int {
      let handle = try open()
      while true {
        let status = PQputCopyEnd(handle, message)
        if status == 1 { break }
        guard status == 0 else { throw copyError() }
        _ = try wait(for: .writable)
      }
      var rows = 0
      var failure: PostgreSQLError?
      while let result = try nextResult() {
        if PQresultStatus(result) == PGRES_COMMAND_OK {
          rows = PostgreSQLRows(result: result).affectedRows
        } else {
          failure = failure ?? error(of: result)
          PQclear(result)
        }
      }
      if let failure { throw failure }
      return rows
    }

    /// Ends a COPY without inserting. The server's answer, an error with the message, is expected.
    func abortCopyIn(_ message: String) {
      guard !isBroken else { return }
      do {
        _ = try cancellable { try endCopyIn(message) }
      } catch {
        // The connection is usable, or it is broken, which the next statement reports.
        return
      }
    }
  }
#endif

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
#endif

#if PostgreSQL
  import CLibPQ

  /// The rows a statement gave, in binary, or the number of rows it changed.
  package final class PostgreSQLRows {
    private let result: OpaquePointer
    package let count: Int
    package let columnCount: Int

    /// - Parameter result: Cleared when this object is released.
    init(result: OpaquePointer) {
      self.result = result
      count = Int(PQntuples(result))
      columnCount = Int(PQnfields(result))
    }

    deinit { PQclear(result) }

    /// The number of rows that INSERT, UPDATE, DELETE, MERGE, COPY or SELECT counted; 0 for other statements.
    package var affectedRows: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// Decodes the value at a row and a column, counted from 0, of rows that nobody keeps: `query(…).value { try $0.int8() }`.
    ///
    /// A field of such rows would outlive them.
    package func value<Result>(
      _ row: Int = 0, _ column: Int = 0, _ decode: (PostgreSQLField) throws -> Result
    ) rethrows -> Result {
      try withExtendedLifetime(self) { try decode(field(row, column)) }
    }

    /// The value at a row and a column, counted from 0. It is valid as long as this object. NULL outside.
    package func field(_ row: Int, _ column: Int) -> PostgreSQLField {
      guard row >= 0, row < count, column >= 0, column < columnCount else { return .null }
      let (row, column) = (Int32(row), Int32(column))
      guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else {
        return .null
      }
      return PostgreSQLField(start: UnsafeRawPointer(start), count: Int(PQgetlength(result, row, column)))
    }

    package func name(ofColumn column: Int) -> String {
      guard column >= 0, column < columnCount else { return "" }
      return PQfname(result, Int32(column)).map { String(cString: $0) } ?? ""
    }

    package func type(ofColumn column: Int) -> PostgreSQLType {
      guard column >= 0, column < columnCount else { return .inferred }
      return PostgreSQLType(rawValue: PQftype(result, Int32(column)))
    }
  }

  /// The rows of a statement, one after another, in constant memory.
  ///
  /// No other statement can be executed before it has ended or was closed. For several at once declare cursors.
  ///
  /// ```swift
  /// let stream = try connection.stream("SELECT name FROM bands")
  /// while try stream.next() { print(try stream.field(0).string()) }
  /// ```
  package final class PostgreSQLRowStream {
    private let connection: PostgreSQLConnection
    private var rows: PostgreSQLRows?
    private var row = -1
    private var hasEnded = false

    init(_ connection: PostgreSQLConnection) { self.connection = connection }

    deinit { close() }

    /// Steps to the next row.
    /// - Returns: False when there are no more.
    package func next() throws -> Bool {
      row += 1
      while row >= rows?.count ?? 0 {
        guard !hasEnded else { return false }
        rows = nil
        row = 0
        do {
          try connection.cancellable { try readRows() }
        } catch {
          hasEnded = true
          connection.activity = .none
          throw error
        }
      }
      return true
    }

    /// Reads the next group of rows.
    private func readRows() throws {
      guard let result = try connection.nextResult() else {
        hasEnded = true
        connection.activity = .none
        return
      }
      let status = PQresultStatus(result)
      if clibpq_is_row_group(status) == 1 || status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK {
        rows = PostgreSQLRows(result: result)
        return
      }
      let failure =
        status == PGRES_FATAL_ERROR ? connection.error(of: result) : .misuse("the statement is a COPY")
      PQclear(result)
      try connection.endCopy(status)
      try connection.discardResults()
      throw failure
    }

    package var columnCount: Int { rows?.columnCount ?? 0 }

    /// The value of a column of the row, counted from 0, valid until the next step.
    package func field(_ column: Int) -> PostgreSQLField { rows?.field(row, column) ?? .null }

    /// Ends the statement, also on the server. What is left of its rows is not read.
    package func close() {
      guard !hasEnded else { return }
      hasEnded = true
      rows = nil
      connection.endActivity()
    }
  }

  extension PostgreSQLConnection {
    /// Executes a statement whose rows are taken one after another.
    package func stream(_ sql: String, _ values: PostgreSQLValue...) throws -> PostgreSQLRowStream {
      let handle = try idle()
      let sent = try filled(values).withArrays {
        PQsendQueryParams(handle, sql, $0.count, $0.types, $0.values, $0.lengths, $0.formats, 1)
      }
      guard sent == 1 else { throw callError() }
      activity = .rows
      noteRunning(sql)
      // If libpq refuses, the rows come in one group: more memory, but the same rows.
      _ = clibpq_set_row_groups(handle, 200)
      return PostgreSQLRowStream(self)
    }
  }
#endif

#if PostgreSQL
  import CLibPQ

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
      // If libpq refuses, the rows come in one group: more memory, but the same rows.
      _ = clibpq_set_row_groups(handle, 200)
      return PostgreSQLRowStream(self)
    }
  }
#endif

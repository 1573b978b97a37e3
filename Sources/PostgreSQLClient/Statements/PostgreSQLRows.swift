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
#endif

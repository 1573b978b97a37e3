#if PostgreSQL
  import Foundation
  import PostgreSQLClient
  import PostgreSQLServer
  import Testing

  @Suite(.enabled(if: PostgreSQLServer.isWanted))
  struct StatementTests {
    private let database: TestDatabase
    private var connection: PostgreSQLConnection { database.connection }

    init() throws { database = try TestDatabase() }

    @Test func severalStatements() throws {
      try connection.execute(
        "CREATE TABLE t (k bigint PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'a'), (2, NULL)")
      #expect(try connection.execute("UPDATE t SET v = 'b'") == 2)
      let rows = try connection.query("SELECT k, v FROM t WHERE k >= $1 ORDER BY k", .int8(1))
      #expect(rows.count == 2 && rows.columnCount == 2)
      #expect(rows.name(ofColumn: 1) == "v" && rows.type(ofColumn: 1) == .text)
      #expect(try connection.query("DELETE FROM t WHERE k = $1", .int8(2)).affectedRows == 1)
      #expect(try connection.execute("") == 0)
    }

    @Test func errorsWithTheirParts() throws {
      try connection.execute("CREATE TABLE t (k bigint CONSTRAINT key PRIMARY KEY, v text NOT NULL)")
      try connection.execute("INSERT INTO t VALUES (1, 'secret')")
      let error = try postgreSQLError { try connection.execute("INSERT INTO t VALUES (1, 'b')") }
      #expect(error.isUniqueViolation && error.sqlState == "23505")
      #expect(error.schema == "public" && error.table == "t" && error.constraint == "key")
      #expect(error.detail == "Key (k)=(1) already exists.")
      #expect(!"\(error)".contains("(1)"))
      let missing = try postgreSQLError { try connection.execute("INSERT INTO t VALUES (2)") }
      #expect(missing.isNotNullViolation && missing.column == "v")
      #expect(try postgreSQLError { try connection.execute("SELECT 1 FROM no_such") }.isMissingTable)
      #expect(!connection.isBroken && connection.transactionStatus == .idle)
    }

    @Test func failedTransaction() throws {
      try connection.execute("BEGIN")
      #expect(connection.transactionStatus == .inTransaction)
      #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 1/0") }
      #expect(connection.transactionStatus == .inFailedTransaction)
      #expect(try postgreSQLError { try connection.query("SELECT 1") }.isTransactionAborted)
      try connection.execute("ROLLBACK")
      #expect(connection.transactionStatus == .idle)
    }

    @Test func lockTimeoutAndPermission() throws {
      try connection.execute("CREATE TABLE t (k bigint)")
      try connection.execute("BEGIN; LOCK TABLE t")
      let other = try database.connect()
      let error = try postgreSQLError { try other.execute("SET lock_timeout = 20; SELECT * FROM t") }
      #expect(error.isLockTimeout)
      try connection.execute("ROLLBACK")
      try connection.execute("CREATE ROLE nobody_\(connection.processID)")
      try other.execute("SET ROLE nobody_\(connection.processID)")
      #expect(try postgreSQLError { try other.execute("SELECT * FROM t") }.isPermissionDenied)
    }

    @Test func serializationFailureAndDeadlock() throws {
      try connection.execute(
        "CREATE TABLE t (k bigint PRIMARY KEY, v int); INSERT INTO t VALUES (1, 0), (2, 0)")
      let other = try database.connect()
      try other.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM t")
      try connection.execute("UPDATE t SET v = 1")
      #expect(try postgreSQLError { try other.execute("UPDATE t SET v = 2") }.isSerializationFailure)
      try other.execute("ROLLBACK")
      try other.execute("BEGIN; UPDATE t SET v = 3 WHERE k = 1")
      try connection.execute("BEGIN; UPDATE t SET v = 3 WHERE k = 2")
      let failed = Flag()
      let thread = Thread {
        if (try? other.execute("UPDATE t SET v = 3 WHERE k = 2; COMMIT")) == nil { failed.set() }
      }
      thread.start()
      var error: PostgreSQLError?
      do { try connection.execute("UPDATE t SET v = 3 WHERE k = 1") } catch let found as PostgreSQLError {
        error = found
      }
      try connection.execute("ROLLBACK")
      while !thread.isFinished { Thread.sleep(forTimeInterval: 0.01) }
      #expect(error?.isDeadlock ?? failed.isSet)
    }

    @Test func misuse() throws {
      #expect(
        try postgreSQLError { try connection.execute("COPY (SELECT 1) TO STDOUT") }.message.contains("COPY"))
      try connection.execute("CREATE TABLE t (k bigint)")
      #expect(try postgreSQLError { try connection.execute("COPY t FROM STDIN") }.message.contains("COPY"))
      let stream = try connection.stream("SELECT generate_series(1, 10)")
      #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 1") }
      stream.close()
      #expect(try connection.query("SELECT 1").int() == 1)
      #expect(throws: PostgreSQLDataError.tooMany) {
        let parameters = PostgreSQLParameters()
        for _ in 0...65_535 { parameters.append(bool: true) }
        try connection.query("SELECT 1", parameters)
      }
    }

    // MARK: - Prepared statements

    @Test func preparedStatements() throws {
      try connection.execute("CREATE TABLE t (k bigint PRIMARY KEY, v text)")
      let insert = try connection.prepare("INSERT INTO t VALUES ($1, $2)", [.int8, .text])
      let parameters = PostgreSQLParameters()
      for key in 0..<100 as Range<Int64> {
        parameters.removeAll()
        parameters.append(int8: key)
        try parameters.append(text: "v\(key)")
        #expect(try connection.query(insert, parameters).affectedRows == 1)
      }
      #expect(try connection.prepare("INSERT INTO t VALUES ($1, $2)", [.int8, .text]) === insert)
      #expect(try connection.prepare("INSERT INTO t VALUES ($1, $2)") !== insert)
      #expect(try connection.query(prepared: "SELECT v FROM t WHERE k = $1", .int8(42)).string() == "v42")
      #expect(try connection.query("SELECT count(*) FROM pg_prepared_statements").int() == 3)
    }

    @Test func preparedStatementsAreReleased() throws {
      for number in 0..<300 { #expect(try connection.query(prepared: "SELECT \(number)").int() == number) }
      let count = try connection.query("SELECT count(*) FROM pg_prepared_statements").int()
      #expect(count == 256 || count == 257)
      try connection.releaseStatements()
      #expect(try connection.query("SELECT count(*) FROM pg_prepared_statements").int() == 0)
      #expect(try connection.query(prepared: "SELECT 5").int() == 5)
    }

    @Test func preparedStatementOfAChangedTable() throws {
      try connection.execute("CREATE TABLE t (k bigint); INSERT INTO t VALUES (1)")
      #expect(try connection.query(prepared: "SELECT * FROM t").columnCount == 1)
      try connection.execute("ALTER TABLE t ADD v text")
      #expect(throws: PostgreSQLError.self) { try connection.query(prepared: "SELECT * FROM t") }
      #expect(try connection.query(prepared: "SELECT * FROM t").columnCount == 2)
      try connection.execute("DEALLOCATE ALL")
      #expect(throws: PostgreSQLError.self) { try connection.query(prepared: "SELECT * FROM t") }
      #expect(try connection.query(prepared: "SELECT * FROM t").columnCount == 2)
    }

    // MARK: - Streams

    @Test func streams() throws {
      let stream = try connection.stream("SELECT i, NULL FROM generate_series($1, 10000) i", .int8(1))
      var sum: Int64 = 0
      while try stream.next() {
        sum += try stream.field(0).int8()
        #expect(stream.field(1).isNull && stream.field(2).isNull)
      }
      #expect(sum == 50_005_000)
      #expect(try !stream.next())
      #expect(try connection.query("SELECT 1").int() == 1)
    }

    @Test func streamThatFails() throws {
      let stream = try connection.stream("SELECT 10 / (5000 - i) FROM generate_series(1, 10000) i")
      var count = 0
      let error = try postgreSQLError { while try stream.next() { count += 1 } }
      #expect(error.sqlState == "22012" && count > 0)
      #expect(try !stream.next())
      #expect(try connection.query("SELECT 1").int() == 1)
    }

    @Test func streamThatIsLeft() throws {
      do {
        let stream = try connection.stream("SELECT repeat('x', 1000) FROM generate_series(1, 1000000)")
        #expect(try stream.next())
      }
      #expect(try connection.query("SELECT 1").int() == 1)
      let copy = try connection.stream("COPY (SELECT 1) TO STDOUT")
      #expect(throws: PostgreSQLError.self) { try copy.next() }
      #expect(try connection.query("SELECT 1").int() == 1)
    }
  }
#endif

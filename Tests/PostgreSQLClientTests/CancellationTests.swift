#if PostgreSQL
  import Foundation
  import PostgreSQLClient
  import PostgreSQLServer
  import Testing

  @Suite(.enabled(if: PostgreSQLServer.isWanted))
  struct CancellationTests {
    private let database: TestDatabase
    private var connection: PostgreSQLConnection { database.connection }

    init() throws { database = try TestDatabase() }

    /// Cancels what the connection does from now on, after a tenth of a second.
    private func cancelSoon() {
      let start = ContinuousClock.now
      connection.isCancelled = { ContinuousClock.now - start > .milliseconds(100) }
    }

    private func expectUsable() throws {
      connection.isCancelled = { false }
      #expect(!connection.isBroken)
      if connection.transactionStatus != .idle { try connection.execute("ROLLBACK") }
      #expect(try connection.query("SELECT 1").int() == 1)
    }

    @Test func statement() throws {
      let start = ContinuousClock.now
      cancelSoon()
      #expect(throws: CancellationError.self) { try connection.execute("SELECT pg_sleep(60)") }
      #expect(ContinuousClock.now - start < .seconds(30))
      try expectUsable()
    }

    @Test func statementByAnotherThread() throws {
      let handle = connection.cancelHandle
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.1)
        try? handle.cancel()
      }
      #expect(try postgreSQLError { try connection.execute("SELECT pg_sleep(60)") }.isQueryCancelled)
      try expectUsable()
    }

    @Test func beforeTheStatement() throws {
      connection.isCancelled = { true }
      #expect(throws: CancellationError.self) { try connection.execute("CREATE TABLE t (k bigint)") }
      try expectUsable()
      #expect(try connection.query("SELECT to_regclass('t')::text").field(0, 0).isNull)
    }

    @Test func copyThatWaitsForALock() throws {
      try connection.execute("CREATE TABLE t (k bigint, v bytea)")
      let other = try database.connect()
      try other.execute("BEGIN; LOCK TABLE t")
      try connection.execute("BEGIN")
      cancelSoon()
      #expect(throws: CancellationError.self) { try connection.copyIn("COPY t FROM STDIN (FORMAT binary)") }
      try expectUsable()
      // A lock that is met while rows are sent: a trigger takes it.
      try other.execute("ROLLBACK")
      try other.execute(
        """
        CREATE TABLE l ();
        CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM 1 FROM l; RETURN NEW; END';
        CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION f()
        """)
      try other.execute("BEGIN; LOCK TABLE l")
      let writer = try connection.copyIn("COPY t FROM STDIN (FORMAT binary)")
      cancelSoon()
      let bytes = [UInt8](repeating: 1, count: 100_000)
      #expect(throws: CancellationError.self) {
        for key in 0..<10_000 as Range<Int64> {
          writer.beginRow()
          writer.append(int8: key)
          try bytes.withUnsafeBytes { try writer.append(bytea: $0) }
          try writer.endRow()
        }
      }
      try expectUsable()
      try other.execute("ROLLBACK")
      #expect(try connection.query("SELECT count(*) FROM t").int() == 0)
    }

    @Test func copyOut() throws {
      cancelSoon()
      #expect(throws: CancellationError.self) {
        try connection.copyOut("COPY (SELECT pg_sleep(60)) TO STDOUT (FORMAT binary)")
      }
      try expectUsable()
      // The server keeps the first rows until there are 8 kB of them.
      let reader = try connection.copyOut(
        """
        COPY (SELECT repeat('x', 1000), pg_sleep(CASE WHEN i < 50 THEN 0 ELSE 60 END)
          FROM generate_series(1, 51) i) TO STDOUT (FORMAT binary)
        """)
      #expect(try reader.next())
      cancelSoon()
      #expect(throws: CancellationError.self) { while try reader.next() {} }
      try expectUsable()
    }

    @Test func stream() throws {
      let stream = try connection.stream("SELECT pg_sleep(60)")
      cancelSoon()
      #expect(throws: CancellationError.self) { while try stream.next() {} }
      try expectUsable()
    }

    @Test func pipeline() throws {
      let sleep = try connection.prepare("SELECT pg_sleep(60)")
      let parameters = PostgreSQLParameters()
      cancelSoon()
      #expect(throws: CancellationError.self) {
        try connection.pipeline { pipeline in
          for _ in 0..<3 { try pipeline.send(sleep, parameters) }
          try pipeline.sync()
        }
      }
      try expectUsable()
    }

    // MARK: - Silent servers

    /// Stops the process of the server that serves the connection, until the result is let go of.
    private func stopped() -> StoppedProcess { StoppedProcess(connection.processID) }

    @Test func silentServerIsLeftAtOnce() throws {
      let stopped = stopped()
      defer { stopped.go() }
      let start = ContinuousClock.now
      cancelSoon()
      #expect(throws: CancellationError.self) { try connection.execute("SELECT 1") }
      #expect(ContinuousClock.now - start < .seconds(6))
      #expect(connection.isBroken)
    }

    @Test func answersThatHaveToComeInTime() throws {
      #expect(
        try connection.expectingAnswer(within: .seconds(60)) { try connection.query("SELECT 1").int() } == 1)
      let error = try postgreSQLError {
        try connection.expectingAnswer(within: .seconds(1)) {
          _ = try connection.execute("SELECT pg_sleep(60)")
        }
      }
      #expect(error.isConnectionLost && error.message.contains("has not answered for a second"), "\(error)")
      #expect(connection.isBroken)
    }

    @Test func silenceIsChecked() throws {
      var checks = 0
      connection.silenceCheck = .init(every: .milliseconds(50)) { silence, _ in
        checks += 1
        if silence > .milliseconds(300) { throw PostgreSQLError.lost("silent") }
      }
      #expect(try connection.query("SELECT 1 FROM pg_sleep(0.12)").int() == 1)
      #expect((1...3).contains(checks))
      let stopped = stopped()
      defer { stopped.go() }
      let error = try postgreSQLError { try connection.execute("SELECT 1") }
      #expect(error.message == "silent" && error.isConnectionLost)
      #expect(connection.isBroken)
    }

    // MARK: - Lost connections

    @Test func endedWhileNothingWasAsked() throws {
      let other = try database.connect()
      try connection.execute("SET idle_in_transaction_session_timeout = 50; BEGIN")
      try waitUntilGone(seenBy: other)
      // Read as a notice.
      _ = try? connection.takeNotifications()
      let error = try postgreSQLError { try connection.execute("SELECT 1") }
      #expect(error.sqlState == "25P03" && error.isConnectionLost, "\(error)")
      #expect(error.message.contains("idle-in-transaction"), "\(error)")
    }

    /// Waits until the server has no process of the connection any more.
    private func waitUntilGone(seenBy other: PostgreSQLConnection) throws {
      let process = Int64(connection.processID)
      let count = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1::bigint::int"
      let end = ContinuousClock.now + .seconds(600)
      while try other.query(count, .int8(process)).int() > 0 {
        try #require(ContinuousClock.now < end, "The server has not ended the connection.")
        Thread.sleep(forTimeInterval: 0.005)
      }
    }

    /// Ends the connection at the server, soon after a statement of it has begun.
    private func killSoon() throws {
      let (other, process) = (try database.connect(), Int64(connection.processID))
      let running = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1::bigint::int AND state = 'active'"
      Thread.detachNewThread {
        // try?: the test fails if the connection is not ended.
        while let count = try? other.query(running, .int8(process)).int(), count == 0 {
          Thread.sleep(forTimeInterval: 0.005)
        }
        _ = try? other.query("SELECT pg_terminate_backend($1::bigint::int)", .int8(process))
      }
    }

    private func expectLost(_ body: () throws -> Void) throws {
      let error = try postgreSQLError(body)
      #expect(error.isConnectionLost, "\(error)")
      #expect(connection.isBroken)
      #expect(try postgreSQLError { try connection.execute("SELECT 1") }.isConnectionLost)
    }

    @Test func killedInAStatement() throws {
      try killSoon()
      try expectLost { try connection.execute("SELECT pg_sleep(60)") }
    }

    @Test func killedBetweenStatements() throws {
      let other = try database.connect()
      try other.query("SELECT pg_terminate_backend($1::bigint::int)", .int8(Int64(connection.processID)))
      try waitUntilGone(seenBy: other)
      let error = try postgreSQLError { try connection.query("SELECT 1") }
      #expect(error.sqlState == "57P01" && error.isConnectionLost)
    }

    @Test func killedInACopy() throws {
      try connection.execute("CREATE TABLE t (k bigint)")
      let writer = try connection.copyIn("COPY t FROM STDIN (FORMAT binary)")
      try killSoon()
      let start = ContinuousClock.now
      try expectLost {
        while ContinuousClock.now - start < .seconds(60) {
          writer.beginRow()
          writer.append(int8: 1)
          try writer.endRow()
        }
      }
      let reader = try database.connect()
      #expect(try reader.query("SELECT count(*) FROM t").int() == 0)
    }

    @Test func killedInACopyOutAPipelineAndAStream() throws {
      try killSoon()
      let reader = try connection.copyOut(
        "COPY (SELECT i, pg_sleep(0.001) FROM generate_series(1, 100000) i) TO STDOUT (FORMAT binary)")
      try expectLost { while try reader.next() {} }
      let second = try database.connect()
      let statement = try second.prepare("SELECT pg_terminate_backend(pg_backend_pid())")
      let parameters = PostgreSQLParameters()
      do {
        try second.pipeline { pipeline in
          for _ in 0..<3 { try pipeline.send(statement, parameters) }
          try pipeline.sync()
        }
        Issue.record("no error")
      } catch let error as PostgreSQLPipelineError {
        #expect(error.index == 0 && error.error.isConnectionLost)
      }
      #expect(second.isBroken)
      let third = try database.connect()
      let stream = try third.stream("SELECT pg_terminate_backend(pg_backend_pid())")
      #expect(try postgreSQLError { while try stream.next() {} }.isConnectionLost)
    }
  }
#endif

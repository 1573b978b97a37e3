#if PostgreSQL
  import PostgreSQLClient
  import PostgreSQLServer
  import Testing

  @Suite(.enabled(if: PostgreSQLServer.isWanted))
  struct PipelineTests {
    private let connection: PostgreSQLConnection
    private let insert: PostgreSQLStatement
    private let parameters = PostgreSQLParameters()

    init() throws {
      connection = try TestDatabase().connection
      try connection.execute("CREATE TABLE t (k bigint PRIMARY KEY, v text)")
      insert = try connection.prepare("INSERT INTO t VALUES ($1, repeat('x', 1000)) RETURNING k, v", [.int8])
    }

    private func send(_ key: Int64, in pipeline: PostgreSQLPipeline) throws {
      parameters.removeAll()
      parameters.append(int8: key)
      try pipeline.send(insert, parameters)
    }

    @Test func resultsInOrder() throws {
      var keys: [Int64] = []
      try connection.pipeline { pipeline in
        for key in 0..<20_000 as Range<Int64> {
          try send(key, in: pipeline)
          // The results of all these are larger than what sockets hold.
          if key % 10_000 == 9_999 {
            try pipeline.sync { index, rows in
              #expect(index == keys.count)
              keys.append(try rows.int())
            }
          }
        }
      }
      #expect(keys == Array(0..<20_000))
      #expect(try connection.query("SELECT count(*) FROM t").int() == 20_000)
    }

    @Test(arguments: [false, true])
    func errorInTheMiddle(isInTransaction: Bool) throws {
      if isInTransaction { try connection.execute("BEGIN") }
      var seen: [Int] = []
      do {
        try connection.pipeline { pipeline in
          try send(1, in: pipeline)
          try pipeline.sync()
          for key in [2, 3, 2, 4] as [Int64] { try send(key, in: pipeline) }
          try pipeline.sync { index, _ in seen.append(index) }
        }
        Issue.record("no error")
      } catch let error as PostgreSQLPipelineError {
        #expect(error.index == 3 && error.error.isUniqueViolation)
      }
      #expect(seen == [1, 2])
      #expect(connection.transactionStatus == (isInTransaction ? .inFailedTransaction : .idle))
      if isInTransaction { try connection.execute("ROLLBACK") }
      #expect(try connection.query("SELECT count(*) FROM t").int() == (isInTransaction ? 0 : 1))
    }

    @Test func errorsOfTheCaller() throws {
      struct Stop: Error {}
      #expect(throws: Stop.self) {
        try connection.pipeline { pipeline in
          try send(1, in: pipeline)
          throw Stop()
        }
      }
      #expect(throws: Stop.self) {
        try connection.pipeline { pipeline in
          for key in 10..<20 as Range<Int64> { try send(key, in: pipeline) }
          try pipeline.sync { index, _ in if index == 5 { throw Stop() } }
        }
      }
      #expect(try connection.query("SELECT count(*) FROM t").int() >= 10)
      // What was not synchronised is at the end.
      try connection.pipeline { pipeline in try send(100, in: pipeline) }
      #expect(try connection.query("SELECT count(*) FROM t WHERE k = 100").int() == 1)
      try connection.pipeline { _ in }
      #expect(throws: PostgreSQLError.self) {
        try connection.pipeline { _ in try connection.execute("SELECT 1") }
      }
    }
  }
#endif

#if PostgreSQL
  import CLibPQ

  /// An execution in a pipeline that failed. Those behind it, up to the next `sync`, were not executed.
  package struct PostgreSQLPipelineError: Error, Sendable, CustomStringConvertible {
    /// Which execution of the pipeline failed, counted from 0.
    package var index: Int
    package var error: PostgreSQLError

    package var description: String { "statement \(index + 1) of the pipeline: \(error)" }
  }

  /// Sends many executions of prepared statements without waiting for each result.
  ///
  /// Outside of a transaction, what is sent between two calls of `sync` is one transaction.
  package final class PostgreSQLPipeline {
    private let connection: PostgreSQLConnection
    /// The executions whose results were taken, and those that were sent.
    private var taken = 0
    private var sent = 0
    private var sinceFlush = 0
    /// The statements that were sent since the last `sync`, if somebody wants to know, and when the result before was there.
    private var statements: [String] = []
    private var lastResult: ContinuousClock.Instant?

    init(_ connection: PostgreSQLConnection) { self.connection = connection }

    /// Queues one execution. The parameters can be used again at once.
    ///
    /// Results stay in memory until `sync`: call it every few thousand executions.
    package func send(_ statement: PostgreSQLStatement, _ parameters: PostgreSQLParameters) throws {
      let handle = try connection.open()
      let result = try parameters.withArrays {
        PQsendQueryPrepared(handle, statement.name, $0.count, $0.values, $0.lengths, $0.formats, 1)
      }
      guard result == 1 else { throw connection.callError() }
      if connection.onStatement != nil {
        if statements.isEmpty { lastResult = .now }
        statements.append(statement.sql)
      }
      sent += 1
      sinceFlush += 1
      // libpq sends by itself when it holds much, but only what the socket takes at once.
      if sinceFlush >= 256 {
        sinceFlush = 0
        try connection.flush()
      }
    }

    /// Waits for the results of all that was sent, and hands them over in order.
    /// - Parameter body: Gets the number of the execution, counted from 0, and its result.
    /// - Throws: `PostgreSQLPipelineError`: `body` has got the results before it.
    package func sync(_ body: (Int, PostgreSQLRows) throws -> Void = { _, _ in }) throws {
      guard PQpipelineSync(try connection.open()) == 1 else { throw connection.callError() }
      sinceFlush = 0
      connection.pendingSyncs += 1
      var failure: PostgreSQLPipelineError?
      defer { statements.removeAll() }
      while let result = try nextResult() {
        switch PQresultStatus(result) {
        case PGRES_PIPELINE_SYNC:
          PQclear(result)
          connection.pendingSyncs -= 1
          taken = sent
          if let failure { throw failure }
          return
        case PGRES_PIPELINE_ABORTED: PQclear(result)
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
          tellResult()
          try body(taken, PostgreSQLRows(result: result))
        default:
          let error = connection.error(of: result)
          failure = failure ?? PostgreSQLPipelineError(index: taken, error: error)
          PQclear(result)
          // No end of the pipeline will come.
          if connection.isBroken { throw failure ?? PostgreSQLPipelineError(index: taken, error: error) }
        }
        taken += 1
      }
      throw connection.callError()
    }

    /// Tells of the execution whose result has come. Its time is that since the result before, as the server works meanwhile.
    private func tellResult() {
      guard let onStatement = connection.onStatement, let before = lastResult else { return }
      let index = taken - (sent - statements.count)
      guard statements.indices.contains(index) else { return }
      let now = ContinuousClock.now
      lastResult = now
      onStatement(statements[index], now - before)
    }

    /// The next result. Between the results of two executions libpq gives `nil` once.
    private func nextResult() throws -> OpaquePointer? {
      if let result = try connection.nextResult() { return result }
      return connection.isBroken ? nil : try connection.nextResult()
    }
  }

  extension PostgreSQLConnection {
    /// Runs executions of prepared statements in pipeline mode. Only the pipeline may be used in it.
    ///
    /// Statements sent since the last `sync` are synchronised at the end, and their results are discarded.
    package func pipeline<Result>(_ body: (PostgreSQLPipeline) throws -> Result) throws -> Result {
      let handle = try idle()
      guard PQenterPipelineMode(handle) == 1 else { throw callError() }
      activity = .pipeline
      do {
        let pipeline = PostgreSQLPipeline(self)
        let result = try body(pipeline)
        try pipeline.sync()
        try endPipeline()
        activity = .none
        return result
      } catch is CancellationError {
        endActivity()
        throw CancellationError()
      } catch {
        leavePipeline()
        throw error
      }
    }

    /// Leaves the pipeline after an error, with a limit of time.
    private func leavePipeline() {
      isEnding = true
      endingDeadline = ContinuousClock.now + .seconds(10)
      defer {
        isEnding = false
        activity = .none
      }
      do { try endPipeline() } catch { close() }
    }

    /// Reads all results up to the end of the pipeline and leaves it.
    func endPipeline() throws {
      let handle = try open()
      if PQexitPipelineMode(handle) == 1 { return }
      guard PQpipelineSync(handle) == 1 else { throw callError() }
      pendingSyncs += 1
      var missing = 0
      // One `nil` follows the results of each execution; two of them mean that nothing is left.
      while pendingSyncs > 0, missing < 2 {
        guard let result = try nextResult() else {
          missing += 1
          continue
        }
        missing = 0
        if PQresultStatus(result) == PGRES_PIPELINE_SYNC { pendingSyncs -= 1 }
        PQclear(result)
      }
      pendingSyncs = 0
      guard PQexitPipelineMode(handle) == 1 else { throw callError() }
    }
  }
#endif

#if PostgreSQL
  import CLibPQ
  import Dispatch
  import Foundation

  extension PostgreSQLConnection {
    /// The longest time that ending a cancelled statement may take.
    private static let patience = Duration.seconds(2)

    /// Runs what waits for the server, and ends the statement on the server when it is cancelled.
    func cancellable<Result>(_ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch let cancellation as CancellationError {
        endActivity()
        throw cancellation
      }
    }

    /// Cancels what runs, and reads its results up to the end, so that the next statement can begin. If this
    /// does not succeed the connection is closed.
    func endActivity() {
      isEnding = true
      endingDeadline = ContinuousClock.now + Self.patience
      defer {
        isEnding = false
        activity = .none
      }
      do {
        if transactionStatus == .executing { try cancelOnServer() }
        if activity == .pipeline {
          try endPipeline()
        } else {
          try discardResults()
        }
      } catch {
        close()
      }
    }

    /// PQcancel cannot be given a limit of time, so another thread calls it.
    private func cancelOnServer() throws {
      let done = DispatchSemaphore(value: 0)
      let handle = cancelHandle
      Thread.detachNewThread {
        // A request that fails leaves the statement running: the wait for its end then finds that out.
        try? handle.cancel()
        done.signal()
      }
      // A request that is still under way could cancel a later statement.
      guard done.wait(timeout: .now() + 2) == .success else {
        throw PostgreSQLError.lost("the server does not answer the request to cancel")
      }
    }

    /// Reads and releases all results. A COPY that is under way is ended.
    func discardResults() throws {
      while let result = try nextResult() {
        let status = PQresultStatus(result)
        PQclear(result)
        try endCopy(status)
      }
    }

    /// Ends a COPY that a result began, without its data.
    func endCopy(_ status: ExecStatusType) throws {
      let handle = try open()
      switch status {
      case PGRES_COPY_IN: PQputCopyEnd(handle, "the client ended the COPY")
      case PGRES_COPY_OUT:
        while true {
          var row: UnsafeMutablePointer<CChar>?
          let length = PQgetCopyData(handle, &row, 1)
          PQfreemem(row)
          guard length >= 0 else { return }
          guard length == 0 else { continue }
          _ = try wait(for: .readable)
          if PQconsumeInput(handle) != 1 { return }
        }
      case PGRES_COPY_BOTH: throw PostgreSQLError.misuse("the connection is used for replication")
      default: return
      }
    }
  }
#endif

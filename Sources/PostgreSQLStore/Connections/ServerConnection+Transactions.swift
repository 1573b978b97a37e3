#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  extension ServerConnection {
    /// Runs `body` between `opening` and the ending that it asks for.
    ///
    /// - Parameter committing: Commits, by what it is given.
    /// - Throws: What `body` throws, after everything was undone; `CancellationError` if it was cancelled before the end;
    ///   ``StoreError`` for what the server says.
    func transaction<Result>(
      _ opening: String, _ address: DatabaseAddress, _ pending: AccessRequest,
      _ body: (PostgreSQLConnection) throws -> (Result, TransactionEnding),
      committing: (() throws -> Void) throws -> Void = { try $0() }
    ) throws -> Result {
      let failure = ServerFailure(address)
      do {
        try begin(opening, address, pending)
      } catch {
        throw failure.described(error)
      }
      link.isCancelled = { pending.isCancelled }
      defer { link.isCancelled = { false } }
      var isCommitting = false
      do {
        let (result, ending) = try body(link)
        try pending.check()
        // Once the server was asked to commit, the answer is waited for.
        link.isCancelled = { false }
        isCommitting = ending == .commit
        if isCommitting {
          try committing { _ = try link.execute("COMMIT") }
        } else {
          _ = try link.execute("ROLLBACK")
        }
        return result
      } catch {
        link.isCancelled = { false }
        if !link.isBroken { _ = try? link.execute("ROLLBACK") }
        throw failure.described(error, isCommit: isCommitting)
      }
    }

    /// Runs `body` outside of a transaction.
    func ask(_ pending: AccessRequest, _ body: (PostgreSQLConnection) throws -> Void) throws {
      link.isCancelled = { pending.isCancelled }
      defer { link.isCancelled = { false } }
      try body(link)
    }

    /// Begins a transaction. A connection that was lost while nobody used it is made anew.
    private func begin(_ opening: String, _ address: DatabaseAddress, _ pending: AccessRequest) throws {
      do {
        _ = try link.execute(opening)
      } catch let error as PostgreSQLError where error.isConnectionLost {
        try reconnect(address, pending)
        _ = try link.execute(opening)
      }
    }
  }
#endif

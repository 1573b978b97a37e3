#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  extension ServerConnection {
    /// Runs `body` between `opening` and the ending that it asks for.
    ///
    /// - Throws: What `body` throws, after everything was undone; `CancellationError` if it was cancelled before the end;
    ///   ``StoreError`` for what the server says.
    func transaction<Result>(
      _ opening: String, _ address: DatabaseAddress, _ pending: PendingAccess,
      _ body: (PostgreSQLConnection) throws -> (Result, TransactionEnding)
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
        _ = try link.execute(isCommitting ? "COMMIT" : "ROLLBACK")
        return result
      } catch {
        link.isCancelled = { false }
        if !link.isBroken { _ = try? link.execute("ROLLBACK") }
        throw failure.described(error, isCommit: isCommitting)
      }
    }

    /// Runs `body` outside of a transaction.
    func ask(_ pending: PendingAccess, _ body: (PostgreSQLConnection) throws -> Void) throws {
      link.isCancelled = { pending.isCancelled }
      defer { link.isCancelled = { false } }
      try body(link)
    }

    /// Begins a transaction. A connection that was lost while nobody used it is made anew.
    private func begin(_ opening: String, _ address: DatabaseAddress, _ pending: PendingAccess) throws {
      do {
        _ = try link.execute(opening)
      } catch let error as PostgreSQLError where error.isConnectionLost {
        try reconnect(address, pending)
        _ = try link.execute(opening)
      }
    }
  }
#endif

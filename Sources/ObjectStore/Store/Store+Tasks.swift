extension Store {
  /// Runs `body` in a transaction, as ``transaction(_:)`` does, on a thread that tasks do not need.
  ///
  /// A task that is cancelled neither waits nor writes any longer: everything is undone. Once the transaction is
  /// committed, its result stands.
  ///
  /// - Throws: What `body` throws, ``StoreError``; `CancellationError` if the task was cancelled before the end.
  package func asyncTransaction<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @Sendable (StoreTransaction) throws -> (Result, Ending)
  ) async throws -> Result {
    try await lend(writer, delivers: true) { try write(on: $0, $1, body) }
  }

  /// Runs `body` on what the store holds now, as ``read(_:)`` does, on a thread that tasks do not need.
  ///
  /// - Throws: What `body` throws, ``StoreError``; `CancellationError` if the task was cancelled before the end.
  package func asyncRead<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @Sendable (StoreTransaction) throws -> Result
  ) async throws -> Result {
    guard state.hasReaders else {
      return try await lend(writer) { try readOnWriter($0, $1, body) }
    }
    return try await lend(readers) { try read(on: $0, $1, body) }
  }

  private func lend<Result: Sendable>(
    _ pool: ConnectionPool, delivers: Bool = false, isolation: isolated (any Actor)? = #isolation,
    _ body: @Sendable (Connection, Cancellation) throws -> Result
  ) async throws -> Result {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      do {
        try cancellation.check()
        return try await TaskAccess(pool, cancellation).run { connection in
          let result: Result
          do {
            defer { pool.giveBack(connection) }
            try cancellation.check()
            result = try body(connection, cancellation)
          }
          if delivers { delivery.deliver(self) }
          return result
        }
      } catch {
        // An interrupted statement says so in SQLite's words.
        try cancellation.check()
        throw error
      }
    } onCancel: {
      cancellation.cancel()
      pool.wake(cancellation)
    }
  }
}

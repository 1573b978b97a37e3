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
    try await lend(writer) { connection, cancellation in
      try write(on: connection, cancellation, body)
    }
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

  /// Stays on the caller's actor until it is known which connection it is, which saves two changes of threads.
  private func lend<Result: Sendable>(
    _ pool: ConnectionPool, isolation: isolated (any Actor)? = #isolation,
    _ body: @Sendable (Connection, Cancellation) throws -> Result
  ) async throws -> Result {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try cancellation.check()
      let connection = try await pool.take(cancellation, isolation: isolation)
      defer { pool.giveBack(connection) }
      do {
        return try await connection.actor.run {
          try cancellation.check()
          return try body(connection, cancellation)
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

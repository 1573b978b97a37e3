extension Store {
  /// Runs `body` in a transaction, as ``transaction(_:)`` does, on a thread that tasks do not need.
  ///
  /// A task that is cancelled neither waits nor writes any longer: everything is undone. Once the transaction is
  /// committed, its result stands.
  ///
  /// - Throws: What `body` throws, ``StoreError``; `CancellationError` if the task was cancelled before the end.
  package func asyncTransaction<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @Sendable (SQLiteTransaction) throws -> (Result, Ending)
  ) async throws -> Result {
    try await lend(writer, delivers: true) { try write(on: $0, $1, body) }
  }

  /// Runs `body` on what the store holds now, as ``read(_:)`` does, on a thread that tasks do not need.
  ///
  /// - Parameter isLong: Whether it may last for as long as whoever it serves asks the store other things. Then it does
  ///   not count among the connections, of which there would be none left for that.
  /// - Throws: What `body` throws, ``StoreError``; `CancellationError` if the task was cancelled before the end.
  package func asyncRead<Result: Sendable>(
    isLong: Bool = false, isolation: isolated (any Actor)? = #isolation,
    _ body: @Sendable (SQLiteTransaction) throws -> Result
  ) async throws -> Result {
    if state.isBlank { return try readEmpty(body) }
    guard state.hasReaders else {
      return try await lend(writer) { try readOnWriter($0, $1, body) }
    }
    return try await lend(readers, isUrgent: isLong) { try read(on: $0, $1, body) }
  }

  /// Runs `body` with the connection that writes, outside a transaction.
  func lendWriter<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @Sendable (Connection, PendingAccess) throws -> Result
  ) async throws -> Result {
    try await lend(writer, body)
  }

  private func lend<Result: Sendable>(
    _ pool: ConnectionPool, delivers: Bool = false, isUrgent: Bool = false,
    isolation: isolated (any Actor)? = #isolation,
    _ body: @Sendable (Connection, PendingAccess) throws -> Result
  ) async throws -> Result {
    let access = PendingAccess(options)
    return try await withTaskCancellationHandler {
      do {
        try access.check()
        return try await TaskAccess(pool, access, isUrgent: isUrgent).run { connection in
          let result: Result
          do {
            defer { pool.giveBack(connection, isUrgent: isUrgent) }
            try access.check()
            result = try body(connection, access)
          }
          if delivers { delivery.deliver(self) }
          return result
        }
      } catch {
        // An interrupted statement says so in SQLite's words.
        try access.check()
        throw error
      }
    } onCancel: {
      access.cancel()
      pool.wake(access)
    }
  }
}

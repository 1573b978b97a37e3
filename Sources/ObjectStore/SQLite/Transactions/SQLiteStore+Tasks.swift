extension SQLiteStore {
  package func asyncTransaction<Result: Sendable>(
    isolation: isolated (any Actor)?,
    _ body: @Sendable (SQLiteTransaction) throws -> (Result, TransactionEnding)
  ) async throws -> Result {
    try await lend(writer, delivers: true) { try write(on: $0, $1, body) }
  }

  package func asyncRead<Result: Sendable>(
    isLong: Bool, isolation: isolated (any Actor)?,
    _ body: @Sendable (SQLiteTransaction) throws -> Result
  ) async throws -> Result {
    if state.isBlank { return try readEmpty(body) }
    guard state.hasReaders else {
      return try await lend(writer) { try readOnWriter($0, $1, body) }
    }
    return try await lend(readers, for: isLong ? .urgent : .usual) { try read(on: $0, $1, body) }
  }

  /// Runs `body` with the connection that writes, outside a transaction.
  func lendWriter<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @Sendable (Connection, AccessRequest) throws -> Result
  ) async throws -> Result {
    try await lend(writer, body)
  }

  private func lend<Result: Sendable>(
    _ pool: ConnectionPool<Connection>, delivers: Bool = false, for need: ConnectionPurpose = .usual,
    isolation: isolated (any Actor)? = #isolation,
    _ body: @Sendable (Connection, AccessRequest) throws -> Result
  ) async throws -> Result {
    let access = AccessRequest(options)
    return try await withTaskCancellationHandler {
      do {
        try access.check()
        return try await TaskAccess(pool, access, for: need).run { connection in
          let result: Result
          do {
            defer { pool.giveBack(connection, for: need) }
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

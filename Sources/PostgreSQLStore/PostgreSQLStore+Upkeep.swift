#if PostgreSQL
  package import ObjectStore
  import PostgreSQLClient

  extension PostgreSQLStore {
    package var logBytes: Int { 0 }

    package func size() async throws -> Store.Size {
      try await asyncRead(isLong: false, isolation: nil) { transaction in
        let bytes = try transaction.pageBytes()
        return Store.Size(pages: bytes.all, free: bytes.free, log: 0)
      }
    }

    package func vacuum() async throws {
      let pending = AccessRequest(options)
      try await withTaskCancellationHandler {
        try await TaskAccess(connections, pending).run { [self] connection in
          defer { connections.giveBack(connection) }
          connection.link.isCancelled = { pending.isCancelled }
          defer { connection.link.isCancelled = { false } }
          do {
            guard try connection.memory(of: address).isThere() else { return }
            for name in layout.tables.map(\.sqlName) + layout.joins.map(\.sqlName) {
              _ = try connection.link.execute("VACUUM ANALYZE \(name)")
            }
          } catch {
            throw ServerFailure(address).described(error)
          }
        }
      } onCancel: {
        pending.cancel()
        connections.wake(pending)
      }
    }

    package func backup(to path: String, progress: (@Sendable (Double) -> Void)?) async throws {
      throw StoreError.invalid(
        "A store in PostgreSQL is backed up by the server's own means: pg_dump --schema=\(address.schema), or continuous"
          + " archiving.")
    }

    package func close() throws {
      guard OngoingAccess.all(of: self).isEmpty else {
        throw StoreError.invalid("A store cannot be closed within one of its transactions.")
      }
      // Whether closing fails or not, nothing more can be observed.
      defer { delivery.observers.end() }
      try connections.close()
      try replica?.connections.close()
    }
  }
#endif

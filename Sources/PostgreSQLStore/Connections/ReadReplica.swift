#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// A server that follows the one that is written to, and that reads go to as long as it has what this store knows to be
  /// committed. Otherwise, and while it cannot be reached, they go to the other.
  final class ReadReplica: Sendable {
    private struct State {
      /// Places in the server's log: what this store knows to be committed, and what the replica was last known to have.
      var needed: Int64 = 0
      var replayed: Int64 = -1
      /// When it may be asked again, after it could not be reached.
      var nextAttempt = ContinuousClock.now
    }

    let address: DatabaseAddress
    let connections: ConnectionPool<ServerConnection>
    private let state = Guarded(State())

    /// How long reads leave a replica alone that cannot be reached.
    private static let pause = Duration.seconds(5)

    init(_ address: DatabaseAddress, limit: Int) {
      self.address = address
      connections = ConnectionPool(limit: limit, path: address.shown) { try ServerConnection(address, $0) }
    }

    deinit { connections.closeIdle() }

    // MARK: - Places in the log

    /// Notes that what the server has now is to be seen by reads from now on.
    ///
    /// - Parameter server: A connection to the server that is written to.
    func noteCommit(_ server: PostgreSQLConnection) {
      let place = try? server.query(
        prepared: "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"
      ).value { try $0.int8() }
      state.withLock { state in
        // Where that is not known, no replica has it until it is known of a later commit.
        state.needed = place.map { state.needed == .max ? $0 : max(state.needed, $0) } ?? .max
      }
    }

    /// Notes that it cannot be reached.
    func noteFailure() { state.withLock { $0.nextAttempt = .now + Self.pause } }

    /// Whether it has all that reads are to see.
    func isCurrent(_ pending: PendingAccess) -> Bool {
      let (isKnown, mayAsk) = state.withLock {
        ($0.replayed >= $0.needed, ContinuousClock.now >= $0.nextAttempt)
      }
      guard mayAsk, !isKnown else { return mayAsk }
      do {
        let connection = try connections.take(pending)
        defer { connections.giveBack(connection) }
        let place = try replayedPlace(connection.link)
        return state.withLock { state in
          state.replayed = max(state.replayed, place)
          return state.replayed >= state.needed
        }
      } catch {
        noteFailure()
        return false
      }
    }

    /// A server that follows no other has what it has.
    private func replayedPlace(_ replica: PostgreSQLConnection) throws -> Int64 {
      let field = try replica.query(
        prepared: "SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint WHERE pg_is_in_recovery()"
      )
      return field.count == 0 || field.field(0, 0).isNull ? .max : try field.field(0, 0).int8()
    }
  }
#endif

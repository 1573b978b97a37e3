#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// A server that follows the one that is written to, and that reads go to as long as it has what this store knows to be
  /// committed. Otherwise, and while it cannot be reached, they go to the other.
  final class ReadReplica: Sendable {
    /// The replica cannot be reached, or lacks what a read is to see: the other server is to be asked.
    struct Unavailable: Error {}

    private struct State {
      /// Places in the server's log: what this store knows to be committed, and what the replica was last known to have.
      var needed: Int64 = 0
      var replayed: Int64 = -1
      /// When it may be asked again, after it could not be reached.
      var nextAttempt = ContinuousClock.now
    }

    let address: DatabaseAddress
    /// Connections to it. One that cannot be made is thrown as ``Unavailable``.
    let connections: ConnectionPool<ServerConnection>
    private let state: Locked<State>

    /// How long reads leave a replica alone that cannot be reached.
    private static let pause = Duration.seconds(5)

    init(
      _ address: DatabaseAddress, limit: Int, onStatement: (@Sendable (Store.ExecutedStatement) -> Void)?
    ) {
      self.address = address
      let state = Locked(State())
      self.state = state
      connections = ConnectionPool(limit: limit, path: address.shown) { pending in
        // Callers that waited while another one tried need not try as well.
        guard Self.mayBeAsked(state) else { throw Unavailable() }
        do {
          return try ServerConnection(address, pending, onStatement: onStatement)
        } catch  where !pending.isCancelled {
          Self.noteFailure(state)
          throw Unavailable()
        }
      }
    }

    deinit { connections.closeIdle() }

    // MARK: - Whether it can be reached

    /// Whether it is worth asking. This waits for nothing.
    var mayBeAsked: Bool { Self.mayBeAsked(state) }

    func noteFailure() { Self.noteFailure(state) }

    private static func mayBeAsked(_ state: Locked<State>) -> Bool {
      state.withLock { ContinuousClock.now >= $0.nextAttempt }
    }

    private static func noteFailure(_ state: Locked<State>) {
      state.withLock { $0.nextAttempt = .now + pause }
    }

    // MARK: - Places in the log

    /// Notes that what the server has now is to be seen by reads from now on.
    ///
    /// - Parameter server: A connection to the server that is written to.
    func noteCommit(_ server: PostgreSQLConnection) {
      // try?: without an answer, no replica is asked until there is one.
      let place = try? server.query(
        prepared: "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"
      ).value { try $0.int8() }
      state.withLock { state in
        // Where that is not known, no replica has it until it is known of a later commit.
        state.needed = place.map { state.needed == .max ? $0 : max(state.needed, $0) } ?? .max
      }
    }

    /// Looks whether it has all that reads are to see. It is asked only where that is not known.
    ///
    /// - Throws: ``Unavailable`` if it has not.
    func checkPlace(_ connection: PostgreSQLConnection) throws {
      if state.withLock({ $0.replayed >= $0.needed }) { return }
      let place = try Self.replayedPlace(connection)
      let isCurrent = state.withLock { state in
        state.replayed = max(state.replayed, place)
        return state.replayed >= state.needed
      }
      guard isCurrent else { throw Unavailable() }
    }

    /// A server that follows no other has what it has.
    private static func replayedPlace(_ connection: PostgreSQLConnection) throws -> Int64 {
      let rows = try connection.query(
        prepared: "SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint WHERE pg_is_in_recovery()"
      )
      return try rows.value { $0.isNull ? .max : try $0.int8() }
    }
  }
#endif

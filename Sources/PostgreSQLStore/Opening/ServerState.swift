#if PostgreSQL
  import ObjectStore

  /// What a store has found out about its tables.
  final class ServerState: Sendable {
    private struct Facts {
      /// What the store's memory looked like when the model was last compared with it.
      var fingerprint: String?
      var difference = StoreDifference.none
      /// Whether the next transaction may give the store another version of its model: it was found to be of another one
      /// when it was opened, and nothing was committed since. A difference that shows later comes from another program.
      var mayMigrate = false
      var hasCommitted = false
      /// Whether the database has the extension that tables can be distributed with.
      var hasCitus = false
    }

    private let facts = Locked(Facts())

    /// Whether the model was compared with a memory of this look.
    func isCompared(with fingerprint: String) -> Bool {
      facts.withLock { $0.fingerprint == fingerprint }
    }

    func noteComparison(with fingerprint: String, _ difference: StoreDifference) {
      facts.withLock { facts in
        facts.fingerprint = fingerprint
        facts.difference = difference
      }
    }

    /// Notes how the store differs from what it is opened with.
    func noteOpening(_ difference: StoreDifference, mayMigrate: Bool) {
      facts.withLock { facts in
        facts.difference = difference
        facts.mayMigrate = mayMigrate && difference == .version
      }
    }

    /// Whether the store has to remember another mapping, or other words of its model.
    var needsMemory: Bool { facts.withLock { $0.difference == .words } }

    var needsMigration: Bool { facts.withLock { $0.difference == .version } }

    var mayMigrate: Bool { facts.withLock { $0.mayMigrate } }

    /// Notes that something was committed.
    func noteCommit() {
      facts.withLock { facts in
        facts.mayMigrate = false
        facts.hasCommitted = true
      }
    }

    /// Whether this store has committed a transaction.
    var hasCommitted: Bool { facts.withLock { $0.hasCommitted } }

    var hasCitus: Bool { facts.withLock { $0.hasCitus } }

    func noteCitus(_ isThere: Bool) { facts.withLock { $0.hasCitus = isThere } }
  }
#endif

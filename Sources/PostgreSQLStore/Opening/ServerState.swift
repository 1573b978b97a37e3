#if PostgreSQL
  import ObjectStore

  /// What a store has found out about its tables.
  final class ServerState: Sendable {
    private struct Facts {
      /// What the store's memory looked like when the model was last compared with it.
      var fingerprint: String?
      var hasNewWords = false
      /// Whether the database has the extension that tables can be distributed with.
      var hasCitus = false
    }

    private let facts = Guarded(Facts())

    /// Whether the model was compared with a memory of this look.
    func isCompared(with fingerprint: String) -> Bool {
      facts.withLock { $0.fingerprint == fingerprint }
    }

    func noteComparison(with fingerprint: String) { facts.withLock { $0.fingerprint = fingerprint } }

    /// Notes that the store has to remember another mapping, or other words of its model.
    func noteNewWords() { facts.withLock { $0.hasNewWords = true } }

    func forgetNewWords() { facts.withLock { $0.hasNewWords = false } }

    var hasCitus: Bool { facts.withLock { $0.hasCitus } }

    func noteCitus(_ isThere: Bool) { facts.withLock { $0.hasCitus = isThere } }

    var hasNewWords: Bool { facts.withLock { $0.hasNewWords } }
  }
#endif

import GRDB

/// Finds out that somebody else wrote to the store's file: another process, or another `Store` of this one.
///
/// SQLite tells each connection whether others have committed: `PRAGMA data_version` gives another number then. The
/// connection that writes is asked, so that what this store commits itself does not count, at the beginning of each of its
/// transactions and whenever something in the file's folder has changed. Nothing is watched while nobody observes.
final class ExternalChangeMonitor: Sendable {
  private struct State {
    var events: FileEvents?
    /// The number that SQLite gave last; nil if it was not asked.
    var version: Int64?
    /// Whether others may write before it is asked.
    var isInDoubt = false
  }

  private let state = Locked(State())

  deinit { end() }

  /// Begins, unless it has begun already. To be called once somebody observes, and before he reads.
  func begin(_ store: SQLiteStore) {
    guard let file = store.state.file else { return }
    let isNew = state.withLock { state in
      guard state.events == nil else { return false }
      state.events = FileEvents(besides: file.path) { [weak store] in
        guard let store else { return }
        store.outside.look(store)
      }
      return true
    }
    guard isNew else { return }
    // Where a transaction of this store goes on, it asked when it began, and nobody else has written since.
    // try?: the doubt that follows takes all as changed.
    if store.state.isBlank || (try? ask(store, anew: true)) == nil { state.withLock { $0.isInDoubt = true } }
  }

  /// Notes that it could not be found out who wrote last, so that the next look takes all as changed.
  func noteDoubt() { state.withLock { $0.isInDoubt = true } }

  func end() {
    let events = state.withLock { state in
      defer { state.events = nil }
      return state.events
    }
    events?.cancel()
  }

  /// Tells the observers if others have written.
  private func look(_ store: SQLiteStore) {
    guard store.delivery.observers.areThere else { return endUnlessObserved(store) }
    guard !store.state.isBlank else { return }
    // Who has the connection asks at the beginning of his transaction; others may write again once it has ended.
    do {
      if try !ask(store) { state.withLock { $0.events }?.lookAgain() }
    } catch {
      noteDoubt()
    }
    store.delivery.deliver(store)
  }

  private func endUnlessObserved(_ store: SQLiteStore) {
    let events = state.withLock { state -> FileEvents? in
      guard !store.delivery.observers.areThere else { return nil }
      defer { state.events = nil }
      return state.events
    }
    events?.cancel()
  }

  /// Asks the connection that writes. False if somebody else has it.
  private func ask(_ store: SQLiteStore, anew: Bool = false) throws -> Bool {
    let pending = AccessRequest(store.options) { false }
    guard let connection = try store.writer.takeIfFree(pending) else { return false }
    defer { store.writer.giveBack(connection) }
    try connection.access { database in
      guard let handle = database.sqliteConnection else { throw StoreError.closed }
      var result = Result<Void, any Error>.success(())
      connection.withoutWaiting {
        result = Result {
          try anew
            ? restart(handle, connection.cache, store) : note(handle, connection.cache, store)
        }
      }
      try result.get()
    }
    return true
  }

  /// Posts for observers, if others have written since the last time, that anything may have changed. To be called where the
  /// connection that writes is accessed.
  func note(_ handle: OpaquePointer, _ cache: ConnectionCache, _ store: SQLiteStore) throws {
    guard store.state.file != nil else { return }
    let statement = try cache.statement("PRAGMA data_version", on: handle)
    guard try statement.step() else { return }
    let version = statement.integer(0)
    statement.reset()
    let isOthers = state.withLock { state in
      defer { (state.version, state.isInDoubt) = (version, false) }
      return state.version.map { $0 != version } ?? state.isInDoubt
    }
    if isOthers, store.delivery.observers.areThere {
      store.delivery.post(ObjectChanges(isComplete: false, isByOthers: true))
    }
  }

  /// Takes the number anew, whatever it was. The first transaction of a file changes it when it puts the file in WAL
  /// mode.
  func restart(_ handle: OpaquePointer, _ cache: ConnectionCache, _ store: SQLiteStore) throws {
    state.withLock { ($0.version, $0.isInDoubt) = (nil, false) }
    try note(handle, cache, store)
  }
}

import Bytes
@preconcurrency import Dispatch
import Foundation
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

  /// Forgets the number, which belongs to a connection that is closed.
  func restartInDoubt() { state.withLock { ($0.version, $0.isInDoubt) = (nil, false) } }

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
    // The holder of the connection asks at the beginning of its transaction; others may write again once it has ended.
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

/// Calls a handler some hundredths of a second after something was written in the folder of a file, on a queue of its
/// own, and some times later, up to half a minute.
///
/// A commit shows only after its last write to a file: a program that waits for the disk tells the others of it in shared
/// memory, of which the system tells nothing, as soon as the disk has what was written.
///
/// Linux tells of that (`inotify`). Where it does not, the handler is called twenty times a second.
final class FileEvents: Sendable {
  private let source = Locked<(any DispatchSourceProtocol)?>(nil)
  /// The number of the last event.
  private let event = Locked(0)
  private let queue = DispatchQueue(label: "broker.outside")
  private let handler: @Sendable () -> Void

  /// The delay after which many writes in a row are told at once.
  private static let pause = 0.02
  /// The longest time between two looks after an event.
  private static let longestPause = 16.0

  init(besides path: String, _ handler: @escaping @Sendable () -> Void) {
    self.handler = handler
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let isNoted: @Sendable () -> Void = { [weak self] in self?.look() }
    let source = Self.folderSource(folder, queue, isNoted) ?? Self.timer(queue, handler)
    self.source.withLock { $0 = source }
    source.resume()
  }

  /// Calls the handler for an event, and goes on with that.
  private func look() {
    let number = event.withLock { event in
      event += 1
      return event
    }
    handler()
    look(for: number, after: Self.pause)
  }

  /// Calls the handler after a pause, and again after longer ones, until there is another event.
  private func look(for number: Int, after pause: Double) {
    guard pause <= Self.longestPause else { return }
    queue.asyncAfter(deadline: .now() + pause) { [weak self] in
      guard let self, event.withLock({ $0 == number }), source.withLock({ $0 != nil }) else { return }
      handler()
      look(for: number, after: pause * 2)
    }
  }

  func cancel() {
    let source = source.withLock { source in
      defer { source = nil }
      return source
    }
    source?.cancel()
  }

  /// Calls the handler once more, a little later.
  func lookAgain() {
    queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in
      guard let self, self.source.withLock({ $0 != nil }) else { return }
      self.handler()
    }
  }

  private static func timer(
    _ queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) -> any DispatchSourceProtocol {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 0.05, repeating: 0.05, leeway: .milliseconds(10))
    timer.setEventHandler(handler: DispatchWorkItem(block: handler))
    return timer
  }

  /// Nil where the system does not tell.
  private static func folderSource(
    _ folder: String, _ queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) -> (any DispatchSourceProtocol)? {
    #if os(Linux)
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      guard inotify_add_watch(descriptor, folder, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)) >= 0 else {
        close(descriptor)
        return nil
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler(
        handler: DispatchWorkItem {
          Thread.sleep(forTimeInterval: pause)
          drain(descriptor)
          handler()
        })
      source.setCancelHandler(handler: DispatchWorkItem { close(descriptor) })
      return source
    #else
      return nil
    #endif
  }

  #if os(Linux)
    /// Takes the events, which say nothing that matters.
    private static func drain(_ descriptor: Int32) {
      withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
        while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
      }
    }
  #endif
}

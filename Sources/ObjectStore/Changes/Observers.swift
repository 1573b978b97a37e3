@preconcurrency import Dispatch
import Synchronization

/// Observers, found by what they are interested in.
package final class Observers: Sendable {
  package typealias Handler = @Sendable (ObjectChanges) -> Void

  package enum Interest: Sendable {
    case everything
    case tables(Set<Int>)
    case object(table: Int, ObjectKey)
  }

  private struct State {
    var next = 0
    var isEnded = false
    var handlers: [Int: Handler] = [:]
    var ofEverything: Set<Int> = []
    var ofTables: [Int: Set<Int>] = [:]
    var ofObjects: [Int: [ObjectKey: Set<Int>]] = [:]
  }

  private let state = Locked(State())
  private let flag = Atomic<Bool>(false)

  package init() {}

  /// Whether there are any.
  package var areThere: Bool { flag.load(ordering: .acquiring) }

  package func add(_ interest: Interest, _ handler: @escaping Handler) -> ObservationToken {
    let id = state.withLock { state in
      let id = state.next
      state.next += 1
      guard !state.isEnded else { return id }
      state.handlers[id] = handler
      switch interest {
      case .everything: state.ofEverything.insert(id)
      case .tables(let tables): for table in tables { state.ofTables[table, default: []].insert(id) }
      case .object(let table, let key): state.ofObjects[table, default: [:]][key, default: []].insert(id)
      }
      flag.store(true, ordering: .releasing)
      return id
    }
    return ObservationToken { [weak self] in self?.remove(id, interest) }
  }

  private func remove(_ id: Int, _ interest: Interest) {
    // Let go of outside the lock: what the handler has may want to observe or to end an observation.
    let handler = state.withLock { state in
      switch interest {
      case .everything: state.ofEverything.remove(id)
      case .tables(let tables):
        for table in tables {
          state.ofTables[table]?.remove(id)
          if state.ofTables[table]?.isEmpty == true { state.ofTables[table] = nil }
        }
      case .object(let table, let key):
        state.ofObjects[table]?[key]?.remove(id)
        if state.ofObjects[table]?[key]?.isEmpty == true { state.ofObjects[table]?[key] = nil }
        if state.ofObjects[table]?.isEmpty == true { state.ofObjects[table] = nil }
      }
      let handler = state.handlers.removeValue(forKey: id)
      flag.store(!state.handlers.isEmpty, ordering: .releasing)
      return handler
    }
    _ = handler
  }

  /// Ends all observations, and those that are still to come.
  package func end() {
    // Let go of outside the lock, as above.
    let handlers = state.withLock { state in
      defer { state = State(next: state.next, isEnded: true) }
      flag.store(false, ordering: .releasing)
      return state.handlers
    }
    _ = handlers
  }

  /// Tells those whom it concerns, in the order in which they came.
  package func tell(_ changes: ObjectChanges) {
    for id in state.withLock({ Self.concerned(by: changes, $0) }) {
      // Another handler may just have ended this observation.
      state.withLock { $0.handlers[id] }?(changes)
    }
  }

  private static func concerned(by changes: ObjectChanges, _ state: State) -> [Int] {
    var ids = state.ofEverything
    guard changes.isComplete else {
      guard let counted = changes.counted else { return state.handlers.keys.sorted() }
      for table in counted.keys {
        ids.formUnion(state.ofTables[table] ?? [])
        for observers in (state.ofObjects[table] ?? [:]).values { ids.formUnion(observers) }
      }
      return ids.sorted()
    }
    for (table, inTable) in changes.tables {
      if let observers = state.ofTables[table] { ids.formUnion(observers) }
      guard let byKey = state.ofObjects[table] else { continue }
      for objects in [inTable.inserted, inTable.updated, inTable.deleted] {
        for object in objects {
          if let observers = byKey[object.key] { ids.formUnion(observers) }
        }
      }
    }
    return ids.sorted()
  }
}

/// An observation, which ends when this is let go of.
package final class ObservationToken: Sendable {
  private let end: Locked<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = Locked(end)
  }

  deinit { cancel() }

  /// Ends the observation. A call of the handler that another thread is in the middle of goes on.
  package func cancel() {
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }
}

/// Tells observers of commits, one after another, in the order of the commits, while nothing is locked.
package final class ChangeDelivery: Sendable {
  package let observers = Observers()
  private let posted = Locked<[ObjectChanges]>([])
  private let commits = Locked(())
  private let queue = DispatchQueue(label: "broker.changes")

  package init() {}

  /// Takes note of a commit; to be called while nobody else can commit.
  package func post(_ changes: ObjectChanges) { posted.withLock { $0.append(changes) } }

  /// Commits, and takes note of it before another transaction of the store commits, which may depend on it.
  ///
  /// - Throws: What `commit` throws; then nothing is noted.
  package func post(_ changes: ObjectChanges, after commit: () throws -> Void) rethrows {
    try commits.withLock { _ in
      try commit()
      post(changes)
    }
  }

  /// Returns when observers know of all that was posted before, be it that another thread tells them. In a
  /// handler it returns at once: they are told after the handler has ended.
  package func deliver(_ store: AnyObject) {
    guard observers.areThere, !OngoingAccess.isDelivering(store) else { return }
    queue.sync {
      OngoingAccess.run(store, .delivering, usesWriter: false) {
        while let changes = next() { observers.tell(changes) }
      }
    }
  }

  private func next() -> ObjectChanges? {
    posted.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

extension Store {
  /// Has a handler called for each commit that changed any object, in the order of the commits.
  ///
  /// It is called once a commit, after it and before the transaction's caller gets its result, on the thread of
  /// that transaction or of another one, while nothing is locked: it may read and write. If it writes, it is told
  /// of that after it has ended. It must not wait for another thread's transaction.
  ///
  /// What other processes and other `Store`s on the same file commit is told of shortly after, as changes that are not
  /// complete; so is a transaction that had begun before.
  ///
  /// - Returns: What the observation lives as long as.
  package func observe(_ handler: @escaping @Sendable (ObjectChanges) -> Void) -> ObservationToken {
    begin(.everything, handler)
  }

  /// As ``observe(_:)``, for commits that changed anything in some tables of the layout.
  package func observe(
    tables: Set<Int>, _ handler: @escaping @Sendable (ObjectChanges) -> Void
  ) -> ObservationToken {
    begin(.tables(tables), handler)
  }

  /// As ``observe(_:)``, for commits that inserted, updated or deleted one object. It costs nothing when others
  /// change.
  package func observe(
    table: Int, key: ObjectKey, _ handler: @escaping @Sendable (ObjectChanges) -> Void
  ) -> ObservationToken {
    begin(.object(table: table, key), handler)
  }

  private func begin(
    _ interest: Observers.Interest, _ handler: @escaping Observers.Handler
  ) -> ObservationToken {
    let token = backend.observers.add(interest, handler)
    if backend.observers.areThere { backend.beginObservation() }
    return token
  }
}

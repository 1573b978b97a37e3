@preconcurrency import Dispatch

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

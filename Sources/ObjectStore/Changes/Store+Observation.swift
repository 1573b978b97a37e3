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
    let token = delivery.observers.add(interest, handler)
    if delivery.observers.areThere { outside.begin(self) }
    return token
  }

  // MARK: - Recording

  /// Makes or takes away the triggers and the hook that tell what is written, so that they are there only while somebody
  /// observes. To be called between transactions.
  func prepareRecording(_ handle: OpaquePointer, _ cache: ConnectionCache) throws {
    let isWanted = delivery.observers.areThere
    guard isWanted != cache.log.isRecording else { return }
    let triggers = ChangeTriggers(layout: layout)
    if isWanted { try ChangeFunction.register(on: handle, cache.log, layout) }
    try cache.statement("BEGIN", on: handle).run()
    do {
      for statement in isWanted ? triggers.creations : triggers.removals {
        try PreparedStatement(statement, on: handle).run()
      }
      try cache.statement("COMMIT", on: handle).run()
    } catch {
      try? cache.statement("ROLLBACK", on: handle).run()
      throw error
    }
    if isWanted {
      cache.log.record(layout)
      ChangeHook.set(on: handle, cache.log)
    } else {
      ChangeHook.remove(from: handle)
      cache.log.stopRecording()
    }
  }

  /// What a transaction changed, at its end; nil if that is nothing or nobody observes.
  ///
  /// - Parameter mark: The log's mark when it began.
  func changes(of transaction: StoreTransaction, since mark: Int64) throws -> ObjectChanges? {
    let log = transaction.cache.log
    guard delivery.observers.areThere, log.mark != mark else { return nil }
    var changes = ObjectChanges(isImport: transaction.isImport)
    let summary = ChangeSummary(transaction: transaction)
    if transaction.isFresh {
      changes.tables = try summary.everything()
    } else if log.isRecording, !log.isUncertain {
      changes.tables = try summary.changes(of: log)
    } else {
      changes.isComplete = false
    }
    return changes.isEmpty ? nil : changes
  }
}

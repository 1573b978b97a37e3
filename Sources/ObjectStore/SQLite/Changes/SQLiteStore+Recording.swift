/// How a store finds out what its own transactions change.
extension SQLiteStore {
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
  func changes(of transaction: SQLiteTransaction, since mark: Int64) throws -> ObjectChanges? {
    let log = transaction.cache.log
    guard delivery.observers.areThere, log.hasChanges(since: mark) else { return nil }
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

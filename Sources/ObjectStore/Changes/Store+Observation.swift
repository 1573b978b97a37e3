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

public import ObjectStore

extension Store {
  /// The last imports, at most 100, the last one first: when, from what, what each changed, how long it took.
  ///
  /// ```swift
  /// for record in try await store.importHistory().prefix(3) {
  ///   print(record.date, record.sources.joined(separator: ", "), record.inserted, record.issueCount)
  /// }
  /// ```
  ///
  /// An import that changed nothing is among them; a dry run, and one that failed, is not. Each is remembered in its own
  /// transaction, in the store's file, whichever program it ran in. Observers are not told of that.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  public func importHistory() async throws -> [ImportRecord] {
    try await asyncRead { try $0.importHistory() }
  }
}

extension ReadTransaction {
  /// The last imports; see `Store.importHistory()`.
  public func importHistory() throws -> [ImportRecord] { try transaction.importHistory() }
}

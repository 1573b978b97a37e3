import ObjectModel
import ObjectStore

/// Remembers the last result of a query, and finds out whether it has changed.
final class QueryFollower<Root: Storable>: Sendable {
  private let store: Store
  private let query: Query<Root>
  private let table: Int

  private struct State {
    /// The keys of the objects that were read last; nil before the first time.
    var keys: [ObjectKey]?
    /// A hash of the values that were read last.
    var hash = 0
    var count: Int?
    /// The tables that the query reads; nil until that is known.
    var tables: Set<Int>?
    /// Whether it depends on objects of the table that it does not give.
    var readsOthers = true
    /// The keys in the objects' table that have changed since then.
    var changed: Set<ObjectKey> = []
    /// Whether anything else has changed.
    var hasChangedElsewhere = false
  }

  private let state = Locked(State())

  init(_ store: Store, _ query: Query<Root>) {
    self.store = store
    self.query = query
    let entity = store.layout.schema.entity(Root.entityName)
    table = entity.map { store.layout.entities[$0.index].table } ?? -1
  }

  /// Calls `signal` for each commit that may concern the query.
  func observe(_ signal: ChangeSignal) -> ObservationToken {
    store.observe { [weak self] changes in
      if self?.note(changes) ?? false { signal() }
    }
  }

  /// Notes what has changed. False if that does not concern the query.
  private func note(_ changes: ObjectChanges) -> Bool {
    state.withLock { state in
      guard changes.isComplete else {
        let concerns = changes.counted?.keys.contains { state.tables?.contains($0) ?? true } ?? true
        if concerns { state.hasChangedElsewhere = true }
        return concerns
      }
      let concerned = changes.tables.keys.filter { state.tables?.contains($0) ?? true }
      guard !concerned.isEmpty else { return false }
      if concerned.contains(where: { $0 != table || state.readsOthers }) { state.hasChangedElsewhere = true }
      if let own = changes.tables[table] {
        for objects in [own.inserted, own.updated, own.deleted] {
          for object in objects { state.changed.insert(object.key) }
        }
      }
      return true
    }
  }

  /// What has changed since the last call.
  private func takeChanges() -> (keys: Set<ObjectKey>, isElsewhere: Bool) {
    state.withLock { state in
      defer {
        state.changed = []
        state.hasChangedElsewhere = false
      }
      return (state.changed, state.hasChangedElsewhere)
    }
  }

  // MARK: - Reading

  /// The objects; nil if they are as they were.
  func read() async throws -> [Root]? {
    let (changed, isElsewhere) = takeChanges()
    return try await store.read { [self] transaction in
      try learnTables(transaction)
      let known = state.withLock { $0.keys }
      if let known, !isElsewhere, try isUntouched(known, changed, transaction) { return nil }
      let (objects, keys, hash) = try transaction.fetchWithKeys(query)
      let hadHash = state.withLock { state in
        defer { (state.keys, state.hash) = (keys, hash) }
        return state.hash == hash
      }
      guard let known, keys == known, hadHash else { return objects }
      return keys.contains(where: changed.contains) ? objects : nil
    }
  }

  /// Whether none of the objects has changed, and none of the changed objects belongs to them now.
  private func isUntouched(
    _ known: [ObjectKey], _ changed: Set<ObjectKey>, _ transaction: ReadTransaction
  ) throws -> Bool {
    // Which objects a limit lets in may depend on objects that it leaves out.
    guard query.limit == nil, query.offset == nil, changed.count <= 100,
      !known.contains(where: changed.contains)
    else { return false }
    var stored = try query.stored(transaction.transaction.layout)
    stored.choices.append(.keys(changed.map(\.parts)))
    stored.isPointLookup = true
    return try transaction.transaction.count(stored) == 0
  }

  /// How many objects there are; nil if the number has not changed.
  func readCount() async throws -> Int? {
    _ = takeChanges()
    return try await store.read { [self] transaction in
      try learnTables(transaction)
      let count = try transaction.count(query)
      return state.withLock { state in
        defer { state.count = count }
        return state.count == count ? nil : count
      }
    }
  }

  private func learnTables(_ transaction: ReadTransaction) throws {
    guard state.withLock({ $0.tables == nil }) else { return }
    let (tables, readsOthers) = try transaction.tables(of: query)
    state.withLock { ($0.tables, $0.readsOthers) = (tables, readsOthers) }
  }
}

extension ReadTransaction {
  /// The objects of a query, their keys, and a hash of their values and of what is prefetched.
  fileprivate func fetchWithKeys<Root: Storable>(
    _ query: Query<Root>
  ) throws -> (objects: [Root], keys: [ObjectKey], hash: Int) {
    // Values may change without a report that their row was written: a pending reference reads as nil until its
    // target arrives, and the writes of others are not reported in detail.
    let run = FetchRun(transaction, for: .comparableObjects)
    var fetch = try ObjectFetch(query.prefetches, transaction)
    var keys: [ObjectKey] = []
    try run.visit(query.stored(transaction.layout), fetch.columns.selected) { row in
      keys.append(ObjectKey(row, fetch.columns.layout.key))
      try fetch.read(row)
    }
    try fetch.load(run)
    return (fetch.objects, keys, run.sum)
  }

  /// The tables that a query depends on, and whether it may depend on objects of its own table that it does not give.
  fileprivate func tables<Root: Storable>(of query: Query<Root>) throws -> (Set<Int>, readsOthers: Bool) {
    var fetch = try ObjectFetch(query.prefetches, transaction)
    let stored = try query.stored(transaction.layout)
    let found = try transaction.translatingErrors {
      try transaction.dependence(of: stored, fetch.columns.selected)
    }
    let run = FetchRun(transaction, for: .tables)
    try fetch.load(run)
    let own = transaction.layout.entities[fetch.columns.entity.index].table
    return (found.tables.union(run.tables), found.readsOthers || run.tables.contains(own))
  }
}

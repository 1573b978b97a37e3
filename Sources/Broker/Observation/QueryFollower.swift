import ObjectModel
import ObjectStore

/// Knows what a query gave last, and so whether it gives anything else now.
final class QueryFollower<Root: Storable>: Sendable {
  private let store: Store
  private let query: Query<Root>
  private let table: Int

  private struct State {
    /// The keys of the objects that were read last; nil before.
    var keys: [ObjectKey]?
    var count: Int?
    /// The tables that the query reads; nil until that is known.
    var tables: Set<Int>?
    /// The keys that have changed since, in the table of the objects.
    var changed: Set<ObjectKey> = []
    /// Whether something has changed besides.
    var hasChangedElsewhere = false
  }

  private let state = Guarded(State())

  init(_ store: Store, _ query: Query<Root>) {
    self.store = store
    self.query = query
    let entity = store.layout.schema.entity(Root.entityName)
    table = entity.map { store.layout.entities[$0.index].table } ?? -1
  }

  /// Calls `signal` for each commit that may concern the query.
  func observe(_ signal: @escaping @Sendable () -> Void) -> ObservationToken {
    store.observe { [weak self] changes in
      if self?.note(changes) ?? false { signal() }
    }
  }

  /// Notes what has changed. False if it does not concern the query.
  private func note(_ changes: ObjectChanges) -> Bool {
    state.withLock { state in
      guard changes.isComplete else {
        state.hasChangedElsewhere = true
        return true
      }
      let concerned = changes.tables.keys.filter { state.tables?.contains($0) ?? true }
      guard !concerned.isEmpty else { return false }
      if concerned.contains(where: { $0 != table }) { state.hasChangedElsewhere = true }
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
      let (objects, keys) = try transaction.fetchWithKeys(query)
      state.withLock { $0.keys = keys }
      guard let known, keys == known else { return objects }
      // The same objects: others may be at the ends of their relationships.
      let isSame = !keys.contains(where: changed.contains) && !(isElsewhere && !query.prefetches.isEmpty)
      return isSame ? nil : objects
    }
  }

  /// Whether none of the objects has changed, and nothing that has changed is one of them now.
  private func isUntouched(
    _ known: [ObjectKey], _ changed: Set<ObjectKey>, _ transaction: ReadTransaction
  ) throws -> Bool {
    // What a limit lets in may depend on objects that it leaves out.
    guard query.limit == nil, query.offset == nil, changed.count <= 100,
      !known.contains(where: changed.contains)
    else { return false }
    var builder = try query.builder(transaction.transaction.layout)
    try builder.add(identities: changed.map(\.parts))
    let statement = try transaction.transaction.prepare(builder.count())
    guard try statement.step() else { return true }
    defer { statement.reset() }
    return statement.integer(0) == 0
  }

  /// How many objects there are; nil if as many as before.
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
    var tables = try transaction.tables(of: query)
    // What is fetched along may lead anywhere.
    if !query.prefetches.isEmpty { tables.formUnion(store.layout.tables.indices) }
    state.withLock { $0.tables = tables }
  }
}

extension ReadTransaction {
  /// The objects of a query and their keys.
  fileprivate func fetchWithKeys<Root: Storable>(
    _ query: Query<Root>
  ) throws -> (objects: [Root], keys: [ObjectKey]) {
    var keys: [ObjectKey] = []
    var objects: [Root] = []
    var rows: [Int64] = []
    try visit(query) { statement, layout in
      keys.append(ObjectKey(statement, layout.key))
      rows.append(statement.integer(0))
      objects.append(try Root(row: ObjectRow(statement: statement, layout: layout)))
    }
    for prefetch in query.prefetches { try prefetch.load(&objects, rows, self) }
    return (objects, keys)
  }

  /// The tables whose objects a query depends on. SQLite itself tells, since conditions may lead anywhere.
  fileprivate func tables<Root: Storable>(of query: Query<Root>) throws -> Set<Int> {
    var builder = try query.builder(transaction.layout)
    let columns = try TypeColumns(of: Root.self, in: &builder)
    return try transaction.tablesRead(by: builder.statement(selecting: columns.expressions))
  }
}

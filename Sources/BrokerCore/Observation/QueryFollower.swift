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

  /// The changes since the last call.
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

/// Remembers an object as it was last, and finds out whether it has changed.
///
/// The object's own row is not enough: a pending reference reads as nil until its target arrives, and the link of a
/// one-to-one relationship may be in the other row.
final class ObjectFollower<Root: Storable>: Sendable {
  private let store: Store
  private let id: Root.ID

  private struct State {
    /// Whether the object itself was written since it was read.
    var isWritten = true
    var values: [SQLValue]?
    var links: Set<ObservedLink> = []
    var tokens: [ObservationToken] = []
    /// Weak, so that it goes with the store's handlers when the store is closed.
    weak var signal: ChangeSignal?
  }

  private let state = Locked(State())

  init(_ store: Store, _ id: Root.ID) {
    self.store = store
    self.id = id
  }

  /// Calls `signal` for each commit that may concern the object.
  func observe(_ signal: ChangeSignal) -> [ObservationToken] {
    state.withLock { $0.signal = signal }
    guard let entity = store.layout.schema.entity(Root.entityName) else { return [] }
    var tokens = [
      store.observe(
        table: store.layout.entities[entity.index].table,
        key: ObjectKey(store.layout.key(ofIdentity: Root.storedParts(of: id), of: entity))
      ) {
        [weak self] changes in
        // If a commit is not described in detail, the values show whether it concerns the object.
        if changes.isComplete { self?.state.withLock { $0.isWritten = true } }
        signal()
      }
    ]
    let others = entity.relationships.filter { index in
      if case .inverse = store.layout.relationships[index] {
        return !store.layout.schema.relationships[index].isToMany
      }
      return false
    }
    if !others.isEmpty {
      let tables = others.map {
        store.layout.entities[store.layout.schema.relationships[$0].destination].table
      }
      tokens.append(store.observe(tables: Set(tables)) { _ in signal() })
    }
    return tokens
  }

  /// The object if it has changed, with nil in it if there is none; nil if it has not changed.
  func read() async throws -> Root?? {
    let isWritten = state.withLock { state in
      defer { state.isWritten = false }
      return state.isWritten
    }
    var current = try await readState()
    // A target may have arrived before it was observed, so the object is read again.
    while follow(current.links) { current = try await readState() }
    let (values, object) = (current.values, current.object)
    let isSame = state.withLock { state in
      defer { state.values = values }
      return state.values == values
    }
    return isSame && !isWritten ? nil : .some(object)
  }

  /// Observes the targets of links. False if it observes them already.
  private func follow(_ links: Set<ObservedLink>) -> Bool {
    let (isNew, signal) = state.withLock { ($0.links != links, $0.signal) }
    guard isNew, let signal else { return false }
    let tokens = links.map { link in
      store.observe(table: link.table, key: link.key) { changes in
        guard let own = changes.tables[link.table], changes.isComplete else { return signal() }
        // How they change otherwise does not matter.
        if (own.inserted + own.deleted).contains(where: { $0.key == link.key }) { signal() }
      }
    }
    let former = state.withLock { state in
      defer { (state.links, state.tokens) = (links, tokens) }
      return state.tokens
    }
    for token in former { token.cancel() }
    return true
  }

  private func readState() async throws -> ObservedState<Root> {
    try await store.read { [id] transaction in
      try ObservedStateReader<Root>.of(transaction.transaction).read(id, in: transaction.transaction)
    }
  }
}

/// The target of a relationship, whether it is in the store or not.
struct ObservedLink: Hashable {
  let table: Int
  let key: ObjectKey
}

/// An object as it was read for its observers.
struct ObservedState<Root: Storable>: Sendable {
  var object: Root?
  /// The columns of its row. Those of its links come last.
  var values: [SQLValue] = []
  var links: Set<ObservedLink> = []
}

/// Reads an object of a type for its observers. It is made once for a connection, since they read after every commit.
final class ObservedStateReader<Root: Storable> {
  private let cursor: any Cursor
  private let layout: RowLayout
  private let links: [(target: SchemaEntity, columns: Range<Int>)]

  private init(_ transaction: any StoreTransaction) throws {
    let layout = transaction.layout
    let columns = try TypeColumns(of: Root.self, layout)
    var selected = columns.selected
    var width = columns.width
    var links: [(target: SchemaEntity, columns: Range<Int>)] = []
    for index in columns.entity.relationships {
      let relationship = layout.schema.relationships[index]
      guard case .foreignKey = layout.relationships[index], relationship.isOptional else { continue }
      let column = SelectedColumn.reference(
        try ResolvedPath(relationship.name, from: columns.entity, layout))
      let count = column.width(layout, of: columns.entity)
      links.append((layout.schema.entities[relationship.destination], width..<width + count))
      selected.append(column)
      width += count
    }
    cursor = try transaction.cursor(StoredQuery(Root.entityName, .givenKey), selected, isOrdered: false)
    self.layout = columns.layout
    self.links = links
  }

  /// The one of a transaction's connection.
  static func of(_ transaction: any StoreTransaction) throws -> ObservedStateReader {
    try transaction.kept(for: ObservedStateReader.self) { try ObservedStateReader(transaction) }
  }

  func read(_ id: Root.ID, in transaction: any StoreTransaction) throws -> ObservedState<Root> {
    let whole = transaction.layout
    let identity = Root.storedParts(of: id)
    let key = whole.schema.entity(Root.entityName).map { whole.key(ofIdentity: identity, of: $0) }
    cursor.bind(key: key ?? identity)
    guard try cursor.step() else { return ObservedState() }
    defer { cursor.reset() }
    var state = ObservedState(object: try Root(row: ObjectRow(cursor, layout)))
    state.values = (0..<cursor.columnCount).map { cursor.value($0) }
    for link in links where !link.columns.contains(where: { cursor.isNull($0) }) {
      state.links.insert(
        ObservedLink(
          table: whole.entities[link.target.index].table,
          key: ObjectKey(
            whole.key(ofIdentity: link.columns.map { cursor.value($0) }, of: link.target))))
    }
    return state
  }
}

import ObjectModel
import ObjectStore

/// Knows what an object was last, and whom else to ask whether it is another now.
///
/// Its own row does not tell all: a reference that has not arrived reads as nil until it does, and of one to one
/// the link may be in the other's row.
final class ObjectFollower<Root: Storable>: Sendable {
  private let store: Store
  private let id: Root.ID

  private struct State {
    /// Whether the object itself was written since it was read.
    var isWritten = true
    var values: [SQLValue]?
    var links: Set<ObservedLink> = []
    var tokens: [ObservationToken] = []
    var signal: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())

  init(_ store: Store, _ id: Root.ID) {
    self.store = store
    self.id = id
  }

  /// Calls `signal` for each commit that may concern the object.
  func observe(_ signal: @escaping @Sendable () -> Void) -> [ObservationToken] {
    state.withLock { $0.signal = signal }
    guard let entity = store.layout.schema.entity(Root.entityName) else { return [] }
    var tokens = [
      store.observe(
        table: store.layout.entities[entity.index].table,
        key: ObjectKey(store.layout.key(ofIdentity: Root.storedParts(of: id), of: entity))
      ) {
        [weak self] changes in
        // Of what is not told in detail, the values tell whether it concerns the object.
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

  /// The object, or nil in it if there is none; nil if it is as it was.
  func read() async throws -> Root?? {
    let isWritten = state.withLock { state in
      defer { state.isWritten = false }
      return state.isWritten
    }
    var look = try await look()
    // Who is observed only now may have come before that.
    while follow(look.links) { look = try await self.look() }
    let isSame = state.withLock { state in
      defer { state.values = look.values }
      return state.values == look.values
    }
    return isSame && !isWritten ? nil : .some(look.object)
  }

  /// Observes the objects that links lead to. False if it does already.
  private func follow(_ links: Set<ObservedLink>) -> Bool {
    let (isNew, signal) = state.withLock { ($0.links != links, $0.signal) }
    guard isNew, let signal else { return false }
    let tokens = links.map { link in
      store.observe(table: link.table, key: link.key) { changes in
        guard let own = changes.tables[link.table], changes.isComplete else { return signal() }
        // What they become is their own affair.
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

  private func look() async throws -> ObjectLook<Root> {
    try await store.read { [id] transaction in
      try ObjectLookPlan<Root>.of(transaction.transaction).look(id, in: transaction.transaction)
    }
  }
}

import ObjectModel
import ObjectStore

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

public import BrokerCore
public import Observation

/// A value that follows a store, for views and for model objects: whoever reads it is told when it changes.
///
/// ```swift
/// let bands = ObservedValue([], following: store.observe(Band.sorted(by: \.name)))
/// ```
///
/// The value follows for as long as the object exists. In views, ``StoreQuery`` makes one of these.
@MainActor @Observable public final class ObservedValue<Value: Sendable> {
  /// The last value that the store gave; before the first one, the value that it was made with.
  public private(set) var value: Value
  /// Whether the store has given a value.
  public private(set) var isLoaded = false
  /// The error that ended the observation; nil while it goes on.
  public private(set) var error: (any Error)?

  @ObservationIgnored private var task: Task<Void, Never>?
  @ObservationIgnored private var followed: ObservationIdentity?

  /// - Parameters:
  ///   - initial: The value until the store gives one.
  ///   - observation: The observation to follow.
  public init(_ initial: Value, following observation: StoreObservation<Value>) {
    value = initial
    follow(observation)
  }

  /// - Parameter initial: The value until something is followed.
  package init(_ initial: Value) { value = initial }

  deinit { task?.cancel() }

  /// Follows another observation in place of the one before. The value stays until the first one comes.
  public func follow(_ observation: StoreObservation<Value>) { follow(observation) { $0() } }

  /// Ends the observation. The value stays.
  public func stop() {
    task?.cancel()
    (task, followed) = (nil, nil)
  }

  /// Follows what a view asks for, unless it is what is followed.
  ///
  /// - Parameters:
  ///   - store: The store of the view; nil if it has none.
  ///   - change: Makes a change of the value after the first one, for example with an animation.
  package func follow(
    _ request: ObservationRequest<Value>, in store: Store?,
    _ change: @escaping @MainActor (() -> Void) -> Void = { $0() }
  ) {
    let identity = ObservationIdentity(store: store.map { ObjectIdentifier($0) }, request: request.key)
    guard followed != identity else { return }
    if let store {
      follow(request.observation(store), change)
    } else {
      stop()
      // Views are drawn when this is called, and may be told of changes only after that.
      task = Task { [weak self] in
        if !Task.isCancelled { self?.error = MissingStore() }
      }
    }
    followed = identity
  }

  private func follow(
    _ observation: StoreObservation<Value>, _ change: @escaping @MainActor (() -> Void) -> Void
  ) {
    stop()
    task = Task { [weak self] in
      do {
        for try await value in observation {
          guard let self, !Task.isCancelled else { return }
          self.take(value, change)
        }
      } catch {
        if !Task.isCancelled { self?.error = error }
      }
    }
  }

  private func take(_ new: Value, _ change: @MainActor (() -> Void) -> Void) {
    if error != nil { error = nil }
    if isLoaded {
      change { value = new }
    } else {
      (value, isLoaded) = (new, true)
    }
  }
}

/// Why a view has no objects: no view above it has a store.
public struct MissingStore: Error, Sendable, CustomStringConvertible {
  public var description: String {
    "No store is in the environment of the view. Add .brokerStore(store) to a view or a scene above it."
  }
}

/// A request in a store, which is followed.
private struct ObservationIdentity: Equatable {
  var store: ObjectIdentifier?
  var request: ObservationKey
}

/// A key that tells requests apart. Requests with the same key follow the same.
package struct ObservationKey: Sendable, Equatable {
  private let parts: [any Hashable & Sendable]

  init(_ parts: any Hashable & Sendable...) { self.parts = parts }

  package static func == (one: ObservationKey, other: ObservationKey) -> Bool {
    one.parts.map { AnyHashable($0) } == other.parts.map { AnyHashable($0) }
  }
}

/// A request of a view, whatever the store.
package struct ObservationRequest<Value: Sendable>: Sendable {
  let key: ObservationKey
  let observation: @Sendable (Store) -> StoreObservation<Value>

  package init<Root: Storable>(_ query: Query<Root>) where Value == [Root] {
    key = ObservationKey("objects", ObjectIdentifier(Root.self), query.key)
    observation = { $0.observe(query) }
  }

  package init<Root: Storable>(count query: Query<Root>) where Value == Int {
    key = ObservationKey("count", ObjectIdentifier(Root.self), query.key)
    observation = { $0.observeCount(of: query) }
  }

  package init<Root: Storable>(_ type: Root.Type, _ id: Root.ID) where Value == Root? {
    key = ObservationKey("object", ObjectIdentifier(Root.self), id)
    observation = { $0.observe(type, id) }
  }

  package init(
    id: some Hashable & Sendable, _ read: @escaping @Sendable (ReadTransaction) throws -> Value
  ) where Value: Equatable {
    key = ObservationKey("read", id)
    observation = { $0.observe(read) }
  }
}

// The parts for SwiftUI. They are compiled where SwiftUI is; elsewhere scripts/typecheck-apple checks them against a stub of it. No test
// has run in SwiftUI itself: views only call ObservedValue, whose tests run everywhere.
#if canImport(SwiftUI)
  public import BrokerCore
  public import SwiftUI

  /// Objects of the store in the environment of a view, which is drawn anew when they change.
  ///
  /// ```swift
  /// struct BandsView: View {
  ///   @StoreQuery(Band.filter(#Predicate { $0.formed < 1980 }).sorted(by: \.name)) var bands
  ///
  ///   var body: some View {
  ///     List(bands) { band in Text(band.name) }
  ///   }
  /// }
  /// ```
  ///
  /// A view above has to have a store: `.brokerStore(store)`. Objects are values; what a view changes it writes with
  /// the store. If the query is made of properties of the view, put it together in the view's initializer: the view follows
  /// another query as soon as it is made with one.
  @MainActor @propertyWrapper public struct StoreQuery<Value: Sendable>: DynamicProperty {
    @Environment(\.brokerStore) private var store
    @State private var observed: ObservedValue<Value>
    private let request: ObservationRequest<Value>
    private let animation: Animation?

    private init(_ initial: Value, _ request: ObservationRequest<Value>, _ animation: Animation?) {
      _observed = State(initialValue: ObservedValue(initial))
      self.request = request
      self.animation = animation
    }

    /// The objects of a query; none until the store has given them.
    ///
    /// - Parameter animation: The animation of changes.
    public init<Root: Storable>(_ query: Query<Root>, animation: Animation? = nil) where Value == [Root] {
      self.init([], ObservationRequest(query), animation)
    }

    /// The object with an identity; nil until the store has given it, and while there is none.
    ///
    /// ```swift
    /// @StoreQuery(Band.self, "Japan") var band
    /// ```
    public init<Root: Storable>(_ type: Root.Type, _ id: Root.ID, animation: Animation? = nil)
    where Value == Root? {
      self.init(nil, ObservationRequest(type, id), animation)
    }

    /// How many objects a query has; 0 until the store has given the number.
    ///
    /// ```swift
    /// @StoreQuery(count: Album.all) var albumCount
    /// ```
    public init<Root: Storable>(count query: Query<Root>, animation: Animation? = nil) where Value == Int {
      self.init(0, ObservationRequest(count: query), animation)
    }

    /// The value of a read: several queries of one moment, or anything made of them.
    ///
    /// - Parameters:
    ///   - initial: The value until the store has given one.
    ///   - id: What the read depends on; nothing unless it is given. The view follows the read anew when it is another.
    ///   - read: Is called again after each commit, on any thread, and only reads.
    public init(
      initial: Value, id: some Hashable & Sendable = 0, animation: Animation? = nil,
      read: @escaping @Sendable (ReadTransaction) throws -> Value
    ) where Value: Equatable {
      self.init(initial, ObservationRequest(id: id, read), animation)
    }

    public var wrappedValue: Value { observed.value }

    /// The value with what is known of it: `$bands.isLoaded`, `$bands.error`.
    public var projectedValue: ObservedValue<Value> { observed }

    /// Called by SwiftUI, on the main thread, before it draws the view.
    public nonisolated func update() {
      MainActor.assumeIsolated {
        let animation = animation
        observed.follow(request, in: store) { change in withAnimation(animation) { change() } }
      }
    }
  }

  private struct StoreKey: EnvironmentKey {
    static var defaultValue: Store? { nil }
  }

  extension EnvironmentValues {
    /// The store that ``StoreQuery`` reads; nil if none was set.
    public var brokerStore: Store? {
      get { self[StoreKey.self] }
      set { self[StoreKey.self] = newValue }
    }
  }

  extension View {
    /// Sets the store that ``StoreQuery`` reads in this view and those in it.
    public func brokerStore(_ store: Store?) -> some View { environment(\.brokerStore, store) }
  }

  extension Scene {
    /// Sets the store that ``StoreQuery`` reads in the views of this scene.
    public func brokerStore(_ store: Store?) -> some Scene { environment(\.brokerStore, store) }
  }
#endif

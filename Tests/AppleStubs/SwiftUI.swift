// What Broker uses of SwiftUI, declared as SwiftUI declares it and doing nothing: scripts/typecheck-apple compiles a module of it
// where there is no SwiftUI.

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
}

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
  init()
}

@resultBuilder public struct ViewBuilder {
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildEither<First: View, Second: View>(first: First) -> EitherView<First, Second> {
    EitherView()
  }
  public static func buildEither<First: View, Second: View>(second: Second) -> EitherView<First, Second> {
    EitherView()
  }
}

public struct EitherView<First: View, Second: View>: View {
  public var body: Never { unreachable() }
}

@resultBuilder public struct SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

extension Never: View, Scene {
  public typealias Body = Never
  public var body: Never { return unreachable() }
}

public struct Text: View {
  public init(_ text: some StringProtocol) {}
  public var body: Never { unreachable() }
}

public struct List<Content: View>: View {
  public init<Data: RandomAccessCollection>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Content
  ) where Data.Element: Identifiable {}
  public var body: Never { unreachable() }
}

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { unreachable() }
}

// MARK: - State

public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

@propertyWrapper public struct State<Value>: DynamicProperty {
  private let value: Box<Value>
  public init(wrappedValue value: Value) { self.value = Box(value) }
  public init(initialValue value: Value) { self.value = Box(value) }
  public var wrappedValue: Value {
    get { value.value }
    nonmutating set { value.value = newValue }
  }
}

extension State: Sendable where Value: Sendable {}

@propertyWrapper public struct Environment<Value>: DynamicProperty {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
    wrappedValue = EnvironmentValues()[keyPath: keyPath]
  }
  public let wrappedValue: Value
}

extension Environment: Sendable where Value: Sendable {}

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

public struct EnvironmentValues {
  public init() {}
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { Key.defaultValue }
    set {}
  }
}

extension View {
  public func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View { self }

  public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
}

extension Scene {
  public func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some Scene { self }
}

public struct Animation: Equatable, Sendable {
  public static let `default` = Animation()
}

public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result { try body() }

// MARK: - Private

private final class Box<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}

private func unreachable() -> Never { while true {} }

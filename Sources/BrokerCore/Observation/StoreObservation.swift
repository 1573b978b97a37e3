import ObjectStore
import Synchronization

/// Values that follow the content of a store: the first at once, and another after each change.
///
/// Each iterator observes on its own, as long as it exists. Several quick commits may give one value; the last one is
/// never missed. The sequence ends when the store is closed.
public struct StoreObservation<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value

  private let source: @Sendable () -> ObservationSource<Value>

  init(_ source: @escaping @Sendable () -> ObservationSource<Value>) { self.source = source }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source()) }

  /// Goes through the values.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let source: ObservationSource<Value>
    private var hasBegun = false

    init(_ source: ObservationSource<Value>) { self.source = source }

    /// The next value; nil once the task is cancelled or the store is closed. While the store is suspended, it waits.
    ///
    /// - Throws: What reading it throws; ``StoreError`` if the store was closed before the first value.
    public mutating func next() async throws -> Value? {
      while !Task.isCancelled {
        let isFirst = !hasBegun
        if hasBegun {
          guard await source.changed() else { return nil }
        }
        hasBegun = true
        do {
          if let value = try await source.read() { return value }
        } catch let error as StoreError where error == .closed && !isFirst {
          return nil
        } catch let error as StoreError where error.isSuspended {
          // The store tells its observers when it is resumed.
          continue
        }
      }
      return nil
    }
  }
}

/// What an observation reads, and what makes it read again.
final class ObservationSource<Value: Sendable>: Sendable {
  /// The next value; nil if it is the same as before.
  let read: @Sendable () async throws -> Value?
  private let signals: AsyncStream<Void>
  private let tokens: [ObservationToken]

  /// - Parameters:
  ///   - observe: Begins to tell what it is given whenever something may have changed. Only the store's handlers may keep
  ///     it: the observation ends when nobody has it any more.
  ///   - read: The value, or nil if it is the same as before.
  init(
    observe: (ChangeSignal) -> [ObservationToken],
    read: @escaping @Sendable () async throws -> Value?
  ) {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    signals = stream
    self.read = read
    tokens = observe(ChangeSignal(continuation))
  }

  /// Waits until something may have changed. False if the task is cancelled.
  func changed() async -> Bool {
    var iterator = signals.makeAsyncIterator()
    return await iterator.next() != nil
  }
}

/// Says that something may have changed.
typealias ChangeSignal = StreamEnd<Void>

extension StreamEnd where Element == Void {
  func callAsFunction() { continuation.yield() }
}

/// Ends a stream when no more values can come: the store is closed or gone.
final class StreamEnd<Element: Sendable>: Sendable {
  let continuation: AsyncStream<Element>.Continuation

  init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }

  deinit { continuation.finish() }
}

import Dispatch
public import Foundation
import JSONStream
import ObjectStore

/// JSON, piece by piece.
public struct ExportStream: AsyncSequence, Sendable {
  public typealias Element = Data

  private let run: @Sendable (OutgoingBytes) async throws -> Void

  init(_ run: @escaping @Sendable (OutgoingBytes) async throws -> Void) { self.run = run }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(run) }

  /// Goes through the pieces. The export begins when the first one is asked for, and ends with the iterator.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let pieces = OutgoingBytes()
    private let owner: Owner

    /// Ends the export when the iterator is gone.
    private final class Owner: Sendable {
      let pieces: OutgoingBytes
      let task: Task<Void, Never>

      init(_ pieces: OutgoingBytes, _ run: @escaping @Sendable (OutgoingBytes) async throws -> Void) {
        self.pieces = pieces
        task = Task {
          do {
            try await run(pieces)
            pieces.end(nil)
          } catch {
            pieces.end(error)
          }
        }
      }

      deinit {
        task.cancel()
        pieces.abandon()
      }
    }

    init(_ run: @escaping @Sendable (OutgoingBytes) async throws -> Void) { owner = Owner(pieces, run) }

    /// The next piece; nil at the end.
    ///
    /// - Throws: What the export throws.
    public mutating func next() async throws -> Data? { try await pieces.take() }
  }
}

/// Takes bytes from a thread, which waits by blocking, to a task, which waits by suspending.
final class OutgoingBytes: Sendable {
  private struct State {
    var piece: Data?
    var end: Result<Void, any Error>?
    var isAbandoned = false
    var taker: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())
  /// Is one while there is room for a piece.
  private let room: DispatchSemaphore

  init() {
    // Dispatch traps if a semaphore is destroyed while its count is lower than at first. That is so after an export
    // that was not read to its end.
    room = DispatchSemaphore(value: 0)
    room.signal()
  }

  /// Puts a piece there, after the last one was taken.
  func send(_ piece: Data) throws(SourceError) {
    room.wait()
    let (taker, isAbandoned) = state.withLock { state in
      state.piece = piece
      defer { state.taker = nil }
      return (state.taker, state.isAbandoned)
    }
    taker?.resume()
    if isAbandoned { throw SourceError("nobody reads it", isCancellation: true) }
  }

  func end(_ error: (any Error)?) {
    let taker = state.withLock { state in
      state.end = error.map { .failure($0) } ?? .success(())
      defer { state.taker = nil }
      return state.taker
    }
    taker?.resume()
  }

  /// Says that no more pieces are wanted.
  func abandon() {
    state.withLock { $0.isAbandoned = true }
    room.signal()
  }

  /// The next piece; nil at the end.
  func take() async throws -> Data? {
    while true {
      let (piece, end) = state.withLock { state in
        defer { state.piece = nil }
        return (state.piece, state.end)
      }
      if let piece {
        room.signal()
        return piece
      }
      if let end {
        try end.get()
        return nil
      }
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          guard state.piece == nil, state.end == nil else { return true }
          state.taker = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }
}

/// A sink whose bytes become pieces.
struct OutgoingSink: ByteSink {
  private let pieces: OutgoingBytes

  init(_ pieces: OutgoingBytes) { self.pieces = pieces }

  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(SourceError) {
    try pieces.send(Data(buffer: bytes))
  }
}

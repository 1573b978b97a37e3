import Dispatch
import JSONStream
import ObjectStore

/// Bytes on their way from a task, which waits by suspending, to a thread, which waits by blocking.
///
/// A few pieces may lie between them; who sends more waits until they are taken.
final class IncomingBytes: Sendable {
  private struct State {
    var pieces: [[UInt8]] = []
    var isEnded = false
    var failure: String?
    /// Whether nobody takes any more.
    var isAbandoned = false
    /// The sender, while there is no room.
    var sender: CheckedContinuation<Void, Never>?
  }

  private static let most = 4
  private let state = Guarded(State())
  /// Counts the pieces that are there, and the end.
  private let arrivals = DispatchSemaphore(value: 0)

  // MARK: - The task's side

  /// Sends a piece. False if nobody takes it.
  func send(_ piece: [UInt8]) async -> Bool {
    guard !piece.isEmpty else { return true }
    let isTaken = state.withLock { state in
      guard !state.isAbandoned else { return false }
      state.pieces.append(piece)
      return true
    }
    guard isTaken else { return false }
    arrivals.signal()
    await withCheckedContinuation { continuation in
      let hasRoom = state.withLock { state in
        if state.pieces.count < Self.most || state.isAbandoned { return true }
        state.sender = continuation
        return false
      }
      if hasRoom { continuation.resume() }
    }
    return true
  }

  /// Says that there is no more, since that was all or since it failed.
  func end(_ failure: String? = nil) {
    state.withLock { state in
      state.isEnded = true
      state.failure = failure
    }
    arrivals.signal()
  }

  // MARK: - The thread's side

  /// The next piece; nil at the end.
  func take() throws(SourceError) -> [UInt8]? {
    arrivals.wait()
    let (piece, failure, sender) = state.withLock { state in
      let piece = state.pieces.isEmpty ? nil : state.pieces.removeFirst()
      defer { state.sender = nil }
      return (piece, piece == nil ? state.failure : nil, state.sender)
    }
    sender?.resume()
    if let failure { throw SourceError(failure) }
    // The end stays the end, should it be asked for again.
    if piece == nil { arrivals.signal() }
    return piece
  }

  /// Says that nobody takes any more.
  func abandon() {
    let sender = state.withLock { state in
      state.isAbandoned = true
      state.pieces = []
      defer { state.sender = nil }
      return state.sender
    }
    sender?.resume()
    end("cancelled")
  }
}

/// Reads what comes in.
struct IncomingSource: ByteSource {
  let bytes: IncomingBytes
  private var piece: [UInt8] = []
  private var position = 0

  init(_ bytes: IncomingBytes) { self.bytes = bytes }

  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    if position == piece.count {
      guard let next = try bytes.take() else { return 0 }
      piece = next
      position = 0
    }
    let count = min(buffer.count, piece.count - position)
    piece.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<position + count]))
    }
    position += count
    return count
  }
}

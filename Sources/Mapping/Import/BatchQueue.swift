import Foundation

/// Takes batches from the thread that reads to the thread that writes, a few at a time, and takes empty ones back.
///
/// All state is guarded by the condition's lock.
final class BatchQueue: @unchecked Sendable {
  private let condition = NSCondition()
  private var full: [RecordBatchBox] = []
  private var empty: [RecordBatchBox]
  private var end: Result<Void, any Error>?
  private var writerHasStopped = false

  init(batches: Int) {
    empty = (0..<batches).map { _ in RecordBatchBox() }
  }

  // MARK: - The reader's side

  /// An empty batch, as soon as there is one. Throws if the writer has stopped.
  func takeEmpty() throws -> RecordBatchBox {
    condition.lock()
    defer { condition.unlock() }
    while empty.isEmpty, !writerHasStopped { condition.wait() }
    guard !writerHasStopped, let batch = empty.popLast() else { throw CancellationError() }
    return batch
  }

  /// Whether the writer has stopped.
  var isAbandoned: Bool {
    condition.lock()
    defer { condition.unlock() }
    return writerHasStopped
  }

  func put(_ batch: RecordBatchBox) {
    condition.lock()
    full.append(batch)
    condition.signal()
    condition.unlock()
  }

  /// Says that no more batches come, and which error the reading ended with, if any.
  func finish(_ result: Result<Void, any Error>) {
    condition.lock()
    end = result
    condition.signal()
    condition.unlock()
  }

  // MARK: - The writer's side

  /// The next full batch; nil at the end. If reading failed, throws its error after all batches that came before it.
  func takeFull() throws -> RecordBatchBox? {
    condition.lock()
    defer { condition.unlock() }
    while full.isEmpty, end == nil { condition.wait() }
    if !full.isEmpty { return full.removeFirst() }
    try end?.get()
    return nil
  }

  func putBack(_ batch: RecordBatchBox) {
    condition.lock()
    empty.append(batch)
    condition.signal()
    condition.unlock()
  }

  /// Tells the reader to stop, and waits until it has.
  func abandon() {
    condition.lock()
    writerHasStopped = true
    condition.broadcast()
    while end == nil { condition.wait() }
    condition.unlock()
  }
}

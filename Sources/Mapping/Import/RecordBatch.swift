import Bytes
import ObjectStore

/// Rows, and what could not be made rows, on their way from the reader to the writer.
struct RecordBatch: ~Copyable {
  var rows = RowBatch()
  /// Where each of the rows came from.
  var places = PlainBuffer<RowPlace>(capacity: 1 << 8)
  /// The bytes of the steps of places.
  var steps = ByteBuffer(capacity: 1 << 12)
  var issues: [DraftIssue] = []
  /// Whether anything was left out that may have held objects.
  var hasLeftOutObjects = false
  /// The identity that the JSON gives a row whose object has another in the store.
  var newIdentity: (row: Int, cells: [Cell])?
  /// The bytes of JSON read when the batch was full.
  var offset = 0
  /// How paths name the source.
  var sourceName = SourceName()

  /// Drops the rows, where they came from, and the issues.
  mutating func removeAll() {
    rows.removeAll()
    places.removeAll()
    steps.removeAll()
    issues = []
  }

  /// How many bytes of texts it holds.
  var byteCount: Int { rows.bytes.count + steps.count }

  func bytes(of step: PathStep) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: steps.base + step.offset, count: step.count)
  }

  func text(of step: PathStep) -> String { String(decoding: bytes(of: step), as: UTF8.self) }
}

/// A batch that goes from thread to thread.
///
/// It is handed over whole: at any time only one thread has it, which the queue in between sees to.
final class RecordBatchBox: @unchecked Sendable {
  var batch = RecordBatch()
}

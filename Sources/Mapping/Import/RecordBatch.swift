import Bytes
import ObjectStore

/// Rows, and the issues of what could not become rows, on their way from the reader to the writer.
struct RecordBatch: ~Copyable {
  var rows = RowBatch()
  /// Where each of the rows came from.
  var places = PlainBuffer<RowPlace>(capacity: 1 << 8)
  /// The bytes of the steps of places.
  var steps = ByteBuffer(capacity: 1 << 12)
  var issues: [DraftIssue] = []
  /// The objects of which the store has to tell the kind, each before those that it nests.
  var choices: [ReadChoice] = []
  /// Whether the reader left out anything that may have held objects.
  var hasLeftOutObjects = false
  /// A row whose identity in the JSON differs from that of its object in the store, and the new identity.
  var newIdentity: (row: Int, cells: [Cell])?
  /// The bytes of text read when the batch was full.
  var offset = 0
  /// The bytes of the sources read by then. They are fewer if a source is compressed.
  var received = 0
  /// How paths name the source.
  var sourceName = SourceName()
  /// How large the writer wants it to be; nil for as large as the engine says.
  var wantedSize: BatchSize?

  /// Drops the rows, where they came from, and the issues.
  mutating func removeAll() {
    rows.removeAll()
    places.removeAll()
    steps.removeAll()
    issues = []
    choices = []
  }

  /// How much there was at some moment.
  struct Mark {
    let rows: RowBatch.Mark
    fileprivate let places: Int
    fileprivate let steps: Int
    fileprivate let issues: Int
  }

  var mark: Mark {
    Mark(rows: rows.mark, places: places.count, steps: steps.count, issues: issues.count)
  }

  /// Drops the rows that came after a mark, with their issues.
  mutating func drop(after mark: Mark) {
    rows.drop(after: mark.rows)
    choices.removeAll { $0.choice.row >= mark.rows.rows }
    places.truncate(to: mark.places)
    steps.truncate(to: mark.steps)
    let general = issues[min(mark.issues, issues.count)...].filter { $0.row < mark.rows.rows }
    issues.replaceSubrange(min(mark.issues, issues.count)..., with: general)
  }

  /// Whether it has so much that handing it over costs nothing in comparison.
  func isFull(_ size: BatchSize) -> Bool {
    (wantedSize ?? size).isReached(bytes: rows.bytes.count + steps.count, cells: rows.cells.count)
  }

  func bytes(of step: PathStep) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: steps.base + step.offset, count: step.count)
  }

  func text(of step: PathStep) -> String { String(decoding: bytes(of: step), as: UTF8.self) }
}

/// A batch that goes from thread to thread.
///
/// It is handed over whole. The queue makes sure that only one thread has it at any time.
final class RecordBatchBox: @unchecked Sendable {
  var batch = RecordBatch()
}

import ObjectStore

/// Rows, and what could not be made rows, on their way from the reader to the writer.
struct RecordBatch: ~Copyable {
  var rows = RowBatch()
  var issues: [DraftIssue] = []
  /// Whether anything was left out that may have held objects.
  var hasLeftOutObjects = false
  /// The bytes of JSON read when the batch was full.
  var offset = 0
  /// The name of the source, where an import has several.
  var sourceName: String?
}

/// A batch that goes from thread to thread.
///
/// It is handed over whole: at any time only one thread has it, which the queue in between sees to.
final class RecordBatchBox: @unchecked Sendable {
  var batch = RecordBatch()
}

import ObjectStore

/// Rows, and what could not be made rows, on their way from the reader to the writer.
struct RecordBatch: ~Copyable {
  var rows = RowBatch()
  var issues: [DraftIssue] = []
  /// Whether anything was left out that may have held objects.
  var hasLeftOutObjects = false
  /// The identity that the JSON gives a row whose object has another in the store.
  var newIdentity: (row: Int, cells: [Cell])?
  /// The bytes of JSON read when the batch was full.
  var offset = 0
  /// How paths name the source.
  var sourceName = SourceName()
}

/// A batch that goes from thread to thread.
///
/// It is handed over whole: at any time only one thread has it, which the queue in between sees to.
final class RecordBatchBox: @unchecked Sendable {
  var batch = RecordBatch()
}

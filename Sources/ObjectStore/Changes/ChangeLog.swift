import GRDBSQLite

/// What happened to which object since the transaction began, in the order in which it happened.
///
/// It belongs to its connection and must be used where that is accessed. Each entry has a mark, the count of all
/// changes that SQLite had when the statement began. SQLite adds to it when a statement has ended and succeeded,
/// so that what a failed statement or a savepoint undid is told by its marks.
final class ChangeLog {
  enum Operation: Int64 {
    case insert
    case update
    case delete
    /// A link of the object changed. It need not be there.
    case touch
  }

  struct Entry {
    var key: ObjectKey
    var operation: Operation
    /// Unknown, -1, if the object was touched.
    var entity: Int32
    var mark: Int64
  }

  /// By table.
  private(set) var entries: [[Entry]] = []
  /// Whether there are triggers that fill it.
  var isRecording = false
  private var connection: OpaquePointer?

  /// Begins the log of a transaction, and returns the mark.
  func begin(tables: Int, on connection: OpaquePointer) -> Int64 {
    self.connection = connection
    entries = isRecording ? Array(repeating: [], count: tables) : []
    return mark
  }

  func end() { entries = [] }

  @inline(__always)
  func add(_ key: ObjectKey, _ operation: Operation, entity: Int, table: Int) {
    guard table < entries.count else { return }
    entries[table].append(
      Entry(key: key, operation: operation, entity: Int32(truncatingIfNeeded: entity), mark: mark))
  }

  /// Where the next statement begins.
  var mark: Int64 { connection.map(sqlite3_total_changes64) ?? 0 }

  /// Drops what was undone.
  func undo(from mark: Int64) {
    for table in entries.indices {
      while let last = entries[table].last, last.mark >= mark { entries[table].removeLast() }
    }
  }

  /// Drops what a statement did that has just failed. If that failure did not undo it, the count has grown, and
  /// it stays.
  func undoFailedStatement() {
    if !entries.isEmpty { undo(from: mark) }
  }
}

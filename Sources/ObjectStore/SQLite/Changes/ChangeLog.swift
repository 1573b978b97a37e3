import Foundation
import GRDBSQLite

/// What happened to which object since the transaction began, in the order in which it happened.
///
/// It belongs to its connection and must be used where that is accessed. Each entry has a mark, the count of all
/// changes that SQLite had when the statement began. SQLite adds to it when a statement has ended and succeeded,
/// so that what a failed statement or a savepoint undid is told by its marks.
final class ChangeLog {
  /// Whether there are triggers that fill it.
  private(set) var isRecording = false
  /// Whether something may be among it that did not happen. Triggers of the file, as indexes of the store's own have, add to
  /// SQLite's count within a statement, so that the marks do not tell what a statement did before it failed.
  private(set) var isUncertain = false
  private var hasTriggers = false
  /// How many changes of the transaction nobody is told of.
  private var ignored: Int64 = 0
  /// By table.
  private(set) var tables: [TableLog] = []
  private var connection: OpaquePointer?
  private var isInTransaction = false
  /// What ``ChangeHook`` tells of.
  private var hooked: [HookedTable] = []
  /// The one that it last told of.
  private var last = 0

  func record(_ layout: Layout) {
    isRecording = true
    hasTriggers = layout.hasTriggers
    tables = layout.tables.map { _ in TableLog() }
    hooked = layout.tables.indices.filter { ChangeHook.tells(of: layout.tables[$0]) }.map { index in
      let table = layout.tables[index]
      return HookedTable(name: table.name.utf8CString, index: index, entity: Int32(table.root))
    }
    last = 0
  }

  func stopRecording() {
    isRecording = false
    tables = []
    hooked = []
  }

  /// Begins the log of a transaction, and returns the mark.
  func begin(on connection: OpaquePointer) -> Int64 {
    self.connection = connection
    isInTransaction = true
    isUncertain = false
    ignored = 0
    return mark
  }

  /// Says that changes which were just made are of no object, so that nobody is told of them.
  func ignore(_ changes: Int64) { ignored += changes }

  /// Whether anything was changed since a transaction began, by the mark of its beginning.
  func hasChanges(since mark: Int64) -> Bool { self.mark - ignored != mark }

  func end() {
    isInTransaction = false
    for table in tables { table.removeAll() }
  }

  /// - Parameter entity: The object's entity, if it is known.
  func add(_ key: KeyArguments, _ operation: ChangeOperation, entity: Int = -1, table: Int) {
    guard isInTransaction, table < tables.count else { return }
    tables[table].add(key, operation, entity, mark)
  }

  /// Adds an object of one of the tables that the hook tells of; others are left to the triggers.
  func add(row: Int64, _ operation: ChangeOperation, ofTable name: UnsafePointer<CChar>) {
    guard isInTransaction, !hooked.isEmpty else { return }
    if !hooked[last].isNamed(name) {
      guard let found = hooked.firstIndex(where: { $0.isNamed(name) }) else { return }
      last = found
    }
    tables[hooked[last].index].add(row, operation, hooked[last].entity, mark)
  }

  /// Where the next statement begins.
  var mark: Int64 { connection.map(sqlite3_total_changes64) ?? 0 }

  /// Drops what was undone.
  func undo(from mark: Int64) {
    for table in tables { table.undo(from: mark) }
  }

  /// Drops what a statement did that has just failed. If that failure did not undo it, the count has grown, and
  /// it stays.
  func undoFailedStatement() {
    guard isInTransaction, isRecording else { return }
    undo(from: mark)
    if hasTriggers { isUncertain = true }
  }
}

/// A table whose objects the hook can name.
private struct HookedTable {
  let name: ContiguousArray<CChar>
  let index: Int
  let entity: Int32

  func isNamed(_ other: UnsafePointer<CChar>) -> Bool {
    name.withUnsafeBufferPointer { name in name.baseAddress.map { strcmp($0, other) == 0 } ?? false }
  }
}

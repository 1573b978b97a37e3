import Bytes
import Foundation
import GRDBSQLite
import ObjectModel

/// The changes of objects since the transaction began, in their order.
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
  /// The events of ``ChangeHook``.
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

/// The part of a log that is about the objects of a table. An entry costs no allocation.
final class TableLog {
  struct Entry: BitwiseCopyable {
    /// The key, if it is an integer, or else where it begins in the bytes.
    var bits: Int64
    /// The count of the key's bytes.
    var count: Int32
    var form: KeyForm
    var operation: ChangeOperation
    /// Unknown, -1, if the object was touched.
    var entity: Int32
    var mark: Int64
  }

  private var entries = PlainBuffer<Entry>()
  private var bytes = ByteBuffer()

  var count: Int { entries.count }

  subscript(index: Int) -> Entry { entries[index] }

  func add(_ key: KeyArguments, _ operation: ChangeOperation, _ entity: Int, _ mark: Int64) {
    let start = bytes.count
    let (form, bits) = key.append(to: &bytes)
    entries.append(
      Entry(
        bits: form == .integer ? bits : Int64(start), count: Int32(truncatingIfNeeded: bytes.count - start),
        form: form, operation: operation, entity: Int32(truncatingIfNeeded: entity), mark: mark))
  }

  /// Adds an object whose key is its row id.
  func add(_ row: Int64, _ operation: ChangeOperation, _ entity: Int32, _ mark: Int64) {
    entries.append(
      Entry(bits: row, count: 0, form: .integer, operation: operation, entity: entity, mark: mark))
  }

  /// Drops all entries from a mark on.
  func undo(from mark: Int64) {
    var end = entries.count
    while end > 0, entries[end - 1].mark >= mark {
      end -= 1
      if entries[end].form != .integer { bytes.truncate(to: Int(entries[end].bits)) }
    }
    entries.truncate(to: end)
  }

  func removeAll() {
    // The memory of one large transaction is not kept for the small ones after it.
    if entries.count > 1 << 12 { entries = PlainBuffer() } else { entries.removeAll() }
    if bytes.count > 1 << 16 { bytes = ByteBuffer() } else { bytes.removeAll() }
  }

  // MARK: - Keys

  func key(_ index: Int) -> ObjectKey {
    let entry = entries[index]
    switch entry.form {
    case .integer: return .integer(entry.bits)
    case .text: return .text(String(decoding: keyBytes(entry), as: UTF8.self))
    case .composite: return .composite(EncodedKey.parts(keyBytes(entry)))
    }
  }

  func hash(_ index: Int) -> Int {
    var hash = Hash()
    let entry = entries[index]
    if entry.form == .integer {
      hash.combine(UInt64(bitPattern: entry.bits))
    } else {
      hash.combine(keyBytes(entry))
    }
    return hash.value
  }

  func haveSameKey(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (entries[left], entries[right])
    guard left.form == right.form, left.count == right.count else { return false }
    if left.form == .integer { return left.bits == right.bits }
    return keyBytes(left).elementsEqual(keyBytes(right))
  }

  private func keyBytes(_ entry: Entry) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes.elements[Int(entry.bits)..<Int(entry.bits) + Int(entry.count)])
  }
}

/// An object of a log and what has become of it.
struct LoggedObject: BitwiseCopyable {
  /// The entry that was the first to tell of it.
  var entry: Int32
  var entity: Int32
  var fate: NetChange

  init(_ entry: Int, _ first: TableLog.Entry) {
    self.entry = Int32(truncatingIfNeeded: entry)
    entity = first.entity
    fate = NetChange(first.operation)
  }

  mutating func add(_ next: TableLog.Entry) {
    fate.add(next.operation)
    if next.operation != .touch { entity = next.entity }
  }
}

/// All objects of a log, in the order in which they came.
struct LoggedObjects {
  private(set) var all: [LoggedObject] = []
  /// Places in ``all`` by the hash of the key; -1 is free.
  private var buckets: [Int32] = []

  init(_ log: TableLog) {
    all.reserveCapacity(log.count)
    guard !Self.isAscending(log) else {
      for index in 0..<log.count where !addToLast(index, log) { all.append(LoggedObject(index, log[index])) }
      return
    }
    var size = 16
    while size < log.count * 2 { size *= 2 }
    buckets = Array(repeating: -1, count: size)
    for index in 0..<log.count where !addToLast(index, log) { add(index, log) }
  }

  /// Whether keys ascend, as they often do: then all that is told of an object stands together.
  private static func isAscending(_ log: TableLog) -> Bool {
    var last = Int64.min
    for index in 0..<log.count {
      let entry = log[index]
      guard entry.form == .integer, entry.bits >= last else { return false }
      last = entry.bits
    }
    return true
  }

  /// Adds to the object that came last, if the entry is about the same object.
  private mutating func addToLast(_ index: Int, _ log: TableLog) -> Bool {
    guard let last = all.last, log.haveSameKey(Int(last.entry), index) else { return false }
    all[all.count - 1].add(log[index])
    return true
  }

  private mutating func add(_ index: Int, _ log: TableLog) {
    var bucket = log.hash(index) & (buckets.count - 1)
    while buckets[bucket] >= 0 {
      let place = Int(buckets[bucket])
      if log.haveSameKey(Int(all[place].entry), index) { return all[place].add(log[index]) }
      bucket = (bucket + 1) & (buckets.count - 1)
    }
    buckets[bucket] = Int32(truncatingIfNeeded: all.count)
    all.append(LoggedObject(index, log[index]))
  }
}

/// Makes of a log what has changed in the end.
struct ChangeSummary {
  let transaction: SQLiteTransaction

  /// - Throws: ``StoreError`` if SQLite cannot look up what was linked.
  func changes(of log: ChangeLog) throws -> [Int: ObjectChanges.InTable] {
    var result: [Int: ObjectChanges.InTable] = [:]
    for (table, log) in log.tables.enumerated() where log.count > 0 {
      var changes = ObjectChanges.InTable()
      var lookup: PreparedStatement?
      for logged in LoggedObjects(log).all {
        let key = log.key(Int(logged.entry))
        if !logged.fate.isTouched {
          changes.add(ObjectChanges.Object(key: key, entity: Int(logged.entity)), logged.fate)
        } else {
          let found = try lookup ?? self.lookup(transaction.layout.tables[table])
          lookup = found
          // A link may lead to an object that is not there.
          guard let entity = try entity(of: key, transaction.layout.tables[table], found) else { continue }
          changes.updated.append(ObjectChanges.Object(key: key, entity: entity))
        }
      }
      if !changes.isEmpty { result[table] = changes }
    }
    return result
  }

  // MARK: - The tables

  /// Gives the entity's name, if rows have one, of the object with a key.
  private func lookup(_ table: Table) throws -> PreparedStatement {
    try transaction.cached(
      "SELECT \(kind(table)) FROM \(SQL.quoted(table.name))"
        + " WHERE \(SQL.equal(table.key.map { table.columns[$0].name }))")
  }

  /// The entity of an object; nil if it is not there.
  private func entity(of key: ObjectKey, _ table: Table, _ lookup: PreparedStatement) throws -> Int? {
    for (place, part) in key.parts.enumerated() { lookup.bind(part, at: place + 1) }
    guard try lookup.step() else { return nil }
    defer { lookup.reset() }
    return entity(lookup, 0, table)
  }

  /// All objects, which are inserted if the store is new.
  func everything() throws -> [Int: ObjectChanges.InTable] {
    var result: [Int: ObjectChanges.InTable] = [:]
    for (index, table) in transaction.layout.tables.enumerated() {
      let key = SQL.list(table.key.map { table.columns[$0].name })
      let statement = try transaction.cached("SELECT \(kind(table)), \(key) FROM \(SQL.quoted(table.name))")
      var changes = ObjectChanges.InTable()
      while try statement.step() {
        changes.inserted.append(
          ObjectChanges.Object(
            key: ObjectKey(statement, 1..<table.key.count + 1), entity: entity(statement, 0, table)))
      }
      if !changes.isEmpty { result[index] = changes }
    }
    return result
  }

  private func kind(_ table: Table) -> String { table.kindColumn.map(SQL.quoted) ?? "NULL" }

  private func entity(_ statement: PreparedStatement, _ column: Int, _ table: Table) -> Int {
    guard table.kindColumn != nil else { return table.root }
    return transaction.layout.schema.index(of: statement.string(column)) ?? table.root
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

import Bytes
import Foundation
import GRDBSQLite

/// A statement of SQLite's, compiled once and run again and again.
///
/// GRDB's statements bind arguments through a protocol, a box a value. The importer and the exporter pass
/// millions of values, so here each goes straight to SQLite.
///
/// A statement belongs to its connection and must be used and let go of where that is accessed.
package final class PreparedStatement: Cursor {
  private let statement: OpaquePointer
  private let connection: OpaquePointer
  /// Where what it writes is noted, so that a failure can be.
  private let log: ChangeLog?
  /// Why an argument was not taken; 0 if all were.
  private var refusal: Int32 = 0

  /// Compiles one statement.
  ///
  /// - Throws: ``StoreError`` if SQLite does not take it.
  init(_ sql: String, on connection: OpaquePointer, _ log: ChangeLog? = nil) throws {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else {
      throw StoreError.sqlite(code, message: Self.message(of: connection), sql: sql)
    }
    self.statement = statement
    self.connection = connection
    self.log = log
  }

  deinit {
    sqlite3_finalize(statement)
  }

  /// Whether it leaves the file as it is.
  var isReadOnly: Bool { sqlite3_stmt_readonly(statement) != 0 }

  /// How many arguments it takes.
  var parameterCount: Int { Int(sqlite3_bind_parameter_count(statement)) }

  // MARK: - Arguments, counted from 1

  /// Binds arguments in their order. Of a condition that always or never holds, some may be left that the SQL does not
  /// have.
  func bind(all arguments: [SQLValue]) {
    let count = Int(sqlite3_bind_parameter_count(statement))
    for (index, argument) in arguments.prefix(count).enumerated() { bind(argument, at: index + 1) }
  }

  /// Notes that an argument was not taken, as one that is too long is not. The next step fails for it.
  @inline(__always)
  private func note(_ code: Int32) {
    if code != SQLITE_OK { refusal = code }
  }

  @inline(__always)
  package func bind(_ value: Int64, at index: Int) {
    note(sqlite3_bind_int64(statement, Int32(truncatingIfNeeded: index), value))
  }

  package func bind(_ value: Double, at index: Int) {
    note(sqlite3_bind_double(statement, Int32(truncatingIfNeeded: index), value))
  }

  func bindNull(at index: Int) {
    note(sqlite3_bind_null(statement, Int32(truncatingIfNeeded: index)))
  }

  /// Binds UTF-8 that stays where it is until the statement has run.
  @inline(__always)
  package func bind(text: UnsafePointer<UInt8>, count: Int, at index: Int) {
    text.withMemoryRebound(to: CChar.self, capacity: count) { text in
      note(
        sqlite3_bind_text64(
          statement, Int32(truncatingIfNeeded: index), text, UInt64(count), nil, UInt8(SQLITE_UTF8)))
    }
  }

  /// Binds bytes that stay where they are until the statement has run.
  package func bind(blob: UnsafePointer<UInt8>, count: Int, at index: Int) {
    let index = Int32(truncatingIfNeeded: index)
    if count == 0 {
      note(sqlite3_bind_zeroblob(statement, index, 0))
    } else {
      note(sqlite3_bind_blob64(statement, index, blob, UInt64(count), nil))
    }
  }

  // SQLITE_TRANSIENT, which C writes as a cast of -1: SQLite takes a copy.
  private static var transient: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  /// Binds a copy of a text.
  package func bind(_ text: String, at index: Int) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        note(
          sqlite3_bind_text64(
            statement, Int32(truncatingIfNeeded: index), bytes.baseAddress, UInt64(bytes.count),
            Self.transient, UInt8(SQLITE_UTF8)))
      }
    }
  }

  /// Binds a copy of bytes.
  package func bind(copyOf blob: [UInt8], at index: Int) {
    let index = Int32(truncatingIfNeeded: index)
    if blob.isEmpty {
      note(sqlite3_bind_zeroblob(statement, index, 0))
    } else {
      note(sqlite3_bind_blob64(statement, index, blob, UInt64(blob.count), Self.transient))
    }
  }

  // MARK: - Running

  /// Takes a step. True if there is a row, false when it is done; then it is ready to run again.
  @inline(__always)
  package func step() throws -> Bool {
    if refusal != 0 { throw refusedArgument() }
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(statement)
      return false
    default: throw failure()
    }
  }

  /// Runs a statement that gives no rows.
  @inline(__always)
  package func run() throws {
    while try step() {}
  }

  /// Ends a run early, so that the statement can run again.
  @inline(__always)
  package func reset() {
    sqlite3_reset(statement)
  }

  /// Ends a run and forgets the arguments.
  func clear() {
    refusal = 0
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
  }

  @inline(never)
  private func refusedArgument() -> StoreError {
    defer { clear() }
    let sql = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
    let message = sqlite3_errstr(refusal).map { String(cString: $0) } ?? "unknown error"
    return StoreError.sqlite(refusal, message: message, sql: sql)
  }

  private func failure() -> StoreError {
    let code = sqlite3_extended_errcode(connection)
    let message = Self.message(of: connection)
    let sql = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
    sqlite3_reset(statement)
    log?.undoFailedStatement()
    return StoreError.sqlite(code, message: message, sql: sql)
  }

  private static func message(of connection: OpaquePointer) -> String {
    sqlite3_errmsg(connection).map { String(cString: $0) } ?? "unknown error"
  }

  /// How many rows the last statement to change any has changed.
  @inline(__always)
  package var changes: Int {
    Int(sqlite3_changes64(connection))
  }

  /// The row id of the last row inserted.
  @inline(__always)
  package var lastInsertedRowID: Int64 {
    sqlite3_last_insert_rowid(connection)
  }

  // MARK: - Columns, counted from 0

  package var columnCount: Int { Int(sqlite3_column_count(statement)) }

  func columnName(_ column: Int) -> String {
    sqlite3_column_name(statement, Int32(truncatingIfNeeded: column)).map { String(cString: $0) } ?? ""
  }

  package func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(statement, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
  }

  /// How SQLite holds a value, nil for null.
  @inline(__always)
  package func storage(_ column: Int) -> StorageType? {
    switch sqlite3_column_type(statement, Int32(truncatingIfNeeded: column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: nil
    }
  }

  @inline(__always)
  package func integer(_ column: Int) -> Int64 {
    sqlite3_column_int64(statement, Int32(truncatingIfNeeded: column))
  }

  package func double(_ column: Int) -> Double {
    sqlite3_column_double(statement, Int32(truncatingIfNeeded: column))
  }

  /// The UTF-8 of a value, until the next step.
  @inline(__always)
  package func text(_ column: Int) -> UnsafeBufferPointer<UInt8> {
    let column = Int32(truncatingIfNeeded: column)
    // Asked for text, SQLite would copy the bytes to put a zero behind them. As a blob it gives them as they
    // are; a number, it would give as text either way.
    let start = sqlite3_column_blob(statement, column)
    let count = Int(sqlite3_column_bytes(statement, column))
    return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count)
  }

  /// The bytes of a value, until the next step.
  package func blob(_ column: Int) -> UnsafeRawBufferPointer {
    let column = Int32(truncatingIfNeeded: column)
    let start = sqlite3_column_blob(statement, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  package func string(_ column: Int) -> String {
    String(decoding: text(column), as: UTF8.self)
  }
}

extension PreparedStatement {
  /// Binds a copy of a value.
  package func bind(_ value: SQLValue, at index: Int) {
    switch value {
    case .null: bindNull(at: index)
    case .integer(let value): bind(value, at: index)
    case .real(let value): bind(value, at: index)
    case .text(let value): bind(value, at: index)
    case .blob(let value): bind(copyOf: value, at: index)
    }
  }
}

extension PreparedStatement {
  /// Binds a cell of a batch, which must stay as it is until the statement has run.
  @inline(__always)
  func bind(_ cell: Cell, of batch: borrowing RowBatch, at index: Int) {
    switch cell.kind {
    case .integer: bind(cell.integerValue, at: index)
    case .text: bind(text: batch.bytes.base + cell.offset, count: Int(cell.count), at: index)
    case .real: bind(cell.realValue, at: index)
    case .blob: bind(blob: batch.bytes.base + cell.offset, count: Int(cell.count), at: index)
    case .null, .absent, .row: bindNull(at: index)
    }
  }

}

extension Cursor {
  /// Whether a column of the current row holds exactly what a cell says.
  @inline(__always)
  package func column(_ column: Int, equals cell: Cell, of batch: borrowing RowBatch) -> Bool {
    switch cell.kind {
    case .integer: storage(column) == .integer && integer(column) == cell.integerValue
    case .real: storage(column) == .real && double(column) == cell.realValue
    case .text:
      storage(column) == .text && haveSameBytes(UnsafeRawBufferPointer(text(column)), batch.bytes(of: cell))
    case .blob: storage(column) == .blob && haveSameBytes(blob(column), batch.bytes(of: cell))
    case .null: isNull(column)
    case .absent, .row: false
    }
  }
}

@inline(__always)
private func haveSameBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  guard left.count > 0, let first = left.baseAddress, let second = right.baseAddress else { return true }
  return memcmp(first, second, left.count) == 0
}

/// Values that a statement gets in one argument, as a JSON list, since SQLite limits how many it can have.
enum ListedValues {
  /// A list of values; nil if one cannot go through JSON unchanged.
  static func list(_ values: [SQLValue]) -> SQLValue? {
    text(values).map(SQLValue.text)
  }

  /// A list of whole numbers.
  static func list(_ integers: [Int64]) -> SQLValue {
    .text("[\(integers.map(String.init).joined(separator: ","))]")
  }

  /// A list of lists.
  static func list(_ rows: [[SQLValue]]) -> SQLValue? {
    var result = "["
    for (index, row) in rows.enumerated() {
      guard let text = text(row) else { return nil }
      if index > 0 { result += "," }
      result += text
    }
    return .text(result + "]")
  }

  private static func text(_ values: [SQLValue]) -> String? {
    var result = "["
    for (index, value) in values.enumerated() {
      if index > 0 { result += "," }
      switch value {
      case .null: result += "null"
      case .integer(let integer): result += String(integer)
      case .text(let text):
        guard append(text, to: &result) else { return nil }
      // SQLite does not read every number of JSON to its last digit, and JSON has no bytes.
      case .real, .blob: return nil
      }
    }
    return result + "]"
  }

  /// False if the text ends early for SQLite.
  private static func append(_ text: String, to result: inout String) -> Bool {
    result += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\0": return false
      case "\u{1}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    result += "\""
    return true
  }
}

/// Has SQLite tell which tables a statement reads and writes, while SQLite compiles it.
///
/// It is set once for a connection and listens only when it is asked to: each time an authorizer is set, SQLite compiles
/// all statements of the connection anew. <https://www.sqlite.org/c3ref/set_authorizer.html>
final class StatementAuthorizer {
  /// The tables of the store's file that a statement uses, by their names.
  struct Access {
    var reads: Set<String> = []
    /// The tables that the statement itself writes, without those that its triggers write.
    var writes: Set<String> = []
  }

  private var access: Access?

  /// Sets it. The connection must not outlive it.
  func register(on connection: OpaquePointer) {
    sqlite3_set_authorizer(
      connection,
      { context, action, table, _, database, trigger in
        guard let context, let table, let database, strcmp(database, "main") == 0 else { return SQLITE_OK }
        Unmanaged<StatementAuthorizer>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.note(action, table, isTrigger: trigger != nil)
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func note(_ action: Int32, _ table: UnsafePointer<CChar>, isTrigger: Bool) {
    guard access != nil else { return }
    switch action {
    case SQLITE_READ: access?.reads.insert(String(cString: table))
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      if !isTrigger { access?.writes.insert(String(cString: table)) }
    default: break
    }
  }

  /// The tables and functions of a statement.
  ///
  /// - Throws: ``StoreError`` if SQLite does not take it.
  func access(of sql: String, on connection: OpaquePointer) throws -> Access {
    access = Access()
    defer { access = nil }
    _ = try PreparedStatement(sql, on: connection)
    return access ?? Access()
  }
}

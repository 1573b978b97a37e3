import GRDBSQLite

/// Has SQLite tell a log of rows that are inserted and updated. It costs a tenth of a trigger, but knows only the
/// row id.
enum ChangeHook {
  /// Whether a row id is all that there is to know of an object.
  static func tells(of table: Table) -> Bool { table.keyIsRowID && table.kindColumn == nil }

  /// Sets the hook of a connection, which must live no longer than the log.
  static func set(on connection: OpaquePointer, _ log: ChangeLog) {
    sqlite3_update_hook(
      connection,
      { log, operation, database, table, row in
        // Not of tables called the same in other databases, as the temporary one.
        guard let log, let table, let database, database[0] == CChar(UInt8(ascii: "m")) else { return }
        guard operation != SQLITE_DELETE else { return }
        Unmanaged<ChangeLog>.fromOpaque(log)._withUnsafeGuaranteedRef {
          $0.add(row: row, operation == SQLITE_INSERT ? .insert : .update, ofTable: table)
        }
      }, Unmanaged.passUnretained(log).toOpaque())
  }

  static func remove(from connection: OpaquePointer) { sqlite3_update_hook(connection, nil, nil) }
}

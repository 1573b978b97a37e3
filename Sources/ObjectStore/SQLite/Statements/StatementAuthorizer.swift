import Foundation
import GRDBSQLite

/// Has SQLite tell which tables a statement reads and writes, while SQLite compiles it.
///
/// It is set once for a connection and listens only when it is asked to: each time an authorizer is set, SQLite compiles
/// all statements of the connection anew. <https://www.sqlite.org/c3ref/set_authorizer.html>
final class StatementAuthorizer {
  /// The tables of the store's file that a statement uses, by their names.
  struct Access {
    var reads: Set<String> = []
    /// Those that the statement itself writes. What triggers write besides is not among them.
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

  /// What a statement uses.
  ///
  /// - Throws: ``StoreError`` if SQLite does not take it.
  func access(of sql: String, on connection: OpaquePointer) throws -> Access {
    access = Access()
    defer { access = nil }
    _ = try PreparedStatement(sql, on: connection)
    return access ?? Access()
  }
}

import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// What a store finds out about its file.
final class StoreState: Sendable {
  /// The whole path of the file; empty for a store in memory or in a temporary file.
  let file: String
  private let tables: Atomic<Bool>
  private let wal: Atomic<Bool>

  init(_ connection: Connection, hasTables: Bool) throws {
    let (file, isInWAL) = try connection.access { database in
      let file = sqlite3_db_filename(database.sqliteConnection, "main").map { String(cString: $0) } ?? ""
      return (file, try hasTables && Self.isInWAL(database))
    }
    self.file = file
    wal = Atomic(isInWAL)
    tables = Atomic(hasTables)
  }

  /// Whether there are connections that only read, beside the one that writes: in a file in WAL mode, nobody
  /// disturbs the other.
  var hasReaders: Bool { !file.isEmpty && wal.load(ordering: .relaxed) }

  /// Whether there are tables; nobody takes them away again.
  func hasTables(_ database: Database) throws -> Bool {
    if tables.load(ordering: .relaxed) { return true }
    guard try StoreOpening.hasTables(database) else { return false }
    tables.store(true, ordering: .relaxed)
    if !file.isEmpty, try Self.isInWAL(database) { wal.store(true, ordering: .relaxed) }
    return true
  }

  /// Whether there are no tables. Nil if the store is closed.
  func isEmpty(_ writer: ConnectionPool) throws -> Bool? {
    guard !writer.isClosed else { return nil }
    let connection = try writer.take()
    defer { writer.giveBack(connection) }
    return try connection.access { try !StoreOpening.hasTables($0) }
  }

  /// Puts the file in WAL mode, unless another connection uses it.
  ///
  /// A new store is filled with an ordinary journal, which writes each page once; WAL would write it twice.
  func switchToWAL(_ database: Database, _ connection: Connection) {
    guard !file.isEmpty, !wal.load(ordering: .relaxed) else { return }
    // While another connection uses the file, the switch fails. Then the next one makes it; to wait could be for
    // ever, if the other one waits for the same.
    connection.whileImpatient {
      guard let mode = try? String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") else { return }
      wal.store(mode == "wal", ordering: .relaxed)
    }
  }

  private static func isInWAL(_ database: Database) throws -> Bool {
    try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal"
  }
}

import Foundation
import GRDB
import TestSettings

/// Stores of a folder that are elsewhere than in its files `*.sqlite`.
protocol StoresElsewhere {
  /// An argument of the command: an address in place of a store's file.
  func address(_ argument: String) throws -> String
  /// What the command says, with names of files in place of addresses.
  func withNames(_ text: String) throws -> String
  func exists(_ name: String) throws -> Bool
  /// What a store holds, a row a line, without the history of imports.
  func contents(_ name: String) throws -> [String]
  /// Whether somebody has a store locked, to write to it.
  func isBeingWritten(_ name: String) throws -> Bool
  /// Makes the stores of another folder this one's too.
  func copy(from other: Folder) throws
}

extension Folder {
  /// The stores of this folder, if they are not files.
  var storesElsewhere: (any StoresElsewhere)? {
    #if PostgreSQL
      if Engine.isServer { return ServerStores(folder: self) }
    #endif
    return nil
  }

  func hasStore(_ name: String = "store.sqlite") -> Bool {
    guard let elsewhere = storesElsewhere else { return exists(name) }
    return (try? elsewhere.exists(name)) ?? false
  }

  /// A store's file and what SQLite keeps beside it, byte for byte; nil for each that is not there. Elsewhere its rows.
  func store(_ name: String = "store.sqlite") -> [Data?] {
    if let elsewhere = storesElsewhere, hasStore(name) {
      return (try? elsewhere.contents(name).map { Data($0.utf8) }) ?? []
    }
    return ["", "-wal", "-journal"].map { try? data(name + $0) }.map { $0?.isEmpty == true ? nil : $0 }
  }

  /// Whether somebody has a store locked, to write to it.
  func isBeingWritten(_ name: String = "store.sqlite") throws -> Bool {
    if let elsewhere = storesElsewhere { return try elsewhere.isBeingWritten(name) }
    let database = try DatabaseQueue(path: path(name))
    defer { try? database.close() }
    do {
      try database.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE; ROLLBACK") }
      return false
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return true
    }
  }

  /// What a store holds, a row a line, without the history of imports, which every import adds to.
  func contents(_ name: String = "store.sqlite") throws -> [String] {
    if let elsewhere = storesElsewhere { return try elsewhere.contents(name) }
    let database = try DatabaseQueue(path: path(name))
    defer { try? database.close() }
    return try database.read { database in
      let tables = try String.fetchAll(
        database,
        sql:
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('sqlite_sequence', 'broker_imports') ORDER BY name"
      )
      return try tables.flatMap { table in
        let rows = try Row.fetchAll(
          database, sql: "SELECT rowid, * FROM \(table.quotedDatabaseIdentifier) ORDER BY rowid")
        return ["# \(table)"] + rows.map(\.description)
      }
    }
  }
}

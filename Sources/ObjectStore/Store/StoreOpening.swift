import Foundation
import GRDB
import GRDBSQLite
import ObjectModel

/// What has to be found out and set up before a store can be used.
struct StoreOpening {
  /// The layout of the store's own tables. A change of it that older versions cannot read gets a new number.
  static let format = "1"

  let path: String
  let access: Store.Access

  func connect() throws -> Connection {
    try checkPath()
    // Even to read, SQLite has to write beside a file in WAL mode, and only who may write clears that away.
    return try open(isReadOnly: access == .readOnly && !FileManager.default.isWritableFile(atPath: path))
  }

  /// Connects once more to a file that is there and in WAL mode, only to read.
  func connectReader() throws -> Connection {
    try open(isReadOnly: true)
  }

  private func open(isReadOnly: Bool) throws -> Connection {
    let patience = Patience()
    let configuration = configuration(patience, isReadOnly: isReadOnly)
    do {
      let database =
        path == ":memory:"
        ? try DatabaseQueue(configuration: configuration)
        : try DatabaseQueue(path: path, configuration: configuration)
      return Connection(database, patience)
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_NOTADB {
        throw StoreError(.notAStore(path: path, why: "it is not an SQLite database"))
      }
      throw StoreError(.unreadable(path: path, why: error.message ?? "\(error.resultCode)"))
    }
  }

  private func checkPath() throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
      if isFolder.boolValue { throw StoreError(.notAStore(path: path, why: "it is a folder")) }
      return
    }
    let folder = (path as NSString).deletingLastPathComponent
    guard folder.isEmpty || FileManager.default.fileExists(atPath: folder) else {
      throw StoreError(.unreadable(path: path, why: "there is no folder \(folder)"))
    }
  }

  private func configuration(_ patience: Patience, isReadOnly: Bool) -> GRDB.Configuration {
    var configuration = GRDB.Configuration()
    configuration.readonly = isReadOnly
    // Pending references dangle, and delete rules are Broker's own work.
    configuration.foreignKeysEnabled = false
    configuration.label = "broker"
    // Connection sees to it that none is left open; GRDB would stop the program.
    configuration.allowsUnsafeTransactions = true
    // Whoever writes will be done some time: waiting beats failing.
    configuration.busyMode = .callback { attempt in
      guard patience.isPatient else { return false }
      usleep(attempt < 10 ? 1_000 : 20_000)
      return true
    }
    let queriesOnly = access == .readOnly
    configuration.prepareDatabase { connection in
      try connection.execute(sql: "PRAGMA synchronous = NORMAL")
      try connection.execute(sql: "PRAGMA cache_size = -16384")
      try connection.execute(sql: "PRAGMA temp_store = FILE")
      try StoreFunctions.register(on: connection.sqliteConnection)
      // Transactions are begun and ended beside GRDB, which need not follow them.
      sqlite3_commit_hook(connection.sqliteConnection, nil, nil)
      sqlite3_rollback_hook(connection.sqliteConnection, nil, nil)
      // Nor what statements that it does not compile may do: it would remember that of all of them.
      sqlite3_set_authorizer(connection.sqliteConnection, nil, nil)
      if queriesOnly {
        try connection.execute(sql: "PRAGMA query_only = 1")
      } else if try StoreOpening.hasTables(connection) {
        patience.whileImpatient { _ = try? String.fetchOne(connection, sql: "PRAGMA journal_mode = WAL") }
      }
    }
    return configuration
  }

  // MARK: - The model in the store

  static func hasTables(_ connection: Database) throws -> Bool {
    // Asked of SQLite itself: another process may have made the tables since GRDB looked last.
    try Bool.fetchOne(
      connection, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?)",
      arguments: [StoreTable.metadata]) ?? false
  }

  /// What the store remembers of itself; nil if it is empty.
  func remembered(_ connection: Connection) throws -> StoreDescription? {
    do {
      return try connection.access { connection in
        guard try Self.hasTables(connection) else {
          let others = try Int.fetchOne(connection, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
          guard others == 0 else {
            throw StoreError(
              .notAStore(path: path, why: "it is an SQLite database that Broker did not make"))
          }
          return nil
        }
        return try decodeDescription(connection)
      }
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_NOTADB {
        throw StoreError(.notAStore(path: path, why: "it is not an SQLite database"))
      }
      throw StoreError(.unreadable(path: path, why: error.message ?? "\(error.resultCode)"))
    }
  }

  private func decodeDescription(_ connection: Database) throws -> StoreDescription {
    let format = try Self.value(of: "format", connection) ?? ""
    guard format == Self.format else {
      throw StoreError(.newerFormat(path: path, format: format))
    }
    guard let json = try Self.value(of: "model", connection) else {
      throw StoreError(.notAStore(path: path, why: "its model is missing"))
    }
    return StoreDescription(
      model: try Model(json: Data(json.utf8)),
      mapping: try Self.value(of: "mapping", connection).map { try JSONMapping(remembered: $0) })
  }

  private static func value(of key: String, _ connection: Database) throws -> String? {
    try String.fetchOne(
      connection, sql: "SELECT \"value\" FROM \(SQL.quoted(StoreTable.metadata)) WHERE \"key\" = ?",
      arguments: [key])
  }

  static func remember(_ description: StoreDescription, _ connection: Database) throws {
    let name = SQL.quoted(StoreTable.metadata)
    let mapping = try description.mapping?.remembered()
    for (key, value) in [("format", format), ("model", description.model.json()), ("mapping", mapping)] {
      guard let value else { continue }
      try connection.execute(
        sql: """
          INSERT INTO \(name) VALUES (?, ?)
          ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value" WHERE "value" IS NOT excluded."value"
          """, arguments: [key, value])
    }
  }

  /// Whether a model and a mapping are others than the remembered ones.
  ///
  /// - Throws: ``StoreError`` if they need other tables.
  func isChanged(
    _ remembered: StoreDescription, to description: StoreDescription, _ layout: Layout
  ) throws -> Bool {
    guard try !description.isSame(as: remembered) else { return false }
    let model = try remembered.mappedModel()
    let before = Set(TableDefinitions(layout: Layout(try Schema(model))).statements)
    let after = Set(TableDefinitions(layout: layout).statements)
    guard before == after else {
      let changed = ModelDifference(from: model, to: layout.schema.model).lines
      throw StoreError(.modelChanged(path: path, differences: changed))
    }
    return true
  }
}

import Foundation
import GRDB
import Mapping
import ObjectModel
import ObjectStore

/// A store in a new folder, which is deleted with this object.
final class TestStore: Sendable {
  let path: String
  private let folder: URL
  private let model: Model

  init(_ model: Model) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("broker-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("store.sqlite").path
    self.model = model
  }

  convenience init(for file: RealFile) throws {
    try self.init(Model(contentsOf: file.modelURL))
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// A store with the objects of a file, and the report of the import.
  static func filled(with file: RealFile) throws -> (TestStore, Report) {
    let store = try TestStore(for: file)
    return (store, try store.load(file))
  }

  /// Opens the store, imports and closes it.
  @discardableResult
  func load(_ sources: ImportSource..., options: ImportOptions = ImportOptions()) throws -> Report {
    let store = try Store(path: path, model: model)
    let result = Result { try Importer(store, options).run(sources) }
    try store.close()
    return try result.get()
  }

  @discardableResult
  func load(_ file: RealFile) throws -> Report {
    var options = ImportOptions()
    if file == .twitter {
      options.entity = "Tweet"
      options.root = "statuses"
    }
    return try load(.file(file.url.path), options: options)
  }

  // MARK: - Reading, as any SQLite tool would

  private func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    var configuration = Configuration()
    configuration.readonly = true
    // The tests of a file read its store at the same time, and the last to close it locks it for a moment.
    configuration.busyMode = .timeout(600)
    return try DatabaseQueue(path: path, configuration: configuration).read(body)
  }

  func count(_ sql: String) throws -> Int {
    try read { try Int.fetchOne($0, sql: sql) } ?? -1
  }

  /// Rows, their columns joined by `|`; null is empty.
  func rows(_ sql: String) throws -> [String] {
    try read { database in
      try Row.fetchAll(database, sql: sql).map { row in
        row.databaseValues.map { value in
          value.isNull ? "" : String.fromDatabaseValue(value) ?? "\(value)"
        }.joined(separator: "|")
      }
    }
  }

  /// All rows of all tables, without the history of imports, which every import adds to.
  func contents() throws -> [String] {
    try read { database in
      let tables = try String.fetchAll(
        database,
        sql:
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('sqlite_sequence', 'broker_imports') ORDER BY name"
      )
      return try tables.flatMap { table in
        let sql = "SELECT rowid, * FROM \(table.quotedDatabaseIdentifier) ORDER BY rowid"
        return ["# \(table)"] + (try Row.fetchAll(database, sql: sql).map(\.description))
      }
    }
  }

  func counts(of entities: [String]) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for entity in entities { counts[entity] = try count("SELECT count(*) FROM \"\(entity)\"") }
    return counts
  }

  /// Foreign keys without a row: `Tweet.inReplyTo 505774460910043136`.
  func dangling() throws -> [String] {
    try read { database in
      var result: [String] = []
      for violation in try Row.fetchAll(database, sql: "PRAGMA foreign_key_check") {
        let table: String = violation["table"]
        let rowID: Int64 = violation["rowid"]
        let number: Int = violation["fkid"]
        let keys = try Row.fetchAll(database, sql: "PRAGMA foreign_key_list(\"\(table)\")")
        for key in keys where key["id"] == number {
          let column: String = key["from"]
          let value = try String.fetchOne(
            database, sql: "SELECT \"\(column)\" FROM \"\(table)\" WHERE rowid = ?", arguments: [rowID])
          result.append("\(table).\(column) \(value ?? "NULL")")
        }
      }
      return result
    }
  }
}

extension Sequence where Element: Hashable {
  /// The elements without those that came before.
  var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

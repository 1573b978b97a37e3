import Foundation
import GRDB
import GRDBSQLite
public import ObjectModel

/// A relational store of objects in one SQLite file.
///
/// ```swift
/// let store = try Store(path: "bands.sqlite", model: model)
/// ```
///
/// The file is in WAL mode once it has tables, and any SQLite tool can read it. Two stores on one file, in one
/// process or several, do not disturb each other: who wants to write waits for whoever is writing.
public final class Store: Sendable {
  /// Where the file is, or `:memory:`.
  public let path: String
  package let layout: Layout
  /// What the store is to remember of itself.
  private let description: StoreDescription
  /// Whether it remembers another model or mapping so far.
  private let isChanged: Bool
  /// The functions that the model's annotations name.
  package let functions: MappingFunctions
  let database: DatabaseQueue
  private let patience: Patience
  /// Whether ``init(path:model:access:)`` found no file.
  private let isNew: Bool
  private let access: Access

  /// What may be done with a store.
  public enum Access: Sendable {
    case readWrite
    case readOnly
  }

  /// The model of what is in the store, with what the mapping says as annotations.
  public var model: Model { layout.schema.model }

  /// Opens a store, or makes a new one.
  ///
  /// A new store gets its tables with the first transaction that writes, so that nothing is left behind if
  /// that fails.
  ///
  /// - Parameters:
  ///   - path: The file's path; `:memory:` for a store in memory, or nothing for one in a temporary file, both
  ///     of which go with this object.
  ///   - model: The model. A store that exists remembers its own, so `nil` will do; another that needs the
  ///     same tables takes its place with the first transaction that writes.
  ///   - mapping: What is said of the JSON beyond the model's annotations. A store remembers it too, but for
  ///     its functions, until it is given another.
  ///   - access: Whether the store may be written.
  /// - Throws: ``StoreError`` if the file cannot be opened, is no store, has another model, or does not exist
  ///   while there is no model to create it; ``MappingError`` if the mapping does not fit the model;
  ///   ``SchemaError`` if the model cannot be used.
  public init(
    path: String, model: Model? = nil, mapping: JSONMapping? = nil, access: Access = .readWrite
  ) throws {
    self.path = path
    functions = mapping?.functions ?? MappingFunctions()
    self.access = access
    isNew = path.isEmpty || path == ":memory:" || !FileManager.default.fileExists(atPath: path)
    if isNew, model == nil {
      throw StoreError(access == .readOnly ? .missing(path: path) : .modelNeeded(path: path))
    }
    patience = Patience()
    let opening = StoreOpening(path: path, access: access, patience: patience)
    database = try opening.connect()
    do {
      let remembered = try opening.remembered(database)
      guard let known = model ?? remembered?.model else { throw StoreError(.modelNeeded(path: path)) }
      description = StoreDescription(model: known, mapping: mapping ?? remembered?.mapping)
      layout = Layout(try Schema(try description.mappedModel()))
      if let remembered, model != nil || mapping != nil {
        isChanged = try opening.isChanged(remembered, to: description, layout)
      } else {
        isChanged = false
      }
    } catch {
      try? database.close()
      if let error = error as? DatabaseError, error.resultCode == .SQLITE_READONLY {
        throw StoreError(.readOnly(path: path))
      }
      if isNew { Self.removeFile(at: path) }
      throw error
    }
  }

  /// Makes an empty store with the model, and unless it is given another the mapping, of one that exists.
  package convenience init(path: String, like other: String, mapping: JSONMapping? = nil) throws {
    let known = try Store(path: other, access: .readOnly)
    defer { try? known.close() }
    try self.init(
      path: path, model: known.description.model, mapping: mapping ?? known.description.mapping)
  }

  // MARK: - Transactions

  /// How a transaction ends.
  package enum Ending: Sendable {
    case commit
    case rollback
  }

  /// Runs `body` in a transaction that no other writer can come between.
  ///
  /// Everything is undone if `body` throws or asks for it.
  package func transaction<Result>(
    _ body: (StoreTransaction) throws -> (Result, Ending)
  ) throws -> Result {
    do {
      let result = try database.writeWithoutTransaction { connection in
        var result: Result?
        try Self.begin(connection, path)
        do {
          let isFresh = try createTablesIfNeeded(connection)
          if isChanged { try StoreOpening.remember(description, connection) }
          let transaction = try StoreTransaction(connection, layout, isFresh: isFresh)
          let (value, ending) = try body(transaction)
          if ending == .commit { try transaction.makeIndexes() }
          try connection.execute(sql: ending == .commit ? "COMMIT" : "ROLLBACK")
          if isFresh, ending == .commit { switchToWAL(connection) }
          result = value
        } catch {
          // SQLite has rolled back itself after some errors; then this one does not matter.
          try? connection.execute(sql: "ROLLBACK")
          throw error
        }
        return result
      }
      guard let result else { throw StoreError.invalid("The transaction gave no result.") }
      return result
    } catch let error as StoreError where error.isReadOnly {
      throw StoreError(.readOnly(path: path))
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_READONLY { throw StoreError(.readOnly(path: path)) }
      throw StoreError.sqlite(
        error.extendedResultCode.rawValue, message: error.message ?? "", sql: error.sql ?? "")
    }
  }

  /// Runs `body` on what the store holds now, whatever others write meanwhile.
  package func read<Result>(_ body: (StoreTransaction) throws -> Result) throws -> Result {
    try database.writeWithoutTransaction { connection in
      guard try StoreOpening.hasTables(connection) else {
        // A store that nothing was ever written to reads as an empty one.
        let empty = try Store(path: ":memory:", model: model)
        _ = try empty.transaction { _ in ((), .commit) }
        return try empty.read(body)
      }
      try connection.execute(sql: "PRAGMA query_only = 1")
      defer { if access == .readWrite { try? connection.execute(sql: "PRAGMA query_only = 0") } }
      try connection.execute(sql: "BEGIN")
      defer { try? connection.execute(sql: "ROLLBACK") }
      return try body(try StoreTransaction(connection, layout))
    }
  }

  private static func begin(_ connection: Database, _ path: String) throws {
    do {
      try connection.execute(sql: "BEGIN IMMEDIATE")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
      throw StoreError(.readOnly(path: path))
    }
  }

  /// Creates the tables of a new store; the indexes follow. True if there were none.
  private func createTablesIfNeeded(_ connection: Database) throws -> Bool {
    guard try !StoreOpening.hasTables(connection) else { return false }
    try checkFileIsInPlace(connection)
    for statement in TableDefinitions(layout: layout).tables {
      try connection.execute(sql: statement)
    }
    try StoreOpening.remember(description, connection)
    return true
  }

  /// Someone else may have removed the file after its first import failed, while this one was waiting to
  /// write to it. What is written to a removed file is lost.
  private func checkFileIsInPlace(_ connection: Database) throws {
    var hasMoved: Int32 = 0
    sqlite3_file_control(connection.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard hasMoved == 0 else {
      throw StoreError(.unreadable(path: path, why: "another program has just removed it; try again"))
    }
  }

  /// A new store is filled with an ordinary journal, which writes each page once; WAL would write it twice.
  private func switchToWAL(_ connection: Database) {
    // While another connection uses the file, the switch fails. Then the next one to open it makes it; to wait
    // could be for ever, if the other one waits for the same.
    patience.whileImpatient { _ = try? String.fetchOne(connection, sql: "PRAGMA journal_mode = WAL") }
  }

  // MARK: - Leaving

  /// Closes the file. A new store that nothing was written to leaves no file.
  public func close() throws {
    let isEmpty = try isNew && database.writeWithoutTransaction { try !StoreOpening.hasTables($0) }
    try database.close()
    if isEmpty { Self.removeFile(at: path) }
  }

  /// Removes a file that is empty.
  private static func removeFile(at path: String) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.size] as? Int == 0 else { return }
    try? FileManager.default.removeItem(atPath: path)
  }
}

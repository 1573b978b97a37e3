import CSQLite
import GRDB
import GRDBSQLite
import ObjectModel

/// Precautions against a file that somebody else may have made.
enum UntrustedFile {
  /// The longest model or mapping that is read from a file, in bytes.
  static let longestDescription = 64 << 20

  /// Has a connection take nothing on trust that the file says of itself.
  static func distrust(_ database: Database) throws {
    let result = broker_distrust_schema(database.sqliteConnection)
    guard result == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
    try database.execute(sql: "PRAGMA cell_size_check = ON")
  }

  /// Whether the triggers of a layout's own use what SQLite refuses in a file that is not trusted: full-text indexes, and
  /// before 3.41, by mistake, functions for JSON.
  static func mustTrust(_ layout: Layout) -> Bool {
    if layout.hasSearch { return true }
    return sqlite3_libversion_number() < 3_041_000 && layout.tables.contains { !$0.elementIndexes.isEmpty }
  }

  /// Lets the triggers of a file run. ``SchemaCheck`` sees to it that there are no others than the store's own, or that they
  /// are allowed. The functions that connections register are for statements only, not for files.
  static func trust(_ database: Database) throws {
    try database.execute(sql: "PRAGMA trusted_schema = ON")
  }
}

/// The views, triggers and virtual tables of a file, compared with those that a layout has.
struct SchemaCheck {
  /// An object of the file's schema.
  struct Part: Hashable {
    var type: String
    var name: String
    var sql: String
  }

  /// The objects that have the name of a table of the store and are none, or of a view and are another.
  private(set) var impostors: [Part] = []
  /// The triggers that are not Broker's.
  private(set) var triggers: [Part] = []
  /// The views that are not Broker's. Nothing reads them.
  private(set) var views: [Part] = []

  /// The most views and triggers that are looked at. A store of 5,000 tables, all of them searched, has 15,000.
  private static let most = 50_000

  /// - Parameter layout: Called only if there is anything to compare.
  /// - Throws: ``StoreError`` if the file has more views and triggers than any store.
  init(_ database: Database, layout: () throws -> Layout) throws {
    let parts = try Self.parts(database)
    guard !parts.isEmpty else { return }
    let definitions = TableDefinitions(layout: try layout())
    let own = Set((definitions.statements + [ImportHistory.formerView]).map(Self.key))
    let names = Set(definitions.tableNames.map { $0.lowercased() })
    for part in parts where !own.contains(Self.key(part.sql)) {
      if names.contains(part.name.lowercased()) {
        impostors.append(part)
      } else if part.type == "trigger" {
        triggers.append(part)
      } else if part.type == "view" {
        views.append(part)
      }
    }
  }

  /// All objects but ordinary tables and indexes. Most stores have none.
  private static func parts(_ database: Database) throws -> [Part] {
    let rows = try GRDB.Row.fetchAll(
      database,
      sql: """
        SELECT type, name, sql FROM sqlite_schema WHERE type IN ('view', 'trigger')
          OR type = 'table' AND sql LIKE 'CREATE VIRTUAL%' ORDER BY type, name LIMIT \(most + 1)
        """)
    guard rows.count <= most else {
      throw StoreError.invalid(
        "The file has more than \(most) views and triggers, which no store has: somebody else has changed it."
      )
    }
    return rows.map { row in
      Part(type: row["type"] ?? "", name: row["name"] ?? "", sql: row["sql"] ?? "")
    }
  }

  /// A definition without differences that mean nothing: SQLite writes quotes where it renames.
  private static func key(_ sql: String) -> String { sql.filter { !$0.isWhitespace && $0 != "\"" } }

  /// - Parameter refusesTriggers: Whether the triggers of others are an error, since they would run.
  /// - Throws: ``StoreError`` that names what is not Broker's.
  func check(_ path: String, refusesTriggers: Bool) throws {
    if let part = impostors.first {
      let kind = part.type == "table" ? "virtual table" : part.type
      throw StoreError(
        .notAStore(
          path: path,
          why:
            "its \(kind) \(SQL.quoted(part.name)) stands where a table of the store has to be, and Broker did not make"
            + " it; somebody else has changed the file"))
    }
    guard refusesTriggers, !triggers.isEmpty else { return }
    let names = triggers.prefix(3).map { SQL.quoted($0.name) }.joined(separator: ", ")
    let more = triggers.count > 3 ? " and \(triggers.count - 3) more" : ""
    throw StoreError.invalid(
      "The store \(path) has triggers that Broker did not make and that would run with each write: \(names)\(more). Nothing"
        + " was changed. Remove them (DROP TRIGGER), or allow them if you know who made them.")
  }
}

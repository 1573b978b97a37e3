import Foundation

/// The table of a store's ``Journal`` in its file.
struct SQLiteJournalTable: JournalTable {
  private let transaction: SQLiteTransaction
  private static let table = SQL.quoted(StoreTable.journal)

  /// Nil if the store keeps no journal.
  init?(_ transaction: SQLiteTransaction) throws {
    self.transaction = transaction
    let existence = try transaction.cached("SELECT 1 FROM sqlite_schema WHERE name = ?1")
    existence.bind(StoreTable.journal, at: 1)
    guard try existence.step() else { return nil }
    existence.reset()
  }

  /// The SQL that makes its table, where there is none.
  static let definition = """
    CREATE TABLE IF NOT EXISTS \(table) (
      "root" TEXT NOT NULL,
      "key" TEXT NOT NULL,
      "entity" TEXT NOT NULL,
      "kind" TEXT NOT NULL,
      "properties" TEXT NOT NULL,
      "revision" INTEGER NOT NULL,
      "sent" BOOLEAN NOT NULL,
      PRIMARY KEY ("root", "key")
    )
    """

  private static let columns = #""entity", "key", "kind", "properties", "revision", "sent""#

  func entries() throws -> [JournalEntry] {
    let statement = try transaction.cached(
      "SELECT \(Self.columns) FROM \(Self.table) ORDER BY \"revision\", \"root\", \"key\"")
    var entries: [JournalEntry] = []
    while try statement.step() { if let entry = Self.entry(statement) { entries.append(entry) } }
    return entries
  }

  func entry(root: String, key: String) throws -> JournalEntry? {
    let statement = try transaction.cached(
      "SELECT \(Self.columns) FROM \(Self.table) WHERE \"root\" = ?1 AND \"key\" = ?2")
    statement.bind(root, at: 1)
    statement.bind(key, at: 2)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return Self.entry(statement)
  }

  static func entry(_ row: PreparedStatement) -> JournalEntry? {
    guard let kind = JournalEntry.Kind(rawValue: row.string(2)) else { return nil }
    var entry = JournalEntry(entity: row.string(0), key: row.string(1), kind: kind, revision: row.integer(4))
    let properties = Data(row.string(3).utf8)
    entry.properties = (try? JSONDecoder().decode([String: Int64].self, from: properties)) ?? [:]
    entry.isSent = row.integer(5) != 0
    return entry
  }

  func markSent() throws {
    let table = Self.table
    try transaction.cached("UPDATE \(table) SET \"sent\" = 1 WHERE \"kind\" = 'inserted' AND NOT \"sent\"")
      .run()
  }

  func remove(root: String, key: String) throws {
    let statement = try transaction.cached("DELETE FROM \(Self.table) WHERE \"root\" = ?1 AND \"key\" = ?2")
    statement.bind(root, at: 1)
    statement.bind(key, at: 2)
    try statement.run()
  }

  func put(_ entry: JournalEntry, root: String) throws {
    try Self.put(entry, root: root, by: transaction.cached(Self.insertion))
  }

  /// The SQL that ``put(_:root:by:)`` runs.
  static let insertion = "INSERT OR REPLACE INTO \(table) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"

  /// Puts an entry into the table, in place of that of the same object.
  static func put(_ entry: JournalEntry, root: String, by insertion: PreparedStatement) throws {
    let properties = try JSONEncoder().encode(entry.properties)
    insertion.bind(root, at: 1)
    insertion.bind(entry.key, at: 2)
    insertion.bind(entry.entity, at: 3)
    insertion.bind(entry.kind.rawValue, at: 4)
    insertion.bind(String(decoding: properties, as: UTF8.self), at: 5)
    insertion.bind(entry.revision, at: 6)
    insertion.bind(Int64(entry.isSent ? 1 : 0), at: 7)
    try insertion.run()
  }

  func nextRevision() throws -> Int64 {
    let statement = try transaction.cached(
      """
      INSERT INTO \(SQL.quoted(StoreTable.metadata)) VALUES ('revision', '1')
      ON CONFLICT ("key") DO UPDATE SET "value" = CAST("value" AS INTEGER) + 1
      RETURNING CAST("value" AS INTEGER)
      """)
    guard try statement.step() else { return 0 }
    let revision = statement.integer(0)
    while try statement.step() {}
    return revision
  }
}

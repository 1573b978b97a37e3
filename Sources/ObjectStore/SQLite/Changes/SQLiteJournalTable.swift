import Foundation
package import ObjectModel

/// The table of a store's ``Journal`` in its file.
struct SQLiteJournalTable: JournalTable {
  private let transaction: SQLiteTransaction
  private static let table = SQL.quoted(StoreTable.journal)

  /// Whether the table has a column for former keys. In stores of earlier versions it comes with the first rename.
  private let hasFormer: Bool

  /// Nil if the store keeps no journal.
  init?(_ transaction: SQLiteTransaction) throws {
    self.transaction = transaction
    guard let hasFormer = try Self.hasFormer(transaction.cached) else { return nil }
    self.hasFormer = hasFormer
  }

  /// Whether the table has a column for former keys; nil if there is no table.
  static func hasFormer(_ prepare: (String) throws -> PreparedStatement) throws -> Bool? {
    let statement = try prepare(
      "SELECT max(name = 'former') FROM pragma_table_info(\(SQL.literal(StoreTable.journal)))")
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return statement.isNull(0) ? nil : statement.integer(0) != 0
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
      "former" TEXT,
      PRIMARY KEY ("root", "key")
    )
    """

  /// The SQL that reads its entries.
  static func selection(hasFormer: Bool) -> String {
    "SELECT \"entity\", \"key\", \"kind\", \"properties\", \"revision\", \"sent\", "
      + "\(hasFormer ? "\"former\"" : "NULL") FROM \(table)"
  }

  private var selection: String { Self.selection(hasFormer: hasFormer) }

  func entries() throws -> [JournalEntry] {
    try entries(transaction.cached("\(selection) ORDER BY \"revision\", \"root\", \"key\""))
  }

  func entries(root: String, formerly key: String) throws -> [JournalEntry] {
    guard hasFormer else { return [] }
    let statement = try transaction.cached(
      "\(selection) WHERE \"root\" = ?1 AND \"former\" = ?2 ORDER BY \"revision\"")
    statement.bind(root, at: 1)
    statement.bind(key, at: 2)
    return try entries(statement)
  }

  private func entries(_ statement: PreparedStatement) throws -> [JournalEntry] {
    var entries: [JournalEntry] = []
    while try statement.step() { entries.append(try Self.entry(statement)) }
    return entries
  }

  func entry(root: String, key: String) throws -> JournalEntry? {
    let statement = try transaction.cached("\(selection) WHERE \"root\" = ?1 AND \"key\" = ?2")
    statement.bind(root, at: 1)
    statement.bind(key, at: 2)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return try Self.entry(statement)
  }

  static func entry(_ row: PreparedStatement) throws -> JournalEntry {
    try JournalEntry(
      entity: row.string(0), key: row.string(1), kind: row.string(2), properties: Data(row.string(3).utf8),
      revision: row.integer(4), isSent: row.integer(5) != 0, former: row.isNull(6) ? nil : row.string(6))
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
    if entry.former != nil, !hasFormer, try Self.hasFormer(transaction.cached) == false {
      try transaction.prepare(Self.formerColumn).run()
    }
    try Self.put(entry, root: root, transaction.cached)
  }

  /// The SQL that gives the table of an earlier version a column for former keys.
  static let formerColumn = "ALTER TABLE \(table) ADD COLUMN \"former\" TEXT"

  /// The SQL that ``put(_:root:_:)`` runs for an object that was not renamed. A table of an earlier version takes
  /// it too.
  static let insertion = """
    INSERT OR REPLACE INTO \(table) ("root", "key", "entity", "kind", "properties", "revision", "sent")
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    """

  /// The same for one that was.
  static let insertionWithFormer = """
    INSERT OR REPLACE INTO \(table) ("root", "key", "entity", "kind", "properties", "revision", "sent", "former")
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    """

  /// Puts an entry into the table, in place of that of the same object.
  static func put(
    _ entry: JournalEntry, root: String, _ prepare: (String) throws -> PreparedStatement
  ) throws {
    let insertion = try prepare(entry.former == nil ? Self.insertion : insertionWithFormer)
    let properties = try JSONEncoder().encode(entry.properties)
    insertion.bind(root, at: 1)
    insertion.bind(entry.key, at: 2)
    insertion.bind(entry.entity, at: 3)
    insertion.bind(entry.kind.rawValue, at: 4)
    insertion.bind(String(decoding: properties, as: UTF8.self), at: 5)
    insertion.bind(entry.revision, at: 6)
    insertion.bind(Int64(entry.isSent ? 1 : 0), at: 7)
    if let former = entry.former { insertion.bind(former, at: 8) }
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

extension SQLiteTransaction {
  package func journal() throws -> Journal? {
    try SQLiteJournalTable(self).map { Journal(layout.schema, $0) }
  }

  /// The local changes that an import has to heed; nil if there are none.
  ///
  /// - Parameter isProtective: Whether the import leaves unsent changes as they are.
  func unsyncedChanges(isProtective: Bool) throws -> UnsyncedChanges? {
    try journal().flatMap {
      try UnsyncedChanges($0.entries(), layout, isProtective: isProtective, row: row(of:key:))
    }
  }

  /// The row of the object with an identity, as text; for an entity without identity, that is the row.
  package func row(of entity: SchemaEntity, identity: String) throws -> Int64? {
    try row(of: entity, key: layout.keyText(ofIdentity: identity, of: entity))
  }

  /// The row of the object with a key, as text; for an entity without identity, the key is the row.
  package func row(of entity: SchemaEntity, key: String) throws -> Int64? {
    let table = layout.table(of: entity.index)
    guard let parts = KeyText.split(key, count: table.key.count) else { return nil }
    let statement = try cached(
      "SELECT rowid FROM \(SQL.quoted(table.name)) WHERE \(SQL.equal(table.key.map { table.columns[$0].name }))"
    )
    for (index, part) in parts.enumerated() { statement.bind(part, at: index + 1) }
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return statement.integer(0)
  }
}

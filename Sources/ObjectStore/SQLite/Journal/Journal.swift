import Foundation
package import ObjectModel

/// The changes that a program has made and the server has not been told of, in a table of the store.
///
/// There is one where a store was asked to keep it; who opens the file later without asking finds it all the same.
package struct Journal {
  private let transaction: SQLiteTransaction
  private static let table = SQL.quoted(StoreTable.journal)

  /// Nil if the store keeps no journal.
  package init?(_ transaction: SQLiteTransaction) throws {
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

  // MARK: - Reading

  /// All entries, the oldest change first.
  package func entries() throws -> [JournalEntry] {
    let statement = try transaction.cached(
      "SELECT \(Self.columns) FROM \(Self.table) ORDER BY \"revision\", \"root\", \"key\"")
    var entries: [JournalEntry] = []
    while try statement.step() { if let entry = Self.entry(statement) { entries.append(entry) } }
    return entries
  }

  /// The entry of an object.
  package func entry(of entity: SchemaEntity, key: String) throws -> JournalEntry? {
    let statement = try transaction.cached(
      "SELECT \(Self.columns) FROM \(Self.table) WHERE \"root\" = ?1 AND \"key\" = ?2")
    statement.bind(root(of: entity), at: 1)
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

  private func root(of entity: SchemaEntity) -> String {
    transaction.layout.schema.entities[entity.root].name
  }

  // MARK: - Writing

  /// Notes that an object was inserted.
  package func noteInserted(_ entity: SchemaEntity, key: String) throws {
    let revision = try nextRevision()
    var entry = JournalEntry(entity: entity.name, key: key, kind: .inserted, revision: revision)
    if let former = try self.entry(of: entity, key: key), former.kind == .deleted {
      // The server still has what was deleted here.
      entry.kind = .updated
      let attributes = entity.attributes.indices.filter { !entity.identityAttributes.contains($0) }
      let relationships = entity.relationships.filter { !entity.identityRelationships.contains($0) }
      let names = attributes.map { entity.attributes[$0].name } + relationships.map(name)
      entry.add(names, at: revision)
    }
    try put(entry, entity)
  }

  private func name(of relationship: Int) -> String {
    transaction.layout.schema.relationships[relationship].name
  }

  /// Notes that properties of an object were changed.
  package func noteUpdated(_ entity: SchemaEntity, key: String, _ properties: some Collection<String>) throws
  {
    guard !properties.isEmpty else { return }
    let revision = try nextRevision()
    var entry =
      try entry(of: entity, key: key)
      ?? JournalEntry(entity: entity.name, key: key, kind: .updated, revision: revision)
    entry.add(properties, at: revision)
    try put(entry, entity)
  }

  /// Notes that an object was deleted. Of one that the server never heard of, nothing is left to tell.
  package func noteDeleted(_ entity: SchemaEntity, key: String) throws {
    if let former = try entry(of: entity, key: key), former.kind == .inserted, !former.isSent {
      return try remove(entity, key: key)
    }
    try put(
      JournalEntry(entity: entity.name, key: key, kind: .deleted, revision: try nextRevision()), entity)
  }

  /// Notes that somebody was told of new objects.
  package func markSent() throws {
    let table = Self.table
    try transaction.cached("UPDATE \(table) SET \"sent\" = 1 WHERE \"kind\" = 'inserted' AND NOT \"sent\"")
      .run()
  }

  /// Forgets what the server has now been told: of an object, what it was up to a revision.
  ///
  /// - Parameter told: What the server was told of the object.
  package func confirm(
    _ entity: SchemaEntity, key: String, revision: Int64, told: JournalEntry.Kind
  ) throws {
    guard let entry = try entry(of: entity, key: key) else { return }
    if let rest = entry.remainder(after: revision, told: told) {
      try put(rest, entity)
    } else {
      try remove(entity, key: key)
    }
  }

  /// Notes that the object with a key has another now.
  package func rename(_ entity: SchemaEntity, key: String, to new: String) throws {
    guard var entry = try entry(of: entity, key: key) else { return }
    try remove(entity, key: key)
    entry.key = new
    try put(entry, entity)
  }

  /// Adds what was changed of an object that turned out to be the one with the entry's key.
  package func add(_ other: JournalEntry, to entity: SchemaEntity) throws {
    var entry = try entry(of: entity, key: other.key) ?? other
    entry.add(other)
    try put(entry, entity)
  }

  /// Forgets whatever was changed of an object.
  package func remove(_ entity: SchemaEntity, key: String) throws {
    let statement = try transaction.cached("DELETE FROM \(Self.table) WHERE \"root\" = ?1 AND \"key\" = ?2")
    statement.bind(root(of: entity), at: 1)
    statement.bind(key, at: 2)
    try statement.run()
  }

  private func put(_ entry: JournalEntry, _ entity: SchemaEntity) throws {
    try Self.put(entry, root: root(of: entity), by: transaction.cached(Self.insertion))
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

  /// A number greater than all before, also than those of entries that are gone.
  private func nextRevision() throws -> Int64 {
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

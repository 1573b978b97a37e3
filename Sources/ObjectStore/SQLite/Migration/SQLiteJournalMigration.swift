import ObjectModel

/// Takes the journal of a store in SQLite from one version of a model to another.
struct SQLiteJournalMigration {
  private let sources: MigrationSources
  private let connection: OpaquePointer

  init(_ sources: MigrationSources, _ connection: OpaquePointer) {
    self.sources = sources
    self.connection = connection
  }

  private let table = SQL.quoted(StoreTable.journal)

  func run() throws {
    let existence = try PreparedStatement(
      "SELECT 1 FROM sqlite_schema WHERE name = \(SQL.literal(StoreTable.journal))", on: connection)
    guard try existence.step() else { return }
    existence.reset()
    // They are few: what a program has changed since the last synchronisation.
    let entries = try self.entries()
    try PreparedStatement("DELETE FROM \(table)", on: connection).run()
    let migration = JournalMigration(sources)
    for entry in entries { if let migrated = try migration.migrated(entry) { try put(migrated) } }
  }

  private func entries() throws -> [JournalEntry] {
    let statement = try PreparedStatement(
      #"SELECT "entity", "key", "kind", "properties", "revision", "sent" FROM \#(table) ORDER BY "revision""#,
      on: connection)
    var entries: [JournalEntry] = []
    while try statement.step() {
      if let entry = SQLiteJournalTable.entry(statement) { entries.append(entry) }
    }
    return entries
  }

  private func put(_ entry: JournalEntry) throws {
    guard let entity = sources.new.entity(entry.entity) else { return }
    let root = sources.new.entities[entity.root].name
    try SQLiteJournalTable.put(
      entry, root: root, by: PreparedStatement(SQLiteJournalTable.insertion, on: connection))
  }
}

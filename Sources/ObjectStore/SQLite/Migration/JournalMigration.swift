import ObjectModel

/// Takes what the server was not told of from one version of a model to another: under the new names and keys. What
/// concerned only what is gone goes.
struct JournalMigration {
  let sources: MigrationSources
  let connection: OpaquePointer

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
    for entry in entries { if let migrated = try migrated(entry) { try put(migrated) } }
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

  private func migrated(_ entry: JournalEntry) throws -> JournalEntry? {
    guard let former = sources.old.entity(entry.entity), let successor = sources.successor(of: former.index)
    else {
      return nil
    }
    let entity = sources.new.entities[successor]
    let keys = KeyMigration(sources: sources)
    guard let key = try keys.key(entry.key, of: former.index, in: successor) else { return nil }
    var result = entry
    result.entity = entity.name
    result.key = key
    let names = sources.pairs.names(former, entity)
    result.properties = [:]
    for (name, revision) in entry.properties {
      if let name = names[name] { result.properties[name] = revision }
    }
    // An update of nothing that is still there is nothing to tell.
    if entry.kind == .updated, result.properties.isEmpty, !entry.properties.isEmpty { return nil }
    return result
  }

  private func put(_ entry: JournalEntry) throws {
    guard let entity = sources.new.entity(entry.entity) else { return }
    let root = sources.new.entities[entity.root].name
    try SQLiteJournalTable.put(
      entry, root: root, by: PreparedStatement(SQLiteJournalTable.insertion, on: connection))
  }
}

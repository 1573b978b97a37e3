package import ObjectModel

/// The changes that a program has made and the server has not been told of.
///
/// There is one where a store was asked to keep it; who opens the store later without asking finds it all the same.
package struct Journal {
  private let schema: Schema
  private let table: any JournalTable

  package init(_ schema: Schema, _ table: any JournalTable) {
    self.schema = schema
    self.table = table
  }

  // MARK: - Reading

  /// All entries, the oldest change first.
  package func entries() throws -> [JournalEntry] { try table.entries() }

  /// The entry of an object.
  package func entry(of entity: SchemaEntity, key: String) throws -> JournalEntry? {
    try table.entry(root: root(of: entity), key: key)
  }

  private func root(of entity: SchemaEntity) -> String { schema.entities[entity.root].name }

  // MARK: - Writing

  /// Notes that an object was inserted.
  package func noteInserted(_ entity: SchemaEntity, key: String) throws {
    let revision = try table.nextRevision()
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
    schema.relationships[relationship].name
  }

  /// Notes that properties of an object were changed.
  package func noteUpdated(_ entity: SchemaEntity, key: String, _ properties: some Collection<String>) throws
  {
    guard !properties.isEmpty else { return }
    let revision = try table.nextRevision()
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
      JournalEntry(entity: entity.name, key: key, kind: .deleted, revision: try table.nextRevision()), entity)
  }

  /// Notes that somebody was told of new objects.
  package func markSent() throws { try table.markSent() }

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
    try table.remove(root: root(of: entity), key: key)
  }

  /// Puts an entry of another store's journal in place of that of the same object.
  package func restore(_ entry: JournalEntry, of entity: SchemaEntity) throws {
    var entry = entry
    entry.revision = try table.nextRevision()
    entry.properties = entry.properties.mapValues { _ in entry.revision }
    try put(entry, entity)
  }

  private func put(_ entry: JournalEntry, _ entity: SchemaEntity) throws {
    try table.put(entry, root: root(of: entity))
  }
}

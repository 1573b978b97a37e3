package import Foundation
package import ObjectModel

/// The changes that a program has made and the server has not been told of.
///
/// There is one where a store was asked to keep it; who opens the store later without asking finds it all the same.
package struct Journal {
  private let schema: Schema
  private let table: any JournalTable
  /// Whether only changes of objects are noted that have an entry. What the code of a migration does to others follows
  /// from the new version of the model, which the server knows.
  private let notesKnownOnly: Bool

  package init(_ schema: Schema, _ table: any JournalTable, notesKnownOnly: Bool = false) {
    self.schema = schema
    self.table = table
    self.notesKnownOnly = notesKnownOnly
  }

  /// The same, noting only changes of objects that have an entry; nil if none has.
  package func ofKnownObjects() throws -> Journal? {
    try entries().isEmpty ? nil : Journal(schema, table, notesKnownOnly: true)
  }

  private func isIgnored(_ entity: SchemaEntity, key: String) throws -> Bool {
    try notesKnownOnly && entry(of: entity, key: key) == nil
  }

  // MARK: - Reading

  /// All entries, the oldest change first.
  package func entries() throws -> [JournalEntry] { try table.entries() }

  /// All entries in the order in which a server can follow them: renamed objects first, since the others name them by
  /// their present keys, then the oldest change first.
  ///
  /// An object that others identify may be renamed to name a new one, so it comes at the time of its rename.
  package func entriesToSend() throws -> [JournalEntry] {
    var renamed: [JournalEntry] = []
    var others: [(revision: Int64, entry: JournalEntry)] = []
    for entry in try table.entries() {
      guard entry.former != nil, entry.kind == .updated, let entity = schema.entity(entry.entity) else {
        others.append((entry.revision, entry))
        continue
      }
      if entity.identityRelationships.isEmpty {
        renamed.append(entry)
      } else {
        others.append((renameRevision(of: entry, entity), entry))
      }
    }
    others.sort { $0.revision < $1.revision }
    return sortedRenames(renamed) + others.map(\.entry)
  }

  /// The revision of the last rename of an object.
  private func renameRevision(of entry: JournalEntry, _ entity: SchemaEntity) -> Int64 {
    identityNames(of: entity).compactMap { entry.properties[$0] }.max() ?? entry.revision
  }

  /// The names of the properties that a rename changes.
  private func identityNames(of entity: SchemaEntity) -> [String] {
    entity.identityAttributes.map { entity.attributes[$0].name } + entity.identityRelationships.map(name)
  }

  /// An object gets a key only after the one that the server has under it has got another. A circle, objects that
  /// swapped their keys, has no such order; its entries follow one another.
  private func sortedRenames(_ entries: [JournalEntry]) -> [JournalEntry] {
    func place(_ entry: JournalEntry, _ key: String?) -> Place {
      Place(root: schema.entity(entry.entity)?.root, key: key.map(ExactText.init))
    }
    let holders = Dictionary(
      entries.indices.map { (place(entries[$0], entries[$0].former), $0) },
      uniquingKeysWith: { first, _ in first })
    var isSorted = [Bool](repeating: false, count: entries.count)
    var result: [JournalEntry] = []
    for start in entries.indices where !isSorted[start] {
      var chain: [Int] = []
      var next: Int? = start
      while let index = next, !isSorted[index] {
        isSorted[index] = true
        chain.append(index)
        next = holders[place(entries[index], entries[index].key)]
      }
      result += chain.reversed().map { entries[$0] }
    }
    return result
  }

  /// A key of the objects of a table.
  private struct Place: Hashable {
    let root: Int?
    let key: ExactText?
  }

  /// The entry of an object.
  package func entry(of entity: SchemaEntity, key: String) throws -> JournalEntry? {
    try table.entry(root: root(of: entity), key: key)
  }

  /// The keys of an entity's objects, and those under which the server knows them.
  package func keys(of entity: SchemaEntity) throws -> [String] {
    try entries().filter { schema.entity($0.entity)?.root == entity.root }.flatMap {
      [$0.key] + [$0.former].compactMap(\.self)
    }
  }

  private func root(of entity: SchemaEntity) -> String { schema.entities[entity.root].name }

  // MARK: - Writing

  /// Notes that an object was inserted.
  package func noteInserted(_ entity: SchemaEntity, key: String) throws {
    if notesKnownOnly, let known = try self.entry(of: entity, key: key), known.kind != .deleted {
      return try noteUpdated(entity, key: key, changeableProperties(of: entity))
    }
    if try isIgnored(entity, key: key) { return }
    let revision = try table.nextRevision()
    var entry = JournalEntry(entity: entity.name, key: key, kind: .inserted, revision: revision)
    if let former = try self.entry(of: entity, key: key), former.kind == .deleted {
      // The server still has what was deleted here.
      entry.kind = .updated
      entry.add(changeableProperties(of: entity), at: revision)
    }
    try put(entry, entity)
  }

  /// The properties of an entity but for those of its identity.
  private func changeableProperties(of entity: SchemaEntity) -> [String] {
    let attributes = entity.attributes.indices.filter { !entity.identityAttributes.contains($0) }
    let relationships = entity.relationships.filter { !entity.identityRelationships.contains($0) }
    return attributes.map { entity.attributes[$0].name } + relationships.map(name)
  }

  private func name(of relationship: Int) -> String {
    schema.relationships[relationship].name
  }

  /// Notes that properties of an object were changed.
  package func noteUpdated(_ entity: SchemaEntity, key: String, _ properties: some Collection<String>) throws
  {
    guard !properties.isEmpty, try !isIgnored(entity, key: key) else { return }
    let revision = try table.nextRevision()
    var entry =
      try entry(of: entity, key: key)
      ?? JournalEntry(entity: entity.name, key: key, kind: .updated, revision: revision)
    entry.add(properties, at: revision)
    try put(entry, entity)
  }

  /// Notes that an object was deleted. Of one that the server never heard of, nothing is left to tell.
  package func noteDeleted(_ entity: SchemaEntity, key: String) throws {
    let entry = try entry(of: entity, key: key)
    if notesKnownOnly, entry == nil { return }
    if let entry, entry.kind == .inserted, !entry.isSent { return try remove(entity, key: key) }
    try remove(entity, key: key)
    try noteDeleted(entity, knownAs: entry?.former ?? key)
  }

  /// Notes that an object was deleted which the server knows under a key.
  private func noteDeleted(_ entity: SchemaEntity, knownAs key: String) throws {
    let revision = try table.nextRevision()
    guard var other = try entry(of: entity, key: key), other.kind != .deleted else {
      return try put(
        JournalEntry(entity: entity.name, key: key, kind: .deleted, revision: revision), entity)
    }
    // Another object has the key by now: for the server, the object becomes that one.
    let former = other.former
    other.kind = .updated
    other.former = nil
    other.add(changeableProperties(of: schema.entity(other.entity) ?? entity), at: revision)
    try put(other, entity)
    if let former { try noteDeleted(entity, knownAs: former) }
  }

  /// Whether the server still has an object with a key, so that no other can get it: one that was deleted here.
  ///
  /// - Parameter renamed: The key of the object that shall get the key.
  package func holdsDeleted(_ entity: SchemaEntity, key: String, for renamed: String) throws -> Bool {
    guard try entry(of: entity, key: key)?.kind == .deleted else { return false }
    return try !isUnknown(try entry(of: entity, key: renamed))
  }

  /// Whether the server cannot know an object.
  private func isUnknown(_ entry: JournalEntry?) throws -> Bool {
    entry.map { $0.kind == .inserted && !$0.isSent } ?? false
  }

  /// Notes that a program gave an object another key. Its entry has to be under the new key already.
  ///
  /// - Parameter replaced: The entry that was under the new key before, of an object that was deleted.
  package func noteRenamed(
    _ entity: SchemaEntity, from old: String, to key: String, over replaced: JournalEntry?
  ) throws {
    if try isIgnored(entity, key: key) { return }
    let revision = try table.nextRevision()
    var entry =
      try entry(of: entity, key: key)
      ?? JournalEntry(entity: entity.name, key: key, kind: .updated, revision: revision)
    if try isUnknown(entry) {
      if replaced?.kind == .deleted {
        // The server still has what was deleted here.
        entry.kind = .updated
        entry.add(changeableProperties(of: entity), at: revision)
      }
      entry.revision = revision
      return try put(entry, entity)
    }
    let former = entry.former ?? old
    entry.former = ExactText(former) == ExactText(key) ? nil : former
    entry.add(identityNames(of: entity), at: revision)
    try put(entry, entity)
  }

  /// Notes that somebody was told of new objects.
  package func markSent() throws { try table.markSent() }

  /// Forgets what the server has now been told: of an object, what it was up to a revision.
  ///
  /// - Parameter told: What the server was told of the object.
  package func confirm(_ entity: SchemaEntity, _ told: ConfirmedChange) throws {
    guard let entry = try entry(of: entity, told) else { return }
    try remove(entity, key: entry.key)
    guard let rest = entry.remainder(after: told.revision, told: told.kind, as: told.key) else { return }
    try put(rest, entity)
  }

  /// The entry of an object that the server was told of; it may have been renamed since, and a new object may have got
  /// the key that it had.
  package func entry(of entity: SchemaEntity, _ told: ConfirmedChange) throws -> JournalEntry? {
    let root = root(of: entity)
    let known = told.former ?? told.key
    let renamed = try table.entries(root: root, formerly: known)
    let present = try table.entry(root: root, key: known).flatMap { $0.former == nil ? $0 : nil }
    let isNew = told.kind == .inserted
    if told.former != nil {
      if let same = renamed.first(where: { ExactText($0.key) == ExactText(told.key) }) { return same }
    } else if let present, let other = renamed.first {
      let isSame =
        if present.revision <= told.revision {
          true
        } else if (present.kind == .inserted) != (other.kind == .inserted) {
          (present.kind == .inserted) == isNew
        } else {
          // An object that was renamed before would have been told as renamed.
          renameRevision(of: other, entity) <= told.revision
        }
      if isSame { return present }
    }
    let candidates = renamed + [present].compactMap(\.self)
    return candidates.first { ($0.kind == .inserted) == isNew } ?? candidates.first
  }

  /// Notes that the object with a key has another now.
  package func rename(_ entity: SchemaEntity, key: String, to new: String) throws {
    guard var entry = try entry(of: entity, key: key) else { return }
    try remove(entity, key: key)
    entry.key = new
    try put(entry, entity)
  }

  /// Notes that the server knows an object under the key that it has.
  package func forgetFormer(_ entity: SchemaEntity, key: String) throws {
    guard var entry = try entry(of: entity, key: key), entry.former != nil else { return }
    entry.former = nil
    try put(entry, entity)
  }

  /// Notes that the server knows an object under another key, since its key names an object that was renamed.
  package func renameFormer(_ entity: SchemaEntity, key: String, to new: String) throws {
    let root = root(of: entity)
    for var entry in try table.entries(root: root, formerly: key) {
      entry.former = ExactText(entry.key) == ExactText(new) ? nil : new
      try put(entry, entity)
    }
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

  /// Puts an entry in place of that of the same object.
  package func put(_ entry: JournalEntry, _ entity: SchemaEntity) throws {
    try table.put(entry, root: root(of: entity))
  }
}

/// A change of an object that the server was told of.
package struct ConfirmedChange {
  package var kind: JournalEntry.Kind
  /// The object's key then.
  package var key: String
  /// The key under which the server knew it before; nil if that is the same.
  package var former: String?
  package var revision: Int64

  package init(kind: JournalEntry.Kind, key: String, former: String?, revision: Int64) {
    (self.kind, self.key, self.former, self.revision) = (kind, key, former, revision)
  }
}

/// An entry of the journal: the changes of an object that the server has not been told yet.
package struct JournalEntry: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, Codable {
    case inserted, updated, deleted
  }

  /// The entity that the object is of.
  package var entity: String
  /// Its key as text.
  package var key: String
  package var kind: Kind
  /// The properties that were changed, each with the revision of its last change. Of a new object, those that were
  /// changed since it was inserted.
  package var properties: [String: Int64] = [:]
  /// The number of the last change; it grows with each.
  package var revision: Int64
  /// Whether somebody was told of it, so that the server may know.
  package var isSent = false
  /// The key under which the server knows the object, as text; nil if that is ``key``. A rename is a change of the
  /// properties of the identity, so these are among ``properties``.
  package var former: String?

  package init(entity: String, key: String, kind: Kind, revision: Int64) {
    self.entity = entity
    self.key = key
    self.kind = kind
    self.revision = revision
  }
}

extension JournalEntry {
  /// Makes an entry of the columns of its row.
  ///
  /// - Parameter properties: JSON.
  /// - Throws: ``StoreError`` if a column holds what Broker does not write there: an entry that is taken for another would
  ///   keep a change from the server.
  package init(
    entity: String, key: String, kind: String, properties: Data, revision: Int64, isSent: Bool,
    former: String?
  ) throws {
    func unreadable(_ column: String) -> StoreError {
      StoreError.invalid(
        "The local change of \(entity) \(Excerpt.of(key)) cannot be read: \(column) in its row of the table \(StoreTable.journal)"
          + " is none that Broker writes. Nothing was changed. Correct the row, or delete it if the server has the change."
      )
    }
    guard let known = Kind(rawValue: kind) else { throw unreadable("the kind “\(Excerpt.of(kind))”") }
    self.init(entity: entity, key: key, kind: known, revision: revision)
    do {
      self.properties = try JSONDecoder().decode([String: Int64].self, from: properties)
    } catch {
      throw unreadable("the list of properties")
    }
    self.isSent = isSent
    self.former = former
  }

  /// Adds changes of an object that is there.
  mutating func add(_ names: some Sequence<String>, at revision: Int64) {
    if kind == .deleted {
      // A deleted object is there again: for the server, everything may be another.
      kind = .updated
    }
    for name in names { properties[name] = revision }
    self.revision = revision
  }

  /// Adds what was changed of another object, which is this one as it turned out.
  mutating func add(_ other: JournalEntry) {
    guard kind != .deleted else { return }
    for (name, changed) in other.properties { properties[name] = max(changed, properties[name] ?? changed) }
    revision = max(revision, other.revision)
  }

  /// The rest of the entry once the server has its state at a revision; nil if there is none.
  ///
  /// - Parameters:
  ///   - told: What the server was told: of a deletion, that the object is gone.
  ///   - known: The key under which the server knows the object now.
  func remainder(after sent: Int64, told: Kind, as known: String) -> JournalEntry? {
    if revision <= sent { return nil }
    var rest = self
    guard kind != .deleted else {
      if told != .deleted { rest.key = known }
      return rest
    }
    rest.isSent = false
    rest.former = told == .deleted || ExactText(known) == ExactText(key) ? nil : known
    if told == .deleted {
      // An object that is there again is new to the server.
      rest.kind = .inserted
      rest.properties = [:]
      return rest
    }
    rest.kind = .updated
    rest.properties = properties.filter { $0.value > sent }
    return rest
  }
}

/// Where a store keeps the entries of its ``Journal``.
package protocol JournalTable {
  /// All entries, the oldest change first.
  func entries() throws -> [JournalEntry]
  /// The entry of the object with a key; `root` names the entity that the object's table is of.
  func entry(root: String, key: String) throws -> JournalEntry?
  /// The entries of objects that the server knows under a key which they have no more.
  func entries(root: String, formerly key: String) throws -> [JournalEntry]
  /// Puts an entry in place of that of the same object.
  func put(_ entry: JournalEntry, root: String) throws
  /// Takes the entry of an object away.
  func remove(root: String, key: String) throws
  /// Notes that somebody was told of new objects.
  func markSent() throws
  /// A number greater than all before, also than those of entries that are gone.
  func nextRevision() throws -> Int64
}

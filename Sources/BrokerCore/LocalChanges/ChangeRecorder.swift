import Bytes
import ObjectModel
import ObjectStore

/// Notes in the journal what a program changes.
final class ChangeRecorder {
  private let transaction: any StoreTransaction
  private let journal: Journal
  private var schema: Schema { transaction.layout.schema }

  /// Nil if the store keeps no journal.
  ///
  /// - Parameter notesKnownOnly: Whether only changes of objects are noted that have an entry already.
  init?(_ transaction: any StoreTransaction, notesKnownOnly: Bool = false) throws {
    guard var journal = try transaction.journal() else { return nil }
    if notesKnownOnly {
      guard let known = try journal.ofKnownObjects() else { return nil }
      journal = known
    }
    self.transaction = transaction
    self.journal = journal
  }

  /// Runs `body`, which writes an object, and notes the changes.
  ///
  /// - Parameters:
  ///   - existing: The row of the object, if it is there.
  ///   - relationships: Those that are written and not kept in its row.
  ///   - body: Returns the object's row.
  func recording(
    _ entity: SchemaEntity, over existing: Int64?, _ relationships: [SchemaRelationship],
    _ body: () throws -> Int64
  ) throws -> Int64 {
    let relationships = relationships + onesToOne(of: entity, besides: relationships)
    let before = try ObjectSnapshot(existing, of: entity, relationships, transaction)
    let row = try body()
    let after = try ObjectSnapshot(row, of: entity, relationships, transaction)
    let table = transaction.layout.table(of: entity.index)
    guard let key = try transaction.key(ofRow: row, in: table) else { return row }
    if before.exists {
      try journal.noteUpdated(entity, key: key, before.changes(to: after))
    } else {
      try journal.noteInserted(entity, key: key)
    }
    for relationship in relationships { try noteOtherEnds(of: relationship, before, after) }
    if !entity.hasIdentity { try noteOwners(of: row, entity) }
    return row
  }

  /// Whether the server still has an object with an identity, which was deleted here.
  func holdsDeleted(_ entity: SchemaEntity, row: Int64, _ identity: [SQLValue]) throws -> Bool {
    guard let old = try key(of: row, entity) else { return false }
    let new = KeyText.text(of: transaction.layout.key(ofIdentity: identity, of: entity))
    return try ExactText(old) != ExactText(new) && journal.holdsDeleted(entity, key: new, for: old)
  }

  /// Runs `rename`, which gives the object in a row another identity, and notes it.
  func recordingRename(
    _ entity: SchemaEntity, _ row: Int64, to identity: [SQLValue], _ rename: () throws -> RenameOutcome
  ) throws -> RenameOutcome {
    let new = KeyText.text(of: transaction.layout.key(ofIdentity: identity, of: entity))
    let old = try key(of: row, entity)
    let replaced = try journal.entry(of: entity, key: new)
    let links = onesToOne(of: entity, besides: [])
    let before = try links.map { try linkedRows(of: $0, row) }
    let outcome = try rename()
    guard case .renamed = outcome, let old, ExactText(old) != ExactText(new) else { return outcome }
    try journal.noteRenamed(entity, from: old, to: new, over: replaced)
    for (link, linked) in zip(links, before) {
      // Links that waited for an object with the new key lead to this one now.
      let changed = linked.symmetricDifference(try linkedRows(of: link, row))
      guard !changed.isEmpty else { continue }
      try journal.noteUpdated(entity, key: new, [link.name])
      for row in changed { try noteOtherEnd(of: link, row) }
    }
    return outcome
  }

  /// The rows of the objects that a relationship of the object in a row leads to.
  private func linkedRows(of relationship: SchemaRelationship, _ row: Int64) throws -> Set<Int64> {
    let target = schema.entities[relationship.destination]
    let keys = try transaction.linkedKeys(of: relationship, row: row)
    return Set(try keys.compactMap { try transaction.row(of: target, key: KeyText.text(of: $0)) })
  }

  /// Notes for an object that a relationship led to before or leads to now that its other end has changed.
  private func noteOtherEnd(of relationship: SchemaRelationship, _ row: Int64) throws {
    let target = schema.entities[relationship.destination]
    // An owner that is a part of an identity does not change.
    guard let inverse = relationship.inverse, target.hasIdentity, !schema.relationships[inverse].isIdentity,
      let key = try key(of: row, target)
    else { return }
    try journal.noteUpdated(target, key: key, [schema.relationships[inverse].name])
  }

  private func key(of row: Int64, _ entity: SchemaEntity) throws -> String? {
    try transaction.key(ofRow: row, in: transaction.layout.table(of: entity.index))
  }

  /// Notes that an object was inserted together with another.
  func noteInserted(_ entity: SchemaEntity, row: Int64) throws {
    guard let key = try transaction.key(ofRow: row, in: transaction.layout.table(of: entity.index)) else {
      return
    }
    try journal.noteInserted(entity, key: key)
  }

  /// The one-to-one relationships that are kept in the object's row. A change of one changes the object at its other
  /// end too.
  private func onesToOne(of entity: SchemaEntity, besides listed: [SchemaRelationship])
    -> [SchemaRelationship]
  {
    entity.relationships.map { schema.relationships[$0] }.filter { relationship in
      guard !relationship.isToMany, let inverse = relationship.inverse else { return false }
      return !schema.relationships[inverse].isToMany && !listed.contains { $0.index == relationship.index }
    }
  }

  /// Notes for the objects that a list lost or got that their owner has changed. If they have lists too, it is enough
  /// to tell the server one end; imports leave the links at both ends alone.
  private func noteOtherEnds(
    of relationship: SchemaRelationship, _ before: ObjectSnapshot, _ after: ObjectSnapshot
  ) throws {
    guard let inverse = relationship.inverse,
      !relationship.isToMany || !schema.relationships[inverse].isToMany
    else { return }
    let target = schema.entities[relationship.destination]
    for parts in before.differences(of: relationship, to: after) {
      guard let row = try transaction.row(of: target, key: KeyText.text(of: parts)) else { continue }
      try noteOtherEnd(of: relationship, row)
    }
  }

  /// An object without identity is a part: notes that its owners have changed.
  private func noteOwners(of row: Int64, _ entity: SchemaEntity) throws {
    for index in entity.relationships {
      let relationship = schema.relationships[index]
      let owner = schema.entities[relationship.destination]
      guard let inverse = relationship.inverse, owner.hasIdentity, !relationship.isToMany else { continue }
      for parts in try transaction.linkedKeys(of: relationship, row: row) {
        try journal.noteUpdated(owner, key: KeyText.text(of: parts), [schema.relationships[inverse].name])
      }
    }
  }

  /// Notes that objects were deleted.
  func noteDeleted(_ objects: some Sequence<(entity: String, key: String)>) throws {
    for object in objects {
      guard let entity = schema.entity(object.entity) else { continue }
      try journal.noteDeleted(entity, key: object.key)
    }
  }
}

extension ObjectDraft {
  /// The relationships for which a row has lists.
  func listed(by row: Int) -> [SchemaRelationship] {
    var result: [SchemaRelationship] = []
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      result.append(layout.schema.relationships[list.relationship])
      next = list.next
    }
    return result
  }
}

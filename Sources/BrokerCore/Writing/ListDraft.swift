import Bytes
import ObjectModel
import ObjectStore

// Lists in a draft.

extension PropertyDraft {
  /// Sets a relationship to several objects, if the program has set or changed it.
  ///
  /// New objects in it are saved with their owner. Objects that are in the store are linked and stay as they are.
  func set<Target: Storable>(_ list: ToMany<Target>) throws {
    guard case .relationship(let relationship) = place else { return }
    let isForeign = isForeign(list.owner, relationship)
    if draft.isPart(relationship) { return try setParts(list, relationship, isForeign) }
    switch list.change {
    case .none:
      guard isForeign else { return }
      guard let objects = list.objects else {
        let keys = try keys(of: list) ?? []
        return draft.addList(relationship, to: row, keys.map(ListTarget.key))
      }
      try add(objects.map(\.id), of: list, relationship)
    case .all(let ids): try add(ids, of: list, relationship)
    case .some(let added, let removed):
      let known = isForeign ? try keys(of: list) : try draft.linkedKeys(of: relationship, row: row)
      guard var keys = known else { return }
      let gone = Set(removed.map { Target.storedParts(of: $0) })
      keys.removeAll { gone.contains($0) }
      let rest = Set(keys)
      let new = added.filter { !rest.contains(Target.storedParts(of: $0)) }
      draft.addList(relationship, to: row, keys.map(ListTarget.key) + (try targets(new, of: list)))
    }
  }

  /// Whether a list was read from another object, so that this object gets the links of that list too.
  private func isForeign(_ owner: ListOwner?, _ relationship: SchemaRelationship) -> Bool {
    guard let owner else { return false }
    let schema = draft.layout.schema
    let root = schema.entity(owner.entity)?.root
    return owner.key != identity || owner.relationship != relationship.name
      || root != schema.entities[relationship.owner].root
  }

  private func add<Target: Storable>(
    _ ids: [Target.ID], of list: ToMany<Target>, _ relationship: SchemaRelationship
  ) throws {
    draft.addList(relationship, to: row, try targets(ids, of: list))
  }

  /// The identities of a list's objects. Those that are not in the store are drafted.
  private func targets<Target: Storable>(
    _ ids: [Target.ID], of list: ToMany<Target>
  ) throws -> [ListTarget] {
    let given = list.objects(among: ids)
    guard !given.isEmpty else { return ids.map { .key(Target.storedParts(of: $0)) } }
    let statements = try TypedCursors<Target>.of(draft.transaction)
    return try ids.map { id in
      guard let object = given[id], object.isInStore, try statements.row(of: id) == nil else {
        return .key(Target.storedParts(of: id))
      }
      return .row(try draft.addNew(object, parent: row))
    }
  }

  /// The identities of the other object's list in the store.
  private func keys<Target: Storable>(of list: ToMany<Target>) throws -> [[SQLValue]]? {
    guard let owner = list.owner else { return nil }
    return try draft.linkedKeys(of: owner)
  }

  /// Objects without identity are all written with their owner.
  private func setParts<Target: Storable>(
    _ list: ToMany<Target>, _ relationship: SchemaRelationship, _ isForeign: Bool
  ) throws {
    // Objects that were only prefetched may be out of date.
    if case .none = list.change, !isForeign { return }
    // A part cannot be written if only its identity is known.
    guard let parts = list.objects, list.knowsAll else {
      return draft.note(
        relationship.name, of: row, expected: "all \(Target.entityName) objects of the list",
        found: "a list that was not fetched")
    }
    var rows: [Int] = []
    for part in parts { rows.append(try draft.add(part, parent: row)) }
    draft.addList(relationship, to: row, rows.map(ListTarget.row))
  }
}

/// A target of a list.
enum ListTarget {
  /// An object, by its identity.
  case key([SQLValue])
  /// An object that is written with its owner, by its row in the draft.
  case row(Int)
}

extension ObjectDraft {
  /// Sets a list.
  func addList(_ relationship: SchemaRelationship, to row: Int, _ targets: [ListTarget]) {
    let first = batch.targets.count
    for target in targets {
      switch target {
      case .row(let row): append(.row(row, part: 0))
      case .key(let identity):
        for part in storedKey(identity, relationship) { append(part) }
      }
    }
    endList(relationship, to: row, from: first, count: targets.count)
  }

  /// Adds an object of a list that is not in the store.
  fileprivate func addNew<Root: Storable>(_ object: Root, parent: Int) throws -> Int {
    let row = try add(object, parent: parent)
    newRows.append(row)
    return row
  }

  /// The identities of another object's list in the store; empty if that object is not there.
  func linkedKeys(of owner: ListOwner) throws -> [[SQLValue]] {
    guard let entity = layout.schema.entity(owner.entity) else { return [] }
    let key = KeyText.text(of: layout.key(ofIdentity: owner.key, of: entity))
    guard let row = try transaction.row(of: entity, key: key) else { return [] }
    return try linkedKeys(of: try transaction.relationship(owner.relationship, of: entity), storedRow: row)
  }

  /// The identities of the targets of a relationship, for the object in a row of the store.
  func linkedKeys(of relationship: SchemaRelationship, storedRow row: Int64) throws -> [[SQLValue]] {
    let target = layout.schema.entities[relationship.destination]
    let keys = try transaction.linkedKeys(of: relationship, row: row)
    return target.isIdentifiedBelowRoot ? keys.map { layout.identity(ofKey: $0, of: target) } : keys
  }
}

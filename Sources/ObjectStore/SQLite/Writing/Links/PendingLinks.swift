import Bytes
import ObjectModel

/// Links whose targets are not there, where the link is kept in the target's row: the store remembers them in a table of
/// its own until the target comes.
///
/// A reference that is a foreign key, or a link in a join table, needs no such care: its target only has to come.
final class PendingLinks {
  private let context: WriteContext
  private let claims: OwnershipClaims
  private let references: PendingReferences
  /// Nil while the store remembers nothing.
  private var table: PendingLinkStore?
  /// The rows of the table that this import has written.
  private var ownRows: Set<Int64> = []

  init(_ context: WriteContext, _ claims: OwnershipClaims, _ references: PendingReferences) throws {
    self.context = context
    self.claims = claims
    self.references = references
    let table = try PendingLinkStore(context.transaction)
    if try !table.isEmpty() { self.table = table }
  }

  /// Whether the store remembers links that new objects may complete.
  var hasStored: Bool { table != nil }

  // MARK: - Remembering

  /// A link to a target that is not there.
  struct NewLink {
    let relationship: SchemaRelationship
    let owner: [Cell]
    let target: [Cell]
    let place: Int?
    /// Whether the list adds to the links that are there, so that one the store remembers keeps its place.
    let isMerged: Bool
  }

  /// Remembers that an owner wants a target that is not there.
  ///
  /// - Parameter waiting: What the store remembers of the owner; what the list still names is taken from it.
  /// - Returns: Whether the list of another owner of this import wanted the target, which may have one owner only:
  ///   the last has it.
  func store(
    _ link: NewLink, _ waiting: inout Set<String>, _ batch: borrowing RowBatch
  ) throws -> Bool {
    let table = try table ?? PendingLinkStore(context.transaction)
    self.table = table
    let (owner, target) = (KeyText.text(of: link.owner, batch), KeyText.text(of: link.target, batch))
    let others = try table.forgetOthers(link.relationship, than: owner, target: target)
    let isDisputed = others.contains(where: ownRows.contains)
    waiting.remove(target)
    let row = try table.add(
      link.relationship, owner: owner, target: target, position: link.place, keepsPosition: link.isMerged)
    ownRows.subtract(others)
    ownRows.insert(row)
    references.add(stored: link.relationship, row: row)
    return isDisputed
  }

  /// Remembers a link by keys as text.
  func store(
    _ relationship: SchemaRelationship, owner: String, target: String, place: Int64?
  ) throws {
    let table = try table ?? PendingLinkStore(context.transaction)
    self.table = table
    let row = try table.add(relationship, owner: owner, target: target, position: place.map(Int.init))
    references.add(stored: relationship, row: row)
  }

  /// The keys, as text, of what an owner waits for.
  func waiting(
    _ relationship: SchemaRelationship, owner: [Cell], _ batch: borrowing RowBatch
  ) throws -> Set<String> {
    Set(try table?.waiting(relationship, owner: KeyText.text(of: owner, batch)).map(\.target) ?? [])
  }

  /// Whether the owner with a key, as text, waits for any target of a relationship.
  func isWaiting(_ relationship: SchemaRelationship, owner: String) throws -> Bool {
    try table?.isWaiting(relationship, owner: owner) ?? false
  }

  // MARK: - Forgetting

  /// Forgets what an owner waited for and its list no longer has.
  func forget(
    _ targets: Set<String>, _ relationship: SchemaRelationship, owner: [Cell], _ batch: borrowing RowBatch
  ) throws {
    guard !targets.isEmpty else { return }
    let owner = KeyText.text(of: owner, batch)
    for target in targets { try table?.forget(relationship, owner: owner, target: target) }
  }

  /// Forgets what the owner with a key, as text, wanted.
  func forget(_ relationship: SchemaRelationship, owner: String) throws {
    try table?.forget(relationship, owner: owner)
  }

  /// Forgets all that the owner of an entity with a key, as text, wanted.
  func forgetAll(of entity: SchemaEntity, owner: String) throws {
    for relationship in entity.relationships {
      try forget(context.layout.schema.relationships[relationship], owner: owner)
    }
  }

  // MARK: - Arrivals

  /// An object that links may wait for.
  private struct Arrival {
    let key: String
    let rowID: Int64
    let layout: EntityLayout
    /// Its row in the batch; nil if it has none.
    var row: Int?
    /// The owners that its row says, by the columns of their foreign keys.
    var owners: [[Int]: DeclaredOwner] = [:]
  }

  /// What an object's own row says of its owner by one of its relationships.
  private struct DeclaredOwner {
    var key: String
    /// Whether it is a list that says it, and not the object itself.
    var isFromList: Bool
  }

  /// Gives a new object, a row of the batch, the links that waited for it.
  func connect(_ row: Int, _ layout: EntityLayout, _ batch: borrowing RowBatch) throws {
    guard table != nil else { return }
    var key: [Cell] = []
    for slot in layout.keySlots { key.append(batch[row, slot]) }
    var arrival = Arrival(
      key: KeyText.text(of: key, batch), rowID: batch.rows[row].rowID, layout: layout, row: row)
    for relationship in context.layout.schema.relationships
    where layout.entity.ancestry.contains(relationship.destination) {
      guard case .inverse(let columns, _) = context.layout.relationships[relationship.index] else { continue }
      let slots = layout.slots(of: columns)
      guard slots.allSatisfy({ $0 >= 0 && batch[row, $0].kind != .absent }) else { continue }
      var owner: [Cell] = []
      for slot in slots { owner.append(batch[row, slot]) }
      arrival.owners[columns] = DeclaredOwner(
        key: KeyText.text(of: owner, batch), isFromList: batch[row, slots[0]].link.isFromList)
    }
    try connect(arrival)
  }

  /// Gives an object, which has a new key, the links that waited for it.
  func connect(arrived key: String, _ rowID: Int64, _ layout: EntityLayout) throws {
    try connect(Arrival(key: key, rowID: rowID, layout: layout))
  }

  private func connect(_ arrival: Arrival) throws {
    guard let table else { return }
    for link in try table.take(for: arrival.layout.entity, target: arrival.key) {
      guard case .inverse(let columns, let order) = context.layout.relationships[link.relationship],
        let owner = KeyText.split(link.owner, count: columns.count)
      else { continue }
      let relationship = context.layout.schema.relationships[link.relationship]
      let isOfThisImport = ownRows.remove(link.row) != nil && !context.policy.isLocal
      // What the object's own row says of its owner counts more than what another owner said before.
      if let said = arrival.owners[columns], said.key != link.owner {
        if isOfThisImport, said.isFromList, let row = arrival.row {
          claims.noteDispute(of: relationship, row: row)
        }
        continue
      }
      if isOfThisImport { claims.of(relationship).noteNamed(arrival.rowID) }
      let target = context.layout.tables[arrival.layout.table]
      try link.set(arrival.rowID, to: owner, columns, order, of: target, context.transaction)
    }
  }
}

import Bytes
package import ObjectModel

/// Links whose targets are not there, where the link is kept in the target's row: the store remembers them until the target
/// comes.
///
/// A reference that is a foreign key, or a link in a join table, needs no such care: its target only has to come.
package final class PendingLinks<Rows: RowStore> {
  private let rows: Rows
  private let context: WriteContext
  private var layout: Layout { context.layout }
  /// The numbers of the links that this import has noted.
  private var own: Set<Int64> = []

  package init(_ rows: Rows) {
    self.rows = rows
    context = rows.context
  }

  /// Remembers that an owner wants a target that is not there.
  ///
  /// - Parameter keepsPlace: Whether the list adds to the links that are there, so that one the store remembers keeps its
  ///   place.
  /// - Returns: Whether the list of another owner of this import wanted the target, which may have one owner only:
  ///   the last has it.
  func add(
    _ relationship: SchemaRelationship, owner: String, target: String, place: Int64?, keepsPlace: Bool
  ) throws(Rows.Failure) -> Bool {
    let others = try rows.forgetPending(relationship, to: target, exceptOf: owner)
    let isDisputed = others.contains(where: own.contains)
    own.subtract(others)
    own.insert(
      try rows.addPending(relationship, owner: owner, target: target, place: place, keepsPlace: keepsPlace))
    return isDisputed
  }

  // MARK: - Arrivals

  /// The owner that an object's own row declares by the columns of a foreign key.
  private struct DeclaredOwner {
    let columns: [Int]
    let key: String
    /// Whether it is a list that says it, and not the object itself.
    let isFromList: Bool
  }

  /// Gives a new object, a row of the batch, the links that waited for it.
  func connect(
    _ row: Int, _ entity: EntityLayout, _ batch: borrowing RowBatch
  ) throws(Rows.Failure) {
    var owners: [DeclaredOwner] = []
    for relationship in layout.schema.relationships
    where entity.entity.ancestry.contains(relationship.destination) {
      guard case .inverse(let columns, _) = layout.relationships[relationship.index] else { continue }
      let slots = entity.slots(of: columns)
      var owner: [Cell] = []
      for slot in slots where slot >= 0 && batch[row, slot].kind != .absent { owner.append(batch[row, slot]) }
      guard owner.count == slots.count else { continue }
      owners.append(
        DeclaredOwner(
          columns: columns, key: KeyText.text(of: owner, batch),
          isFromList: batch[row, slots[0]].link.isFromList))
    }
    var key: [Cell] = []
    for slot in entity.keySlots { key.append(batch[row, slot]) }
    let place = RowLocation(table: entity.table, row: batch.rows[row].rowID)
    try connect(KeyText.text(of: key, batch), place, entity.entity, owners, row)
  }

  /// Gives an object, which has a new key, the links that waited for it.
  package func connect(
    _ key: String, _ place: RowLocation, _ entity: SchemaEntity
  ) throws(Rows.Failure) {
    try connect(key, place, entity, [], nil)
  }

  private func connect(
    _ key: String, _ place: RowLocation, _ entity: SchemaEntity, _ owners: [DeclaredOwner], _ row: Int?
  ) throws(Rows.Failure) {
    guard rows.hasPending else { return }
    for link in try rows.takePending(for: entity, target: key) {
      guard case .inverse(let columns, _) = layout.relationships[link.relationship] else { continue }
      let relationship = layout.schema.relationships[link.relationship]
      let isOfThisImport = own.remove(link.number) != nil && !context.policy.isLocal
      // The object's own row counts more than what another owner said before.
      if let declared = owners.first(where: { $0.columns == columns }), declared.key != link.owner {
        if isOfThisImport, declared.isFromList, let row { context.noteDispute(of: relationship, row: row) }
        continue
      }
      if isOfThisImport { context.claims.noteNamed(place.row, by: relationship) }
      try rows.complete(link, of: place)
    }
  }
}

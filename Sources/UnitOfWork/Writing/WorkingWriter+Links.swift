import Bytes
import ObjectModel
import ObjectStore

/// References to objects that are not there, links of one object to one, and objects that several lists name.
extension WorkingWriter {
  // MARK: - References

  /// Looks whether the objects that a row's foreign keys name are there.
  func checkReferences(of row: Int, _ model: EntityModel, _ batch: borrowing RowBatch) {
    for key in model.foreignKeys where has(row, key.slots[0], batch) {
      guard batch[row, key.slots[0]].link == .unknown else { continue }
      check(
        key.relationship, model.layout.entity.index, values(row, key.slots, batch),
        holder: .row(batch.rows[row].rowID))
    }
  }

  /// Looks whether a target is there, and makes a stub of it where that is the policy.
  func check(
    _ relationship: SchemaRelationship, _ entity: Int, _ target: RowKey, holder: UnresolvedReference.Holder
  ) {
    guard state.find(target, of: relationship.destination) == nil,
      // What a program deleted is not waited for.
      !isDeletedHere(target, relationship.destination), !makeStub(for: relationship, target)
    else { return }
    kept.references.append(
      UnresolvedReference(relationship: relationship.index, entity: entity, holder: holder))
  }

  /// Makes the target of a relationship with a key. False if that is not the policy, or it cannot be made.
  func makeStub(for relationship: SchemaRelationship, _ key: RowKey) -> Bool {
    let entity = layout.schema.entities[relationship.destination]
    let table = state.tableIndex(of: entity.index)
    guard policy.treatment(ofReferences: relationship) == .stub, !entity.isAbstract, entity.hasIdentity,
      state.tables[table].find(key) == nil, !isDeletedHere(key, entity.index)
    else { return false }
    let model = model(of: entity.index)
    var object = StoredRow(
      entity: entity.index, values: Array(repeating: .null, count: layout.tables[table].columns.count))
    for (slot, column) in model.layout.slots.enumerated() {
      object.values[column] = Value(model.defaults.value(slot))
    }
    let identity = layout.identity(ofKey: key.map(\.sql), of: entity).map(Value.init)
    for (slot, part) in zip(model.layout.identitySlots, identity) {
      object.values[model.layout.slots[slot]] = part
    }
    for (slot, part) in zip(model.layout.keySlots, key) { object.values[model.layout.slots[slot]] = part }
    guard state.tables[table].violation(object, in: nil) == nil else { return false }
    let row = state.tables[table].insert(object, hasIdentity: true)
    kept.tally.countStub(row: row, entity: entity.index, table: table)
    for foreignKey in model.foreignKeys where foreignKey.relationship.isItsOwnInverse {
      setInverse(from: row, key, foreignKey.relationship)
    }
    connect(key.keyText, RowLocation(table: table, row: row), model.layout.entity, said: [:], batchRow: nil)
    for foreignKey in model.foreignKeys where foreignKey.relationship.isIdentity {
      let owner = RowKey(foreignKey.slots) { object.values[model.layout.slots[$0]] }
      check(foreignKey.relationship, entity.index, owner, holder: .row(row))
    }
    return true
  }

  // MARK: - Links that wait in their owners

  /// Remembers that an owner wants a target that is not there.
  ///
  /// - Parameter keepsPlace: Whether a link that is remembered already keeps its place.
  /// - Returns: Whether the list of another owner of this import wanted the target, which may have one owner only.
  func wait(
    _ relationship: SchemaRelationship, _ owner: String, _ target: String, _ place: Int64?,
    keepsPlace: Bool, _ waiting: inout [Int64]
  ) -> Bool {
    let others = state.waiting.links(to: target).filter {
      $0.link.relationship == relationship.index && ExactText($0.link.owner) != ExactText(owner)
    }.map(\.row)
    let isDisputed = others.contains(where: ownWaiting.contains)
    state.waiting.remove(others)
    waiting.removeAll { ExactText(state.waiting[$0]?.target ?? target) == ExactText(target) }
    let row = addPending(relationship, owner, target, place, keepsPlace: keepsPlace)
    ownWaiting.subtract(others)
    ownWaiting.insert(row)
    return isDisputed
  }

  @discardableResult
  func addPending(
    _ relationship: SchemaRelationship, _ owner: String, _ target: String, _ place: Int64?,
    keepsPlace: Bool = false
  ) -> Int64 {
    let row: Int64
    if let known = state.waiting.links(of: relationship.index, owner).first(where: {
      ExactText($0.link.target) == ExactText(target)
    }) {
      row = known.row
      if !keepsPlace, known.link.place != place { state.waiting.update(row) { $0.place = place } }
    } else {
      row = state.waiting.add(
        PendingLink(relationship: relationship.index, owner: owner, target: target, place: place))
    }
    kept.references.append(
      UnresolvedReference(relationship: relationship.index, entity: relationship.owner, holder: .row(row)))
    return row
  }

  /// The owner that a row declares by the columns of a foreign key, and whether a list says it.
  typealias DeclaredOwners = [[Int]: (key: String, isFromList: Bool)]

  /// Gives a new object, a row of the batch, the links that waited for it.
  func connect(_ row: Int, _ model: EntityModel, _ batch: borrowing RowBatch) {
    if state.waiting.isEmpty { return }
    var said: DeclaredOwners = [:]
    for relationship in layout.schema.relationships
    where model.layout.entity.ancestry.contains(relationship.destination) {
      guard case .inverse(let columns, _) = layout.relationships[relationship.index] else { continue }
      let slots = model.layout.slots(of: columns)
      var isSaid = true
      for slot in slots where slot < 0 || batch[row, slot].kind == .absent { isSaid = false }
      guard isSaid else { continue }
      let key = values(row, slots, batch).keyText
      said[columns] = (key, batch[row, slots[0]].link.isFromList)
    }
    let key = values(row, model.keySlots, batch).keyText
    connect(
      key, RowLocation(table: model.layout.table, row: batch.rows[row].rowID), model.layout.entity,
      said: said,
      batchRow: row)
  }

  func connect(
    _ key: String, _ place: RowLocation, _ entity: SchemaEntity, said: DeclaredOwners, batchRow: Int?
  ) {
    if state.waiting.isEmpty { return }
    let links = state.waiting.links(to: key).filter { _, link in
      entity.ancestry.contains(layout.schema.relationships[link.relationship].destination)
    }
    state.waiting.remove(links.map(\.row))
    for (row, link) in links {
      let relationship = state.relationship(link.relationship)
      guard case .inverse(let columns, let order) = layout.relationships[link.relationship],
        let owner = RowKey(text: link.owner, in: columns, of: layout.tables[place.table])
      else { continue }
      let isOfThisImport = ownWaiting.remove(row) != nil && !policy.isLocal
      // What the object's own row says of its owner counts more than what another owner said before.
      if let said = said[columns], said.key != link.owner {
        if isOfThisImport, said.isFromList, let batchRow { noteDispute(of: relationship, row: batchRow) }
        continue
      }
      if isOfThisImport { claims.noteNamed(place.row, by: relationship) }
      state.tables[place.table].update(place.row) { object in
        for (column, value) in zip(columns, owner) { object.values[column] = value }
        if let order, let place = link.place { object.values[order] = .integer(place) }
      }
    }
  }

  // MARK: - One object to one

  /// Makes the other end of a one-to-one link of a row that was just written agree.
  func updateOtherEnd(
    of row: Int, _ key: EntityModel.ForeignKey, isChanged: Bool, _ batch: borrowing RowBatch
  ) {
    let relationship = key.relationship
    guard let inverse = relationship.inverse.map({ state.relationship($0) }), !inverse.isToMany else {
      return
    }
    let (hasTarget, isMutual) = (has(row, key.slots[0], batch), relationship.isItsOwnInverse)
    let rowID = batch.rows[row].rowID
    if hasTarget, !policy.isLocal { claims.noteNamed(rowID, by: relationship) }
    guard isChanged, hasTarget || isMutual else { return }
    let target = values(row, key.slots, batch)
    if hasTarget {
      unlinkRivals(of: relationship, target, sparing: rowID, claimedBy: row)
      if !isMutual {
        state.waiting.remove(of: inverse.index, target.keyText)
      }
    }
    guard isMutual, let own = self.key(row, batch).map({ values($0, batch) }) else { return }
    if batch[row, key.slots[0]].kind == .absent { return setInverse(from: rowID, own, relationship) }
    let table = state.tableIndex(of: relationship.owner)
    let other = hasTarget ? state.tables[table].find(target) : nil
    unlinkRivals(of: relationship, own, sparing: other ?? rowID, claimedBy: nil)
    if let other, other != rowID {
      setReference(of: RowLocation(table: table, row: other), relationship, to: own)
    }
  }

  /// Makes a new object, of which nothing is known, point to the one that pointed to it before it came.
  func setInverse(from row: Int64, _ key: RowKey, _ relationship: SchemaRelationship) {
    let place = RowLocation(table: state.tableIndex(of: relationship.owner), row: row)
    guard let other = rivals(of: relationship, key).first(where: { $0 != row }) else { return }
    setReference(of: place, relationship, to: state.key(of: RowLocation(table: place.table, row: other)))
  }

  private func rivals(of relationship: SchemaRelationship, _ target: RowKey) -> [Int64] {
    guard case .foreignKey(let columns) = layout.relationships[relationship.index] else { return [] }
    return state.tables[state.tableIndex(of: relationship.owner)].rows(where: columns, are: target)
  }

  private func unlinkRivals(
    of relationship: SchemaRelationship, _ target: RowKey, sparing row: Int64, claimedBy claimant: Int?
  ) {
    for rival in rivals(of: relationship, target) where rival != row {
      if let claimant, !relationship.isItsOwnInverse, claims.hasNamed(rival, by: relationship) {
        noteDispute(of: relationship, row: claimant)
      }
      let place = RowLocation(table: state.tableIndex(of: relationship.owner), row: rival)
      setReference(of: place, relationship, to: RowKey(target.map { _ in .null }))
    }
  }

  private func setReference(of place: RowLocation, _ relationship: SchemaRelationship, to key: RowKey) {
    guard case .foreignKey(let columns) = layout.relationships[relationship.index],
      let object = state.object(place), RowKey(columns, { object.values[$0] }) != key
    else { return }
    state.tables[place.table].update(place.row) { object in
      for (column, part) in zip(columns, key) { object.values[column] = part }
    }
    noteChange(of: place)
  }

  // MARK: - Objects that several lists name

  /// Notes that a list names a child. If the store has another owner for it, the link is set in the end.
  func claim(
    _ child: Int64, _ change: OwnerChange, _ list: ChildList, at place: Int?, _ batch: borrowing RowBatch
  ) {
    guard hasClaims(list.relationship) else { return }
    let place = list.order == nil ? nil : place
    let isDisputed = claims.noteListed(child, by: list.relationship, change, owner: list.ownerKey, at: place)
    if isDisputed { noteDispute(of: list.relationship, row: list.owner) }
  }

  /// Notes that lists of several owners have the same object. A program says exactly what is to be.
  func noteDispute(of relationship: SchemaRelationship, row: Int) {
    if !policy.isLocal { claims.noteDispute(of: relationship) { addDeferred(row: row) } }
  }

  /// Forgets the claims of lists to a row that now says its owner itself. A row that says the same as the list still has its
  /// place there.
  func dropClaims(contradictedBy row: Int, _ model: EntityModel, _ batch: borrowing RowBatch) {
    guard claims.hasDeferred else { return }
    let rowID = batch.rows[row].rowID
    for key in model.foreignKeys {
      guard let list = key.relationship.inverse, let claimant = claims.claimant(of: rowID, by: list) else {
        continue
      }
      let cell = batch[row, key.slots[0]]
      guard cell.kind != .absent, !cell.link.isFromList else { continue }
      if claimant != values(row, key.slots, batch) { claims.drop(rowID, by: list) }
    }
  }

  /// Gives children that lists took from others their new owners.
  func linkClaimed(
    _ relationship: SchemaRelationship, _ claims: [(child: Int64, claim: OwnershipClaim<RowKey>)]
  ) {
    let table = state.tableIndex(of: relationship.destination)
    for portion in claims.portions {
      fetch { needed in for (child, _) in portion { needed.add(RowLocation(table: table, row: child)) } }
      for (child, claim) in portion {
        setOwner(of: child, relationship, to: claim.owner, at: claim.place.map(Int64.init))
      }
    }
  }
}

/// A reference that led nowhere when it was written.
struct UnresolvedReference: Hashable {
  /// Its holder: a row, of its owner or of the links that wait, or a link of a join table.
  enum Holder: Hashable {
    case row(Int64)
    case link(Ends<RowKey>)
  }

  var relationship: Int
  var entity: Int
  var holder: Holder
}

package import ObjectModel
package import ObjectStore

/// The rows of a writer in the identity map.
///
/// Errors of the database are noted by ``StoredRows`` and end the transaction, so that none is thrown here.
extension WorkingWriter: RowStore {
  package typealias Failure = Never

  // MARK: - Objects and their links

  package func entity(of place: RowLocation) -> SchemaEntity? {
    state.object(place).map { layout.schema.entities[$0.entity] }
  }

  package func keyText(of place: RowLocation) -> String { state.key(of: place).keyText }

  package func targets(of relationship: SchemaRelationship, from owner: RowLocation) -> [RowLocation] {
    state.places(of: relationship, owner)
  }

  package func owners(by relationship: SchemaRelationship, of target: RowLocation) -> [RowLocation] {
    guard let inverse = relationship.inverse, !relationship.isItsOwnInverse else {
      return state.owners(by: relationship, of: target)
    }
    return state.places(of: state.relationship(inverse), target)
  }

  package func hasTarget(
    of relationship: SchemaRelationship, from owner: RowLocation, outside others: Set<RowLocation>
  ) -> Bool {
    !state.places(of: relationship, owner).allSatisfy(others.contains)
  }

  package func hasLinks(by relationship: SchemaRelationship, from owner: RowLocation) -> Bool {
    if !state.targets(of: relationship, owner).isEmpty { return true }
    guard case .inverse = layout.relationships[relationship.index] else { return false }
    return !state.waiting.links(of: relationship.index, keyText(of: owner)).isEmpty
  }

  // MARK: - Changes

  package func remove(_ place: RowLocation, of entity: SchemaEntity) {
    let key = state.key(of: place)
    if entity.hasIdentity {
      for index in entity.relationships { state.waiting.remove(of: index, key.keyText) }
    }
    for relationship in layout.schema.relationships {
      let leadsHere = entity.ancestry.contains(relationship.destination)
      let rule = relationship.inverse.map { state.relationship($0).relationship.deleteRule }
      switch layout.relationships[relationship.index] {
      case .foreignKey(let columns):
        if leadsHere, rule != .noAction, !relationship.isIdentity {
          clear(columns, of: relationship.owner, key)
        }
      case .inverse: break
      case .join(let index, let isForward):
        if leadsHere { removeLinks(index, of: key, isForward ? 1 : 0) }
        if entity.relationships.contains(relationship.index) {
          removeLinks(index, of: key, isForward ? 0 : 1)
        }
      }
    }
    state.tables[place.table].remove(place.row)
    kept.tally.countDeleted(row: place.row, entity: entity.index, table: place.table)
    claims.drop(ofDeleted: place.row, inTable: place.table)
  }

  /// Clears the foreign keys of an entity's objects that lead to a key.
  func clear(_ columns: [Int], of entity: Int, _ key: RowKey) {
    let table = state.tableIndex(of: entity)
    for row in state.tables[table].rows(where: columns, are: key) {
      state.tables[table].update(row) { object in for column in columns { object.values[column] = .null } }
    }
  }

  private func removeLinks(_ join: Int, of key: RowKey, _ direction: Int) {
    for link in state.joins[join].links(of: key, direction) { state.joins[join].remove(link.row) }
  }

  package func removeInserted(_ place: RowLocation, of entity: SchemaEntity, listedBy lists: [Int]) {
    let key = state.key(of: place)
    for index in entity.relationships { state.waiting.remove(of: index, key.keyText) }
    for relationship in layout.schema.relationships where entity.ancestry.contains(relationship.destination) {
      if lists.contains(relationship.index) { keepPending(for: place, relationship) }
      for holder in links(by: relationship, to: key) {
        kept.references.append(
          UnresolvedReference(relationship: relationship.index, entity: relationship.owner, holder: holder))
      }
    }
    state.tables[place.table].remove(place.row)
    claims.drop(ofDeleted: place.row, inTable: place.table)
  }

  /// The rows with foreign keys, or the links in a join table, that lead to an object.
  private func links(by relationship: SchemaRelationship, to key: RowKey) -> [UnresolvedReference.Holder] {
    switch layout.relationships[relationship.index] {
    case .inverse: return []
    case .foreignKey(let columns):
      return state.tables[state.tableIndex(of: relationship.owner)].rows(where: columns, are: key)
        .map { .row($0) }
    case .join(let index, let isForward):
      let direction = isForward ? 1 : 0
      return state.joins[index].links(of: key, direction).map { .link(Ends(key, $0.target, direction)) }
    }
  }

  /// Has the owner of a list wait for an object that goes.
  private func keepPending(for place: RowLocation, _ relationship: SchemaRelationship) {
    guard case .inverse(let columns, let order) = layout.relationships[relationship.index],
      let object = state.object(place)
    else { return }
    let owner = RowKey(columns) { object.values[$0] }
    guard !owner.hasNull else { return }
    var position: Int64?
    if let order, case .integer(let number) = object.values[order] { position = number }
    addPending(relationship, owner.keyText, state.key(of: place).keyText, position)
  }

  package func removeLinks(
    of relationship: SchemaRelationship, from owner: RowLocation, isOfFormerKind: Bool
  ) {
    let key = state.key(of: owner)
    switch layout.relationships[relationship.index] {
    case .foreignKey: break
    case .inverse(let columns, _):
      guard isOfFormerKind else { break }
      let isIdentity = relationship.inverse.map { state.relationship($0).isIdentity } ?? false
      if !isIdentity { clear(columns, of: relationship.destination, key) }
      state.waiting.remove(of: relationship.index, key.keyText)
    case .join(let join, let isForward): removeLinks(join, of: key, isForward ? 0 : 1)
    }
  }

  // MARK: - Objects that lists no longer have

  package func keyIfWithoutOwner(_ release: DeferredRelease) -> String? {
    let table = state.tableIndex(of: release.relationship.destination)
    let place = RowLocation(table: table, row: release.child)
    // The row may be another object's by now.
    guard let object = state.object(place), release.key == nil || keyText(of: place) == release.key else {
      return nil
    }
    let isWithoutOwner =
      switch layout.relationships[release.relationship.index] {
      case .foreignKey: false
      case .inverse(let columns, _): RowKey(columns) { object.values[$0] }.keyText == release.owner
      case .join(let index, let isForward):
        state.joins[index].links(of: state.key(of: place), isForward ? 1 : 0).isEmpty
      }
    return isWithoutOwner ? keyText(of: place) : nil
  }

  package func clearOwner(of release: DeferredRelease) {
    guard case .inverse(let columns, _) = layout.relationships[release.relationship.index] else { return }
    setOwner(of: release.child, release.relationship, to: RowKey(columns) { _ in .null }, at: nil)
  }

  // MARK: - What has happened

  package func takeTicket() -> Int {
    kept.nextTicket += 1
    return kept.nextTicket
  }

  package func hasSeen(_ place: RowLocation) -> Bool { kept.tally.hasSeen(place.row, table: place.table) }

  package var hasLeftOut: Bool { kept.tally.hasSkipped || hasLeftOutObjects }

  package func isUnsynced(_ place: RowLocation) -> Bool {
    unsent?.protection(of: place.row, table: place.table) != nil
  }

  package func countUnsynced(_ place: RowLocation) {
    kept.tally.countPartlyUnsent(
      row: place.row, entity: layout.tables[place.table].root, table: place.table)
  }

  package func countInsertionUndone(_ place: RowLocation, of entity: Int) {
    kept.tally.countInsertionUndone(row: place.row, entity: entity, table: place.table)
  }

  package func countUnsyncedInsteadOfSkipped(of entity: Int) {
    kept.tally.countUnsentInsteadOfSkipped(entity: entity)
  }

  package var deletedCount: Int { kept.tally.deletedCount }

  // MARK: - Many objects

  package func prepareDeletion(of places: some Collection<RowLocation>) {
    fetchForDeletion(places)
  }

  package func prepareLookup(of places: some Collection<RowLocation>) {
    if !places.isEmpty { fetchNeighbours(of: Array(places)) }
  }

  package func rows(of query: Query) throws -> [Int64] { try transaction.rows(of: query) }

  package func count(_ query: Query) throws -> Int { try transaction.count(query) }

  package func rowsFromBefore(_ rows: [Int64], inTable table: Int) throws -> [Int64] {
    guard let before = kept.before else { return rows }
    return try rows.filter { try before.contains(RowLocation(table: table, row: $0), state) }
  }

  package struct Savepoint {
    fileprivate let state: IdentityMap.Contents
    fileprivate let kept: WorkingWriterState
  }

  package func setSavepoint() -> Savepoint { Savepoint(state: state.contents, kept: kept) }

  package func undo(to savepoint: Savepoint) {
    state.restore(savepoint.state)
    kept = savepoint.kept
  }

  package func release(_ savepoint: Savepoint) {}
}

import Bytes
package import ObjectModel
package import ObjectStore

/// The rows of a writer in the identity map.
///
/// Errors of the database are noted by ``StoredRows`` and end the transaction, so that none is thrown here.
package final class WorkingRows: RowStore {
  package typealias Failure = Never

  package let context: WriteContext
  package let layout: Layout
  let transaction: any WorkingTransaction
  let state: IdentityMap
  /// Knows which values are one, where a program writes.
  let equality: ValueEquality?
  /// The references that led nowhere when they were written.
  var references: [UnresolvedReference]
  /// The objects that were there when the import began, if it commits in chunks and prunes.
  var before: ObjectSetSnapshot?
  /// The objects that a program gave values which others had.
  var uncheckedValues: [(ticket: Int, place: RowLocation)] = []
  /// Why a row was not written for which no stack was to be had. Whoever writes records ends with it.
  var stackFailure: SystemError?
  /// By entity, once they are needed; in memory of their own, since they are looked at for each row.
  private let models: UnsafeMutableBufferPointer<EntityModel?>

  init(
    _ transaction: any WorkingTransaction, _ context: WriteContext, equality: ValueEquality?,
    continuing former: WorkingWriterState?
  ) {
    self.transaction = transaction
    self.context = context
    self.equality = equality
    layout = context.layout
    state = transaction.state
    references = former?.references ?? []
    before = former?.before
    models = .allocate(capacity: layout.entities.count)
    models.initialize(repeating: nil)
    if former != nil { keepNotedNumbers() }
  }

  deinit { models.deinitialize().deallocate() }

  /// Former transactions of the import have noted links by their numbers, some of which may be gone.
  private func keepNotedNumbers() {
    for noted in references {
      if case .inverse = layout.relationships[noted.relationship], case .row(let row) = noted.holder {
        state.waiting.number(after: row)
      }
    }
  }

  func model(of entity: Int) -> EntityModel {
    if let known = models[entity] { return known }
    let model = EntityModel(entity, layout)
    models[entity] = model
    return model
  }

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
    for index in entity.relationships where layout.isToldByTargets(index) {
      state.waiting.remove(of: index, key.keyText)
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
    context.tally.countDeleted(row: place.row, entity: entity.index, table: place.table)
    noteGone(place)
  }

  /// Clears the foreign keys of an entity's objects that lead to a key.
  func clear(_ columns: [Int], of entity: Int, _ key: RowKey) {
    let table = state.tableIndex(of: entity)
    for row in state.tables[table].rows(where: columns, are: key) {
      state.tables[table].update(row) { object in for column in columns { object.values[column] = .null } }
      context.repetitions.forget(inTable: table)
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
        references.append(
          UnresolvedReference(relationship: relationship.index, entity: relationship.owner, holder: holder))
      }
    }
    state.tables[place.table].remove(place.row)
    noteGone(place)
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
    addPending(
      relationship, owner: owner.keyText, target: state.key(of: place).keyText, place: position,
      keepsPlace: false)
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

  package func hasOwner(_ child: Int64, _ rules: ListRules) -> Bool {
    guard case .inverse(let columns, _) = rules.storage, let column = columns.first else { return false }
    return state.object(RowLocation(table: rules.table, row: child)).map { !$0.values[column].isNull }
      ?? false
  }

  package func clearOwner(of release: DeferredRelease) {
    guard case .inverse(let columns, _) = layout.relationships[release.relationship.index] else { return }
    guard setOwner(of: release.child, release.relationship, to: RowKey(columns) { _ in .null }, at: nil)
    else {
      return
    }
    countChange(
      of: RowLocation(table: state.tableIndex(of: release.relationship.destination), row: release.child))
  }

  // MARK: - Many objects

  package func prepareDeletion(
    of places: some Collection<RowLocation>, by deleter: ObjectDeleter<WorkingRows>
  ) {
    fetchForDeletion(places, deleter)
  }

  package func prepareLookup(of places: some Collection<RowLocation>) {
    if !places.isEmpty { fetchNeighbours(of: Array(places)) }
  }

  package func rows(of query: Query) throws -> [Int64] { try transaction.rows(of: query) }

  package func count(_ query: Query) throws -> Int { try transaction.count(query) }

  package func rowsFromBefore(_ rows: [Int64], inTable table: Int) throws -> [Int64] {
    guard let before else { return rows }
    return try rows.filter { try before(RowLocation(table: table, row: $0), state) }
  }

  package struct Savepoint {
    fileprivate let state: IdentityMap.Contents
    fileprivate let tally: WriteCounter
  }

  package func setSavepoint() -> Savepoint { Savepoint(state: state.contents, tally: context.tally) }

  package func undo(to savepoint: Savepoint) {
    state.restore(savepoint.state)
    context.tally = savepoint.tally
  }

  package func release(_ savepoint: Savepoint) {}
}

/// The links of an object in memory.
package struct WorkingLinks: StoredLinks {
  package typealias Failure = Never

  struct Link {
    let row: Int64
    let key: RowKey
    var place: Int64?
    var precedingOwners = ""
  }

  private let links: [Link]
  private var index = -1

  init(_ links: [Link]) { self.links = links }

  package mutating func next() -> Bool {
    index += 1
    return index < links.count
  }

  package var row: Int64 { links[index].row }
  package var place: Int64? { links[index].place }
  package var precedingOwners: String { links[index].precedingOwners }

  package var targetRow: Int64? {
    guard case .integer(let row)? = links[index].key.first else { return nil }
    return row
  }

  package func combineKey(into hash: inout Hash) {
    for value in links[index].key {
      switch value {
      case .integer(let value): hash.combine(UInt64(bitPattern: value))
      case .real(let value): hash.combine(value.bitPattern)
      case .text(let bytes), .blob(let bytes): bytes.withUnsafeBufferPointer { hash.combine($0) }
      case .null: hash.combine(0)
      }
    }
  }

  package func keyPart(_ part: Int, equals cell: Cell, of batch: borrowing RowBatch) -> Bool {
    links[index].key[part].equals(cell, batch)
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

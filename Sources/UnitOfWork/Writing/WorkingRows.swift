package import Bytes
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
  private let equality: (any ValueEquality)?
  /// The references that led nowhere when they were written.
  var references: [UnresolvedReference]
  /// The objects that were there when the import began, if it commits in chunks and prunes.
  var before: (any ObjectSetSnapshot)?
  /// Values of uniqueness constraints that are looked at in the end.
  private var uniqueValues: [DeferredValues] = []
  /// The objects that a program gave values which others had.
  private var uncheckedValues: [(ticket: Int, place: RowLocation)] = []
  /// Why a row was not written for which no stack was to be had. Whoever writes records ends with it.
  private(set) var stackFailure: SystemError?
  /// By entity, once they are needed; in memory of their own, since they are looked at for each row.
  private let models: UnsafeMutableBufferPointer<EntityModel?>

  init(
    _ transaction: any WorkingTransaction, _ context: WriteContext, equality: (any ValueEquality)?,
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

  package var policy: WritePolicy { context.policy }

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
    context.tally.countDeleted(row: place.row, entity: entity.index, table: place.table)
    noteGone(place)
  }

  /// Forgets what was kept of a row that is gone.
  private func noteGone(_ place: RowLocation) {
    context.claims.drop(ofDeleted: place.row, inTable: place.table)
    context.repetitions.forget(inTable: place.table)
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

  package func clearOwner(of release: DeferredRelease) {
    guard case .inverse(let columns, _) = layout.relationships[release.relationship.index] else { return }
    guard setOwner(of: release.child, release.relationship, to: RowKey(columns) { _ in .null }, at: nil)
    else {
      return
    }
    countChange(
      of: RowLocation(table: state.tableIndex(of: release.relationship.destination), row: release.child))
  }

  // MARK: - What has happened

  package func takeTicket() -> Int { context.problems.takeTicket() }

  package func hasSeen(_ place: RowLocation) -> Bool { context.tally.hasSeen(place.row, table: place.table) }

  package var hasLeftOut: Bool { context.tally.hasSkipped || context.hasLeftOutObjects }

  package func isUnsynced(_ place: RowLocation) -> Bool {
    context.unsynced?.protection(of: place.row, table: place.table) != nil
  }

  package func countUnsynced(_ place: RowLocation) {
    context.tally.countPartlyUnsent(
      row: place.row, entity: layout.tables[place.table].root, table: place.table)
  }

  package func countInsertionUndone(_ place: RowLocation, of entity: Int) {
    context.tally.countInsertionUndone(row: place.row, entity: entity, table: place.table)
  }

  package func countUnsyncedInsteadOfSkipped(of entity: Int) {
    context.tally.countUnsentInsteadOfSkipped(entity: entity)
  }

  package var deletedCount: Int { context.tally.deletedCount }

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
    return try rows.filter { try before.contains(RowLocation(table: table, row: $0), state) }
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

// MARK: - Records

extension WorkingRows: RecordStore {
  package func write(_ step: RowStep, _ rules: EntityRules, _ batch: inout RowBatch) -> WriteResult {
    let result = upsert(step, rules, batch)
    if case .problem(.notUnique) = result, let other = writeWithoutUnique(step, rules, &batch) {
      return other
    }
    return result
  }

  /// The stored object that a row is about.
  private func find(
    _ step: RowStep, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) -> (row: Int64, object: StoredRow)? {
    let table = state.tables[rules.layout.table]
    let row = rules.layout.entity.hasIdentity ? table.find(keyValues(step.row, batch)) : step.existing
    return row.flatMap { row in table[row].map { (row, $0) } }
  }

  package func insertStub(_ key: [Cell], _ rules: EntityRules, _ batch: borrowing RowBatch) -> Int64? {
    let (described, table) = (rules.layout, rules.layout.table)
    let key = values(key, batch)
    guard state.tables[table].find(key) == nil else { return nil }
    var object = StoredRow(
      entity: described.entity.index,
      values: Array(repeating: .null, count: layout.tables[table].columns.count))
    for (slot, column) in described.slots.enumerated() {
      object.values[column] = Value(rules.defaults.value(slot))
    }
    let identity = layout.identity(ofKey: key.map(\.sql), of: described.entity).map(Value.init)
    for (slot, part) in zip(described.identitySlots, identity) { object.values[described.slots[slot]] = part }
    for (slot, part) in zip(described.keySlots, key) { object.values[described.slots[slot]] = part }
    guard state.tables[table].violation(object, in: nil) == nil else { return nil }
    return state.tables[table].insert(object, hasIdentity: true)
  }

  package func storedVersion(
    of step: RowStep, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) -> StoredVersion? {
    guard let found = find(step, rules, batch) else { return nil }
    return StoredVersion(row: found.row, isNewer: isNewer(found.object, step.row, rules, batch))
  }

  /// Whether what is stored is a newer version than a row.
  private func isNewer(
    _ object: StoredRow, _ row: Int, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) -> Bool {
    guard let slot = rules.versionSlot else { return false }
    let column = rules.layout.slots[slot]
    let (stored, new) = (object.values[column], Value(batch[row, slot], batch))
    switch (stored, new) {
    case (.text, .text) where layout.tables[rules.layout.table].columns[column].type == .decimal:
      return new.compareAsDecimal(with: stored) < 0
    case (.integer, .integer), (.real, .real), (.text, .text): return new.precedes(stored)
    default: return false
    }
  }

  package func storedReference(
    of step: RowStep, slot: Int, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) -> Int64? {
    guard let found = find(step, rules, batch),
      case .integer(let row) = found.object.values[rules.layout.slots[slot]]
    else { return nil }
    return row
  }

  package func matches(
    _ row: Int, _ object: Int64, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) -> Bool {
    let entity = rules.layout
    guard let stored = state.tables[entity.table][object] else { return false }
    for slot in entity.slots.indices where batch[row, slot].isPresent && !batch[row, slot].isRow {
      if stored.values[entity.slots[slot]] != Value(batch[row, slot], batch) { return false }
    }
    return true
  }

  package func find(_ key: [Cell], inTable table: Int, _ batch: borrowing RowBatch) -> Int64? {
    state.tables[table].find(values(key, batch))
  }

  package func contains(_ key: [Cell], of entity: Int, _ batch: borrowing RowBatch) -> Bool {
    state.find(values(key, batch), of: entity) != nil
  }

  package func countChange(of place: RowLocation) {
    guard let object = state.object(place) else { return }
    context.tally.countChange(row: place.row, entity: object.entity, table: place.table)
  }

  package func noteChange(of place: RowLocation) {
    countChange(of: place)
    context.repetitions.forget(inTable: place.table)
  }

  // MARK: - Links in their targets' rows

  package func children(
    of owner: [Cell], _ rules: ListRules, _ batch: borrowing RowBatch
  ) -> WorkingLinks {
    guard case .inverse(let columns, let order) = rules.storage else { return WorkingLinks([]) }
    let table = state.tables[rules.table]
    let preceding = Array(layout.precedingOwners(of: rules.relationship).joined())
    let found = table.rows(where: columns, are: values(owner, batch)).compactMap {
      row -> WorkingLinks.Link? in
      guard let object = table[row] else { return nil }
      var link = WorkingLinks.Link(row: row, key: table.key(object), place: nil)
      if let order, case .integer(let place) = object.values[order] { link.place = place }
      if !preceding.isEmpty {
        let owners = RowKey(preceding) { object.values[$0] }
        if !owners.allSatisfy(\.isNull) { link.precedingOwners = owners.keyText }
      }
      return link
    }
    return WorkingLinks(found.sorted { isBefore(($0.place, $0.key), ($1.place, $1.key)) })
  }

  package func storedChild(
    _ key: [Cell], of owner: [Cell], _ rules: ListRules, _ batch: borrowing RowBatch
  ) -> StoredChild? {
    guard case .inverse(let columns, _) = rules.storage,
      let child = state.find(values(key, batch), of: rules.destination.index),
      let object = state.tables[rules.table][child]
    else { return nil }
    let stored = RowKey(columns) { object.values[$0] }
    return StoredChild(
      row: child, hasOwner: !stored[0].isNull, isOwnedAlready: stored == values(owner, batch))
  }

  package func setOwner(
    of child: Int64, _ rules: ListRules, to owner: [Cell]?, at place: Int?, _ batch: borrowing RowBatch
  ) -> Bool {
    guard case .inverse(let columns, _) = rules.storage else { return false }
    let key = owner.map { values($0, batch) } ?? RowKey(columns) { _ in .null }
    return setOwner(of: child, rules.relationship, to: key, at: place.map(Int64.init))
  }

  package func setOwner(of child: Int64, _ rules: ListRules, by claim: OwnershipClaim) -> Bool {
    setOwner(
      of: child, rules.relationship, to: RowKey(claim.owner, Value.init), at: claim.place.map(Int64.init))
  }

  private func setOwner(
    of child: Int64, _ relationship: SchemaRelationship, to owner: RowKey, at place: Int64?
  ) -> Bool {
    guard case .inverse(let columns, let order) = layout.relationships[relationship.index] else {
      return false
    }
    let table = state.tableIndex(of: relationship.destination)
    guard var object = state.tables[table][child] else { return false }
    let before = object.values
    for (column, value) in zip(columns, owner) { object.values[column] = value }
    if let order { object.values[order] = place.map(Value.integer) ?? .null }
    guard object.values != before else { return false }
    let changed = object
    state.tables[table].update(child) { $0 = changed }
    return true
  }

  // MARK: - Links in join tables

  /// The links of a list's join table, and the end that its owner is at.
  private func join(_ rules: ListRules) -> (table: Int, direction: Int)? {
    guard case .join(let table, let isForward) = rules.storage else { return nil }
    return (table, isForward ? 0 : 1)
  }

  package func links(of owner: [Cell], _ rules: ListRules, _ batch: borrowing RowBatch) -> WorkingLinks {
    guard let (join, direction) = join(rules) else { return WorkingLinks([]) }
    let links = state.joins[join].links(of: values(owner, batch), direction)
    return WorkingLinks(links.map { WorkingLinks.Link(row: $0.row, key: $0.target, place: $0.place) })
  }

  package func appendLinks(
    of owner: [Cell], to targets: inout KeySet, _ rules: ListRules, isMerging: Bool,
    _ batch: borrowing RowBatch
  ) -> Bool {
    guard let (join, direction) = join(rules), !layout.joins[join].isSymmetric else { return false }
    var links: [(key: RowKey, place: Int64?)] = []
    links.reserveCapacity(targets.count)
    for index in 0..<targets.count where targets.firstIndex(of: index, batch) == index {
      let place = rules.isOrdered ? Int64(isMerging ? links.count : index) : nil
      links.append((key(targets, index, batch), place))
    }
    return state.joins[join].append(values(owner, batch), links, direction)
  }

  private func key(_ targets: borrowing KeySet, _ index: Int, _ batch: borrowing RowBatch) -> RowKey {
    if targets.width == 1 { return RowKey(Value(targets.cell(index, part: 0), batch)) }
    var key: RowKey = []
    for part in 0..<targets.width { key.append(Value(targets.cell(index, part: part), batch)) }
    return key
  }

  package func insertLink(
    from owner: [Cell], to target: Int, of targets: borrowing KeySet, at place: Int, _ rules: ListRules,
    _ batch: borrowing RowBatch
  ) -> Bool {
    guard let (join, direction) = join(rules) else { return false }
    let (owner, target) = (values(owner, batch), key(targets, target, batch))
    let place = rules.isOrdered ? Int64(place) : nil
    guard state.joins[join].insert(owner, target, at: place, direction) else { return false }
    if layout.joins[join].isSymmetric { _ = state.joins[join].insert(target, owner, at: nil, direction) }
    return true
  }

  package func moveLink(_ link: Int64, to place: Int, _ rules: ListRules) {
    guard let (join, direction) = join(rules) else { return }
    state.joins[join].setPlace(Int64(place), of: link, direction)
  }

  package func removeLink(_ link: Int64, _ rules: ListRules) {
    guard let (join, _) = join(rules), let keys = state.joins[join][link]?.keys else { return }
    if layout.joins[join].isSymmetric, let back = state.joins[join].find(keys[1], keys[0], 0), back != link {
      state.joins[join].remove(back)
    }
    state.joins[join].remove(link)
  }

  package func target(ofLink link: Int64, _ rules: ListRules) -> Int64? {
    guard let (join, direction) = join(rules), let keys = state.joins[join][link]?.keys else { return nil }
    return state.find(keys[1 - direction], of: rules.destination.index)
  }

  package func link(
    from owner: [Cell], to target: [Cell], _ rules: ListRules, _ batch: borrowing RowBatch
  ) -> Ends<RowKey>? {
    guard let (join, direction) = join(rules) else { return nil }
    let (owner, target) = (values(owner, batch), values(target, batch))
    guard state.joins[join].find(owner, target, direction) != nil else { return nil }
    return Ends(owner, target, direction)
  }

  // MARK: - Links of one object to one

  package func rivals(
    by key: ForeignKey, of target: [Cell], sparing row: Int64, _ batch: borrowing RowBatch
  ) -> [Int64] {
    guard case .foreignKey(let columns) = layout.relationships[key.relationship.index] else { return [] }
    let table = state.tables[state.tableIndex(of: key.relationship.owner)]
    return table.rows(where: columns, are: values(target, batch)).filter { $0 != row }
  }

  package func setReference(
    of row: Int64, by key: ForeignKey, to target: [Cell]?, _ batch: borrowing RowBatch
  ) -> Bool {
    setReference(of: row, by: key, to: target.map { values($0, batch) } ?? RowKey(key.slots) { _ in .null })
  }

  package func setReference(of row: Int64, by key: ForeignKey, toRow other: Int64) -> Bool {
    let table = state.tableIndex(of: key.relationship.owner)
    return setReference(of: row, by: key, to: state.key(of: RowLocation(table: table, row: other)))
  }

  private func setReference(of row: Int64, by key: ForeignKey, to target: RowKey) -> Bool {
    let table = state.tableIndex(of: key.relationship.owner)
    guard case .foreignKey(let columns) = layout.relationships[key.relationship.index],
      let object = state.tables[table][row], RowKey(columns, { object.values[$0] }) != target
    else { return false }
    state.tables[table].update(row) { object in
      for (column, part) in zip(columns, target) { object.values[column] = part }
    }
    return true
  }

  // MARK: - Links that wait in their owners

  package var hasPending: Bool { !state.waiting.isEmpty }

  package func pendingTargets(of relationship: SchemaRelationship, owner: String) -> [String] {
    state.waiting.links(of: relationship.index, owner).map(\.link.target)
  }

  @discardableResult
  package func addPending(
    _ relationship: SchemaRelationship, owner: String, target: String, place: Int64?, keepsPlace: Bool
  ) -> Int64 {
    let row: Int64
    if let known = link(of: relationship, owner, target) {
      row = known.row
      if !keepsPlace, known.link.place != place { state.waiting.update(row) { $0.place = place } }
    } else {
      row = state.waiting.add(
        PendingLink(relationship: relationship.index, owner: owner, target: target, place: place))
    }
    references.append(
      UnresolvedReference(relationship: relationship.index, entity: relationship.owner, holder: .row(row)))
    return row
  }

  private func link(
    of relationship: SchemaRelationship, _ owner: String, _ target: String
  ) -> (row: Int64, link: PendingLink)? {
    state.waiting.links(of: relationship.index, owner).first {
      ExactText($0.link.target) == ExactText(target)
    }
  }

  package func forgetPending(
    _ relationship: SchemaRelationship, to target: String, exceptOf owner: String
  ) -> [Int64] {
    let others = state.waiting.links(to: target).filter {
      $0.link.relationship == relationship.index && ExactText($0.link.owner) != ExactText(owner)
    }.map(\.row)
    state.waiting.remove(others)
    return others
  }

  package func forgetPending(_ relationship: SchemaRelationship, owner: String, target: String) {
    if let known = link(of: relationship, owner, target) { state.waiting.remove([known.row]) }
  }

  package func forgetPending(_ relationship: SchemaRelationship, owner: String) {
    state.waiting.remove(of: relationship.index, owner)
  }

  package func takePending(for entity: SchemaEntity, target: String) -> [ArrivedLink] {
    let links = state.waiting.links(to: target).filter { _, link in
      entity.ancestry.contains(state.relationship(link.relationship).destination)
    }
    state.waiting.remove(links.map(\.row))
    return links.map { row, link in
      ArrivedLink(number: row, relationship: link.relationship, owner: link.owner, place: link.place)
    }
  }

  package func complete(_ link: ArrivedLink, of place: RowLocation) {
    guard case .inverse(let columns, let order) = layout.relationships[link.relationship],
      let owner = RowKey(text: link.owner, in: columns, of: layout.tables[place.table])
    else { return }
    state.tables[place.table].update(place.row) { object in
      for (column, value) in zip(columns, owner) { object.values[column] = value }
      if let order, let place = link.place { object.values[order] = .integer(place) }
    }
  }

  // MARK: - References that lead nowhere

  package func noteMissing(_ relationship: SchemaRelationship, of entity: Int, row: Int64) {
    references.append(
      UnresolvedReference(relationship: relationship.index, entity: entity, holder: .row(row)))
  }

  package func noteMissing(_ relationship: SchemaRelationship, link: Ends<RowKey>) {
    references.append(
      UnresolvedReference(relationship: relationship.index, entity: relationship.owner, holder: .link(link)))
  }

  package func noteFailure(_ error: SystemError) { stackFailure = stackFailure ?? error }

  // MARK: - Keys

  // Most keys are one value, and take the short way.

  func values(_ cells: [Cell], _ batch: borrowing RowBatch) -> RowKey {
    if cells.count == 1 { return RowKey(Value(cells[0], batch)) }
    var result: RowKey = []
    for cell in cells { result.append(Value(cell, batch)) }
    return result
  }

  /// The values of a row's key, null where it lacks one.
  func keyValues(_ row: Int, _ batch: borrowing RowBatch) -> RowKey {
    let slots = layout.entities[batch.rows[row].entity].keySlots
    if slots.count == 1 { return RowKey(Value(batch.resolved(batch[row, slots[0]], layout), batch)) }
    var result: RowKey = []
    for slot in slots { result.append(Value(batch.resolved(batch[row, slot], layout), batch)) }
    return result
  }
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
    switch (links[index].key[part], cell.kind) {
    case (.integer(let value), .integer): value == cell.integerValue
    case (.real(let value), .real): value == cell.realValue
    case (.text(let bytes), .text), (.blob(let bytes), .blob): batch.bytes(of: cell).elementsEqual(bytes)
    default: false
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

// MARK: - Inserting and updating

extension WorkingRows {
  private func upsert(
    _ step: RowStep, _ rules: EntityRules, _ batch: borrowing RowBatch, allowsMissing: Bool = false
  ) -> WriteResult {
    let missing = allowsMissing ? nil : rules.required.first { !batch[step.row, $0].hasValue }
    if let found = find(step, rules, batch) {
      guard step.isReplacement, !rules.layout.entity.hasIdentity else {
        return update(found, step.row, rules, batch)
      }
      if let missing { return .problem(.missing(attribute: rules.attribute(of: missing))) }
      return replace(found, step.row, rules, batch)
    }
    if rules.layout.entity.isAbstract { return .problem(.unknownKind) }
    if let missing { return .problem(.missing(attribute: rules.attribute(of: missing))) }
    let table = rules.layout.table
    var object = StoredRow(
      entity: rules.layout.entity.index,
      values: Array(repeating: .null, count: layout.tables[table].columns.count))
    for slot in rules.layout.slots.indices { set(slot, of: step.row, in: &object, rules, batch) }
    let constraint = state.tables[table].violation(object, in: nil)
    if let constraint, !policy.isLocal { return .problem(.notUnique(constraint)) }
    let row = state.tables[table].insert(object, hasIdentity: rules.layout.entity.hasIdentity)
    if constraint != nil { noteUnchecked(RowLocation(table: table, row: row), row: step.row) }
    return .written(WrittenRow(.inserted, row: row))
  }

  /// Sets a slot of an object as a row says it; where it says nothing, to the default.
  private func set(
    _ slot: Int, of row: Int, in object: inout StoredRow, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) {
    let cell = batch[row, slot]
    let value = cell.kind == .absent ? Value(rules.defaults.value(slot)) : Value(cell, batch)
    object.values[rules.layout.slots[slot]] = value
  }

  /// Puts a row, defaults and all, in the place of an object without identity.
  private func replace(
    _ found: (row: Int64, object: StoredRow), _ row: Int, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) -> WriteResult {
    var hasDefaults = true
    for slot in rules.layout.attributeSlots where batch[row, slot].kind == .absent {
      let value = Value(rules.defaults.value(slot))
      hasDefaults = hasDefaults && found.object.values[rules.layout.slots[slot]] == value
    }
    if hasDefaults { return update(found, row, rules, batch) }
    var object = found.object
    let kind = object.entity
    for slot in rules.layout.slots.indices { set(slot, of: row, in: &object, rules, batch) }
    object.entity = kind
    let changed = object
    state.tables[rules.layout.table].update(found.row) { $0 = changed }
    return .written(WrittenRow(.updated, row: found.row))
  }

  private func update(
    _ found: (row: Int64, object: StoredRow), _ row: Int, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) -> WriteResult {
    let (entity, before) = (rules.layout, found.object)
    var changed: Set<Int> = []
    for slot in entity.slots.indices where batch[row, slot].kind != .absent {
      let new = Value(batch[row, slot], batch)
      if differs(before.values[entity.slots[slot]], new, slot, rules) { changed.insert(slot) }
    }
    var ownerChange = OwnerChange.none
    for key in rules.foreignKeys where !changed.isDisjoint(with: key.slots) {
      // An object that leaves a list leaves its place in it.
      if let order = key.order, batch[row, order].kind == .absent { changed.insert(order) }
      let link = batch[row, key.slots[0]].link
      guard key.relationship.inverse != nil, link.isFromList,
        !before.values[entity.slots[key.slots[0]]].isNull
      else { continue }
      ownerChange = .made
      guard link == .claimedByList else { continue }
      // Another list may claim it too, so that is decided in the end.
      changed.subtract(key.slots + (key.order.map { [$0] } ?? []))
      ownerChange = .left
    }
    var object = before
    var formerKind: Int?
    if !state.isA(before, entity.entity.index) {
      for slot in rules.required
      where batch[row, slot].kind == .absent && before.values[entity.slots[slot]].isNull {
        return .problem(.missing(attribute: rules.attribute(of: slot)))
      }
      formerKind = before.entity
      becomeKind(&object, &changed, formerly: before.entity, row, rules, batch)
    }
    for slot in changed { set(slot, of: row, in: &object, rules, batch) }
    guard !changed.isEmpty || formerKind != nil else {
      return .written(WrittenRow(.unchanged, row: found.row, ownerChange: ownerChange))
    }
    let constraint = state.tables[entity.table].violation(object, in: found.row)
    if let constraint, !policy.isLocal { return .problem(.notUnique(constraint)) }
    if constraint != nil { noteUnchecked(RowLocation(table: entity.table, row: found.row), row: row) }
    let new = object
    state.tables[entity.table].update(found.row) { $0 = new }
    return .written(
      WrittenRow(.updated, row: found.row, ownerChange: ownerChange, formerKind: formerKind))
  }

  /// Whether a value is another than the one that is stored. A program may hold that in fewer digits.
  private func differs(_ stored: Value, _ new: Value, _ slot: Int, _ rules: EntityRules) -> Bool {
    guard stored != new else { return false }
    guard let equality, rules.layout.attributeSlots.contains(slot) else { return true }
    return !equality.isSame(rules.layout, slot: slot, stored: stored.sql, new: new.sql)
  }

  /// Makes an object one of another kind: it gets the defaults of what it had not, and loses what only its former kind
  /// had.
  private func becomeKind(
    _ object: inout StoredRow, _ changed: inout Set<Int>, formerly kind: Int, _ row: Int,
    _ rules: EntityRules, _ batch: borrowing RowBatch
  ) {
    let (entity, former) = (rules.layout, layout.entities[kind])
    for slot in entity.attributeSlots
    where batch[row, slot].kind == .absent && rules.defaults.cells[slot].kind != .absent
      && former.slotOfColumn[entity.slots[slot]] < 0
    {
      changed.insert(slot)
    }
    if let slot = entity.kindValueSlot { changed.insert(slot) }
    object.entity = entity.entity.index
    for (column, slot) in entity.slotOfColumn.enumerated()
    where slot < 0 && !layout.tables[entity.table].columns[column].isKey {
      object.values[column] = .null
    }
  }

  // MARK: - Values that must be unique

  struct DeferredValues {
    let ticket: Int
    let entity: Int
    let row: Int64
    let isNew: Bool
    /// By column, the value to set and the one that the object had.
    let values: [(column: Int, value: Value, former: Value)]
  }

  /// Notes an object that a program gave values which another has: that may give them away before the transaction ends.
  private func noteUnchecked(_ place: RowLocation, row: Int) {
    uncheckedValues.append((context.problems.addDeferred(row: row), place))
  }

  /// The objects that have values which others have too.
  package func uniquenessProblems() -> [DeferredProblem] {
    let items = uncheckedValues
    uncheckedValues = []
    return items.compactMap { ticket, place in
      guard let object = state.object(place) else { return nil }
      return state.tables[place.table].violation(object, in: place.row).map { (ticket, .notUnique($0)) }
    }
  }

  /// Writes a row without the values that must be unique: another object may give them away later.
  private func writeWithoutUnique(
    _ step: RowStep, _ rules: EntityRules, _ batch: inout RowBatch
  ) -> WriteResult? {
    let row = step.row
    var slots: [Int] = []
    for slot in rules.uniqueSlots where batch[row, slot].hasValue { slots.append(slot) }
    guard !policy.isLocal, !step.isReplacement, !slots.isEmpty else { return nil }
    let found = find(step, rules, batch)
    var before: [Cell] = []
    for slot in slots { before.append(batch[row, slot]) }
    var values: [(column: Int, value: Value, former: Value)] = []
    for (slot, cell) in zip(slots, before) {
      let column = rules.layout.slots[slot]
      values.append((column, Value(cell, batch), found?.object.values[column] ?? .null))
      batch[row, slot] = .null
    }
    let result = upsert(step, rules, batch, allowsMissing: true)
    for (slot, cell) in zip(slots, before) { batch[row, slot] = cell }
    guard case .written(let written) = result else { return nil }
    uniqueValues.append(
      DeferredValues(
        ticket: context.problems.addDeferred(row: row), entity: rules.layout.entity.index, row: written.row,
        isNew: written.outcome == .inserted, values: values))
    return result
  }

  /// Sets the values that waited for others to give them away, and says where they did not.
  package func setUniqueValues(_ deleter: ObjectDeleter<WorkingRows>) -> [DeferredProblem] {
    let items = uniqueValues
    uniqueValues = []
    return items.portions.flatMap { portion in
      fetchForUniqueness(portion)
      return portion.compactMap { setUniqueValues($0, deleter) }
    }
  }

  private func setUniqueValues(
    _ item: DeferredValues, _ deleter: ObjectDeleter<WorkingRows>
  ) -> DeferredProblem? {
    let table = state.tableIndex(of: item.entity)
    guard var object = state.tables[table][item.row] else { return nil }
    for value in item.values { object.values[value.column] = value.value }
    let constraint = state.tables[table].violation(object, in: item.row)
    if constraint != nil { for value in item.values { object.values[value.column] = value.former } }
    let changed = object
    state.tables[table].update(item.row) { $0 = changed }
    guard let constraint else { return nil }
    guard item.isNew else { return (item.ticket, .valueNotUnique(constraint)) }
    deleter.deleteInserted(item.row, of: item.entity)
    return (item.ticket, .notUnique(constraint))
  }
}

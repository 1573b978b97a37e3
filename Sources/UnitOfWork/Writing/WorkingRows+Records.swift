package import Bytes
package import ObjectModel
package import ObjectStore

/// Questions and changes of the rules of writing records, in the identity map.
extension WorkingRows {
  package func write(
    _ step: RowStep, _ rules: EntityRules, allowsMissing: Bool, _ batch: inout RowBatch
  ) -> WriteResult {
    upsert(step, rules, batch, allowsMissing: allowsMissing)
  }

  /// The stored object that a row is about.
  func find(
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
      if !stored.values[entity.slots[slot]].equals(batch[row, slot], batch) { return false }
    }
    return true
  }

  package func find(_ key: [Cell], inTable table: Int, _ batch: borrowing RowBatch) -> Int64? {
    state.tables[table].find(values(key, batch))
  }

  package func contains(_ key: [Cell], of entity: Int, _ batch: borrowing RowBatch) -> Bool {
    state.find(values(key, batch), of: entity) != nil
  }

  package func storedValues(
    of step: RowStep, slots: [Int], _ rules: EntityRules, _ batch: borrowing RowBatch
  ) -> [SQLValue] {
    let found = find(step, rules, batch)
    return slots.map { found?.object.values[rules.layout.slots[$0]].sql ?? .null }
  }

  package func setUniqueValues(
    _ values: [SQLValue], of columns: [Int], in place: RowLocation
  ) -> String? {
    guard var object = state.object(place) else { return nil }
    for (column, value) in zip(columns, values) { object.values[column] = Value(value) }
    if let constraint = state.tables[place.table].violation(object, in: place.row) { return constraint }
    let changed = object
    state.tables[place.table].update(place.row) { $0 = changed }
    return nil
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

  func setOwner(
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
    of owner: [Cell], to targets: inout TargetKeys, _ rules: ListRules, isMerging: Bool,
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

  private func key(_ targets: borrowing TargetKeys, _ index: Int, _ batch: borrowing RowBatch) -> RowKey {
    if targets.width == 1 { return RowKey(Value(targets.cell(index, part: 0), batch)) }
    var key: RowKey = []
    for part in 0..<targets.width { key.append(Value(targets.cell(index, part: part), batch)) }
    return key
  }

  package func insertLink(
    from owner: [Cell], to target: Int, of targets: borrowing TargetKeys, at place: Int, _ rules: ListRules,
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

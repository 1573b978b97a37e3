package import Bytes
package import ObjectModel

/// Questions and changes of the rules of writing records, as statements of SQLite.
extension SQLiteRows {
  package func write(
    _ step: RowStep, _ rules: EntityRules, allowsMissing: Bool, _ batch: inout RowBatch
  ) throws -> WriteResult {
    let writer = try writer(rules)
    writer.allowsMissing = allowsMissing
    let result = try writer.write(step, of: batch)
    switch result {
    case .problem(.notUnique) where policy.isLocal:
      return try uncheckedValues.write(step, writer, &batch) ?? result
    case .written(let written) where uncheckedValues.concern(table: rules.layout.table):
      uncheckedValues.note(written.row, row: step.row, table: rules.layout.table)
    default: break
    }
    return result
  }

  package func insertStub(_ key: [Cell], _ rules: EntityRules, _ batch: borrowing RowBatch) throws -> Int64? {
    try writer(rules).insertStub(key, batch)
  }

  package func storedVersion(
    of step: RowStep, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) throws -> StoredVersion? {
    try writer(rules).storedVersion(of: step, batch)
  }

  package func storedReference(
    of step: RowStep, slot: Int, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) throws -> Int64? {
    try writer(rules).storedReference(of: step, slot: slot, batch)
  }

  package func matches(
    _ row: Int, _ object: Int64, _ rules: EntityRules, _ batch: borrowing RowBatch
  ) throws -> Bool {
    try writer(rules).matches(row, object, batch)
  }

  package func find(_ key: [Cell], inTable table: Int, _ batch: borrowing RowBatch) throws -> Int64? {
    let statement = try keyLookups[table] ?? transaction.cached(keyLookup(layout.tables[table]))
    keyLookups[table] = statement
    for index in key.indices { statement.bind(key[index], of: batch, at: index + 1) }
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return statement.integer(0)
  }

  package func contains(_ key: [Cell], of entity: Int, _ batch: borrowing RowBatch) throws -> Bool {
    if let known = targets[entity] { return try known.contains(key, batch) }
    let target = try TargetTable(
      layout.table(of: entity), condition: layout.kindCondition(of: entity), transaction)
    targets[entity] = target
    return try target.contains(key, batch)
  }

  package func storedValues(
    of step: RowStep, slots: [Int], _ rules: EntityRules, _ batch: borrowing RowBatch
  ) throws -> [SQLValue] {
    try writer(rules).storedValues(of: step, slots: slots, batch)
  }

  package func setUniqueValues(
    _ values: [SQLValue], of columns: [Int], in place: RowLocation
  ) throws -> String? {
    do {
      try setValues(values, of: columns, in: place)
      return nil
    } catch let error as StoreError where error.isUniquenessViolation {
      return error.constraint
    }
  }

  package func uniquenessProblems() throws -> [DeferredProblem] { try uncheckedValues.restoreChecks() }

  package func countChange(of place: RowLocation) throws {
    let table = layout.tables[place.table]
    var entity = table.root
    if table.kindColumn != nil, let actual = try self.entity(of: place) { entity = actual.index }
    context.tally.countChange(row: place.row, entity: entity, table: place.table)
  }

  package func noteChange(of place: RowLocation) throws {
    try countChange(of: place)
    context.repetitions.forget(inTable: place.table)
  }

  // MARK: - Links in their targets' rows

  private func statements(onChildren rules: ListRules) throws -> ChildStatements {
    if let known = children[rules.relationship.index] { return known }
    let statements = try ChildStatements(rules, transaction)
    children[rules.relationship.index] = statements
    return statements
  }

  package func children(of owner: [Cell], _ rules: ListRules, _ batch: borrowing RowBatch) throws
    -> SQLiteLinks
  {
    try transaction.makeIndexes()
    return try statements(onChildren: rules).children(of: owner, batch)
  }

  package func storedChild(
    _ key: [Cell], of owner: [Cell], _ rules: ListRules, _ batch: borrowing RowBatch
  ) throws -> StoredChild? {
    try statements(onChildren: rules).find(key, of: owner, batch)
  }

  package func setOwner(
    of child: Int64, _ rules: ListRules, to owner: [Cell]?, at place: Int?, _ batch: borrowing RowBatch
  ) throws -> Bool {
    let statements = try statements(onChildren: rules)
    if let owner { return try statements.link(child, to: owner, at: place, batch) }
    try statements.unlink(child)
    return true
  }

  package func setOwner(
    of child: Int64, _ rules: ListRules, by claim: OwnershipClaim
  ) throws -> Bool {
    try statements(onChildren: rules).link(child, by: claim)
  }

  // MARK: - Links in join tables

  private func statements(onLinks rules: ListRules) throws -> JoinStatements {
    if let known = joins[rules.relationship.index] { return known }
    let statements = try JoinStatements(rules, transaction)
    joins[rules.relationship.index] = statements
    return statements
  }

  package func links(of owner: [Cell], _ rules: ListRules, _ batch: borrowing RowBatch) throws -> SQLiteLinks
  {
    let statements = try statements(onLinks: rules)
    // Forwards, the primary key finds an owner's links; backwards, an index has to.
    if !statements.sql.isForward { try transaction.makeIndexes() }
    return statements.links(of: owner, batch)
  }

  package func insertLink(
    from owner: [Cell], to target: Int, of targets: borrowing TargetKeys, at place: Int, _ rules: ListRules,
    _ batch: borrowing RowBatch
  ) throws -> Bool {
    try statements(onLinks: rules).insert(from: owner, to: target, of: targets, at: place, batch)
  }

  package func moveLink(_ link: Int64, to place: Int, _ rules: ListRules) throws {
    try statements(onLinks: rules).move(link, to: place)
  }

  package func removeLink(_ link: Int64, _ rules: ListRules) throws {
    try statements(onLinks: rules).remove(link)
  }

  package func target(ofLink link: Int64, _ rules: ListRules) throws -> Int64? {
    try statements(onLinks: rules).target(of: link)
  }

  package func link(
    from owner: [Cell], to target: [Cell], _ rules: ListRules, _ batch: borrowing RowBatch
  ) throws -> Int64? {
    try statements(onLinks: rules).find(from: owner, to: target, batch)
  }

  // MARK: - Links of one object to one

  private func statements(on key: ForeignKey) throws -> OneToOneStatements {
    if let known = oneToOne[key.relationship.index] { return known }
    let statements = try OneToOneStatements(key, transaction)
    oneToOne[key.relationship.index] = statements
    return statements
  }

  package func rivals(
    by key: ForeignKey, of target: [Cell], sparing row: Int64, _ batch: borrowing RowBatch
  ) throws -> [Int64] {
    try transaction.makeIndexes()
    return try statements(on: key).rivals(of: target, sparing: row, batch)
  }

  package func setReference(
    of row: Int64, by key: ForeignKey, to target: [Cell]?, _ batch: borrowing RowBatch
  ) throws -> Bool {
    let statements = try statements(on: key)
    if let target { return try statements.point(row, to: target, batch) }
    try statements.unlink(row)
    return true
  }

  package func setReference(of row: Int64, by key: ForeignKey, toRow other: Int64) throws -> Bool {
    try statements(on: key).point(row, toKeyOf: other)
  }

  // MARK: - Links that wait in their owners

  package var hasPending: Bool { pending != nil }

  package func pendingTargets(of relationship: SchemaRelationship, owner: String) throws -> [String] {
    try pending?.targets(of: relationship, owner: owner).map(\.key) ?? []
  }

  @discardableResult
  package func addPending(
    _ relationship: SchemaRelationship, owner: String, target: String, place: Int64?, keepsPlace: Bool
  ) throws -> Int64 {
    let table = try pending ?? PendingLinkStore(transaction)
    pending = table
    let row = try table.add(
      relationship, owner: owner, target: target, position: place, keepsPosition: keepsPlace)
    references.add(stored: relationship, row: row)
    return row
  }

  package func forgetPending(
    _ relationship: SchemaRelationship, to target: String, exceptOf owner: String
  ) throws -> [Int64] {
    try pending?.forgetOthers(relationship, than: owner, target: target) ?? []
  }

  package func forgetPending(_ relationship: SchemaRelationship, owner: String, target: String) throws {
    try pending?.forget(relationship, owner: owner, target: target)
  }

  package func forgetPending(_ relationship: SchemaRelationship, owner: String) throws {
    try pending?.forget(relationship, owner: owner)
  }

  package func takePending(for entity: SchemaEntity, target: String) throws -> [ArrivedLink] {
    try pending?.take(for: entity, target: target) ?? []
  }

  package func complete(_ link: ArrivedLink, of place: RowLocation) throws {
    guard case .inverse(let columns, let placeColumn) = layout.relationships[link.relationship],
      let owner = KeyText.split(link.owner, count: columns.count)
    else { return }
    let order = link.place == nil ? nil : placeColumn
    let table = layout.tables[place.table]
    let names = (columns + (order.map { [$0] } ?? [])).map { table.columns[$0].name }
    let settings = names.enumerated().map { "\(SQL.quoted($1)) = ?\($0 + 2)" }
    let statement = try transaction.cached(
      "UPDATE \(SQL.quoted(table.name)) SET \(settings.joined(separator: ", ")) WHERE rowid = ?1")
    statement.bind(place.row, at: 1)
    for (index, part) in owner.enumerated() { statement.bind(part, at: index + 2) }
    if order != nil, let position = link.place { statement.bind(position, at: columns.count + 2) }
    try statement.run()
  }

  // MARK: - References that lead nowhere

  package func noteMissing(_ relationship: SchemaRelationship, of entity: Int, row: Int64) {
    references.add(relationship, entity: entity, row: row)
  }

  package func noteMissing(_ relationship: SchemaRelationship, link: Int64) {
    references.add(relationship, row: link)
  }

  package func noteFailure(_ error: SystemError) throws { throw StoreError.tooDeep(error) }
}

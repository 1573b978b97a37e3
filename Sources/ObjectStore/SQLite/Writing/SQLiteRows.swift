import ObjectModel

/// The rows of a writer on SQLite: a statement for each question and each change, prepared once.
final class SQLiteRows: RowStore {
  typealias Failure = any Error

  let context: WriteContext
  let layout: Layout
  private let claims: ListClaims
  let pendingLinks: PendingLinks
  private let references: PendingReferences
  /// The objects that were there when the import began, if it commits in chunks and prunes.
  var before: SQLiteObjectSetSnapshot?

  /// The statements that give the entity and the key of a row, by table.
  private var kinds: [PreparedStatement?]
  private var keys: [PreparedStatement?]
  /// The statements that give the rows at the ends of relationships, by relationship.
  private var targetRows: [PreparedStatement?]
  private var ownerRows: [PreparedStatement?]
  /// By entity.
  private var removals: [Removal?]

  /// The statements that remove an object of an entity, and the links to it and from it.
  private struct Removal {
    let unlinking: [PreparedStatement]
    let row: PreparedStatement

    init(_ entity: SchemaEntity, _ transaction: SQLiteTransaction) throws {
      let layout = transaction.layout
      let sql = DeletionSQL(layout: layout, table: layout.table(of: entity.index))
      unlinking = try sql.unlinking(entity).map(transaction.prepare)
      row = try transaction.cached(sql.removal)
    }
  }

  init(
    _ context: WriteContext, _ claims: ListClaims, _ pendingLinks: PendingLinks,
    _ references: PendingReferences, before: SQLiteObjectSetSnapshot?
  ) {
    self.context = context
    self.claims = claims
    self.pendingLinks = pendingLinks
    self.references = references
    self.before = before
    layout = context.layout
    kinds = Array(repeating: nil, count: layout.tables.count)
    keys = kinds
    targetRows = Array(repeating: nil, count: layout.schema.relationships.count)
    ownerRows = targetRows
    removals = Array(repeating: nil, count: layout.entities.count)
  }

  var policy: WritePolicy { context.policy }

  func sql(_ place: RowLocation) -> DeletionSQL {
    DeletionSQL(layout: layout, table: layout.tables[place.table])
  }

  // MARK: - Objects and their links

  func entity(of place: RowLocation) throws -> SchemaEntity? {
    let table = layout.tables[place.table]
    let kind = try kinds[place.table] ?? context.transaction.prepare(sql(place).kind)
    kinds[place.table] = kind
    kind.bind(place.row, at: 1)
    guard try kind.step() else { return nil }
    defer { kind.reset() }
    let named = table.kindColumn == nil ? nil : layout.schema.entity(kind.string(0))
    return named ?? layout.schema.entities[table.root]
  }

  func keyText(of place: RowLocation) throws -> String {
    let key = try keyStatement(place)
    guard try key.step() else { return "" }
    defer { key.reset() }
    return KeyText.ofColumns(0..<key.columnCount, key)
  }

  /// The statement that gives the key of an object, which is bound.
  func keyStatement(_ place: RowLocation) throws -> PreparedStatement {
    let key = try keys[place.table] ?? context.transaction.prepare(sql(place).key)
    keys[place.table] = key
    key.bind(place.row, at: 1)
    return key
  }

  func targets(of relationship: SchemaRelationship, from owner: RowLocation) throws -> [RowLocation] {
    let statement =
      try targetRows[relationship.index]
      ?? context.transaction.cached(sql(owner).targets(of: relationship))
    targetRows[relationship.index] = statement
    return try rows(statement, of: owner, inTable: layout.entities[relationship.destination].table)
  }

  func owners(by relationship: SchemaRelationship, of target: RowLocation) throws -> [RowLocation] {
    let statement =
      try ownerRows[relationship.index] ?? context.transaction.cached(sql(target).owners(by: relationship))
    ownerRows[relationship.index] = statement
    return try rows(statement, of: target, inTable: layout.entities[relationship.owner].table)
  }

  private func rows(
    _ statement: PreparedStatement, of place: RowLocation, inTable table: Int
  ) throws -> [RowLocation] {
    statement.bind(place.row, at: 1)
    var result: [RowLocation] = []
    while try statement.step() { result.append(RowLocation(table: table, row: statement.integer(0))) }
    return result
  }

  func hasTarget(
    of relationship: SchemaRelationship, from owner: RowLocation, outside others: Set<RowLocation>
  ) throws -> Bool {
    let table = layout.entities[relationship.destination].table
    let targets = try context.rareStatement(sql(owner).unorderedTargets(of: relationship), owner.row)
    while try targets.step() {
      guard !others.contains(RowLocation(table: table, row: targets.integer(0))) else { continue }
      targets.reset()
      return true
    }
    return false
  }

  func hasLinks(by relationship: SchemaRelationship, from owner: RowLocation) throws -> Bool {
    let keys = try context.rareStatement(
      RelationshipSQL(layout: layout, relationship: relationship).keys, owner.row)
    if try keys.step() {
      keys.reset()
      return true
    }
    guard pendingLinks.hasStored, case .inverse = layout.relationships[relationship.index] else {
      return false
    }
    return try pendingLinks.isWaiting(relationship, owner: keyText(of: owner))
  }

  // MARK: - Changes

  func remove(_ place: RowLocation, of entity: SchemaEntity) throws {
    if entity.hasIdentity, pendingLinks.hasStored {
      try pendingLinks.forgetAll(of: entity, owner: keyText(of: place))
    }
    let removal = try removal(entity)
    for statement in removal.unlinking { try run(statement, place.row) }
    try run(removal.row, place.row)
    context.tally.countDeleted(row: place.row, entity: entity.index, table: place.table)
    noteGone(place)
  }

  private func removal(_ entity: SchemaEntity) throws -> Removal {
    if let known = removals[entity.index] { return known }
    let made = try Removal(entity, context.transaction)
    removals[entity.index] = made
    return made
  }

  func run(_ statement: PreparedStatement, _ row: Int64) throws {
    statement.bind(row, at: 1)
    try statement.run()
  }

  /// Forgets what was kept of a row that is gone.
  private func noteGone(_ place: RowLocation) {
    claims.drop(ofDeleted: place.row, inTable: place.table)
    context.repetitions.forget(inTable: place.table)
  }

  func removeInserted(_ place: RowLocation, of entity: SchemaEntity, listedBy lists: [Int]) throws {
    if pendingLinks.hasStored { try pendingLinks.forgetAll(of: entity, owner: keyText(of: place)) }
    for relationship in layout.schema.relationships where entity.ancestry.contains(relationship.destination) {
      if lists.contains(relationship.index) { try keepPending(for: place, relationship) }
      guard let links = sql(place).linksFromOwners(of: relationship) else { continue }
      let statement = try context.rareStatement(links, place.row)
      while try statement.step() { references.add(relationship, row: statement.integer(0)) }
    }
    try run(removal(entity).row, place.row)
    noteGone(place)
  }

  /// Has the owner of a list, which is told by columns of a row that goes, wait for it.
  private func keepPending(for place: RowLocation, _ relationship: SchemaRelationship) throws {
    guard case .inverse(let columns, let order) = layout.relationships[relationship.index] else { return }
    let table = layout.tables[place.table]
    let names = (columns + (order.map { [$0] } ?? [])).map { table.columns[$0].name }
    let link = try context.rareStatement(
      "SELECT \(SQL.list(names)) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1", place.row)
    guard try link.step() else { return }
    defer { link.reset() }
    guard !columns.indices.contains(where: { link.isNull($0) }) else { return }
    try pendingLinks.store(
      relationship, owner: KeyText.ofColumns(0..<columns.count, link), target: keyText(of: place),
      place: order == nil || link.isNull(columns.count) ? nil : link.integer(columns.count))
  }

  func removeLinks(
    of relationship: SchemaRelationship, from owner: RowLocation, isOfFormerKind: Bool
  ) throws {
    let sql = sql(owner)
    let isIdentity = relationship.inverse.map { layout.schema.relationships[$0].isIdentity } ?? false
    if isOfFormerKind, case .inverse(let columns, _) = layout.relationships[relationship.index] {
      if !isIdentity {
        let targets = layout.table(of: relationship.destination)
        try context.rareStatement(sql.clearing(columns, of: targets), owner.row).run()
      }
      if pendingLinks.hasStored { try pendingLinks.forget(relationship, owner: keyText(of: owner)) }
    }
    for removal in sql.removingLinks(of: relationship, fromOwner: true) {
      try context.rareStatement(removal, owner.row).run()
    }
  }

  // MARK: - Objects that lists no longer have

  func keyIfWithoutOwner(_ release: DeferredRelease) throws -> String? {
    let table = layout.entities[release.relationship.destination].table
    let place = RowLocation(table: table, row: release.child)
    guard try isWithoutOwner(release, layout.tables[table]) else { return nil }
    let key = try keyText(of: place)
    // The row may be another object's by now.
    return release.key.map { ExactText($0) == ExactText(key) } ?? true ? key : nil
  }

  /// Whether no other list has taken the object since: it still has its old owner, or no link of a join table leads
  /// to it.
  private func isWithoutOwner(_ release: DeferredRelease, _ table: Table) throws -> Bool {
    let name = SQL.quoted(table.name)
    switch layout.relationships[release.relationship.index] {
    case .foreignKey: return false
    case .inverse(let columns, _):
      let names = columns.map { table.columns[$0].name }
      let owner = try context.rareStatement(
        "SELECT \(SQL.list(names)) FROM \(name) WHERE rowid = ?1", release.child)
      guard try owner.step() else { return false }
      defer { owner.reset() }
      return KeyText.ofColumns(0..<columns.count, owner) == release.owner
    case .join(let index, let isForward):
      let join = layout.joins[index]
      let sql = JoinSQL(join: join, isForward: isForward)
      let pairs = zip(sql.target, table.key).map { column, key in
        "j.\(SQL.quoted(column)) = t.\(SQL.quoted(table.columns[key].name))"
      }
      let statement = try context.rareStatement(
        """
        SELECT 1 FROM \(name) t WHERE rowid = ?1 AND NOT EXISTS
        (SELECT 1 FROM \(SQL.quoted(join.name)) j WHERE \(pairs.joined(separator: " AND ")))
        """, release.child)
      defer { statement.reset() }
      return try statement.step()
    }
  }

  func clearOwner(of release: DeferredRelease) throws {
    guard case .inverse(let columns, let order) = layout.relationships[release.relationship.index] else {
      return
    }
    let table = layout.table(of: release.relationship.destination)
    let names = (columns + (order.map { [$0] } ?? [])).map { table.columns[$0].name }
    let settings = names.map { "\(SQL.quoted($0)) = NULL" }.joined(separator: ", ")
    try context.rareStatement(
      "UPDATE \(SQL.quoted(table.name)) SET \(settings) WHERE rowid = ?1", release.child
    ).run()
    try context.countChange(of: release.child, entity: release.relationship.destination)
  }

  // MARK: - What has happened

  func takeTicket() -> Int { context.problems.takeTicket() }

  func hasSeen(_ place: RowLocation) -> Bool { context.tally.hasSeen(place.row, table: place.table) }

  var hasLeftOut: Bool { context.tally.hasSkipped || context.hasLeftOutObjects }

  func isUnsynced(_ place: RowLocation) -> Bool {
    context.unsent?.protection(of: place.row, table: place.table) != nil
  }

  func countUnsynced(_ place: RowLocation) {
    context.tally.countPartlyUnsent(
      row: place.row, entity: layout.tables[place.table].root, table: place.table)
  }

  func countInsertionUndone(_ place: RowLocation, of entity: Int) {
    context.tally.countInsertionUndone(row: place.row, entity: entity, table: place.table)
  }

  func countUnsyncedInsteadOfSkipped(of entity: Int) {
    context.tally.countUnsentInsteadOfSkipped(entity: entity)
  }

  var deletedCount: Int { context.tally.deletedCount }

  // MARK: - Many objects

  func prepareDeletion(of places: some Collection<RowLocation>) throws {
    try context.transaction.makeIndexes()
  }

  func prepareLookup(of places: some Collection<RowLocation>) throws {
    if !places.isEmpty { try context.transaction.makeIndexes() }
  }

  func rows(of query: Query) throws -> [Int64] { try context.transaction.rows(of: query) }

  func count(_ query: Query) throws -> Int { try context.transaction.count(query) }

  func rowsFromBefore(_ rows: [Int64], inTable table: Int) throws -> [Int64] {
    try before?.known(rows, of: layout.tables[table], context.transaction) ?? rows
  }

  struct Savepoint {
    fileprivate let state: SQLiteTransaction.Savepoint
    fileprivate let tally: WriteCounter
  }

  func setSavepoint() throws -> Savepoint {
    try context.transaction.makeIndexes()
    return Savepoint(state: try context.transaction.setSavepoint(), tally: context.tally)
  }

  func undo(to savepoint: Savepoint) throws {
    try context.transaction.undo(to: savepoint.state)
    context.tally = savepoint.tally
  }

  func release(_ savepoint: Savepoint) throws { try context.transaction.release(savepoint.state) }
}

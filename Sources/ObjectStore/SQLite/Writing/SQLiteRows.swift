import Bytes
package import ObjectModel

/// The rows of a writer on SQLite: a statement for each question and each change, prepared once.
package final class SQLiteRows: RowStore {
  package typealias Failure = any Error

  let transaction: SQLiteTransaction
  package let context: WriteContext
  package let layout: Layout
  let references: PendingReferences
  /// Values of a program that are checked for uniqueness in the end.
  let uncheckedValues: UncheckedValues
  /// Knows which values are one, where a program writes.
  private let equality: ValueEquality?
  /// The objects that were there when the import began, if it commits in chunks and prunes.
  var before: SQLiteObjectSetSnapshot?

  /// By entity, made when first needed.
  var writers: [EntityWriter?]
  var targets: [TargetTable?]
  /// By relationship, made when first needed.
  var children: [ChildStatements?]
  var joins: [JoinStatements?]
  var oneToOne: [OneToOneStatements?]
  /// The links that wait; nil as long as the store remembers none.
  var pending: PendingLinkStore?
  /// Statements that are seldom needed, by their SQL.
  private var rareStatements: [String: PreparedStatement] = [:]

  /// The statements that give the entity and the key of a row, and the row with a key, by table.
  private var kinds: [PreparedStatement?]
  private var keys: [PreparedStatement?]
  var keyLookups: [PreparedStatement?]
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

  /// - Parameters:
  ///   - equality: Knows which values are one, where a program writes.
  ///   - former: What the former transaction of the same import left to be done.
  init(
    _ transaction: SQLiteTransaction, _ context: WriteContext, equality: ValueEquality?,
    continuing former: RowWriterState?
  ) throws {
    self.transaction = transaction
    self.context = context
    self.equality = equality
    layout = context.layout
    references = PendingReferences(context, transaction, continuing: former)
    uncheckedValues = UncheckedValues(context, transaction)
    before = former?.before
    writers = Array(repeating: nil, count: layout.entities.count)
    targets = Array(repeating: nil, count: layout.entities.count)
    kinds = Array(repeating: nil, count: layout.tables.count)
    keys = kinds
    keyLookups = kinds
    targetRows = Array(repeating: nil, count: layout.schema.relationships.count)
    ownerRows = targetRows
    children = Array(repeating: nil, count: targetRows.count)
    joins = Array(repeating: nil, count: targetRows.count)
    oneToOne = Array(repeating: nil, count: targetRows.count)
    removals = Array(repeating: nil, count: layout.entities.count)
    let table = try PendingLinkStore(transaction)
    if try !table.isEmpty() { pending = table }
  }

  func writer(_ rules: EntityRules) throws -> EntityWriter {
    if let known = writers[rules.layout.entity.index] { return known }
    if !policy.isLocal { try transaction.delaySearch(ofTable: rules.layout.table) }
    let writer = try EntityWriter(rules, transaction, equality)
    writers[rules.layout.entity.index] = writer
    return writer
  }

  /// Prepares a statement that takes a row id and is seldom needed.
  private func rareStatement(_ sql: String, _ row: Int64) throws -> PreparedStatement {
    let statement = try rareStatements[sql] ?? transaction.prepare(sql)
    rareStatements[sql] = statement
    statement.bind(row, at: 1)
    return statement
  }

  func sql(_ place: RowLocation) -> DeletionSQL {
    DeletionSQL(layout: layout, table: layout.tables[place.table])
  }

  // MARK: - Objects and their links

  package func entity(of place: RowLocation) throws -> SchemaEntity? {
    let table = layout.tables[place.table]
    let kind = try kinds[place.table] ?? transaction.prepare(sql(place).kind)
    kinds[place.table] = kind
    kind.bind(place.row, at: 1)
    guard try kind.step() else { return nil }
    defer { kind.reset() }
    let named = table.kindColumn == nil ? nil : layout.schema.entity(kind.string(0))
    return named ?? layout.schema.entities[table.root]
  }

  package func keyText(of place: RowLocation) throws -> String {
    let key = try keyStatement(place)
    guard try key.step() else { return "" }
    defer { key.reset() }
    return KeyText.ofColumns(0..<key.columnCount, key)
  }

  /// The statement that gives the key of an object, which is bound.
  func keyStatement(_ place: RowLocation) throws -> PreparedStatement {
    let key = try keys[place.table] ?? transaction.prepare(sql(place).key)
    keys[place.table] = key
    key.bind(place.row, at: 1)
    return key
  }

  package func targets(of relationship: SchemaRelationship, from owner: RowLocation) throws -> [RowLocation] {
    let statement =
      try targetRows[relationship.index]
      ?? transaction.cached(sql(owner).targets(of: relationship))
    targetRows[relationship.index] = statement
    return try rows(statement, of: owner, inTable: layout.entities[relationship.destination].table)
  }

  package func owners(by relationship: SchemaRelationship, of target: RowLocation) throws -> [RowLocation] {
    let statement =
      try ownerRows[relationship.index] ?? transaction.cached(sql(target).owners(by: relationship))
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

  package func hasTarget(
    of relationship: SchemaRelationship, from owner: RowLocation, outside others: Set<RowLocation>
  ) throws -> Bool {
    let table = layout.entities[relationship.destination].table
    let targets = try rareStatement(sql(owner).unorderedTargets(of: relationship), owner.row)
    while try targets.step() {
      guard !others.contains(RowLocation(table: table, row: targets.integer(0))) else { continue }
      targets.reset()
      return true
    }
    return false
  }

  package func hasLinks(by relationship: SchemaRelationship, from owner: RowLocation) throws -> Bool {
    let keys = try rareStatement(
      RelationshipSQL(layout: layout, relationship: relationship, SQLiteDialect()).keys, owner.row)
    if try keys.step() {
      keys.reset()
      return true
    }
    guard let pending, case .inverse = layout.relationships[relationship.index] else { return false }
    return try pending.isWaiting(relationship, owner: keyText(of: owner))
  }

  // MARK: - Changes

  package func remove(_ place: RowLocation, of entity: SchemaEntity) throws {
    try forgetPending(ofOwner: place, entity)
    let removal = try removal(entity)
    for statement in removal.unlinking { try run(statement, place.row) }
    try run(removal.row, place.row)
    context.tally.countDeleted(row: place.row, entity: entity.index, table: place.table)
    noteGone(place)
  }

  private func removal(_ entity: SchemaEntity) throws -> Removal {
    if let known = removals[entity.index] { return known }
    let made = try Removal(entity, transaction)
    removals[entity.index] = made
    return made
  }

  func run(_ statement: PreparedStatement, _ row: Int64) throws {
    statement.bind(row, at: 1)
    try statement.run()
  }

  /// Forgets all that an object waited for.
  private func forgetPending(ofOwner place: RowLocation, _ entity: SchemaEntity) throws {
    guard let pending else { return }
    let told = entity.relationships.filter(layout.isToldByTargets)
    guard !told.isEmpty else { return }
    let owner = try keyText(of: place)
    for relationship in told { try pending.forget(layout.schema.relationships[relationship], owner: owner) }
  }

  package func removeInserted(_ place: RowLocation, of entity: SchemaEntity, listedBy lists: [Int]) throws {
    try forgetPending(ofOwner: place, entity)
    for relationship in layout.schema.relationships where entity.ancestry.contains(relationship.destination) {
      if lists.contains(relationship.index) { try keepPending(for: place, relationship) }
      guard let links = sql(place).linksFromOwners(of: relationship) else { continue }
      let statement = try rareStatement(links, place.row)
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
    let link = try rareStatement(
      "SELECT \(SQL.list(names)) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1", place.row)
    guard try link.step() else { return }
    defer { link.reset() }
    guard !columns.indices.contains(where: { link.isNull($0) }) else { return }
    try addPending(
      relationship, owner: KeyText.ofColumns(0..<columns.count, link), target: keyText(of: place),
      place: order == nil || link.isNull(columns.count) ? nil : link.integer(columns.count), keepsPlace: false
    )
  }

  package func removeLinks(
    of relationship: SchemaRelationship, from owner: RowLocation, isOfFormerKind: Bool
  ) throws {
    let sql = sql(owner)
    let isIdentity = relationship.inverse.map { layout.schema.relationships[$0].isIdentity } ?? false
    if isOfFormerKind, case .inverse(let columns, _) = layout.relationships[relationship.index] {
      if !isIdentity {
        let targets = layout.table(of: relationship.destination)
        try rareStatement(sql.clearing(columns, of: targets), owner.row).run()
      }
      if let pending { try pending.forget(relationship, owner: keyText(of: owner)) }
    }
    for removal in sql.removingLinks(of: relationship, fromOwner: true) {
      try rareStatement(removal, owner.row).run()
    }
  }

  // MARK: - Objects that lists no longer have

  package func keyIfWithoutOwner(_ release: DeferredRelease) throws -> String? {
    let table = layout.entities[release.relationship.destination].table
    let place = RowLocation(table: table, row: release.child)
    guard try isWithoutOwner(release, layout.tables[table]) else { return nil }
    let key = try keyText(of: place)
    // The row may be another object's by now.
    return release.key.map { ExactText($0) == ExactText(key) } ?? true ? key : nil
  }

  package func hasOwner(_ child: Int64, _ rules: ListRules) throws -> Bool {
    guard case .inverse(let columns, _) = rules.storage, let column = columns.first else { return false }
    let table = layout.tables[rules.table]
    let owner = try rareStatement(
      "SELECT \(SQL.quoted(table.columns[column].name)) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1",
      child)
    defer { owner.reset() }
    return try owner.step() && !owner.isNull(0)
  }

  /// Whether no other list has taken the object since: it still has its old owner, or no link of a join table leads
  /// to it.
  private func isWithoutOwner(_ release: DeferredRelease, _ table: Table) throws -> Bool {
    let name = SQL.quoted(table.name)
    switch layout.relationships[release.relationship.index] {
    case .foreignKey: return false
    case .inverse(let columns, _):
      let names = columns.map { table.columns[$0].name }
      let owner = try rareStatement(
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
      let statement = try rareStatement(
        """
        SELECT 1 FROM \(name) t WHERE rowid = ?1 AND NOT EXISTS
        (SELECT 1 FROM \(SQL.quoted(join.name)) j WHERE \(pairs.joined(separator: " AND ")))
        """, release.child)
      defer { statement.reset() }
      return try statement.step()
    }
  }

  package func clearOwner(of release: DeferredRelease) throws {
    guard case .inverse(let columns, let order) = layout.relationships[release.relationship.index] else {
      return
    }
    let described = layout.table(of: release.relationship.destination)
    let names = (columns + (order.map { [$0] } ?? [])).map { described.columns[$0].name }
    let settings = names.map { "\(SQL.quoted($0)) = NULL" }.joined(separator: ", ")
    try rareStatement(
      "UPDATE \(SQL.quoted(described.name)) SET \(settings) WHERE rowid = ?1", release.child
    ).run()
    let table = layout.entities[release.relationship.destination].table
    try countChange(of: RowLocation(table: table, row: release.child))
  }

  // MARK: - Many objects

  package func prepareDeletion(of places: some Collection<RowLocation>, by deleter: ObjectDeleter<SQLiteRows>)
    throws
  {
    try transaction.makeIndexes()
  }

  package func prepareLookup(of places: some Collection<RowLocation>) throws {
    if !places.isEmpty { try transaction.makeIndexes() }
  }

  package func rows(of query: Query) throws -> [Int64] { try transaction.rows(of: query) }

  package func count(_ query: Query) throws -> Int { try transaction.count(query) }

  package func rowsFromBefore(_ rows: [Int64], inTable table: Int) throws -> [Int64] {
    try before?.known(rows, of: layout.tables[table], transaction) ?? rows
  }

  package struct Savepoint {
    fileprivate let state: SQLiteTransaction.Savepoint
    fileprivate let tally: WriteCounter
  }

  package func setSavepoint() throws -> Savepoint {
    try transaction.makeIndexes()
    return Savepoint(state: try transaction.setSavepoint(), tally: context.tally)
  }

  package func undo(to savepoint: Savepoint) throws {
    try transaction.undo(to: savepoint.state)
    context.tally = savepoint.tally
  }

  package func release(_ savepoint: Savepoint) throws { try transaction.release(savepoint.state) }
}

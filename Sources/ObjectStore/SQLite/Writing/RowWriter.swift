import Bytes
import ObjectModel

/// Writes batches of rows, with what they link, in one transaction.
package final class RowWriter {
  let transaction: StoreTransaction
  let policy: WritePolicy
  /// What lists mean, by relationship.
  let toMany: [ToManyPolicy]
  /// What has happened so far.
  package internal(set) var tally: Tally
  /// What could not be written since this was last emptied.
  package var problems: [RowProblem] = []

  let pending: PendingReferences
  /// Whether all that the tables hold was written by this writer.
  private let isFresh: Bool
  /// What an import has to leave as it is; nil if there is nothing.
  let unsent: UnsentChanges?
  private var writers: [EntityWriter?]
  var repetitions: [RepetitionCache?]
  private var children: [ChildLists?]
  private var joins: [JoinLists?]
  private var deletion: ObjectDeleter?
  var deferred: [(ticket: Int, release: DeferredRelease)] = []
  /// The required links of new objects that are still to come, with their tickets.
  var requiredLinks: [RequiredLink] = []
  var nextTicket = 0
  /// Values that must be unique and wait for others to give them away.
  var deferredUniqueValues: [DeferredUniqueValues] = []
  /// Statements that are seldom needed, by their SQL.
  private var rareStatements: [String: PreparedStatement] = [:]
  /// Whether anything was left out that may have held objects.
  package var hasLeftOutObjects = false
  /// What is still to be done to write the record, the next step last.
  var steps: [WriteStep] = []
  /// Finds objects that one record has several times.
  var folder = RecordFolder()
  /// By relationship, which objects lists have claimed; made when first needed.
  var claims: [OwnershipClaims?]
  /// Whether any claim waits for the end.
  var hasDeferredClaims = false
  /// By table, the entities whose objects it holds.
  private let entitiesOfTable: [[Int]]
  /// By entity, whether rows of a record that tell the same object are made one.
  let isFoldable: [Bool]
  /// By relationship.
  private var hasLooseLinks: [Bool]
  private let equality: (any ValueEquality)?
  /// The objects that were there when the import began, if it commits in chunks and prunes.
  var before: ObjectsBefore?
  /// The objects that former transactions of the import deleted.
  let deletedBefore: [(entity: String, key: String)]

  /// - Parameters:
  ///   - equality: Who says which values are one, where a program writes.
  ///   - former: What the former transaction of the same import left to be done.
  package init(
    _ transaction: StoreTransaction, policy: WritePolicy, equality: (any ValueEquality)? = nil,
    continuing former: UnfinishedWrite? = nil
  ) throws {
    self.transaction = transaction
    self.equality = equality
    self.policy = policy
    isFresh = transaction.takeFreshness()
    unsent = policy.isLocal || policy.overwritesUnsent ? nil : try UnsentChanges(transaction)
    let layout = transaction.layout
    toMany = layout.schema.relationships.map { relationship in
      let own = policy.isLocal ? nil : relationship.relationship.annotations.toMany.flatMap(ToManyPolicy.init)
      // The far end of a one-to-one is no list, though its link is written as one.
      guard relationship.isToMany else { return .replace }
      let wanted = relationship.index == policy.prunedRelationship ? .prune : own ?? policy.toMany
      return wanted == .prune && !policy.operations.contains(.delete) ? .replace : wanted
    }
    var entitiesOfTable = [[Int]](repeating: [], count: layout.tables.count)
    for entity in layout.entities { entitiesOfTable[entity.table].append(entity.entity.index) }
    self.entitiesOfTable = entitiesOfTable
    isFoldable = Self.foldableEntities(layout, policy)
    tally = former?.tally ?? Tally(entities: layout.entities.count, tables: layout.tables.count)
    pending = try PendingReferences(transaction, policy: policy, continuing: former?.references)
    writers = Array(repeating: nil, count: layout.entities.count)
    repetitions = Array(repeating: nil, count: layout.entities.count)
    children = Array(repeating: nil, count: layout.relationships.count)
    joins = Array(repeating: nil, count: layout.relationships.count)
    claims = former?.claims ?? Array(repeating: nil, count: layout.relationships.count)
    before = former?.before
    deletedBefore = former?.deleted ?? []
    deferred = former?.releases ?? []
    nextTicket = former?.nextTicket ?? 0
    hasLeftOutObjects = former?.hasLeftOutObjects ?? false
    hasLooseLinks = layout.schema.relationships.map(\.isItsOwnInverse)
  }

  /// Writes a root row and all that hangs on it: the rows from it to `end`.
  ///
  /// - Parameter existing: For an entity without identity, the row id of the object to update.
  package func write(root: Int, to end: Int, over existing: Int64? = nil, of batch: inout RowBatch) throws {
    steps.removeAll(keepingCapacity: true)
    if end - root > 1 { foldDuplicates(from: root, to: end, &batch) }
    if try begin(RowStep(root, over: existing, isNested: false), &batch) { return }
    while let step = steps.popLast() { try run(step, &batch) }
  }

  // MARK: - Repetitions

  /// The row id of the object, if what last came under its key had the same values.
  ///
  /// Only nested objects are expected to repeat. Where objects of several entities share a table, one could be
  /// written as another without its cache knowing, so there is none.
  func repetition(
    of row: Int, isNested: Bool, _ writer: EntityWriter, _ batch: borrowing RowBatch
  ) -> Int64? {
    guard writer.layout.entity.hasIdentity, writer.table.kindColumn == nil else { return nil }
    let entity = writer.layout.entity.index
    if isNested, repetitions[entity] == nil { repetitions[entity] = RepetitionCache(writer.layout) }
    return repetitions[entity]?.check(row, of: batch)
  }

  /// Forgets which objects of an entity's family came before, since their rows were changed otherwise.
  func forgetRepetitions(inTable table: Int) {
    for entity in entitiesOfTable[table] { repetitions[entity]?.forget() }
  }

  /// Among objects without identity, the one that has all the values of a row; nil if none has.
  func twin(of row: Int, among candidates: [Int64], _ batch: borrowing RowBatch) throws -> Int64? {
    let writer = try writer(for: batch.rows[row].entity)
    return try candidates.first { try writer.matches(row, $0, batch) }
  }

  // MARK: - Links that cannot be there

  /// Notes that objects were linked by their keys, so that a new object may find itself linked.
  func noteLooseLinks(of relationship: Int) {
    hasLooseLinks[relationship] = true
    if let inverse = transaction.layout.schema.relationships[relationship].inverse {
      hasLooseLinks[inverse] = true
    }
  }

  /// Whether a row can have links already. A new object in a store that was empty cannot, as long as all links
  /// were made by nesting.
  func mayHaveLinks(_ row: Int, _ relationship: Int, _ batch: borrowing RowBatch) -> Bool {
    !isFresh || !batch.rows[row].isNew || hasLooseLinks[relationship]
  }

  // MARK: - Counting

  /// Counts a change of an object that came about through another's relationship.
  ///
  /// - Parameter entity: The entity that the relationship is of; the object may be of a sub-entity.
  func countChange(row: Int64, entity: Int) throws {
    let layout = transaction.layout
    let table = layout.entities[entity].table
    var actual = entity
    if layout.tables[table].kindColumn != nil {
      let kind = try statement(DeletionSQL(layout: layout, table: layout.tables[table]).kind, row)
      if try kind.step() { actual = layout.schema.index(of: kind.string(0)) ?? entity }
      kind.reset()
    }
    tally.countChange(row: row, entity: actual, table: table)
  }

  /// A statement that takes a row id, and is seldom needed.
  func statement(_ sql: String, _ row: Int64) throws -> PreparedStatement {
    let statement = try rareStatements[sql] ?? transaction.prepare(sql)
    rareStatements[sql] = statement
    statement.bind(row, at: 1)
    return statement
  }

  // MARK: - Parts, made when first needed

  func writer(for entity: Int) throws -> EntityWriter {
    if let known = writers[entity] { return known }
    if !policy.isLocal { try transaction.delaySearch(ofTable: transaction.layout.entities[entity].table) }
    let writer = try EntityWriter(entity, transaction)
    writer.equality = equality
    writers[entity] = writer
    return writer
  }

  func childLists(for relationship: Int) throws -> ChildLists {
    if let known = children[relationship] { return known }
    let lists = try ChildLists(relationship, transaction, isImport: !policy.isLocal)
    children[relationship] = lists
    return lists
  }

  func joinLists(for relationship: Int) throws -> JoinLists {
    if let known = joins[relationship] { return known }
    let lists = try JoinLists(relationship, transaction)
    joins[relationship] = lists
    return lists
  }

  /// Deletes rows that are there and what their cascades reach.
  ///
  /// - Returns: The first that something stands against, and what.
  package func deleteObjects(_ rows: [Int64], ofTable table: Int) throws -> (
    row: Int64, reason: RowProblem.Reason
  )? {
    let places = rows.map { ObjectDeleter.Place(table: table, row: $0) }
    return try deleter().delete(places, .keepsRequired, self).first.map { ($0.row, $0.refusal.reason) }
  }

  /// Deletes a row and what its cascades reach, unless the import may not delete. Returns what denies it.
  func delete(
    _ row: Int64, ofTable table: Int, _ care: ObjectDeleter.Care = []
  ) throws -> ObjectDeleter.Refusal? {
    guard policy.operations.contains(.delete) else { return nil }
    if keepsLocalChange(row, ofTable: table) { return nil }
    return try deleter().delete(row, ofTable: table, care, self).refusal
  }

  /// Removes an object that should not have been inserted.
  ///
  /// - Parameter lists: The relationships whose lists have it.
  func deleteInserted(_ row: Int64, of entity: Int, listedBy lists: [Int] = []) throws {
    try deleter().deleteInserted(
      row, ofTable: transaction.layout.entities[entity].table, listedBy: lists, self)
    tally.countTakenBack(row: row, entity: entity, table: transaction.layout.entities[entity].table)
  }

  /// Takes from an object, which turned into another kind, the links that only its former kind has.
  func dropLinks(of row: Int64, formerly kind: String, _ layout: EntityLayout) throws {
    guard let former = transaction.layout.schema.entity(kind) else { return }
    try deleter().dropLinks(of: row, a: former, keeping: layout.entity, self)
  }

  func deleter() throws -> ObjectDeleter {
    if let deletion { return deletion }
    try transaction.makeIndexes()
    let deleter = ObjectDeleter(transaction)
    deletion = deleter
    return deleter
  }

  // MARK: - The end

  /// The references of the import that lead nowhere.
  package func pendingReferences() throws -> PendingReferences.Summary {
    try pending.summary()
  }
}

import ObjectModel

/// Deletes objects by their delete rules.
final class ObjectDeleter {
  /// An object by its table and its row.
  struct RowLocation: Hashable {
    var table: Int
    var row: Int64
  }

  /// What a deletion spares besides what the rules of the model say.
  struct DeletionExemptions: OptionSet {
    let rawValue: Int
    /// Objects that the import has come across stay.
    static let listedObjects = DeletionExemptions(rawValue: 1)
    /// No object is left without what it requires.
    static let requiredTargets = DeletionExemptions(rawValue: 2)
  }

  let context: WriteContext
  let layout: Layout
  private let claims: OwnershipClaims
  let pendingLinks: PendingLinks
  let references: PendingReferences
  /// By entity.
  private var plans: [DeletionPlan?]
  /// The statements that tell the entity of a row, by table.
  private var kinds: [PreparedStatement?]
  /// Statements that are seldom needed, by their SQL.
  private var others: [String: PreparedStatement] = [:]
  /// The objects that were deleted, the first of them by name.
  private(set) var deleted: [(entity: String, key: String)] = []
  static let mostNames = 10_000
  /// The deletions of a program that something stood against when they were made, each with what did.
  private(set) var heldDeletions: [(ticket: Int, holder: Holder, reason: RowProblem.Reason)] = []

  init(
    _ context: WriteContext, _ claims: OwnershipClaims, _ pendingLinks: PendingLinks,
    _ references: PendingReferences
  ) {
    self.context = context
    self.claims = claims
    self.pendingLinks = pendingLinks
    self.references = references
    layout = context.layout
    plans = Array(repeating: nil, count: layout.entities.count)
    kinds = Array(repeating: nil, count: layout.tables.count)
  }

  // MARK: - Deletions that are checked in the end

  /// Deletes rows with what their cascades reach, whatever stands against it. That is noted for the end.
  func deleteBeforeCheck(_ starts: [RowLocation]) throws -> [DeferredDeletion] {
    try context.transaction.makeIndexes()
    let (order, reached) = try collect(from: starts)
    var held: [DeferredDeletion] = []
    for (place, plan) in order {
      let holders = try holders(of: place, plan, .requiredTargets).filter { holder in
        try !reached.contains(holder.place) && isLeftWithout(holder, reached)
      }
      guard let first = holders.first else { continue }
      let ticket = context.problems.takeTicket()
      for holder in holders {
        heldDeletions.append((ticket, holder, try refusal(of: place, plan, holder).reason))
      }
      let identity = try refusal(of: place, plan, first).key
      held.append(DeferredDeletion(ticket: ticket, entity: plan.entity.index, identity: identity))
    }
    for (place, plan) in order { try remove(place, plan) }
    return held
  }

  /// Refusals that still hold of deletions that were made: an object that requires the one that is gone, or that a rule
  /// protects it for, and that has not gone or got another since.
  func standingRefusals() throws -> [DeferredProblem] {
    let deletions = heldDeletions
    heldDeletions = []
    var tickets: Set<Int> = []
    var result: [DeferredProblem] = []
    for (ticket, holder, reason) in deletions where !tickets.contains(ticket) {
      guard try plan(for: holder.place) != nil, try !hasAnother(holder) else { continue }
      tickets.insert(ticket)
      result.append((ticket, reason))
    }
    return result
  }

  private func hasAnother(_ holder: Holder) throws -> Bool {
    if holder.isRequired { return try hasLinks(holder.relationship, row: holder.place.row) }
    // The rule is of the one that is gone: its target has another owner now, if it can have one only.
    guard let inverse = holder.relationship.inverse.map({ layout.schema.relationships[$0] }),
      !inverse.isToMany
    else { return false }
    return try hasLinks(inverse, row: holder.place.row)
  }

  /// Whether a relationship of a row leads to anything, be it there or not. An object that is gone needs none.
  func hasLinks(_ relationship: SchemaRelationship, row: Int64) throws -> Bool {
    let owner = layout.table(of: relationship.owner)
    let existence = try context.rareStatement("SELECT 1 FROM \(SQL.quoted(owner.name)) WHERE rowid = ?1", row)
    guard try existence.step() else { return true }
    existence.reset()
    let keys = try context.rareStatement(
      RelationshipSQL(layout: layout, relationship: relationship).keys, row)
    if try keys.step() {
      keys.reset()
      return true
    }
    guard pendingLinks.hasStored, case .inverse = layout.relationships[relationship.index] else {
      return false
    }
    let key = try KeyText.ofRow(row, in: owner, context.transaction)
    return try pendingLinks.isWaiting(relationship, owner: key)
  }

  /// Forgets the deletions that were made after there were `count`, since they were undone.
  func forgetHeldDeletions(after count: Int) {
    heldDeletions.removeSubrange(min(count, heldDeletions.count)...)
  }

  // MARK: - One object

  /// Deletes a row and what its cascades reach, if the import may delete it. Returns what stands against it.
  func delete(_ row: Int64, ofTable table: Int, sparing: DeletionExemptions = []) throws -> DeletionRefusal? {
    guard context.policy.operations.contains(.delete) else { return nil }
    guard !context.isUnsent(row, inTable: table) else {
      context.countUnsent(row, inTable: table)
      return nil
    }
    return try deleteByRules(RowLocation(table: table, row: row), sparing: sparing)
  }

  /// Deletes a row and what its cascades reach, or nothing if something stands against it, which it returns.
  func deleteByRules(_ start: RowLocation, sparing: DeletionExemptions) throws -> DeletionRefusal? {
    try context.transaction.makeIndexes()
    guard let plan = try plan(for: start) else { return nil }
    if plan.cascading.isEmpty, plan.denying.isEmpty, !sparing.contains(.requiredTargets) || !plan.isRequired {
      try remove(start, plan)
      return nil
    }
    let (order, reached) = try collect(from: [start])
    for (place, plan) in order {
      for holder in try holders(of: place, plan, sparing) where !reached.contains(holder.place) {
        guard try isLeftWithout(holder, reached) else { continue }
        return try refusal(of: place, plan, holder)
      }
      guard place != start, let cause = causeToStay(place, plan, sparing) else { continue }
      countUnsent(place, cause)
      return try refusal(of: start, cause)
    }
    for (place, plan) in order { try remove(place, plan) }
    return nil
  }

  /// All that goes with objects, an object before those that go with it.
  private func collect(from starts: [RowLocation]) throws -> (
    order: [(RowLocation, DeletionPlan)], reached: Set<RowLocation>
  ) {
    var reached: Set<RowLocation> = []
    var order: [(RowLocation, DeletionPlan)] = []
    var waiting = Array(starts.reversed())
    while let place = waiting.popLast() {
      guard reached.insert(place).inserted, let plan = try plan(for: place) else { continue }
      order.append((place, plan))
      for link in plan.cascading { waiting += try targets(of: link, place.row) }
    }
    return (order, reached)
  }

  /// Removes a row and the links to it.
  func remove(_ place: RowLocation, _ plan: DeletionPlan) throws {
    try noteDeletion(of: place, plan)
    for statement in plan.unlinking { try run(statement, place.row) }
    try run(plan.removal, place.row)
    context.tally.countDeleted(row: place.row, entity: plan.entity.index, table: place.table)
    noteGone(place)
  }

  /// Forgets what was kept of a row that is gone.
  func noteGone(_ place: RowLocation) {
    claims.drop(ofDeleted: place.row, inTable: place.table)
    context.repetitions.forget(inTable: place.table)
  }

  /// Counts an object that stays since a program changed it.
  func countUnsent(_ place: RowLocation, _ cause: DeletionRefusal.Cause) {
    if case .takesUnsent = cause { context.countUnsent(place.row, inTable: place.table) }
  }

  // MARK: - Names

  /// Notes which object goes, and forgets what waits for others on its behalf.
  private func noteDeletion(of place: RowLocation, _ plan: DeletionPlan) throws {
    guard plan.entity.hasIdentity else { return }
    let policy = context.policy
    // A program knows what it deletes; the names are for the reports of imports.
    let isNamed = policy.namesAllDeleted || !policy.isLocal && deleted.count < Self.mostNames
    guard isNamed || pendingLinks.hasStored else { return }
    let key = try key(of: place, plan)
    if isNamed { deleted.append((plan.entity.name, key)) }
    if pendingLinks.hasStored { try pendingLinks.forgetAll(of: plan.entity, owner: key) }
  }

  /// The key of an object as text.
  func key(of place: RowLocation, _ plan: DeletionPlan) throws -> String {
    plan.key.bind(place.row, at: 1)
    guard try plan.key.step() else { return "" }
    defer { plan.key.reset() }
    return KeyText.ofColumns(0..<plan.key.columnCount, plan.key)
  }

  /// Forgets the names of objects whose deletion was undone.
  func forgetNames(after count: Int) { deleted.removeSubrange(count...) }

  // MARK: - Statements

  /// The rows that a relationship of a row leads to.
  func targets(of link: DeletionPlan.Link, _ row: Int64) throws -> [RowLocation] {
    link.targets.bind(row, at: 1)
    var result: [RowLocation] = []
    while try link.targets.step() {
      result.append(RowLocation(table: link.table, row: link.targets.integer(0)))
    }
    return result
  }

  func run(_ statement: PreparedStatement, _ row: Int64) throws {
    statement.bind(row, at: 1)
    try statement.run()
  }

  /// Prepares a statement that is seldom needed.
  func rareStatement(_ sql: String) throws -> PreparedStatement {
    let statement = try others[sql] ?? context.transaction.prepare(sql)
    others[sql] = statement
    return statement
  }

  /// The plan for the entity that a row is of, made when first needed; nil if there is no such row.
  func plan(for place: RowLocation) throws -> DeletionPlan? {
    let table = layout.tables[place.table]
    let sql = DeletionSQL(layout: layout, table: table)
    let kind = try kinds[place.table] ?? context.transaction.prepare(sql.kind)
    kinds[place.table] = kind
    kind.bind(place.row, at: 1)
    guard try kind.step() else { return nil }
    defer { kind.reset() }
    let named = table.kindColumn == nil ? nil : layout.schema.entity(kind.string(0))
    let entity = named ?? layout.schema.entities[table.root]
    if let known = plans[entity.index] { return known }
    let plan = try DeletionPlan(entity, context.transaction)
    plans[entity.index] = plan
    return plan
  }
}

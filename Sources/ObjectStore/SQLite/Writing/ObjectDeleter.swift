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

/// What stands against deletions.
extension ObjectDeleter {
  /// An object that stands against the deletion of another, unless it goes as well.
  struct Holder {
    let place: RowLocation
    let relationship: SchemaRelationship
    /// Whether the relationship is the holder's, which requires what it leads to, and no rule.
    let isRequired: Bool
  }

  /// What stands against the deletion of a row.
  func holders(of place: RowLocation, _ plan: DeletionPlan, _ sparing: DeletionExemptions) throws -> [Holder]
  {
    var result: [Holder] = []
    func add(_ links: [DeletionPlan.Link], isRequired: Bool) throws {
      for link in links {
        result += try targets(of: link, place.row).map {
          Holder(place: $0, relationship: link.relationship, isRequired: isRequired)
        }
      }
    }
    try add(plan.denying, isRequired: false)
    guard sparing.contains(.requiredTargets) else { return result }
    try add(plan.requiring, isRequired: true)
    try add(plan.requiringSome, isRequired: true)
    return result
  }

  /// Whether what a holder requires is gone once all of `going` is. A list may have others.
  func isLeftWithout(_ holder: Holder, _ going: Set<RowLocation>) throws -> Bool {
    guard holder.isRequired, holder.relationship.isToMany else { return true }
    let sql = DeletionSQL(layout: layout, table: layout.tables[holder.place.table])
    let targets = try rareStatement(sql.unorderedTargets(of: holder.relationship))
    let table = layout.entities[holder.relationship.destination].table
    targets.bind(holder.place.row, at: 1)
    while try targets.step() {
      guard !going.contains(RowLocation(table: table, row: targets.integer(0))) else { continue }
      targets.reset()
      return false
    }
    return true
  }

  /// Why an object that would go along with another has to stay; nil if it has not.
  func causeToStay(_ place: RowLocation, _ plan: DeletionPlan, _ sparing: DeletionExemptions)
    -> DeletionRefusal.Cause?
  {
    if sparing.contains(.listedObjects), plan.entity.hasIdentity,
      context.tally.hasSeen(place.row, table: place.table)
    {
      return .takesListed
    }
    return context.isUnsent(place.row, inTable: place.table) ? .takesUnsent : nil
  }

  /// The refusal of an object that another stands against.
  func refusal(of place: RowLocation, _ plan: DeletionPlan, _ holder: Holder) throws -> DeletionRefusal {
    var refusal = DeletionRefusal(relationship: holder.relationship.index, key: try name(of: place, plan))
    if holder.isRequired, let owner = try self.plan(for: holder.place) {
      refusal.cause = .required(entity: owner.entity.index, key: try name(of: holder.place, owner))
    }
    return refusal
  }

  /// The refusal of an object that would take others along.
  func refusal(of place: RowLocation, _ cause: DeletionRefusal.Cause) throws -> DeletionRefusal {
    guard let plan = try plan(for: place), let link = plan.cascading.first else {
      return DeletionRefusal(cause: cause, relationship: 0, key: "")
    }
    return DeletionRefusal(
      cause: cause, relationship: link.relationship.index, key: try name(of: place, plan))
  }

  /// The identity of an object, as reports write it.
  private func name(of place: RowLocation, _ plan: DeletionPlan) throws -> String {
    layout.identityText(ofKey: try key(of: place, plan), of: plan.entity)
  }
}

/// Rows that go, or lose their links, without a deletion.
extension ObjectDeleter {
  /// Removes the row of an object that should not have been inserted, and counts it as skipped. What refers to it waits
  /// for it.
  ///
  /// - Parameter lists: The relationships whose lists have it.
  func deleteInserted(_ row: Int64, of entity: Int, listedBy lists: [Int] = []) throws {
    let place = RowLocation(table: layout.entities[entity].table, row: row)
    try context.transaction.makeIndexes()
    if let plan = try plan(for: place) { try deleteInserted(place, plan, listedBy: lists) }
    context.tally.countInsertionUndone(row: row, entity: entity, table: place.table)
  }

  private func deleteInserted(_ place: RowLocation, _ plan: DeletionPlan, listedBy lists: [Int]) throws {
    try dropLinks(of: place.row, a: plan.entity, keeping: nil)
    if pendingLinks.hasStored {
      try pendingLinks.forgetAll(of: plan.entity, owner: try key(of: place, plan))
    }
    let sql = DeletionSQL(layout: layout, table: layout.tables[place.table])
    for relationship in layout.schema.relationships
    where plan.entity.ancestry.contains(relationship.destination) {
      if lists.contains(relationship.index) { try keepPending(for: place, plan, relationship) }
      guard let links = sql.linksFromOwners(of: relationship) else { continue }
      let statement = try rareStatement(links)
      statement.bind(place.row, at: 1)
      while try statement.step() { references.add(relationship, row: statement.integer(0)) }
    }
    try run(plan.removal, place.row)
    noteGone(place)
  }

  /// Has the owner of a list, which is told by columns of a row that goes, wait for it.
  private func keepPending(
    for place: RowLocation, _ plan: DeletionPlan, _ relationship: SchemaRelationship
  ) throws {
    guard case .inverse(let columns, let order) = layout.relationships[relationship.index] else { return }
    let table = layout.tables[place.table]
    let names = (columns + (order.map { [$0] } ?? [])).map { table.columns[$0].name }
    let link = try rareStatement("SELECT \(SQL.list(names)) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1")
    link.bind(place.row, at: 1)
    guard try link.step() else { return }
    defer { link.reset() }
    guard !columns.indices.contains(where: { link.isNull($0) }) else { return }
    try pendingLinks.store(
      relationship, owner: KeyText.ofColumns(0..<columns.count, link), target: key(of: place, plan),
      place: order == nil || link.isNull(columns.count) ? nil : link.integer(columns.count))
  }

  /// Takes from an object, which turned into another kind, the links that only its former kind has.
  func dropLinks(of row: Int64, formerly kind: Int, now entity: SchemaEntity) throws {
    try context.transaction.makeIndexes()
    try dropLinks(of: row, a: layout.schema.entities[kind], keeping: entity)
  }

  /// Takes away the links that start at a row by relationships which another entity does not have, and the
  /// parts that they lead to.
  private func dropLinks(of row: Int64, a entity: SchemaEntity, keeping other: SchemaEntity?) throws {
    let sql = DeletionSQL(layout: layout, table: layout.table(of: entity.index))
    for index in entity.relationships where !(other?.relationships.contains(index) ?? false) {
      let relationship = layout.schema.relationships[index]
      if layout.leadsToParts(relationship) {
        let link = DeletionPlan.Link(
          relationship: relationship, table: layout.entities[relationship.destination].table,
          targets: try rareStatement(sql.targets(of: relationship)))
        for part in try targets(of: link, row) { _ = try deleteByRules(part, sparing: []) }
      }
      // The foreign keys that lead to an object whose insertion is undone stay: they wait for it.
      let isIdentity = relationship.inverse.map { layout.schema.relationships[$0].isIdentity } ?? false
      if other != nil, !isIdentity, case .inverse(let columns, _) = layout.relationships[index] {
        try run(rareStatement(sql.clearing(columns, of: layout.table(of: relationship.destination))), row)
      }
      for removal in sql.removingLinks(of: relationship, fromOwner: true) {
        try run(rareStatement(removal), row)
      }
    }
  }
}

/// What stands against a deletion.
struct DeletionRefusal {
  enum Cause {
    /// A rule.
    case denied
    /// An object that would be left without what it requires, by its entity and key.
    case required(entity: Int, key: String)
    /// It would take objects along which the import has come across.
    case takesListed
    /// It would take objects along that a program has changed and the server has not been told of.
    case takesUnsent
  }

  var cause = Cause.denied
  var relationship: Int
  /// The identity of the object that cannot be deleted.
  var key: String

  /// Whether other deletions may take away what stands against it.
  var mayEnd: Bool {
    switch cause {
    case .denied, .required: true
    case .takesListed, .takesUnsent: false
    }
  }

  /// The problem that it is.
  var reason: RowProblem.Reason {
    switch cause {
    case .denied: .deletionDenied(relationship: relationship, key: key)
    case .required(let entity, let holder):
      .deletionLeavesWithout(relationship: relationship, key: key, entity: entity, holder: holder)
    case .takesListed: .deletionTakesListed(relationship: relationship, key: key)
    case .takesUnsent: .deletionTakesUnsent(relationship: relationship, key: key)
    }
  }
}

extension ObjectDeleter {
  /// Deletes rows, each with what its cascades reach, or not at all if something that stays stands against it.
  ///
  /// - Returns: What stands against those that stay.
  /// - Complexity: O(*n*) in the rows, and what they are linked to by relationships that cascade, deny or require.
  func delete(_ places: [RowLocation], sparing: DeletionExemptions) throws -> [(
    row: Int64, refusal: DeletionRefusal
  )] {
    var refused: [(row: Int64, refusal: DeletionRefusal)] = []
    var held: [RowLocation] = []
    for place in places {
      guard let refusal = try deleteByRules(place, sparing: sparing) else { continue }
      if refusal.mayEnd { held.append(place) } else { refused.append((place.row, refusal)) }
    }
    guard !held.isEmpty else { return refused }
    // What stands against one may be another of them.
    var joint = JointDeletion(self, sparing: sparing)
    return refused + (try joint.delete(held))
  }
}

/// A deletion of several objects that stand against each other's, as one.
private struct JointDeletion {
  /// An object that is to go.
  private struct Node {
    let place: ObjectDeleter.RowLocation
    let plan: DeletionPlan
    /// Whether it was asked for, and does not only go along with others.
    let isStart: Bool
    /// Those that take it along, and those that it takes along.
    var parents: [Int] = []
    var children: [Int] = []
    /// Those that it stands against.
    var holds: [(node: Int, holder: ObjectDeleter.Holder)] = []
    var stays = false
    var refusal: DeletionRefusal?
  }

  private let deleter: ObjectDeleter
  private let sparing: ObjectDeleter.DeletionExemptions
  private var nodes: [Node] = []
  private var indices: [ObjectDeleter.RowLocation: Int] = [:]
  /// The nodes that stay and have not been looked at yet.
  private var waiting: [Int] = []

  init(_ deleter: ObjectDeleter, sparing: ObjectDeleter.DeletionExemptions) {
    self.deleter = deleter
    self.sparing = sparing
  }

  mutating func delete(
    _ starts: [ObjectDeleter.RowLocation]
  ) throws -> [(row: Int64, refusal: DeletionRefusal)] {
    try collect(starts)
    try findHolders()
    try spread()
    for node in nodes where !node.stays { try deleter.remove(node.place, node.plan) }
    return nodes.compactMap { node in
      node.isStart ? node.refusal.map { (node.place.row, $0) } : nil
    }
  }

  private mutating func collect(_ starts: [ObjectDeleter.RowLocation]) throws {
    for start in starts { _ = try add(start, isStart: true) }
    var next = 0
    while next < nodes.count {
      for link in nodes[next].plan.cascading {
        for place in try deleter.targets(of: link, nodes[next].place.row) {
          guard let child = try add(place, isStart: false) else { continue }
          nodes[next].children.append(child)
          nodes[child].parents.append(next)
        }
      }
      next += 1
    }
  }

  private mutating func add(_ place: ObjectDeleter.RowLocation, isStart: Bool) throws -> Int? {
    if let known = indices[place] { return known }
    guard let plan = try deleter.plan(for: place) else { return nil }
    nodes.append(Node(place: place, plan: plan, isStart: isStart))
    indices[place] = nodes.count - 1
    return nodes.count - 1
  }

  /// Finds what stands against each, and keeps those against which something stands that is not to go.
  private mutating func findHolders() throws {
    let all = Set(indices.keys)
    for index in nodes.indices {
      let node = nodes[index]
      for holder in try deleter.holders(of: node.place, node.plan, sparing) {
        if let other = indices[holder.place] {
          nodes[other].holds.append((index, holder))
        } else if try deleter.isLeftWithout(holder, all) {
          keep(index, try deleter.refusal(of: node.place, node.plan, holder))
        }
      }
      if !node.isStart, let cause = deleter.causeToStay(node.place, node.plan, sparing) {
        deleter.countUnsent(node.place, cause)
        keep(index, DeletionRefusal(cause: cause, relationship: 0, key: ""))
      }
    }
  }

  private mutating func keep(_ index: Int, _ refusal: DeletionRefusal?) {
    guard !nodes[index].stays else { return }
    nodes[index].stays = true
    nodes[index].refusal = refusal
    waiting.append(index)
  }

  /// Keeps what those that stay keep: those that would take them along, those that only they would take along, and
  /// those that they stand against.
  private mutating func spread() throws {
    while let index = waiting.popLast() {
      let node = nodes[index]
      for parent in node.parents {
        keep(parent, try refusal(of: parent, by: node.refusal))
      }
      for child in node.children where !nodes[child].isStart {
        if nodes[child].parents.allSatisfy({ nodes[$0].stays }) { keep(child, nil) }
      }
      for (held, holder) in node.holds {
        keep(held, try deleter.refusal(of: nodes[held].place, nodes[held].plan, holder))
      }
    }
  }

  /// Why an object stays that would take along another which stays.
  private func refusal(of parent: Int, by refusal: DeletionRefusal?) throws -> DeletionRefusal? {
    guard let refusal else { return nil }
    switch refusal.cause {
    case .denied, .required: return refusal
    case .takesListed, .takesUnsent: return try deleter.refusal(of: nodes[parent].place, refusal.cause)
    }
  }
}

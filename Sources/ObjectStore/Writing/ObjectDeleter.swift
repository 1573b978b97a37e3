package import ObjectModel

/// Deletes objects by their delete rules.
package final class ObjectDeleter<Rows: RowStore> {
  /// An object that stands against the deletion of another, unless it goes as well.
  fileprivate struct Holder {
    let place: RowLocation
    let relationship: SchemaRelationship
    /// Whether the relationship is the holder's, which requires its target, and not one with a delete rule.
    let isRequired: Bool
  }

  /// The objects that go together, an object before its cascade targets.
  private struct Cascade {
    var order: [(place: RowLocation, rules: DeletionRules)] = []
    var reached: Set<RowLocation> = []
  }

  private unowned let rows: Rows
  private let layout: Layout
  /// By entity.
  private var rules: [DeletionRules?]
  /// The objects that were deleted, by entity and key; see ``isNamed``.
  package private(set) var deleted: [(entity: String, key: String)]
  /// The deletions of a program that something stood against when they were made, each with its holder.
  private var heldDeletions: [(ticket: Int, holder: Holder, reason: RowProblem.Reason)] = []

  /// - Parameter deleted: The objects that former transactions of the same import deleted.
  package init(_ rows: Rows, _ layout: Layout, continuing deleted: [(entity: String, key: String)] = []) {
    self.rows = rows
    self.layout = layout
    self.deleted = deleted
    rules = Array(repeating: nil, count: layout.entities.count)
  }

  // MARK: - One object

  /// Deletes an object and what its cascades reach, if the write may delete it.
  ///
  /// - Returns: What stands against it; then nothing is deleted.
  package func delete(
    _ place: RowLocation, sparing: DeletionExemptions = []
  ) throws(Rows.Failure) -> DeletionRefusal? {
    guard rows.policy.operations.contains(.delete), !keepsUnsynced(place) else { return nil }
    return try deleteByRules(place, sparing: sparing)
  }

  private func deleteByRules(
    _ start: RowLocation, sparing: DeletionExemptions
  ) throws(Rows.Failure) -> DeletionRefusal? {
    try rows.prepareDeletion(of: CollectionOfOne(start), by: self)
    guard let rules = try rules(for: start) else { return nil }
    guard !rules.goesAlone(sparing) else {
      try remove(start, rules)
      return nil
    }
    let cascade = try cascade(from: [start])
    for (place, rules) in cascade.order {
      for holder in try holders(of: place, rules, sparing) where !cascade.reached.contains(holder.place) {
        guard try isLeftWithout(holder, cascade.reached) else { continue }
        return try refusal(of: place, rules, holder)
      }
      if place != start, let cause = causeToStay(place, rules, sparing) {
        return try refusal(of: start, self.rules(for: start), cause)
      }
    }
    for (place, rules) in cascade.order { try remove(place, rules) }
    return nil
  }

  /// Follows the cascades from objects.
  private func cascade(from starts: [RowLocation]) throws(Rows.Failure) -> Cascade {
    var cascade = Cascade()
    var waiting = Array(starts.reversed())
    while let place = waiting.popLast() {
      guard !cascade.reached.contains(place), let rules = try rules(for: place) else { continue }
      cascade.reached.insert(place)
      cascade.order.append((place, rules))
      for relationship in rules.cascading { waiting += try rows.targets(of: relationship, from: place) }
    }
    return cascade
  }

  fileprivate func remove(_ place: RowLocation, _ rules: DeletionRules) throws(Rows.Failure) {
    if rules.entity.hasIdentity, isNamed { deleted.append((rules.entity.name, try rows.keyText(of: place))) }
    try rows.remove(place, of: rules.entity)
  }

  /// Whether the name of the next deleted object is kept: for the journal all are, for the report of an import the first.
  /// Without a journal a program knows what it deletes.
  private var isNamed: Bool {
    rows.policy.namesAllDeleted || !rows.policy.isLocal && deleted.count < DeletedNames.limit
  }

  /// Forgets the names of objects whose deletion was undone.
  package func forgetNames(after count: Int) { deleted.removeSubrange(count...) }

  // MARK: - Deletions that are checked at the end

  /// Deletes objects with what their cascades reach. What stands against it is noted for the end.
  package func deleteBeforeCheck(_ starts: [RowLocation]) throws(Rows.Failure) -> [DeferredDeletion] {
    for portion in starts.portions { try rows.prepareDeletion(of: portion, by: self) }
    let cascade = try cascade(from: starts)
    var held: [DeferredDeletion] = []
    for (place, rules) in cascade.order {
      var ticket: Int?
      for holder in try holders(of: place, rules, .requiredTargets)
      where !cascade.reached.contains(holder.place) {
        guard try isLeftWithout(holder, cascade.reached) else { continue }
        let number = ticket ?? self.rows.takeTicket()
        ticket = number
        heldDeletions.append((number, holder, try refusal(of: place, rules, holder).reason))
      }
      guard let ticket else { continue }
      held.append(
        DeferredDeletion(ticket: ticket, entity: rules.entity.index, identity: try name(of: place, rules)))
    }
    for (place, rules) in cascade.order { try remove(place, rules) }
    return held
  }

  /// The deletions that something still stands against: an object that requires the deleted one, or that a rule protects it
  /// for, and that has not gone or got another since.
  package func standingRefusals() throws(Rows.Failure) -> [DeferredProblem] {
    let deletions = heldDeletions
    heldDeletions = []
    var tickets: Set<Int> = []
    var result: [DeferredProblem] = []
    for portion in deletions.portions {
      try rows.prepareLookup(of: portion.map(\.holder.place))
      for (ticket, holder, reason) in portion where !tickets.contains(ticket) {
        guard try rows.entity(of: holder.place) != nil, try !hasAnother(holder) else { continue }
        tickets.insert(ticket)
        result.append((ticket, reason))
      }
    }
    return result
  }

  private func hasAnother(_ holder: Holder) throws(Rows.Failure) -> Bool {
    if holder.isRequired { return try rows.hasLinks(by: holder.relationship, from: holder.place) }
    // The rule is the deleted object's: its target has another owner now, if it can have one only.
    guard let inverse = holder.relationship.inverse.map({ layout.schema.relationships[$0] }),
      !inverse.isToMany
    else { return false }
    return try rows.hasLinks(by: inverse, from: holder.place)
  }

  /// How many deletions are noted for the end.
  package var heldCount: Int { heldDeletions.count }

  /// Forgets the deletions that were made after there were `count`, since they were undone.
  package func forgetHeldDeletions(after count: Int) {
    heldDeletions.removeSubrange(min(count, heldDeletions.count)...)
  }

  // MARK: - Several objects

  /// Deletes objects, each with what its cascades reach, or not at all if an object that stays stands against it.
  ///
  /// - Returns: What stands against those that stay.
  /// - Complexity: O(*n*) in the objects, and what they are linked to by relationships that cascade, deny or require.
  package func delete(
    _ places: [RowLocation], sparing: DeletionExemptions
  ) throws(Rows.Failure) -> [DeletionRefusal] {
    var refused: [DeletionRefusal] = []
    var held: [RowLocation] = []
    for portion in places.portions {
      try rows.prepareDeletion(of: portion, by: self)
      for place in portion {
        guard let refusal = try deleteByRules(place, sparing: sparing) else { continue }
        if refusal.mayEnd { held.append(place) } else { refused.append(refusal) }
      }
    }
    guard !held.isEmpty else { return refused }
    // The holder of one may be another of them.
    var joint = JointDeletion(self, rows, sparing: sparing)
    return refused + (try joint.delete(held))
  }

  // MARK: - Insertions that are undone, and kinds that change

  /// Removes an object that should not have been inserted, and counts it as skipped. What refers to it waits for it.
  ///
  /// - Parameter lists: The relationships whose lists have it.
  package func deleteInserted(_ row: Int64, of entity: Int, listedBy lists: [Int] = []) throws(Rows.Failure) {
    let place = RowLocation(table: layout.entities[entity].table, row: row)
    try rows.prepareDeletion(of: CollectionOfOne(place), by: self)
    if let actual = try rows.entity(of: place) {
      try removeLinks(of: place, a: actual, keeping: nil)
      try rows.removeInserted(place, of: actual, listedBy: lists)
    }
    rows.countInsertionUndone(place, of: entity)
  }

  /// Removes the links that only the former kind of an object has.
  package func removeLinks(
    of place: RowLocation, formerly kind: Int, now entity: SchemaEntity
  ) throws(Rows.Failure) {
    try rows.prepareDeletion(of: CollectionOfOne(place), by: self)
    try removeLinks(of: place, a: layout.schema.entities[kind], keeping: entity)
  }

  /// Removes the links of an object by relationships that another entity does not have, and the owned objects behind them.
  private func removeLinks(
    of place: RowLocation, a entity: SchemaEntity, keeping other: SchemaEntity?
  ) throws(Rows.Failure) {
    for index in entity.relationships where !(other?.relationships.contains(index) ?? false) {
      let relationship = layout.schema.relationships[index]
      if layout.leadsToParts(relationship) {
        for owned in try rows.targets(of: relationship, from: place) {
          _ = try deleteByRules(owned, sparing: [])
        }
      }
      try rows.removeLinks(of: relationship, from: place, isOfFormerKind: other != nil)
    }
  }

  // MARK: - The rules

  /// The rules for the entity of an object; nil if there is no such row.
  fileprivate func rules(for place: RowLocation) throws(Rows.Failure) -> DeletionRules? {
    guard let entity = try rows.entity(of: place) else { return nil }
    return rules(for: entity)
  }

  private func rules(for entity: SchemaEntity) -> DeletionRules {
    if let known = rules[entity.index] { return known }
    let made = DeletionRules(entity, layout)
    rules[entity.index] = made
    return made
  }

  /// The relationships of an object whose targets go with it.
  package func cascades(of place: RowLocation) throws(Rows.Failure) -> [SchemaRelationship] {
    try rules(for: place)?.cascading ?? []
  }

  /// The objects that stand against the deletion of an object.
  fileprivate func holders(
    of place: RowLocation, _ rules: DeletionRules, _ sparing: DeletionExemptions
  ) throws(Rows.Failure) -> [Holder] {
    var result: [Holder] = []
    for relationship in rules.denying {
      for target in try rows.targets(of: relationship, from: place) {
        result.append(Holder(place: target, relationship: relationship, isRequired: false))
      }
    }
    guard sparing.contains(.requiredTargets) else { return result }
    for relationship in rules.requiring {
      for owner in try rows.owners(by: relationship, of: place) {
        result.append(Holder(place: owner, relationship: relationship, isRequired: true))
      }
    }
    return result
  }

  /// Whether a holder lacks what it requires once all of `going` is gone. A list may have others.
  fileprivate func isLeftWithout(
    _ holder: Holder, _ going: Set<RowLocation>
  ) throws(Rows.Failure) -> Bool {
    guard holder.isRequired, holder.relationship.isToMany else { return true }
    return try !rows.hasTarget(of: holder.relationship, from: holder.place, outside: going)
  }

  /// Why an object that would go along with another has to stay; nil if it has not. One that a program changed is counted.
  fileprivate func causeToStay(
    _ place: RowLocation, _ rules: DeletionRules, _ sparing: DeletionExemptions
  ) -> DeletionRefusal.Cause? {
    if sparing.contains(.listedObjects), rules.entity.hasIdentity, rows.hasSeen(place) { return .takesListed }
    return keepsUnsynced(place) ? .takesUnsent : nil
  }

  /// Whether a program changed an object, which stays therefore. Such an object is counted.
  private func keepsUnsynced(_ place: RowLocation) -> Bool {
    guard rows.isUnsynced(place) else { return false }
    rows.countUnsynced(place)
    return true
  }

  // MARK: - Refusals

  /// The refusal of an object that a holder stands against.
  fileprivate func refusal(
    of place: RowLocation, _ rules: DeletionRules, _ holder: Holder
  ) throws(Rows.Failure) -> DeletionRefusal {
    var refusal = DeletionRefusal(relationship: holder.relationship.index, key: try name(of: place, rules))
    if holder.isRequired, let owner = try self.rules(for: holder.place) {
      refusal.cause = .required(entity: owner.entity.index, key: try name(of: holder.place, owner))
    }
    return refusal
  }

  /// The refusal of an object whose cascade target has to stay.
  fileprivate func refusal(
    of place: RowLocation, _ rules: DeletionRules?, _ cause: DeletionRefusal.Cause
  ) throws(Rows.Failure) -> DeletionRefusal {
    guard let rules, let first = rules.cascading.first else {
      return DeletionRefusal(cause: cause, relationship: 0, key: "")
    }
    return DeletionRefusal(cause: cause, relationship: first.index, key: try name(of: place, rules))
  }

  /// The identity of an object, as reports write it.
  private func name(of place: RowLocation, _ rules: DeletionRules) throws(Rows.Failure) -> String {
    layout.identityText(ofKey: try rows.keyText(of: place), of: rules.entity)
  }
}

/// The names of deleted objects in the report of an import.
package enum DeletedNames {
  /// Of so many the names are kept.
  package static let limit = 10_000
}

/// Rules that a deletion heeds besides the delete rules of the model.
package struct DeletionExemptions: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Objects that the import has come across stay.
  package static let listedObjects = DeletionExemptions(rawValue: 1)
  /// No object is left without its required targets.
  package static let requiredTargets = DeletionExemptions(rawValue: 2)
}

/// The relationships that count when an object of an entity is deleted.
private final class DeletionRules {
  let entity: SchemaEntity
  /// The relationships whose targets go with the object: by the rule, or since the object owns them.
  let cascading: [SchemaRelationship]
  /// The relationships whose targets stand against a deletion.
  let denying: [SchemaRelationship]
  /// The relationships of others that require the object, those to one first.
  let requiring: [SchemaRelationship]

  init(_ entity: SchemaEntity, _ layout: Layout) {
    self.entity = entity
    let own = entity.relationships.map { layout.schema.relationships[$0] }
    cascading = own.filter { $0.relationship.deleteRule == .cascade || layout.leadsToParts($0) }
    denying = own.filter { $0.relationship.deleteRule == .deny }
    let required = layout.schema.relationships.filter { layout.isRequired($0, of: entity) }
    requiring = required.filter { !$0.isToMany } + required.filter(\.isToMany)
  }

  /// Whether an object goes without a look at others.
  func goesAlone(_ sparing: DeletionExemptions) -> Bool {
    cascading.isEmpty && denying.isEmpty && (!sparing.contains(.requiredTargets) || requiring.isEmpty)
  }
}

/// A reason why an object is not deleted.
package struct DeletionRefusal: Sendable {
  package enum Cause: Sendable {
    /// A delete rule.
    case denied
    /// An object that would be left without its required target, by its entity and key.
    case required(entity: Int, key: String)
    /// A deletion that would take objects along which the import has come across.
    case takesListed
    /// A deletion that would take objects along that a program has changed and the server has not been told of.
    case takesUnsent
  }

  package fileprivate(set) var cause = Cause.denied
  package let relationship: Int
  /// The identity of the object that cannot be deleted.
  package let key: String

  /// Whether other deletions may take away what stands against it.
  fileprivate var mayEnd: Bool {
    switch cause {
    case .denied, .required: true
    case .takesListed, .takesUnsent: false
    }
  }

  /// The problem that it is.
  package var reason: RowProblem.Reason {
    switch cause {
    case .denied: .deletionDenied(relationship: relationship, key: key)
    case .required(let entity, let holder):
      .deletionLeavesWithout(relationship: relationship, key: key, entity: entity, holder: holder)
    case .takesListed: .deletionTakesListed(relationship: relationship, key: key)
    case .takesUnsent: .deletionTakesUnsent(relationship: relationship, key: key)
    }
  }
}

/// A deletion of several objects that stand against each other's, as one.
private struct JointDeletion<Rows: RowStore> {
  /// An object that is to go.
  private struct Node {
    let place: RowLocation
    let rules: DeletionRules
    /// Whether it was asked for, and does not only go along with others.
    let isStart: Bool
    /// The nodes whose cascades reach it, and its cascade targets.
    var parents: [Int] = []
    var children: [Int] = []
    /// The nodes that it stands against.
    var holds: [(node: Int, holder: ObjectDeleter<Rows>.Holder)] = []
    var stays = false
    var refusal: DeletionRefusal?
  }

  private let deleter: ObjectDeleter<Rows>
  private let rows: Rows
  private let sparing: DeletionExemptions
  private var nodes: [Node] = []
  private var indices: [RowLocation: Int] = [:]
  /// The nodes that stay and have not been looked at yet.
  private var waiting: [Int] = []

  init(_ deleter: ObjectDeleter<Rows>, _ rows: Rows, sparing: DeletionExemptions) {
    self.deleter = deleter
    self.rows = rows
    self.sparing = sparing
  }

  mutating func delete(_ starts: [RowLocation]) throws(Rows.Failure) -> [DeletionRefusal] {
    try collect(starts)
    try findHolders()
    try spread()
    for node in nodes where !node.stays { try deleter.remove(node.place, node.rules) }
    return nodes.compactMap { $0.isStart ? $0.refusal : nil }
  }

  private mutating func collect(_ starts: [RowLocation]) throws(Rows.Failure) {
    for start in starts { _ = try add(start, isStart: true) }
    var next = 0
    while next < nodes.count {
      for relationship in nodes[next].rules.cascading {
        for place in try rows.targets(of: relationship, from: nodes[next].place) {
          guard let child = try add(place, isStart: false) else { continue }
          nodes[next].children.append(child)
          nodes[child].parents.append(next)
        }
      }
      next += 1
    }
  }

  private mutating func add(_ place: RowLocation, isStart: Bool) throws(Rows.Failure) -> Int? {
    if let known = indices[place] { return known }
    guard let rules = try deleter.rules(for: place) else { return nil }
    nodes.append(Node(place: place, rules: rules, isStart: isStart))
    indices[place] = nodes.count - 1
    return nodes.count - 1
  }

  /// Finds the holders of each node. A node stays whose holder is not to go.
  private mutating func findHolders() throws(Rows.Failure) {
    let all = Set(indices.keys)
    for index in nodes.indices {
      let node = nodes[index]
      for holder in try deleter.holders(of: node.place, node.rules, sparing) {
        if let other = indices[holder.place] {
          nodes[other].holds.append((index, holder))
        } else if try deleter.isLeftWithout(holder, all) {
          keep(index, try deleter.refusal(of: node.place, node.rules, holder))
        }
      }
      if !node.isStart, let cause = deleter.causeToStay(node.place, node.rules, sparing) {
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

  /// Propagates refusals: a node that stays also keeps its cascade parents, its exclusive cascade targets, and the nodes
  /// that it stands against.
  private mutating func spread() throws(Rows.Failure) {
    while let index = waiting.popLast() {
      let node = nodes[index]
      for parent in node.parents { keep(parent, try refusal(of: parent, by: node.refusal)) }
      for child in node.children where !nodes[child].isStart {
        if nodes[child].parents.allSatisfy({ nodes[$0].stays }) { keep(child, nil) }
      }
      for (held, holder) in node.holds {
        keep(held, try deleter.refusal(of: nodes[held].place, nodes[held].rules, holder))
      }
    }
  }

  /// Why an object stays whose cascade target stays.
  private func refusal(
    of parent: Int, by refusal: DeletionRefusal?
  ) throws(Rows.Failure) -> DeletionRefusal? {
    guard let refusal else { return nil }
    switch refusal.cause {
    case .denied, .required: return refusal
    case .takesListed, .takesUnsent:
      return try deleter.refusal(of: nodes[parent].place, nodes[parent].rules, refusal.cause)
    }
  }
}

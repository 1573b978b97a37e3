import ObjectModel
import ObjectStore

/// Deleting by the delete rules.
extension WorkingWriter {
  /// What stands against a deletion.
  struct Refusal {
    enum Cause {
      case denied
      /// An object that would be left without what it requires, by its entity and identity.
      case required(entity: Int, key: String)
      /// It would take objects along which the import has come across.
      case takesListed
      /// It would take objects along that a program has changed and the server has not been told of.
      case takesUnsent
    }

    /// What was to be deleted.
    var place: RowLocation
    var cause = Cause.denied
    var relationship: Int
    var key: String

    var reason: RowProblem.Reason {
      switch cause {
      case .denied: .deletionDenied(relationship: relationship, key: key)
      case .required(let entity, let holder):
        .deletionLeavesWithout(relationship: relationship, key: key, entity: entity, holder: holder)
      case .takesListed: .deletionTakesListed(relationship: relationship, key: key)
      case .takesUnsent: .deletionTakesUnsent(relationship: relationship, key: key)
      }
    }

    /// Whether other deletions may take away what stands against it.
    var mayEnd: Bool {
      switch cause {
      case .denied, .required: true
      case .takesListed, .takesUnsent: false
      }
    }
  }

  /// What a prune spares besides what the rules of the model say.
  struct DeletionExemptions {
    /// Objects that the import has come across.
    var listed = false
    /// Objects that others require.
    var required = false
  }

  struct Holder {
    let place: RowLocation
    let relationship: SchemaRelationship
    let isRequired: Bool
  }

  private func entity(of place: RowLocation) -> SchemaEntity? {
    state.object(place).map { layout.schema.entities[$0.entity] }
  }

  private func relationships(of entity: SchemaEntity) -> [SchemaRelationship] {
    entity.relationships.map { state.relationship($0) }
  }

  /// The relationships to objects that go with one: by a rule, or since they are its parts.
  func cascades(of place: RowLocation) -> [SchemaRelationship] { entity(of: place).map(cascading) ?? [] }

  private func cascading(_ entity: SchemaEntity) -> [SchemaRelationship] {
    relationships(of: entity).filter { $0.relationship.deleteRule == .cascade || layout.leadsToParts($0) }
  }

  // MARK: - Deletions that are checked in the end

  /// Deletes objects with what their cascades reach, whatever stands against it. That is noted for the end.
  func deleteBeforeCheck(_ starts: [RowLocation]) -> [DeferredDeletion] {
    for portion in portions(starts) { fetchForDeletion(portion) }
    let (order, reached) = collect(from: starts)
    var held: [DeferredDeletion] = []
    for place in order {
      let holders = holders(of: place, DeletionExemptions(required: true)).filter {
        !reached.contains($0.place) && isLeftWithout($0, reached)
      }
      guard !holders.isEmpty, let entity = entity(of: place) else { continue }
      let ticket = takeTicket()
      for holder in holders { heldDeletions.append((ticket, holder, refusal(of: place, holder).reason)) }
      held.append(DeferredDeletion(ticket: ticket, entity: entity.index, identity: name(of: place)))
    }
    for place in order { remove(place) }
    return held
  }

  /// Refusals that still hold of deletions that were made: an object that requires the one that is gone, or that a rule
  /// protects it for, and that has not gone or got another since.
  func standingRefusals() -> [DeferredProblem] {
    let deletions = heldDeletions
    heldDeletions = []
    for portion in portions(deletions) { fetchNeighbours(of: portion.map(\.holder.place)) }
    var tickets: Set<Int> = []
    return deletions.compactMap { ticket, holder, reason in
      guard !tickets.contains(ticket), state.object(holder.place) != nil, !hasAnother(holder) else {
        return nil
      }
      tickets.insert(ticket)
      return (ticket, reason)
    }
  }

  private func hasAnother(_ holder: Holder) -> Bool {
    if holder.isRequired { return hasLinks(holder.relationship, holder.place) }
    // The rule is of the one that is gone: its target has another owner now, if it can have one only.
    guard let inverse = holder.relationship.inverse.map(state.relationship), !inverse.isToMany else {
      return false
    }
    return hasLinks(inverse, holder.place)
  }

  /// All that goes with objects.
  private func collect(from starts: [RowLocation]) -> (order: [RowLocation], reached: Set<RowLocation>) {
    var (order, reached, waiting): ([RowLocation], Set<RowLocation>, [RowLocation]) = (
      [], [], starts.reversed()
    )
    while let place = waiting.popLast() {
      guard let entity = entity(of: place), reached.insert(place).inserted else { continue }
      order.append(place)
      for relationship in cascading(entity) { waiting += state.places(of: relationship, place) }
    }
    return (order, reached)
  }

  // MARK: - One object

  /// Deletes an object and what its cascades reach, or nothing if something stands against it, which it returns.
  func delete(_ start: RowLocation, sparing: DeletionExemptions = DeletionExemptions()) -> Refusal? {
    guard policy.operations.contains(.delete), !keepsUnsent(start) else { return nil }
    return deleteByRules(start, sparing)
  }

  private func deleteByRules(_ start: RowLocation, _ sparing: DeletionExemptions) -> Refusal? {
    let (order, reached) = collect(from: [start])
    for place in order {
      for holder in holders(of: place, sparing)
      where !reached.contains(holder.place) && isLeftWithout(holder, reached) {
        return refusal(of: place, holder)
      }
      if place != start, let cause = causeToStay(place, sparing) { return refusal(of: start, cause) }
    }
    for place in order { remove(place) }
    return nil
  }

  private func holders(of place: RowLocation, _ sparing: DeletionExemptions) -> [Holder] {
    guard let entity = entity(of: place) else { return [] }
    var result: [Holder] = []
    for relationship in relationships(of: entity) where relationship.relationship.deleteRule == .deny {
      result += state.places(of: relationship, place).map {
        Holder(place: $0, relationship: relationship, isRequired: false)
      }
    }
    guard sparing.required else { return result }
    let required = layout.schema.relationships.filter { layout.isRequired($0, of: entity) }
    for relationship in required.filter({ !$0.isToMany }) + required.filter(\.isToMany) {
      let owners = relationship.inverse.map { state.places(of: state.relationship($0), place) }
      result += (owners ?? state.owners(by: relationship, of: place)).map {
        Holder(place: $0, relationship: relationship, isRequired: true)
      }
    }
    return result
  }

  /// Whether what a holder requires is gone once all of `going` is. A list may have others.
  private func isLeftWithout(_ holder: Holder, _ going: Set<RowLocation>) -> Bool {
    guard holder.isRequired, holder.relationship.isToMany else { return true }
    return state.places(of: holder.relationship, holder.place).allSatisfy(going.contains)
  }

  /// Why an object that would go along with another has to stay; nil if it has not. One that a program has changed is
  /// counted.
  private func causeToStay(_ place: RowLocation, _ sparing: DeletionExemptions) -> Refusal.Cause? {
    if sparing.listed, entity(of: place)?.hasIdentity ?? false,
      kept.tally.hasSeen(place.row, table: place.table)
    {
      return .takesListed
    }
    return keepsUnsent(place) ? .takesUnsent : nil
  }

  private func refusal(of place: RowLocation, _ holder: Holder) -> Refusal {
    var refusal = Refusal(
      place: place, relationship: holder.relationship.index, key: name(of: place))
    if holder.isRequired, let owner = entity(of: holder.place) {
      refusal.cause = .required(entity: owner.index, key: name(of: holder.place))
    }
    return refusal
  }

  /// The refusal of an object that would take along another which has to stay.
  private func refusal(of place: RowLocation, _ cause: Refusal.Cause) -> Refusal {
    let first = entity(of: place).flatMap { cascading($0).first }
    return Refusal(
      place: place, cause: cause, relationship: first?.index ?? 0, key: name(of: place))
  }

  /// The identity of an object, as reports write it.
  private func name(of place: RowLocation) -> String {
    guard let entity = entity(of: place) else { return "" }
    return layout.identityText(ofKey: state.key(of: place).keyText, of: entity)
  }

  /// Removes an object and the links to it.
  private func remove(_ place: RowLocation) {
    guard let entity = entity(of: place) else { return }
    let key = state.key(of: place)
    if entity.hasIdentity {
      kept.deleted.append((entity.name, key.keyText))
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
    kept.tally.countDeleted(row: place.row, entity: entity.index, table: place.table)
    noteGone(place)
  }

  private func clear(_ columns: [Int], of entity: Int, _ key: RowKey) {
    let table = state.tableIndex(of: entity)
    for row in state.tables[table].rows(where: columns, are: key) {
      state.tables[table].update(row) { object in for column in columns { object.values[column] = .null } }
    }
  }

  private func removeLinks(_ join: Int, of key: RowKey, _ direction: Int) {
    for link in state.joins[join].links(of: key, direction) { state.joins[join].remove(link.row) }
  }

  /// Forgets what lists claim of a row that is gone.
  private func noteGone(_ place: RowLocation) {
    for index in kept.claims.keys
    where state.tableIndex(of: state.relationship(index).destination) == place.table {
      kept.claims[index]?.deferred[place.row] = nil
    }
  }

  // MARK: - Several objects

  /// Deletes objects as one: none of them stands against the deletion of another. What has to stay keeps those that would
  /// take it along, those that only these would take along, and those that it stands against.
  func delete(_ places: [RowLocation], sparing: DeletionExemptions) -> [Refusal] {
    var (refused, held): ([Refusal], [RowLocation]) = ([], [])
    for portion in portions(places) {
      fetchForDeletion(portion)
      for place in portion {
        guard let refusal = deleteByRules(place, sparing) else { continue }
        if refusal.mayEnd { held.append(place) } else { refused.append(refusal) }
      }
    }
    var (order, parents): ([RowLocation], [RowLocation: [RowLocation]]) = ([], [:])
    func add(_ place: RowLocation) {
      if entity(of: place) != nil, !order.contains(place) { order.append(place) }
    }
    held.forEach(add)
    var next = 0
    while next < order.count {
      for relationship in entity(of: order[next]).map(cascading) ?? [] {
        for child in state.places(of: relationship, order[next]) {
          add(child)
          parents[child, default: []].append(order[next])
        }
      }
      next += 1
    }
    let staying = stayingObjects(order, starts: Set(held), parents, sparing)
    for place in order where staying[place] == nil { remove(place) }
    return refused + held.compactMap { staying[$0] ?? nil }
  }

  /// Those of some objects that cannot go, and why; no reason for those that only came along.
  private func stayingObjects(
    _ order: [RowLocation], starts: Set<RowLocation>, _ parents: [RowLocation: [RowLocation]],
    _ sparing: DeletionExemptions
  ) -> [RowLocation: Refusal?] {
    var staying: [RowLocation: Refusal?] = [:]
    var waiting: [RowLocation] = []
    var holds: [RowLocation: [(held: RowLocation, holder: Holder)]] = [:]
    func keep(_ place: RowLocation, _ refusal: Refusal?) {
      guard staying[place] == nil else { return }
      staying.updateValue(refusal, forKey: place)
      waiting.append(place)
    }
    let all = Set(order)
    for place in order {
      for holder in holders(of: place, sparing) {
        if all.contains(holder.place) {
          holds[holder.place, default: []].append((place, holder))
        } else if isLeftWithout(holder, all) {
          keep(place, refusal(of: place, holder))
        }
      }
      if !starts.contains(place), let cause = causeToStay(place, sparing) {
        keep(place, Refusal(place: place, cause: cause, relationship: 0, key: ""))
      }
    }
    while let place = waiting.popLast() {
      let cause = staying[place] ?? nil
      for parent in parents[place] ?? [] {
        keep(parent, cause.map { $0.mayEnd ? $0 : refusal(of: parent, $0.cause) })
      }
      for child in order where !starts.contains(child) && (parents[child] ?? []).contains(place) {
        if (parents[child] ?? []).allSatisfy({ staying[$0] != nil }) { keep(child, nil) }
      }
      for (held, holder) in holds[place] ?? [] { keep(held, refusal(of: held, holder)) }
    }
    return staying
  }

  // MARK: - Insertions that are undone

  /// Removes an object that should not have been inserted, and counts it as skipped. What refers to it waits for it.
  ///
  /// - Parameter lists: The relationships whose lists have it.
  func deleteInserted(_ row: Int64, of entity: Int, listedBy lists: [Int] = []) {
    let place = RowLocation(table: state.tableIndex(of: entity), row: row)
    if let actual = self.entity(of: place) {
      dropLinks(of: place, actual, keeping: nil)
      let key = state.key(of: place)
      for index in actual.relationships { state.waiting.remove(of: index, key.keyText) }
      for relationship in layout.schema.relationships where actual.ancestry.contains(relationship.destination)
      {
        if lists.contains(relationship.index) { keepPending(for: place, relationship) }
        for holder in links(by: relationship, to: key) {
          kept.references.append(
            UnresolvedReference(relationship: relationship.index, entity: relationship.owner, holder: holder))
        }
      }
      state.tables[place.table].remove(row)
      noteGone(place)
    }
    kept.tally.countInsertionUndone(row: row, entity: entity, table: place.table)
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
    addPending(relationship, owner.keyText, state.key(of: place).keyText, position)
  }

  /// Takes from an object, which turned into another kind, the links that only its former kind has.
  func dropLinks(of place: RowLocation, formerly kind: Int, now entity: SchemaEntity) {
    dropLinks(of: place, layout.schema.entities[kind], keeping: entity)
  }

  private func dropLinks(of place: RowLocation, _ entity: SchemaEntity, keeping other: SchemaEntity?) {
    for index in entity.relationships where !(other?.relationships.contains(index) ?? false) {
      let relationship = state.relationship(index)
      if layout.leadsToParts(relationship) {
        for part in state.places(of: relationship, place) { _ = deleteByRules(part, DeletionExemptions()) }
      }
      let key = state.key(of: place)
      switch layout.relationships[index] {
      case .foreignKey: break
      // The foreign keys that lead to an object whose insertion is undone stay: they wait for it.
      case .inverse(let columns, _):
        let isIdentity = relationship.inverse.map { state.relationship($0).isIdentity } ?? false
        if other != nil, !isIdentity { clear(columns, of: relationship.destination, key) }
        if other != nil {
          state.waiting.remove(of: index, key.keyText)
        }
      case .join(let join, let isForward): removeLinks(join, of: key, isForward ? 0 : 1)
      }
    }
  }
}

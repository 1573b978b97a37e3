import Mapping
import ObjectModel

/// Links: both ends always agree.
extension NaiveImport {
  /// What the JSON of an object has for a relationship.
  struct Link {
    enum Value {
      case null
      case one(NaiveKey)
      case many([NaiveKey])
      /// Parts, which cannot be inserted before their owner.
      case parts([Part])
    }

    var end: Int
    var value: Value
  }

  /// Imports the objects that an object nests, and returns its links.
  mutating func importNested(_ members: [TestJSON.Member], _ kind: Int) -> [Link] {
    members.compactMap { member in
      guard case .end(let end) = property(member.key, kind) else { return nil }
      return link(end, member.value)
    }
  }

  private mutating func link(_ end: Int, _ value: TestJSON) -> Link? {
    let one = model.ends[end]
    if value == .null {
      // "Null for a required to-one is an issue, and the link stays."
      if one.isRequired {
        report.issueCount += 1
        return nil
      }
      return Link(end: end, value: .null)
    }
    if case .list = value, !one.isToMany {
      report.issueCount += 1
      leftOut = true
      return nil
    }
    if model.isPart(one.target) { return parts(end, value) }
    var keys: [NaiveKey] = []
    for element in elements(value) {
      if let key = target(end, element), !keys.contains(key) { keys.append(key) }
    }
    if one.isToMany {
      // A single element that cannot be used changes nothing. A list is applied without it.
      if case .list = value { return Link(end: end, value: .many(keys)) }
      return keys.isEmpty ? nil : Link(end: end, value: .many(keys))
    }
    return keys.first.map { Link(end: end, value: .one($0)) }
  }

  /// Imports the object that an element stands for, and returns its key.
  private mutating func target(_ end: Int, _ element: TestJSON) -> NaiveKey? {
    let target = model.ends[end].target
    switch element {
    case .object(let members):
      switch importObject(members, target, isNested: true) {
      case .object(let key): return key
      // "An object that is skipped for one of its values stays in the list that names it."
      case .skipped(let key, _): return key
      case .nothing: return nil
      }
    default:
      let identity = model.identity(target)
      guard identity.count == 1, let value = NaiveValues.convert(element, identity[0]) else {
        report.issueCount += 1
        leftOut = true
        return nil
      }
      return NaiveKey(root: model.root(target), parts: [value])
    }
  }

  // MARK: - Applying

  mutating func apply(_ link: Link, _ owner: NaiveKey) {
    let end = link.end
    switch link.value {
    case .null where model.isPart(model.ends[end].target): applyParts(end, owner, [], clears: true)
    case .null: setList(end, owner, [], clears: true)
    case .one(let target): setList(end, owner, [target])
    case .many(let targets): setList(end, owner, targets)
    case .parts(let objects): applyParts(end, owner, objects)
    }
  }

  func policy(_ end: Int) -> ToManyPolicy { model.ends[end].toMany ?? options.toMany }

  /// "A list replaces the owner's links; merge adds to them, behind those that are there."
  private mutating func setList(
    _ end: Int, _ owner: NaiveKey, _ targets: [NaiveKey], clears: Bool = false
  ) {
    let one = model.ends[end]
    for target in targets { references.append(Reference(end: end, owner: owner, target: target)) }
    let id = ListID(end: end, owner: owner)
    if let before = lastTargets[id], before != Set(targets) {
      reasonNotToCompare = "two lists for one relationship of an object"
    }
    lastTargets[id] = Set(targets)
    lastLists[id] = targets
    takeovers[end] = takeovers[end]?.filter { $0.value != owner }
    for (target, claimant) in claims[end] ?? [:] where claimant == owner { claims[end]?[target] = nil }
    let before = state.list(end, owner)
    // "Null clears", whatever lists mean.
    let merges = one.isToMany && policy(end) == .merge && !clears
    if !merges {
      for target in before where !targets.contains(target) { release(end, owner, target) }
    }
    for target in targets where !claim(target, end, owner) { connect(end, owner, target) }
    guard one.isOrdered, !merges else { return }
    order(end, owner, targets, before)
  }

  /// "Where a relationship allows one owner and one import lists an object under several, the last has it, and that
  /// is an issue." Notes that a list has an object, and returns whether the object stays with its present owner
  /// until the end of the import.
  private mutating func claim(_ target: NaiveKey, _ end: Int, _ owner: NaiveKey) -> Bool {
    let inverse = model.ends[end].inverse
    if model.ends[inverse].isToMany || inverse == end { return false }
    if model.holds(end) && !model.ends[end].isToMany {
      // The owner in an object's own JSON counts more than a list that came before.
      claims[inverse]?[owner] = nil
      if takeovers[inverse]?[owner] != target { takeovers[inverse]?[owner] = nil }
    }
    if let before = claims[end]?[target], before != owner {
      disputes.insert(end)
      if claimedInRecord[end]?.contains(target) ?? false {
        reasonNotToCompare = "which of two lists of one record has an object"
      }
    }
    claims[end, default: [:]][target] = owner
    claimedInRecord[end, default: []].insert(target)
    guard model.ends[end].isToMany else { return false }
    let current = state.list(inverse, target).first
    if current == nil || current == owner || state.objects[target] == nil {
      takeovers[end]?[target] = nil
      return false
    }
    takeovers[end, default: [:]][target] = owner
    return true
  }

  /// Gives objects their new owners where lists took them from others, at their places in these lists.
  mutating func settleTakeovers() {
    for (end, taken) in takeovers {
      for (target, owner) in taken {
        connect(end, owner, target)
        if model.ends[end].isOrdered, policy(end) == .merge {
          reasonNotToCompare = "where a merged list puts what it takes"
        }
        guard model.ends[end].isOrdered, policy(end) != .merge,
          let list = lastLists[ListID(end: end, owner: owner)]
        else { continue }
        state.unplaced[end][owner]?.remove(target)
        let now = state.list(end, owner)
        state.lists[end][owner] = list.filter(now.contains) + now.filter { !list.contains($0) }
      }
    }
    report.issueCount += disputes.count
  }

  /// An ordered list has the order of its JSON. Objects that it could not release come last.
  private mutating func order(_ end: Int, _ owner: NaiveKey, _ targets: [NaiveKey], _ before: [NaiveKey]) {
    // An object without a place that is last anyway gets none.
    if state.shown(before, end, owner) == targets, state.list(end, owner).count == targets.count { return }
    // An object that was linked from its own end had no place before.
    let placed = before.filter { !(state.unplaced[end][owner] ?? []).contains($0) }
    state.unplaced[end][owner]?.subtract(targets)
    let rest = state.list(end, owner).filter { !targets.contains($0) }
    // Objects that the list takes from another come at the end of the import.
    let targets = targets.filter(state.list(end, owner).contains)
    state.lists[end][owner] = targets + rest
    let ordered = targets + rest.filter(placed.contains)
    guard ordered != placed else { return }
    if model.isJoin(end) { return change(owner) }
    // The place in the list is kept with the object that has the foreign key.
    for (place, target) in ordered.enumerated() where place >= placed.count || placed[place] != target {
      change(target)
    }
  }

  /// "A child that requires its owner keeps it when a list no longer has it, unless another list takes it."
  private mutating func release(_ end: Int, _ owner: NaiveKey, _ target: NaiveKey) {
    let inverse = model.ends[end].inverse
    if model.ends[inverse].isRequired && state.objects[target] != nil {
      released.append(Reference(end: end, owner: owner, target: target))
    } else {
      disconnect(end, owner, target, by: owner)
    }
  }

  mutating func settleReleased() {
    for reference in Set(released) where state.list(reference.end, reference.owner).contains(reference.target)
    {
      report.issueCount += 1
    }
  }

  mutating func connect(_ end: Int, _ owner: NaiveKey, _ target: NaiveKey) {
    let inverse = model.ends[end].inverse
    // A link that the JSON has again is not released.
    released.removeAll { $0 == Reference(end: end, owner: owner, target: target) }
    if state.list(end, owner).contains(target) { return }
    if !model.ends[end].isToMany {
      for other in state.list(end, owner) { disconnect(end, owner, other, by: owner) }
    }
    if !model.ends[inverse].isToMany {
      for other in state.list(inverse, target) { disconnect(inverse, target, other, by: owner) }
    }
    state.connect(end, owner, target)
    if model.ends[inverse].isOrdered { state.unplaced[inverse][target, default: []].insert(owner) }
    credit(end, owner, target, by: owner)
  }

  mutating func disconnect(_ end: Int, _ owner: NaiveKey, _ target: NaiveKey, by changer: NaiveKey) {
    state.disconnect(end, owner, target)
    credit(end, owner, target, by: changer)
  }

  /// A link changes the object whose row has the foreign key. A link in a join table changes the object whose JSON
  /// has it.
  private mutating func credit(_ end: Int, _ owner: NaiveKey, _ target: NaiveKey, by changer: NaiveKey) {
    let holdsHere = model.holds(end)
    let holdsThere = model.holds(model.ends[end].inverse)
    if holdsHere { change(owner) }
    if holdsThere { change(target) }
    if !holdsHere && !holdsThere { change(changer) }
  }

  mutating func change(_ key: NaiveKey) {
    if state.objects[key] != nil { mark(key, .updated) }
  }

  // MARK: - At the end

  /// The JSON at one end may have undone what it had at the other.
  mutating func findContradictions() {
    for one in references where model.ends[one.end].isOrdered && policy(one.end) == .merge {
      let back = Reference(end: model.ends[one.end].inverse, owner: one.target, target: one.owner)
      if references.contains(back) {
        reasonNotToCompare = "whether a list gives a place to what is there already"
      }
    }
    for (id, targets) in lastTargets {
      let list = Set(state.list(id.end, id.owner))
      // An object that the list of another owner had later belongs to that owner.
      let targets = targets.filter { (claims[id.end]?[$0] ?? id.owner) == id.owner }
      let merges = model.ends[id.end].isToMany && policy(id.end) == .merge
      let kept = released.filter { $0.end == id.end && $0.owner == id.owner }.map(\.target)
      if merges ? !targets.isSubset(of: list) : list != targets.union(list.intersection(kept)) {
        reasonNotToCompare = "the JSON has different links at the two ends"
      }
    }
  }

  /// "Create it with its identity only", where something refers to it.
  mutating func makeStubs() {
    for reference in references where isPending(reference) {
      let end = model.ends[reference.end]
      if (end.references ?? options.references) == .stub, !model.kinds[end.target].isAbstract {
        insert(reference.target, end.target, [:])
      }
    }
  }

  /// "A new object that lacks a required relationship at the end of the import is an issue and is not kept."
  mutating func dropIncomplete() {
    for (key, mark) in marks where mark == .inserted {
      guard let kind = state.objects[key]?.kind else { continue }
      let lacks = model.namedEnds(of: kind).contains { end in
        model.ends[end].isRequired && !model.ends[end].isToMany && state.list(end, key).isEmpty
      }
      guard lacks else { continue }
      report.issueCount += 1
      report.skipped[model.kinds[kind].name, default: 0] += 1
      drop(key, kind)
    }
  }

  /// Its own links are deleted with it. References to it wait for it.
  private mutating func drop(_ key: NaiveKey, _ kind: Int) {
    marks[key] = nil
    state.objects[key] = nil
    for end in model.ends(of: kind) {
      let inverse = model.ends[end].inverse
      for target in state.list(end, key) {
        if !model.holds(end) && !model.isPart(model.ends[end].target) {
          // See FoundTests.theLinksThatAnObjectWhichIsNotKeptMadeWaitForIt
          reasonNotToCompare = "links that an object which is not kept has in others' rows stay"
        }
        if model.isPart(model.ends[end].target) {
          state.disconnect(end, key, target)
          delete(target)
        } else if references.contains(Reference(end: end, owner: key, target: target))
          && !references.contains(Reference(end: inverse, owner: target, target: key))
        {
          state.disconnect(end, key, target)
        } else {
          references.append(Reference(end: inverse, owner: target, target: key))
        }
      }
    }
  }
}

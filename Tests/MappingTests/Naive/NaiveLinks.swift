import Mapping
import ObjectModel

/// Links: both ends always agree.
extension NaiveImport {
  /// What an object says of a relationship.
  struct Link {
    enum Value {
      case null
      case one(NaiveKey)
      case many([NaiveKey])
      /// The objects of parts, which need their owner before they can be.
      case parts([Part])
    }

    var end: Int
    var value: Value
  }

  /// Takes the objects that a usable object nests, and returns what it says of its relationships.
  mutating func takeNested(_ members: [TestJSON.Member], _ kind: Int) -> [Link] {
    members.compactMap { member in
      guard case .end(let end) = property(member.key, kind) else { return nil }
      return link(end, member.value)
    }
  }

  private mutating func link(_ end: Int, _ value: TestJSON) -> Link? {
    let one = sketch.ends[end]
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
    if sketch.isPart(one.target) { return parts(end, value) }
    var keys: [NaiveKey] = []
    for element in elements(value) {
      if let key = target(end, element), !keys.contains(key) { keys.append(key) }
    }
    if one.isToMany {
      // A lone element that cannot be used says nothing; a list without it says the rest.
      if case .list = value { return Link(end: end, value: .many(keys)) }
      return keys.isEmpty ? nil : Link(end: end, value: .many(keys))
    }
    return keys.first.map { Link(end: end, value: .one($0)) }
  }

  /// The key of the object that an element stands for, after it was taken.
  private mutating func target(_ end: Int, _ element: TestJSON) -> NaiveKey? {
    let target = sketch.ends[end].target
    switch element {
    case .object(let members):
      switch take(members, target, isNested: true) {
      case .object(let key): return key
      // "An object that is skipped for one of its values stays in the list that names it."
      case .skipped(let key, _): return key
      case .nothing: return nil
      }
    default:
      let identity = sketch.identity(target)
      guard identity.count == 1, let value = NaiveValues.convert(element, identity[0]) else {
        report.issueCount += 1
        leftOut = true
        return nil
      }
      return NaiveKey(root: sketch.root(target), parts: [value])
    }
  }

  // MARK: - Applying

  mutating func apply(_ link: Link, _ owner: NaiveKey) {
    let end = link.end
    switch link.value {
    case .null where sketch.isPart(sketch.ends[end].target): applyParts(end, owner, [], clears: true)
    case .null: setList(end, owner, [], clears: true)
    case .one(let target): setList(end, owner, [target])
    case .many(let targets): setList(end, owner, targets)
    case .parts(let objects): applyParts(end, owner, objects)
    }
  }

  func policy(_ end: Int) -> ToManyPolicy { sketch.ends[end].toMany ?? options.toMany }

  /// "A list replaces the owner's links; merge adds to them, behind those that are there."
  private mutating func setList(
    _ end: Int, _ owner: NaiveKey, _ targets: [NaiveKey], clears: Bool = false
  ) {
    let one = sketch.ends[end]
    for target in targets { said.append(Said(end: end, owner: owner, target: target)) }
    let word = Word(end: end, owner: owner)
    if let before = self.word[word], before != Set(targets) { excuse = "two words for one list" }
    self.word[word] = Set(targets)
    told[word] = targets
    takeovers[end] = takeovers[end]?.filter { $0.value != owner }
    for (target, claimant) in claims[end] ?? [:] where claimant == owner { claims[end]?[target] = nil }
    let before = state.list(end, owner)
    // "Null clears", whatever lists mean.
    let merges = one.isToMany && policy(end) == .merge && !clears
    if !merges {
      for target in before where !targets.contains(target) { release(end, owner, target) }
    }
    for target in targets where !takes(target, end, owner) { connect(end, owner, target) }
    guard one.isOrdered, !merges else { return }
    order(end, owner, targets, before)
  }

  /// "Where a relationship allows one owner and one import lists an object under several, the last has it, and that
  /// is an issue." True if the object stays with the owner that the store has for it until the end.
  private mutating func takes(_ target: NaiveKey, _ end: Int, _ owner: NaiveKey) -> Bool {
    let inverse = sketch.ends[end].inverse
    if sketch.ends[inverse].isToMany || inverse == end { return false }
    if sketch.holds(end) && !sketch.ends[end].isToMany {
      // What an object says itself of its owner counts more than what a list said before.
      claims[inverse]?[owner] = nil
      if takeovers[inverse]?[owner] != target { takeovers[inverse]?[owner] = nil }
    }
    if let before = claims[end]?[target], before != owner {
      disputes.insert(end)
      if claimedInRecord[end]?.contains(target) ?? false {
        excuse = "which of two lists of one record has an object"
      }
    }
    claims[end, default: [:]][target] = owner
    claimedInRecord[end, default: []].insert(target)
    guard sketch.ends[end].isToMany else { return false }
    let current = state.list(inverse, target).first
    if current == nil || current == owner || state.objects[target] == nil {
      takeovers[end]?[target] = nil
      return false
    }
    takeovers[end, default: [:]][target] = owner
    return true
  }

  /// Gives objects that lists took from others their new owners, at the places that these lists gave them.
  mutating func settleTakeovers() {
    for (end, taken) in takeovers {
      for (target, owner) in taken {
        connect(end, owner, target)
        if sketch.ends[end].isOrdered, policy(end) == .merge {
          excuse = "where a merged list puts what it takes"
        }
        guard sketch.ends[end].isOrdered, policy(end) != .merge, let list = told[Word(end: end, owner: owner)]
        else { continue }
        state.unplaced[end][owner]?.remove(target)
        let now = state.list(end, owner)
        state.lists[end][owner] = list.filter(now.contains) + now.filter { !list.contains($0) }
      }
    }
    report.issueCount += disputes.count
  }

  /// An ordered list has the order of its JSON; what could not be released comes last.
  private mutating func order(_ end: Int, _ owner: NaiveKey, _ targets: [NaiveKey], _ before: [NaiveKey]) {
    // What has no place and comes last anyway is given none.
    if state.shown(before, end, owner) == targets, state.list(end, owner).count == targets.count { return }
    // What said itself whose it is had no place before.
    let placed = before.filter { !(state.unplaced[end][owner] ?? []).contains($0) }
    state.unplaced[end][owner]?.subtract(targets)
    let rest = state.list(end, owner).filter { !targets.contains($0) }
    // What the list takes from another comes in the end.
    let targets = targets.filter(state.list(end, owner).contains)
    state.lists[end][owner] = targets + rest
    let ordered = targets + rest.filter(placed.contains)
    guard ordered != placed else { return }
    if sketch.isJoin(end) { return change(owner) }
    // The place in the list is kept with the object that has the foreign key.
    for (place, target) in ordered.enumerated() where place >= placed.count || placed[place] != target {
      change(target)
    }
  }

  /// "A child that requires its owner keeps it when a list no longer has it, unless another list takes it."
  private mutating func release(_ end: Int, _ owner: NaiveKey, _ target: NaiveKey) {
    let inverse = sketch.ends[end].inverse
    if sketch.ends[inverse].isRequired && state.objects[target] != nil {
      released.append(Said(end: end, owner: owner, target: target))
    } else {
      disconnect(end, owner, target, by: owner)
    }
  }

  mutating func settleReleased() {
    for said in Set(released) where state.list(said.end, said.owner).contains(said.target) {
      report.issueCount += 1
    }
  }

  mutating func connect(_ end: Int, _ owner: NaiveKey, _ target: NaiveKey) {
    let inverse = sketch.ends[end].inverse
    // What is said of a link again is no longer to be released.
    released.removeAll { $0 == Said(end: end, owner: owner, target: target) }
    if state.list(end, owner).contains(target) { return }
    if !sketch.ends[end].isToMany {
      for other in state.list(end, owner) { disconnect(end, owner, other, by: owner) }
    }
    if !sketch.ends[inverse].isToMany {
      for other in state.list(inverse, target) { disconnect(inverse, target, other, by: owner) }
    }
    state.connect(end, owner, target)
    if sketch.ends[inverse].isOrdered { state.unplaced[inverse][target, default: []].insert(owner) }
    credit(end, owner, target, by: owner)
  }

  mutating func disconnect(_ end: Int, _ owner: NaiveKey, _ target: NaiveKey, by sayer: NaiveKey) {
    state.disconnect(end, owner, target)
    credit(end, owner, target, by: sayer)
  }

  /// A link belongs to the object whose row has the foreign key; those of a join table to the one that told
  /// it.
  private mutating func credit(_ end: Int, _ owner: NaiveKey, _ target: NaiveKey, by sayer: NaiveKey) {
    let holdsHere = sketch.holds(end)
    let holdsThere = sketch.holds(sketch.ends[end].inverse)
    if holdsHere { change(owner) }
    if holdsThere { change(target) }
    if !holdsHere && !holdsThere { change(sayer) }
  }

  mutating func change(_ key: NaiveKey) {
    if state.objects[key] != nil { mark(key, .updated) }
  }

  // MARK: - At the end

  /// What was said of one end may have been undone by what was said of the other.
  mutating func findContradictions() {
    for one in said where sketch.ends[one.end].isOrdered && policy(one.end) == .merge {
      let back = Said(end: sketch.ends[one.end].inverse, owner: one.target, target: one.owner)
      if said.contains(back) { excuse = "whether a list gives a place to what is there already" }
    }
    for (word, targets) in word {
      let list = Set(state.list(word.end, word.owner))
      // What the list of another owner had later is that one's.
      let targets = targets.filter { (claims[word.end]?[$0] ?? word.owner) == word.owner }
      let merges = sketch.ends[word.end].isToMany && policy(word.end) == .merge
      let kept = released.filter { $0.end == word.end && $0.owner == word.owner }.map(\.target)
      if merges ? !targets.isSubset(of: list) : list != targets.union(list.intersection(kept)) {
        excuse = "the two ends are told in different ways"
      }
    }
  }

  /// "Create it with its identity only", where something refers to it.
  mutating func makeStubs() {
    for said in said where isPending(said) {
      let end = sketch.ends[said.end]
      if (end.references ?? options.references) == .stub, !sketch.kinds[end.target].isAbstract {
        insert(said.target, end.target, [:])
      }
    }
  }

  /// "A new object that lacks a required relationship at the end of the import is an issue and is not kept."
  mutating func dropIncomplete() {
    for (key, mark) in marks where mark == .inserted {
      guard let kind = state.objects[key]?.kind else { continue }
      let lacks = sketch.namedEnds(of: kind).contains { end in
        sketch.ends[end].isRequired && !sketch.ends[end].isToMany && state.list(end, key).isEmpty
      }
      guard lacks else { continue }
      report.issueCount += 1
      report.skipped[sketch.kinds[kind].name, default: 0] += 1
      drop(key, kind)
    }
  }

  /// What it said goes with it; what others say of it waits for it.
  private mutating func drop(_ key: NaiveKey, _ kind: Int) {
    marks[key] = nil
    state.objects[key] = nil
    for end in sketch.ends(of: kind) {
      let inverse = sketch.ends[end].inverse
      for target in state.list(end, key) {
        if !sketch.holds(end) && !sketch.isPart(sketch.ends[end].target) {
          // FoundTests.theLinksThatAnObjectWhichIsNotKeptMadeWaitForIt
          excuse = "links that an object which is not kept has in others' rows stay"
        }
        if sketch.isPart(sketch.ends[end].target) {
          state.disconnect(end, key, target)
          delete(target)
        } else if said.contains(Said(end: end, owner: key, target: target))
          && !said.contains(Said(end: inverse, owner: target, target: key))
        {
          state.disconnect(end, key, target)
        } else {
          said.append(Said(end: inverse, owner: target, target: key))
        }
      }
    }
  }
}

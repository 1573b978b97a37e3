import Broker

/// Makes up what is done to a store of knots.
struct RandomKnots {
  var random: Seeded
  let names = ["a", "b", "c", "d", "e", "é"]
  let numbers = [1, 2, 3, 4]

  init(_ seed: Int) { random = Seeded(state: UInt64(seed) &* 7919 &+ 1) }

  mutating func chance(_ count: Int) -> Bool { random.next(count) == 0 }

  mutating func some<Value>(_ values: [Value]) -> [Value] {
    var rest = values
    var result: [Value] = []
    for _ in 0..<random.next(4) where !rest.isEmpty {
      result.append(rest.remove(at: random.next(rest.count)))
    }
    return result
  }

  mutating func list<Value>(_ values: [Value]) -> ListStep<Value> {
    switch random.next(5) {
    case 0: return .all(some(values))
    case 1:
      let added = some(values)
      return .some(added: added, removed: some(values).filter { !added.contains($0) })
    default: return .none
    }
  }

  mutating func step(_ state: NaiveKnots) -> KnotStep {
    switch random.next(14) {
    case 0: return .deleteKnot(random.pick(names))
    case 1: return .deleteMark(random.pick(numbers))
    case 2: return .deleteLeaf(random.pick(numbers))
    case 3: return .deleteLock(random.pick(numbers))
    case 4: return .leaf(random.pick(numbers), value: random.maybe([1, 2]), knot: random.pick(names))
    case 5: return .lock(random.pick(numbers), knot: random.maybe(names))
    case 6, 7: return .mark(random.pick(numbers), title: random.maybe(["t", "u"]), knots: list(names))
    default: return .knot(draft(state))
    }
  }

  mutating func draft(_ state: NaiveKnots) -> KnotDraft {
    let name = random.pick(names)
    let others = names.filter { $0 != name }
    let isThere = { (name: String) in state.knots[name] != nil }
    var draft = KnotDraft(
      name: name, number: random.maybe([1, 2]), text: random.pick(["x", "y"]),
      parent: state.parent[name].flatMap { isThere($0) ? $0 : nil },
      partner: state.partner[name].flatMap { isThere($0) ? $0 : nil })
    if chance(3) { draft.parent = random.maybe(others) }
    if chance(3) { draft.partner = random.maybe(names) }
    draft.children = list(others)
    draft.friends = list(names)
    draft.marks = list(numbers)
    draft.leaves = list(numbers)
    draft.locks = list(numbers)
    if chance(3) { draft.scraps = some(["p", "q", "r", "s"]) }
    return draft
  }
}

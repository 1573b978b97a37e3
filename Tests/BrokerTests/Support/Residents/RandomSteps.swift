import Broker
import TestSettings

/// Makes random steps.
struct RandomSteps {
  var random: Seeded
  let names = ["a", "b", "c", "d", "e", "é"]
  let numbers = [1, 2, 3, 4]

  init(_ seed: UInt64) { random = Seeded(state: seed &* 7919 &+ 1) }

  mutating func chance(_ count: Int) -> Bool { random.below(count) == 0 }

  mutating func some<Value>(_ values: [Value]) -> [Value] {
    var rest = values
    var result: [Value] = []
    for _ in 0..<random.below(4) where !rest.isEmpty {
      result.append(rest.remove(at: random.below(rest.count)))
    }
    return result
  }

  mutating func list<Value>(_ values: [Value]) -> ListStep<Value> {
    switch random.below(5) {
    case 0: return .all(some(values))
    case 1:
      let added = some(values)
      return .some(added: added, removed: some(values).filter { !added.contains($0) })
    default: return .none
    }
  }

  mutating func step(_ state: NaiveResidents) -> ResidentStep {
    switch random.below(14) {
    case 0: return .deleteResident(random.pick(names))
    case 1: return .deleteBadge(random.pick(numbers))
    case 2: return .deletePet(random.pick(numbers))
    case 3: return .deleteLoan(random.pick(numbers))
    case 4: return .pet(random.pick(numbers), value: random.maybe([1, 2]), resident: random.pick(names))
    case 5: return .loan(random.pick(numbers), resident: random.maybe(names))
    case 6, 7: return .badge(random.pick(numbers), title: random.maybe(["t", "u"]), residents: list(names))
    default: return .resident(draft(state))
    }
  }

  mutating func draft(_ state: NaiveResidents) -> ResidentDraft {
    let name = random.pick(names)
    let others = names.filter { $0 != name }
    let isThere = { (name: String) in state.residents[name] != nil }
    var draft = ResidentDraft(
      name: name, number: random.maybe([1, 2]), text: random.pick(["x", "y"]),
      parent: state.parent[name].flatMap { isThere($0) ? $0 : nil },
      partner: state.partner[name].flatMap { isThere($0) ? $0 : nil })
    if chance(3) { draft.parent = random.maybe(others) }
    if chance(3) { draft.partner = random.maybe(names) }
    draft.children = list(others)
    draft.friends = list(names)
    draft.badges = list(numbers)
    draft.pets = list(numbers)
    draft.loans = list(numbers)
    if chance(3) { draft.remarks = some(["p", "q", "r", "s"]) }
    return draft
  }
}

/// What a store of knots should hold, thought out simply: links by identity, be their objects there or not.
struct NaiveKnots: Equatable {
  struct Values: Equatable {
    var number: Int?
    var text: String
  }

  /// A list, ordered at each end by itself.
  struct Links: Equatable {
    var there: [String: [Int]] = [:]
    var back: [Int: [String]] = [:]
  }

  var knots: [String: Values] = [:]
  var marks: [Int: String?] = [:]
  var leaves: [Int: Int?] = [:]
  var locks: Set<Int> = []
  var parent: [String: String] = [:]
  var children: [String: [String]] = [:]
  var partner: [String: String] = [:]
  var friends: [String: Set<String>] = [:]
  var markLinks = Links()
  var leafKnot: [Int: String] = [:]
  /// Leaves whose knot has left them out. It keeps them until another takes them, which must be so in the end.
  var held: Set<Int> = []
  var lockKnot: [Int: String] = [:]
  var scraps: [String: [String]] = [:]
  /// Lists, in which links of the other end's have no place of their own.
  var loose: Set<String> = []

  // MARK: - Links

  mutating func setParent(_ child: String, _ new: String?) {
    guard parent[child] != new else { return }
    if let old = parent[child] { children[old]?.removeAll { $0 == child } }
    parent[child] = new
    if let new {
      children[new, default: []].append(child)
      loose.insert("children \(new)")
    }
  }

  mutating func setChildren(_ owner: String, _ list: [String]) {
    for child in children[owner] ?? [] where !list.contains(child) { setParent(child, nil) }
    for child in list { setParent(child, owner) }
    children[owner] = list
  }

  mutating func setPartner(_ one: String, _ other: String?) {
    guard partner[one] != other else { return }
    if let old = partner[one] { partner[old] = nil }
    partner[one] = nil
    guard let other else { return }
    if let old = partner[other] { partner[old] = nil }
    partner[one] = other
    partner[other] = one
  }

  mutating func setFriends(_ one: String, _ others: Set<String>) {
    for other in friends[one] ?? [] { friends[other]?.remove(one) }
    friends[one] = others
    for other in others { friends[other, default: []].insert(one) }
  }

  mutating func setMarks(_ knot: String, _ list: [Int]) {
    for mark in markLinks.there[knot] ?? [] where !list.contains(mark) {
      markLinks.back[mark]?.removeAll { $0 == knot }
    }
    for mark in list where markLinks.back[mark]?.contains(knot) != true {
      markLinks.back[mark, default: []].append(knot)
      loose.insert("knots \(mark)")
    }
    markLinks.there[knot] = list
  }

  mutating func setKnots(_ mark: Int, _ list: [String]) {
    for knot in markLinks.back[mark] ?? [] where !list.contains(knot) {
      markLinks.there[knot]?.removeAll { $0 == mark }
    }
    for knot in list where markLinks.there[knot]?.contains(mark) != true {
      markLinks.there[knot, default: []].append(mark)
      loose.insert("marks \(knot)")
    }
    markLinks.back[mark] = list
  }

  func leaves(of knot: String) -> [Int] { leafKnot.filter { $0.value == knot }.map(\.key).sorted() }
  func locks(of knot: String) -> [Int] { lockKnot.filter { $0.value == knot }.map(\.key).sorted() }

  // MARK: - Deleting

  /// False if a lock denies it.
  mutating func deleteKnot(_ name: String) -> Bool {
    if locks(of: name).contains(where: locks.contains) { return false }
    knots[name] = nil
    setParent(name, nil)
    setChildren(name, [])
    setPartner(name, nil)
    setFriends(name, [])
    setMarks(name, [])
    for leaf in leaves(of: name) {
      leaves[leaf] = nil
      leafKnot[leaf] = nil
      held.remove(leaf)
    }
    for lock in locks(of: name) { lockKnot[lock] = nil }
    scraps[name] = nil
    return true
  }

  mutating func deleteMark(_ id: Int) {
    marks[id] = nil
    setKnots(id, [])
  }
}

/// What is done to a list.
enum ListStep<ID: Hashable & Sendable>: Sendable {
  case none
  case all([ID])
  case some(added: [ID], removed: [ID])

  var isAll: Bool { if case .all = self { true } else { false } }

  func result(from old: [ID]) -> [ID] {
    switch self {
    case .none: return old
    case .all(let ids): return ids
    case .some(let added, let removed):
      let kept = old.filter { !removed.contains($0) }
      return kept + added.filter { !kept.contains($0) }
    }
  }
}

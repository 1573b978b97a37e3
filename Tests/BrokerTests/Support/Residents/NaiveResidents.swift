/// The state that a store of residents should have. Links are kept by identity, whether their objects exist or not.
struct NaiveResidents: Equatable {
  struct Values: Equatable {
    var number: Int?
    var text: String
  }

  /// Links whose order is kept at each end.
  struct Links: Equatable {
    var ofResident: [String: [Int]] = [:]
    var ofBadge: [Int: [String]] = [:]
  }

  var residents: [String: Values] = [:]
  var badges: [Int: String?] = [:]
  var pets: [Int: Int?] = [:]
  var loans: Set<Int> = []
  var parent: [String: String] = [:]
  var children: [String: [String]] = [:]
  var partner: [String: String] = [:]
  var friends: [String: Set<String>] = [:]
  var badgeLinks = Links()
  var petOwner: [Int: String] = [:]
  /// Pets that the list of their resident no longer has. They keep it until another list takes them, which must
  /// happen before the commit.
  var released: Set<Int> = []
  var loanOwner: [Int: String] = [:]
  /// Loans whose resident was deleted, which they deny. They must go, or get another, before the commit.
  var denying: Set<Int> = []
  var remarks: [String: [String]] = [:]
  /// Lists with links that were made at the other end, which have no place in their order.
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

  mutating func setBadges(_ resident: String, _ list: [Int]) {
    for badge in badgeLinks.ofResident[resident] ?? [] where !list.contains(badge) {
      badgeLinks.ofBadge[badge]?.removeAll { $0 == resident }
    }
    for badge in list where badgeLinks.ofBadge[badge]?.contains(resident) != true {
      badgeLinks.ofBadge[badge, default: []].append(resident)
      loose.insert("residents \(badge)")
    }
    badgeLinks.ofResident[resident] = list
  }

  mutating func setResidents(_ badge: Int, _ list: [String]) {
    for resident in badgeLinks.ofBadge[badge] ?? [] where !list.contains(resident) {
      badgeLinks.ofResident[resident]?.removeAll { $0 == badge }
    }
    for resident in list where badgeLinks.ofResident[resident]?.contains(badge) != true {
      badgeLinks.ofResident[resident, default: []].append(badge)
      loose.insert("badges \(resident)")
    }
    badgeLinks.ofBadge[badge] = list
  }

  func pets(of resident: String) -> [Int] { petOwner.filter { $0.value == resident }.map(\.key).sorted() }
  func loans(of resident: String) -> [Int] { loanOwner.filter { $0.value == resident }.map(\.key).sorted() }

  // MARK: - Deleting

  mutating func deleteResident(_ name: String) {
    denying.formUnion(loans(of: name).filter(loans.contains))
    residents[name] = nil
    setParent(name, nil)
    setChildren(name, [])
    setPartner(name, nil)
    setFriends(name, [])
    setBadges(name, [])
    for pet in pets(of: name) {
      pets[pet] = nil
      petOwner[pet] = nil
      released.remove(pet)
    }
    for loan in loans(of: name) { loanOwner[loan] = nil }
    remarks[name] = nil
  }

  mutating func deleteBadge(_ id: Int) {
    badges[id] = nil
    setResidents(id, [])
  }
}

/// A change of a list.
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

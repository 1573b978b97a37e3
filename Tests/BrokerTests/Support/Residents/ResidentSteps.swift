import Broker
import Foundation

/// A change of a store of residents, and of the naive state that it should have.
enum ResidentStep: Sendable {
  case resident(ResidentDraft)
  case badge(Int, title: String?, residents: ListStep<String>)
  case pet(Int, value: Int?, resident: String)
  case loan(Int, resident: String?)
  case deleteResident(String)
  case deleteBadge(Int)
  case deletePet(Int)
  case deleteLoan(Int)
}

/// The values of a resident to save.
struct ResidentDraft: Sendable {
  var name: String
  var number: Int?
  var text: String
  var parent: String?
  var partner: String?
  var children = ListStep<String>.none
  var friends = ListStep<String>.none
  var badges = ListStep<Int>.none
  var pets = ListStep<Int>.none
  var loans = ListStep<Int>.none
  /// All remarks; nil leaves them as they are.
  var remarks: [String]?
}

extension ToMany {
  fileprivate mutating func take(_ step: ListStep<Target.ID>) {
    switch step {
    case .none: return
    case .all(let ids): self = ToMany(ids: ids)
    case .some(let added, let removed):
      for id in removed { remove(id: id) }
      for id in added { insert(id: id) }
    }
  }
}

extension ResidentStep {
  func run(_ transaction: WriteTransaction) throws {
    switch self {
    case .resident(let draft):
      var resident = try transaction.fetch(Resident.self, id: draft.name) ?? Resident(draft.name)
      resident.number = draft.number
      resident.text = draft.text
      resident.parent = draft.parent.map { ToOne(id: $0) }
      resident.partner = draft.partner.map { ToOne(id: $0) }
      resident.children.take(draft.children)
      resident.friends.take(draft.friends)
      resident.badges.take(draft.badges)
      resident.pets.take(draft.pets)
      resident.loans.take(draft.loans)
      if let remarks = draft.remarks {
        resident.remarks = ToMany(remarks.map { Remark(text: $0, resident: nil) })
      }
      try transaction.save(resident)
    case .badge(let id, let title, let residents):
      var badge = try transaction.fetch(Badge.self, id: id) ?? Badge(id: id, title: nil, residents: ToMany())
      badge.title = title
      badge.residents.take(residents)
      try transaction.save(badge)
    case .pet(let id, let value, let resident):
      try transaction.save(Pet(id: id, value: value, resident: ToOne(id: resident)))
    case .loan(let id, let resident):
      try transaction.save(Loan(id: id, resident: resident.map { ToOne(id: $0) }))
    case .deleteResident(let name): try transaction.delete(Resident.self, name)
    case .deleteBadge(let id): try transaction.delete(Badge.self, id)
    case .deletePet(let id): try transaction.delete(Pet.self, id)
    case .deleteLoan(let id): try transaction.delete(Loan.self, id)
    }
  }

  /// Changes the naive state. False if the store must refuse the step.
  func apply(to state: inout NaiveResidents) -> Bool {
    switch self {
    case .resident(let draft): state.take(draft)
    case .badge(let id, let title, let residents):
      state.badges[id] = .some(title)
      state.setResidents(id, residents.result(from: state.badgeLinks.ofBadge[id] ?? []))
      if residents.isAll { state.loose.remove("residents \(id)") }
    case .pet(let id, let value, let resident):
      state.pets[id] = .some(value)
      state.petOwner[id] = resident
      state.released.remove(id)
    case .loan(let id, let resident):
      let isNew = state.loans.insert(id).inserted
      if let resident {
        state.loanOwner[id] = resident
      } else if !isNew, let old = state.loanOwner[id], state.residents[old] != nil {
        state.loanOwner[id] = nil
      }
    case .deleteResident(let name):
      guard state.residents[name] != nil else { return false }
      state.deleteResident(name)
    case .deleteBadge(let id):
      guard state.badges[id] != nil else { return false }
      state.deleteBadge(id)
    case .deletePet(let id):
      guard state.pets.removeValue(forKey: id) != nil else { return false }
      state.petOwner[id] = nil
      state.released.remove(id)
    case .deleteLoan(let id):
      guard state.loans.remove(id) != nil else { return false }
      state.loanOwner[id] = nil
    }
    return true
  }
}

extension NaiveResidents {
  /// Whether all pets have the resident that they require, and no loan has lost its own, as it must be before a commit.
  var isWhole: Bool {
    released.isEmpty && denying.allSatisfy { !loans.contains($0) || loanOwner[$0] != nil }
  }

  mutating func take(_ draft: ResidentDraft) {
    let name = draft.name
    // A new resident without parent or partner keeps those that a list has linked it to already.
    let isNew = residents[name] == nil
    residents[name] = Values(number: draft.number, text: draft.text)
    // A pending reference reads as nil, and nil that is saved again does not clear it.
    if let parent = draft.parent {
      setParent(name, parent)
    } else if !isNew, let old = parent[name], residents[old] != nil {
      setParent(name, nil)
    }
    if let partner = draft.partner {
      setPartner(name, partner)
    } else if !isNew, let old = partner[name], residents[old] != nil {
      setPartner(name, nil)
    }
    setChildren(name, draft.children.result(from: children[name] ?? []))
    setFriends(name, Set(draft.friends.result(from: Array(friends[name] ?? []))))
    setBadges(name, draft.badges.result(from: badgeLinks.ofResident[name] ?? []))
    if draft.children.isAll { loose.remove("children \(name)") }
    if draft.badges.isAll { loose.remove("badges \(name)") }
    if case .none = draft.pets {} else { setPets(name, draft.pets.result(from: pets(of: name))) }
    let loans = draft.loans.result(from: loans(of: name))
    for loan in self.loans(of: name) where !loans.contains(loan) { loanOwner[loan] = nil }
    for loan in loans { loanOwner[loan] = name }
    if let remarks = draft.remarks { self.remarks[name] = remarks }
  }

  private mutating func setPets(_ name: String, _ pets: [Int]) {
    for pet in self.pets(of: name) where !pets.contains(pet) {
      if self.pets[pet] == nil { petOwner[pet] = nil } else { released.insert(pet) }
    }
    for pet in pets {
      petOwner[pet] = name
      released.remove(pet)
    }
  }
}

import Broker
import Foundation

/// Something that is done to a store of knots, and to what it should hold.
enum KnotStep: Sendable {
  case knot(KnotDraft)
  case mark(Int, title: String?, knots: ListStep<String>)
  case leaf(Int, value: Int?, knot: String)
  case lock(Int, knot: String?)
  case deleteKnot(String)
  case deleteMark(Int)
  case deleteLeaf(Int)
  case deleteLock(Int)
}

/// What a knot is to be.
struct KnotDraft: Sendable {
  var name: String
  var number: Int?
  var text: String
  var parent: String?
  var partner: String?
  var children = ListStep<String>.none
  var friends = ListStep<String>.none
  var marks = ListStep<Int>.none
  var leaves = ListStep<Int>.none
  var locks = ListStep<Int>.none
  /// All parts; nil if nothing is said of them.
  var scraps: [String]?
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

extension KnotStep {
  func run(_ transaction: WriteTransaction) throws {
    switch self {
    case .knot(let draft):
      var knot = try transaction.fetch(Knot.self, id: draft.name) ?? Knot(draft.name)
      knot.number = draft.number
      knot.text = draft.text
      knot.parent = draft.parent.map { ToOne(id: $0) }
      knot.partner = draft.partner.map { ToOne(id: $0) }
      knot.children.take(draft.children)
      knot.friends.take(draft.friends)
      knot.marks.take(draft.marks)
      knot.leaves.take(draft.leaves)
      knot.locks.take(draft.locks)
      if let scraps = draft.scraps { knot.scraps = ToMany(scraps.map { Scrap(text: $0, knot: nil) }) }
      try transaction.save(knot)
    case .mark(let id, let title, let knots):
      var mark = try transaction.fetch(Badge.self, id: id) ?? Badge(id: id, title: nil, knots: ToMany())
      mark.title = title
      mark.knots.take(knots)
      try transaction.save(mark)
    case .leaf(let id, let value, let knot):
      try transaction.save(Leaf(id: id, value: value, knot: ToOne(id: knot)))
    case .lock(let id, let knot): try transaction.save(Lock(id: id, knot: knot.map { ToOne(id: $0) }))
    case .deleteKnot(let name): try transaction.delete(Knot.self, name)
    case .deleteMark(let id): try transaction.delete(Badge.self, id)
    case .deleteLeaf(let id): try transaction.delete(Leaf.self, id)
    case .deleteLock(let id): try transaction.delete(Lock.self, id)
    }
  }

  /// False if it is to be refused.
  func apply(to state: inout NaiveKnots) -> Bool {
    switch self {
    case .knot(let draft): state.take(draft)
    case .mark(let id, let title, let knots):
      state.marks[id] = .some(title)
      state.setKnots(id, knots.result(from: state.markLinks.back[id] ?? []))
      if knots.isAll { state.loose.remove("knots \(id)") }
    case .leaf(let id, let value, let knot):
      state.leaves[id] = .some(value)
      state.leafKnot[id] = knot
      state.held.remove(id)
    case .lock(let id, let knot):
      let isNew = state.locks.insert(id).inserted
      if let knot {
        state.lockKnot[id] = knot
      } else if !isNew, let old = state.lockKnot[id], state.knots[old] != nil {
        state.lockKnot[id] = nil
      }
    case .deleteKnot(let name): return state.knots[name] != nil && state.deleteKnot(name)
    case .deleteMark(let id):
      guard state.marks[id] != nil else { return false }
      state.deleteMark(id)
    case .deleteLeaf(let id):
      guard state.leaves.removeValue(forKey: id) != nil else { return false }
      state.leafKnot[id] = nil
      state.held.remove(id)
    case .deleteLock(let id):
      guard state.locks.remove(id) != nil else { return false }
      state.lockKnot[id] = nil
    }
    return true
  }
}

extension NaiveKnots {
  /// Whether all leaves have the knot that they need, as they must in the end.
  var isWhole: Bool { held.isEmpty }

  mutating func take(_ draft: KnotDraft) {
    let name = draft.name
    // Who is new and names nobody takes whom a list has linked it to already.
    let isNew = knots[name] == nil
    knots[name] = Values(number: draft.number, text: draft.text)
    // What waits reads as nil: who saves that again has said nothing of it.
    if let parent = draft.parent {
      setParent(name, parent)
    } else if !isNew, let old = parent[name], knots[old] != nil {
      setParent(name, nil)
    }
    if let partner = draft.partner {
      setPartner(name, partner)
    } else if !isNew, let old = partner[name], knots[old] != nil {
      setPartner(name, nil)
    }
    setChildren(name, draft.children.result(from: children[name] ?? []))
    setFriends(name, Set(draft.friends.result(from: Array(friends[name] ?? []))))
    setMarks(name, draft.marks.result(from: markLinks.there[name] ?? []))
    if draft.children.isAll { loose.remove("children \(name)") }
    if draft.marks.isAll { loose.remove("marks \(name)") }
    if case .none = draft.leaves {} else { setLeaves(name, draft.leaves.result(from: leaves(of: name))) }
    let locks = draft.locks.result(from: locks(of: name))
    for lock in self.locks(of: name) where !locks.contains(lock) { lockKnot[lock] = nil }
    for lock in locks { lockKnot[lock] = name }
    if let scraps = draft.scraps { self.scraps[name] = scraps }
  }

  private mutating func setLeaves(_ name: String, _ leaves: [Int]) {
    for leaf in self.leaves(of: name) where !leaves.contains(leaf) {
      if self.leaves[leaf] == nil { leafKnot[leaf] = nil } else { held.insert(leaf) }
    }
    for leaf in leaves {
      leafKnot[leaf] = name
      held.remove(leaf)
    }
  }
}

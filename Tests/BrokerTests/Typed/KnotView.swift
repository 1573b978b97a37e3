import Broker

/// What is seen of a store of knots, one line for each object.
enum KnotView {
  /// - Parameter loose: The lists whose order does not matter.
  static func of(_ store: Store, loose: Set<String> = []) async throws -> [String] {
    try await store.read { try of($0, loose) }
  }

  static func of(_ transaction: ReadTransaction, _ loose: Set<String>) throws -> [String] {
    func list<ID: Comparable>(_ ids: [ID], _ name: String) -> [ID] {
      loose.contains(name) ? ids.sorted() : ids
    }
    var lines: [String] = []
    for knot in try transaction.fetch(Knot.everything) {
      lines.append(
        line(
          knot.name, knot.number, knot.text, knot.parent?.id, knot.partner?.id,
          list(knot.children.map(\.name), "children \(knot.name)"),
          knot.friends.map(\.name), list(knot.marks.map(\.id), "marks \(knot.name)"), knot.leaves.map(\.id),
          knot.locks.map(\.id),
          knot.scraps.map(\.text)))
    }
    for mark in try transaction.fetch(Badge.all.prefetching(\.knots)) {
      lines.append("mark \(mark.id) \(mark.title ?? "-") \(list(mark.knots.map(\.name), "knots \(mark.id)"))")
    }
    for leaf in try transaction.fetch(Leaf.all) {
      lines.append("leaf \(leaf.id) \(leaf.value ?? -1) \(leaf.knot.id)")
    }
    for lock in try transaction.fetch(Lock.all) { lines.append("lock \(lock.id) \(lock.knot?.id ?? "-")") }
    return lines
  }

  static func of(_ state: NaiveKnots) -> [String] {
    func list<ID: Comparable>(_ ids: [ID], _ name: String) -> [ID] {
      state.loose.contains(name) ? ids.sorted() : ids
    }
    let isThere = { (name: String) in state.knots[name] != nil }
    var lines: [String] = []
    for (name, values) in state.knots.sorted(by: { $0.key < $1.key }) {
      lines.append(
        line(
          name, values.number, values.text, state.parent[name].flatMap { isThere($0) ? $0 : nil },
          state.partner[name].flatMap { isThere($0) ? $0 : nil },
          list((state.children[name] ?? []).filter(isThere), "children \(name)"),
          (state.friends[name] ?? []).filter(isThere).sorted(),
          list((state.markLinks.there[name] ?? []).filter { state.marks[$0] != nil }, "marks \(name)"),
          state.leaves(of: name).filter { state.leaves[$0] != nil },
          state.locks(of: name).filter(state.locks.contains), state.scraps[name] ?? []))
    }
    for (id, title) in state.marks.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "mark \(id) \(title ?? "-") \(list((state.markLinks.back[id] ?? []).filter(isThere), "knots \(id)"))")
    }
    for (id, value) in state.leaves.sorted(by: { $0.key < $1.key }) {
      lines.append("leaf \(id) \(value ?? -1) \(state.leafKnot[id] ?? "?")")
    }
    for id in state.locks.sorted() {
      lines.append("lock \(id) \(state.lockKnot[id].flatMap { isThere($0) ? $0 : nil } ?? "-")")
    }
    return lines
  }

  private static func line(
    _ name: String, _ number: Int?, _ text: String, _ parent: String?, _ partner: String?,
    _ children: [String], _ friends: [String], _ marks: [Int], _ leaves: [Int], _ locks: [Int],
    _ scraps: [String]
  ) -> String {
    "knot \(name) \(number ?? -1) \(text) parent \(parent ?? "-") partner \(partner ?? "-") children \(children)"
      + " friends \(friends) marks \(marks) leaves \(leaves) locks \(locks) scraps \(scraps)"
  }
}

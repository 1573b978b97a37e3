import Broker
import Foundation

/// What a server has, as JSON.
struct KnotServer {
  var state = NaiveKnots()

  /// Everything, entity by entity.
  var everything: [(entity: String, json: String)] {
    [
      ("Knot", text(state.knots.keys.sorted().map { knot($0) })),
      ("Badge", text(state.marks.keys.sorted().map { mark($0) })),
      ("Leaf", text(state.leaves.keys.sorted().map { leaf($0) })),
      ("Lock", text(state.locks.sorted().map { lock($0) })),
    ]
  }

  /// Some objects of an entity, with some of what they have.
  func some(_ random: inout RandomKnots) -> (entity: String, json: String) {
    func pick(_ all: [[String: Any]], _ random: inout RandomKnots) -> String {
      text(
        all.filter { _ in random.random.next(3) > 0 }.map { object in
          object.sorted { $0.key < $1.key }.reduce(into: [:]) { part, pair in
            if ["name", "id"].contains(pair.key) || random.random.next(4) > 0 { part[pair.key] = pair.value }
          }
        })
    }
    switch random.random.next(5) {
    case 0: return ("Badge", pick(state.marks.keys.sorted().map { mark($0) }, &random))
    case 1: return ("Leaf", pick(state.leaves.keys.sorted().map { leaf($0) }, &random))
    case 2: return ("Lock", pick(state.locks.sorted().map { lock($0) }, &random))
    default: return ("Knot", pick(state.knots.keys.sorted().map { knot($0) }, &random))
    }
  }

  private func isThere(_ name: String) -> Bool { state.knots[name] != nil }
  private func value(_ some: Any?) -> Any { some ?? NSNull() }

  private func text(_ objects: [[String: Any]]) -> String {
    let data = try? JSONSerialization.data(withJSONObject: objects, options: [.sortedKeys])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  func knot(_ name: String) -> [String: Any] {
    [
      "name": name, "number": value(state.knots[name]?.number), "text": value(state.knots[name]?.text),
      "parent": value(state.parent[name].flatMap { isThere($0) ? $0 : nil }),
      "partner": value(state.partner[name].flatMap { isThere($0) ? $0 : nil }),
      "children": (state.children[name] ?? []).filter(isThere),
      "friends": (state.friends[name] ?? []).filter(isThere).sorted(),
      "marks": (state.markLinks.there[name] ?? []).filter { state.marks[$0] != nil },
      "leaves": state.leaves(of: name).filter { state.leaves[$0] != nil },
      "locks": state.locks(of: name).filter(state.locks.contains),
      "scraps": (state.scraps[name] ?? []).map { ["text": $0] },
    ]
  }

  func mark(_ id: Int) -> [String: Any] {
    [
      "id": id, "title": value(state.marks[id] ?? nil),
      "knots": (state.markLinks.back[id] ?? []).filter(isThere),
    ]
  }

  func leaf(_ id: Int) -> [String: Any] {
    ["id": id, "value": value(state.leaves[id] ?? nil), "knot": value(state.leafKnot[id])]
  }

  func lock(_ id: Int) -> [String: Any] {
    ["id": id, "knot": value(state.lockKnot[id].flatMap { isThere($0) ? $0 : nil })]
  }
}

/// What a store has of each object, property by property, as text.
typealias KnotValues = [String: [String: String]]

extension KnotView {
  static func values(_ store: Store) async throws -> KnotValues {
    try await store.read { transaction in
      var values: KnotValues = [:]
      for knot in try transaction.fetch(Knot.everything) {
        values["Knot \(knot.name)"] = [
          "number": "\(knot.number ?? -1)", "text": knot.text, "parent": knot.parent?.id ?? "-",
          "partner": knot.partner?.id ?? "-", "children": "\(knot.children.map(\.name))",
          "friends": "\(knot.friends.map(\.name))", "marks": "\(knot.marks.map(\.id))",
          "leaves": "\(knot.leaves.map(\.id))", "locks": "\(knot.locks.map(\.id))",
          "scraps": "\(knot.scraps.map(\.text))",
        ]
      }
      for mark in try transaction.fetch(Badge.all.prefetching(\.knots)) {
        values["Badge \(mark.id)"] = ["title": mark.title ?? "-", "knots": "\(mark.knots.map(\.name))"]
      }
      for leaf in try transaction.fetch(Leaf.all) {
        values["Leaf \(leaf.id)"] = ["value": "\(leaf.value ?? -1)", "knot": leaf.knot.id]
      }
      for lock in try transaction.fetch(Lock.all) {
        values["Lock \(lock.id)"] = ["knot": lock.knot?.id ?? "-"]
      }
      return values
    }
  }
}

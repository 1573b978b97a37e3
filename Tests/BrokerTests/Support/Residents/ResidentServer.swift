import Broker
import Foundation
import TestSettings

/// The state of a server, and its objects as JSON.
struct ResidentServer {
  var state = NaiveResidents()

  /// All objects, a document for each entity.
  var everything: [(entity: String, json: String)] {
    [
      ("Resident", text(state.residents.keys.sorted().map { resident($0) })),
      ("Badge", text(state.badges.keys.sorted().map { badge($0) })),
      ("Pet", text(state.pets.keys.sorted().map { pet($0) })),
      ("Loan", text(state.loans.sorted().map { loan($0) })),
    ]
  }

  /// Some objects of an entity, with some of their properties.
  func some(_ random: inout RandomSteps) -> (entity: String, json: String) {
    func pick(_ all: [[String: Any]], _ random: inout RandomSteps) -> String {
      text(
        all.filter { _ in random.random.below(3) > 0 }.map { object in
          object.sorted { $0.key < $1.key }.reduce(into: [:]) { part, pair in
            if ["name", "id"].contains(pair.key) || random.random.below(4) > 0 {
              part[pair.key] = pair.value
            }
          }
        })
    }
    switch random.random.below(5) {
    case 0: return ("Badge", pick(state.badges.keys.sorted().map { badge($0) }, &random))
    case 1: return ("Pet", pick(state.pets.keys.sorted().map { pet($0) }, &random))
    case 2: return ("Loan", pick(state.loans.sorted().map { loan($0) }, &random))
    default: return ("Resident", pick(state.residents.keys.sorted().map { resident($0) }, &random))
    }
  }

  private func isThere(_ name: String) -> Bool { state.residents[name] != nil }
  private func value(_ some: Any?) -> Any { some ?? NSNull() }

  private func text(_ objects: [[String: Any]]) -> String {
    let data = try? JSONSerialization.data(withJSONObject: objects, options: [.sortedKeys])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  func resident(_ name: String) -> [String: Any] {
    [
      "name": name, "number": value(state.residents[name]?.number),
      "text": value(state.residents[name]?.text),
      "parent": value(state.parent[name].flatMap { isThere($0) ? $0 : nil }),
      "partner": value(state.partner[name].flatMap { isThere($0) ? $0 : nil }),
      "children": (state.children[name] ?? []).filter(isThere),
      "friends": (state.friends[name] ?? []).filter(isThere).sorted(),
      "badges": (state.badgeLinks.ofResident[name] ?? []).filter { state.badges[$0] != nil },
      "pets": state.pets(of: name).filter { state.pets[$0] != nil },
      "loans": state.loans(of: name).filter(state.loans.contains),
      "remarks": (state.remarks[name] ?? []).map { ["text": $0] },
    ]
  }

  func badge(_ id: Int) -> [String: Any] {
    [
      "id": id, "title": value(state.badges[id] ?? nil),
      "residents": (state.badgeLinks.ofBadge[id] ?? []).filter(isThere),
    ]
  }

  func pet(_ id: Int) -> [String: Any] {
    ["id": id, "value": value(state.pets[id] ?? nil), "resident": value(state.petOwner[id])]
  }

  func loan(_ id: Int) -> [String: Any] {
    ["id": id, "resident": value(state.loanOwner[id].flatMap { isThere($0) ? $0 : nil })]
  }
}

/// The properties of each object in a store, as text.
typealias ResidentValues = [String: [String: String]]

extension ResidentText {
  static func values(_ store: Store) async throws -> ResidentValues {
    try await store.read { transaction in
      var values: ResidentValues = [:]
      for resident in try transaction.fetch(Resident.everything) {
        values["Resident \(resident.name)"] = [
          "number": "\(resident.number ?? -1)", "text": resident.text, "parent": resident.parent?.id ?? "-",
          "partner": resident.partner?.id ?? "-", "children": "\(resident.children.map(\.name))",
          "friends": "\(resident.friends.map(\.name))", "badges": "\(resident.badges.map(\.id))",
          "pets": "\(resident.pets.map(\.id))", "loans": "\(resident.loans.map(\.id))",
          "remarks": "\(resident.remarks.map(\.text))",
        ]
      }
      for badge in try transaction.fetch(Badge.all.prefetching(\.residents)) {
        values["Badge \(badge.id)"] = [
          "title": badge.title ?? "-", "residents": "\(badge.residents.map(\.name))",
        ]
      }
      for pet in try transaction.fetch(Pet.all) {
        values["Pet \(pet.id)"] = ["value": "\(pet.value ?? -1)", "resident": pet.resident.id]
      }
      for loan in try transaction.fetch(Loan.all) {
        values["Loan \(loan.id)"] = ["resident": loan.resident?.id ?? "-"]
      }
      return values
    }
  }
}

import Broker

/// A store of residents as text, a line for each object.
enum ResidentText {
  /// - Parameter loose: The lists whose order is not compared.
  static func of(_ store: Store, loose: Set<String> = []) async throws -> [String] {
    try await store.read { try of($0, loose) }
  }

  static func of(_ transaction: ReadTransaction, _ loose: Set<String>) throws -> [String] {
    func list<ID: Comparable>(_ ids: [ID], _ name: String) -> [ID] {
      loose.contains(name) ? ids.sorted() : ids
    }
    var lines: [String] = []
    for resident in try transaction.fetch(Resident.everything) {
      lines.append(
        line(
          resident.name, resident.number, resident.text, resident.parent?.id, resident.partner?.id,
          list(resident.children.map(\.name), "children \(resident.name)"),
          resident.friends.map(\.name), list(resident.badges.map(\.id), "badges \(resident.name)"),
          resident.pets.map(\.id),
          resident.loans.map(\.id),
          resident.remarks.map(\.text)))
    }
    for badge in try transaction.fetch(Badge.all.prefetching(\.residents)) {
      lines.append(
        "badge \(badge.id) \(badge.title ?? "-") \(list(badge.residents.map(\.name), "residents \(badge.id)"))"
      )
    }
    for pet in try transaction.fetch(Pet.all) {
      lines.append("pet \(pet.id) \(pet.value ?? -1) \(pet.resident.id)")
    }
    for loan in try transaction.fetch(Loan.all) {
      lines.append("loan \(loan.id) \(loan.resident?.id ?? "-")")
    }
    return lines
  }

  static func of(_ state: NaiveResidents) -> [String] {
    func list<ID: Comparable>(_ ids: [ID], _ name: String) -> [ID] {
      state.loose.contains(name) ? ids.sorted() : ids
    }
    let isThere = { (name: String) in state.residents[name] != nil }
    var lines: [String] = []
    for (name, values) in state.residents.sorted(by: { $0.key < $1.key }) {
      lines.append(
        line(
          name, values.number, values.text, state.parent[name].flatMap { isThere($0) ? $0 : nil },
          state.partner[name].flatMap { isThere($0) ? $0 : nil },
          list((state.children[name] ?? []).filter(isThere), "children \(name)"),
          (state.friends[name] ?? []).filter(isThere).sorted(),
          list(
            (state.badgeLinks.ofResident[name] ?? []).filter { state.badges[$0] != nil }, "badges \(name)"),
          state.pets(of: name).filter { state.pets[$0] != nil },
          state.loans(of: name).filter(state.loans.contains), state.remarks[name] ?? []))
    }
    for (id, title) in state.badges.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "badge \(id) \(title ?? "-") \(list((state.badgeLinks.ofBadge[id] ?? []).filter(isThere), "residents \(id)"))"
      )
    }
    for (id, value) in state.pets.sorted(by: { $0.key < $1.key }) {
      lines.append("pet \(id) \(value ?? -1) \(state.petOwner[id] ?? "?")")
    }
    for id in state.loans.sorted() {
      lines.append("loan \(id) \(state.loanOwner[id].flatMap { isThere($0) ? $0 : nil } ?? "-")")
    }
    return lines
  }

  private static func line(
    _ name: String, _ number: Int?, _ text: String, _ parent: String?, _ partner: String?,
    _ children: [String], _ friends: [String], _ badges: [Int], _ pets: [Int], _ loans: [Int],
    _ remarks: [String]
  ) -> String {
    "resident \(name) \(number ?? -1) \(text) parent \(parent ?? "-") partner \(partner ?? "-") children \(children)"
      + " friends \(friends) badges \(badges) pets \(pets) loans \(loans) remarks \(remarks)"
  }
}

import Broker
import Foundation
import Testing

/// Local changes and imports at random: what must survive, and what must be told.
@Suite struct RandomJournalTests {
  private static let attributes: Set = ["number", "text", "title", "value"]

  @Test(arguments: 0..<20) func localChangesSurvive(_ group: Int) async throws {
    for seed in (group * 6)..<(group * 6 + 6) {
      guard try await run(seed) else { return }
    }
  }

  /// What should be told of an object.
  private struct Note {
    var kind: LocalChange.Kind
    var attributes: Set<String> = []
    var isSent = false
  }

  private func run(_ seed: Int) async throws -> Bool {
    let store = try await Store(at: .memory, for: Knot.self, tracksLocalChanges: true)
    var random = RandomKnots(seed + 100_000)
    var server = KnotServer()
    var notes: [String: Note] = [:]
    var log: [String] = []
    for number in 0..<30 {
      let before = try await KnotView.values(store)
      var problems: [String] = []
      switch random.random.next(8) {
      case 0, 1, 2:
        let step = random.step(Self.visible(before))
        log.append("\(number): local \(step)")
        _ = try? await store.write { try step.run($0) }
        let after = try await KnotView.values(store)
        Self.note(before, after, &notes)
      case 3:
        for _ in 0..<3 {
          var next = server.state
          if random.step(next).apply(to: &next), next.isWhole,
            next.leafKnot.values.allSatisfy({ next.knots[$0] != nil })
          {
            server.state = next
          }
        }
        log.append("\(number): server")
      case 4 where random.chance(2):
        log.append("\(number): confirm")
        let changes = try await store.localChanges()
        try await store.confirm(changes)
        #expect(try await store.localChanges().isEmpty)
        notes = [:]
      case 5 where random.chance(3):
        log.append("\(number): told")
        _ = try await store.localChanges()
        for key in notes.keys { notes[key]?.isSent = true }
      default:
        let (entity, json) =
          random.random.next(3) == 0 ? random.random.pick(server.everything) : server.some(&random)
        var options = ImportOptions()
        options.entity = entity
        options.prunes = random.chance(3)
        log.append("\(number): import \(entity) \(json) \(options.prunes ? "pruning" : "")")
        let told = try await told(store)
        try await store.import(json, options: options)
        if try await self.told(store) != told { problems.append("the import changed what is told") }
        problems += Self.violations(told, before, try await KnotView.values(store))
      }
      problems += Self.differences(notes, try await told(store))
      guard problems.isEmpty else {
        Testing.Issue.record(
          "seed \(seed), step \(number):\n\(problems.joined(separator: "\n"))\n\(log.suffix(9).joined(separator: "\n"))"
        )
        return false
      }
    }
    // Once all is told, the server has its way.
    try await store.confirm(try await store.localChanges())
    var options = ImportOptions()
    options.prunes = true
    for (entity, json) in server.everything.reversed() {
      let report = try await store.import(json, as: entity, options: options)
      log.append("import \(entity) \(json): \(report)")
    }
    let loose = server.state.loose
    let (seen, expected) = (try await KnotView.of(store, loose: loose), KnotView.of(server.state))
    if seen != expected {
      Testing.Issue.record(
        """
        seed \(seed), at the end
        expected: \(expected.filter { !seen.contains($0) }.joined(separator: "\n"))
        found: \(seen.filter { !expected.contains($0) }.joined(separator: "\n"))
        \(log.suffix(9).joined(separator: "\n"))
        """)
      return false
    }
    return true
  }

  /// What is told, without saying that anybody was told.
  private func told(_ store: Store) async throws -> [String: LocalChange] {
    struct Stop: Error {}
    let found = Shared<[LocalChange]>([])
    do {
      try await store.write { transaction in
        found.value = try transaction.localChanges()
        throw Stop()
      }
    } catch is Stop {}
    return Dictionary(found.value.map { ("\($0.entity) \($0.identity)", $0) }, uniquingKeysWith: { $1 })
  }

  /// What the generator asks of the state.
  private static func visible(_ values: KnotValues) -> NaiveKnots {
    var state = NaiveKnots()
    for (key, object) in values where key.hasPrefix("Knot ") {
      let name = String(key.dropFirst(5))
      state.knots[name] = NaiveKnots.Values(number: nil, text: "")
      if let parent = object["parent"], parent != "-" { state.parent[name] = parent }
      if let partner = object["partner"], partner != "-" { state.partner[name] = partner }
    }
    return state
  }

  private static func note(_ before: KnotValues, _ after: KnotValues, _ notes: inout [String: Note]) {
    for key in Set(before.keys).union(after.keys) {
      switch (before[key], after[key]) {
      case (nil, let new?):
        notes[key] =
          notes[key]?.kind == .deleted
          ? Note(kind: .updated, attributes: Set(new.keys).intersection(attributes)) : Note(kind: .inserted)
      case (_?, nil):
        if let note = notes[key], note.kind == .inserted, !note.isSent {
          notes[key] = nil
        } else {
          notes[key] = Note(kind: .deleted)
        }
      case (let old?, let new?):
        let changed = Set(new.keys.filter { new[$0] != old[$0] }).intersection(attributes)
        if changed.isEmpty { continue }
        if notes[key] == nil { notes[key] = Note(kind: .updated) }
        notes[key]?.attributes.formUnion(changed)
      default: continue
      }
    }
  }

  /// What is told and should not be, or the other way round. Links may be told at either end.
  private static func differences(_ notes: [String: Note], _ told: [String: LocalChange]) -> [String] {
    var problems: [String] = []
    for (key, note) in notes {
      guard let change = told[key] else {
        problems.append("\(key) is not told: \(note)")
        continue
      }
      if change.kind != note.kind { problems.append("\(key) is told as \(change.kind), not \(note.kind)") }
      let attributes = Set(change.properties).intersection(attributes)
      if change.kind == .updated, attributes != note.attributes {
        problems.append("\(key): told are \(attributes), not \(note.attributes)")
      }
    }
    for (key, change) in told where notes[key] == nil {
      let attributes = Set(change.properties).intersection(attributes)
      if change.kind != .updated || !attributes.isEmpty { problems.append("\(key) is told: \(change)") }
    }
    return problems
  }

  /// Whether a list has all that another has.
  private static func has(_ list: String, _ other: String) -> Bool {
    let parts = { (text: String) in Set(text.dropFirst().dropLast().components(separatedBy: ", ")) }
    return other == "[]" || parts(list).isSuperset(of: parts(other))
  }

  /// What an import overwrote that it should not have.
  private static func violations(
    _ told: [String: LocalChange], _ before: KnotValues, _ after: KnotValues
  ) -> [String] {
    var problems: [String] = []
    // Links to what was deleted go with it, and what was waited for is there when it comes.
    let gone = before.keys.filter { after[$0] == nil }.compactMap { $0.split(separator: " ").last }
    let arrived = after.keys.filter { before[$0] == nil }.compactMap { $0.split(separator: " ").last }
    for (key, change) in told {
      let (old, new) = (before[key], after[key])
      switch change.kind {
      case .deleted: if new != nil { problems.append("\(key) came back") }
      case .inserted:
        // Others may be linked to it, and what it is linked to may be deleted.
        for name in attributes.union(["parent", "scraps"]) where old?[name] != new?[name] {
          if name == "parent", let parent = old?[name], after["Knot \(parent)"] == nil { continue }
          problems.append(
            "\(key).\(name), which is new, became \(new?[name] ?? "-"), was \(old?[name] ?? "-")")
        }
      case .updated:
        guard let old, let new else {
          if old != nil { problems.append("\(key), which was changed, is gone") }
          continue
        }
        for name in change.properties where old[name] != new[name] {
          // That others were linked to it from their end takes nothing away.
          if let old = old[name], let new = new[name], old.hasPrefix("["), Self.has(new, old) { continue }
          if gone.contains(where: { old[name]?.contains($0) == true }) { continue }
          if name != "partner", arrived.contains(where: { new[name]?.contains($0) == true }) { continue }
          problems.append("\(key).\(name) became \(new[name] ?? "?"), was \(old[name] ?? "?")")
        }
      }
    }
    return problems
  }
}

import Broker
import Foundation
import TestSettings
import Testing

/// Random local changes and imports: imports must not overwrite local changes, and the journal must have them all.
@Suite struct RandomJournalTests {
  private static let attributes: Set = ["number", "text", "title", "value"]

  @Test(arguments: Seeds.first(4, long: 120)) func localChangesSurvive(_ seed: UInt64) async throws {
    var run = try await Run(seed)
    for number in 0..<30 {
      let problems = try await run.step()
      guard problems.isEmpty else {
        Testing.Issue.record(
          "seed \(seed), step \(number):\n\(problems.joined(separator: "\n"))\n\(run.end(of: run.log))")
        return
      }
    }
    let problems = try await run.finish()
    guard !problems.isEmpty else { return }
    Testing.Issue.record(
      "seed \(seed), at the end:\n\(problems.joined(separator: "\n"))\n\(run.end(of: run.log))")
  }

  /// The entry that the journal should have for an object.
  private struct ExpectedEntry {
    var kind: LocalChange.Kind
    var attributes: Set<String> = []
    var isSent = false
  }

  /// A store, the server that it imports from, and the journal that is expected.
  private struct Run {
    let store: Store
    var random: RandomSteps
    var server = ResidentServer()
    var expected: [String: ExpectedEntry] = [:]
    var log: [String] = []

    init(_ seed: UInt64) async throws {
      store = try await Store(at: .memory, for: Resident.self, tracksLocalChanges: true)
      random = RandomSteps(seed + 100_000)
    }

    func end(of log: [String]) -> String { log.suffix(9).joined(separator: "\n") }

    /// Does one random thing, and returns what is wrong afterwards.
    mutating func step() async throws -> [String] {
      var problems: [String] = []
      switch random.random.next(8) {
      case 0, 1, 2: try await changeLocally()
      case 3: changeServer()
      case 4 where random.chance(2): try await confirm()
      case 5 where random.chance(3):
        log.append("send")
        _ = try await store.localChanges()
        for key in expected.keys { expected[key]?.isSent = true }
      default: problems += try await importSomething()
      }
      return problems + RandomJournalTests.differences(expected, try await journal())
    }

    private mutating func changeLocally() async throws {
      let before = try await ResidentText.values(store)
      let step = random.step(RandomJournalTests.visible(before))
      log.append("local \(step)")
      _ = try? await store.write { try step.run($0) }
      RandomJournalTests.note(before, try await ResidentText.values(store), &expected)
    }

    private mutating func changeServer() {
      log.append("server")
      for _ in 0..<3 {
        var next = server.state
        if random.step(next).apply(to: &next), next.isWhole,
          next.petOwner.values.allSatisfy({ next.residents[$0] != nil })
        {
          server.state = next
        }
      }
    }

    private mutating func confirm() async throws {
      log.append("confirm")
      try await store.confirm(try await store.localChanges())
      #expect(try await store.localChanges().isEmpty)
      expected = [:]
    }

    /// Imports objects of the server, and returns what the import did that it must not do.
    private mutating func importSomething() async throws -> [String] {
      let (entity, json) =
        random.random.next(3) == 0 ? random.random.pick(server.everything) : server.some(&random)
      var options = ImportOptions()
      options.entity = entity
      options.prunes = random.chance(3)
      log.append("import \(entity) \(json) \(options.prunes ? "pruning" : "")")
      let before = try await ResidentText.values(store)
      let journal = try await journal()
      try await store.import(json, options: options)
      let isSame = try await self.journal() == journal
      return (isSame ? [] : ["the import changed the journal"])
        + RandomJournalTests.violations(journal, before, try await ResidentText.values(store))
    }

    /// Confirms everything, and imports all that the server has. Then the store must hold the same.
    mutating func finish() async throws -> [String] {
      try await store.confirm(try await store.localChanges())
      var options = ImportOptions()
      options.prunes = true
      for (entity, json) in server.everything.reversed() {
        let report = try await store.import(json, as: entity, options: options)
        log.append("import \(entity) \(json): \(report)")
      }
      let found = try await ResidentText.of(store, loose: server.state.loose)
      let expected = ResidentText.of(server.state)
      return expected.filter { !found.contains($0) }.map { "expected: \($0)" }
        + found.filter { !expected.contains($0) }.map { "found: \($0)" }
    }

    /// The journal, which is read in a transaction that is undone, so that nothing counts as sent.
    private func journal() async throws -> [String: LocalChange] {
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
  }

  /// The state with what random steps look at.
  private static func visible(_ values: ResidentValues) -> NaiveResidents {
    var state = NaiveResidents()
    for (key, object) in values where key.hasPrefix("Resident ") {
      let name = String(key.dropFirst(5))
      state.residents[name] = NaiveResidents.Values(number: nil, text: "")
      if let parent = object["parent"], parent != "-" { state.parent[name] = parent }
      if let partner = object["partner"], partner != "-" { state.partner[name] = partner }
    }
    return state
  }

  private static func note(
    _ before: ResidentValues, _ after: ResidentValues, _ expected: inout [String: ExpectedEntry]
  ) {
    for key in Set(before.keys).union(after.keys) {
      switch (before[key], after[key]) {
      case (nil, let new?):
        expected[key] =
          expected[key]?.kind == .deleted
          ? ExpectedEntry(kind: .updated, attributes: Set(new.keys).intersection(attributes))
          : ExpectedEntry(kind: .inserted)
      case (_?, nil):
        if let entry = expected[key], entry.kind == .inserted, !entry.isSent {
          expected[key] = nil
        } else {
          expected[key] = ExpectedEntry(kind: .deleted)
        }
      case (let old?, let new?):
        let changed = Set(new.keys.filter { new[$0] != old[$0] }).intersection(attributes)
        if changed.isEmpty { continue }
        if expected[key] == nil { expected[key] = ExpectedEntry(kind: .updated) }
        expected[key]?.attributes.formUnion(changed)
      default: continue
      }
    }
  }

  /// How the journal differs from the expected one. Either end of a link may be in it.
  private static func differences(_ expected: [String: ExpectedEntry], _ journal: [String: LocalChange])
    -> [String]
  {
    var problems: [String] = []
    for (key, entry) in expected {
      guard let change = journal[key] else {
        problems.append("\(key) is missing: \(entry)")
        continue
      }
      if change.kind != entry.kind { problems.append("\(key) is \(change.kind), not \(entry.kind)") }
      let attributes = Set(change.properties).intersection(attributes)
      if change.kind == .updated, attributes != entry.attributes {
        problems.append("\(key) has \(attributes), not \(entry.attributes)")
      }
    }
    for (key, change) in journal where expected[key] == nil {
      let attributes = Set(change.properties).intersection(attributes)
      if change.kind != .updated || !attributes.isEmpty { problems.append("\(key) is there: \(change)") }
    }
    return problems
  }

  /// Whether a list has all elements of another.
  private static func has(_ list: String, _ other: String) -> Bool {
    let parts = { (text: String) in Set(text.dropFirst().dropLast().components(separatedBy: ", ")) }
    return other == "[]" || parts(list).isSuperset(of: parts(other))
  }

  /// The local changes that an import overwrote.
  private static func violations(
    _ journal: [String: LocalChange], _ before: ResidentValues, _ after: ResidentValues
  ) -> [String] {
    var problems: [String] = []
    // Links to deleted objects go with them, and pending references end when their objects arrive.
    let gone = before.keys.filter { after[$0] == nil }.compactMap { $0.split(separator: " ").last }
    let arrived = after.keys.filter { before[$0] == nil }.compactMap { $0.split(separator: " ").last }
    for (key, change) in journal {
      let (old, new) = (before[key], after[key])
      switch change.kind {
      case .deleted: if new != nil { problems.append("\(key) came back") }
      case .inserted:
        // Other objects may be linked to it, and objects that it is linked to may be deleted.
        for name in attributes.union(["parent", "remarks"]) where old?[name] != new?[name] {
          if name == "parent", let parent = old?[name], after["Resident \(parent)"] == nil { continue }
          problems.append(
            "\(key).\(name), which is new, became \(new?[name] ?? "-"), was \(old?[name] ?? "-")")
        }
      case .updated, .renamed:
        guard let old, let new else {
          if old != nil { problems.append("\(key), which was changed, is gone") }
          continue
        }
        for name in change.properties where old[name] != new[name] {
          // Links that were added from their other ends overwrite nothing.
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

import Broker
import Foundation
import TestSettings
import Testing

/// Random local changes, renames among them, and imports: imports must not overwrite local changes, and the journal must
/// have them all.
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
    /// The identity under which the server knows the object; nil if it has not changed.
    var former: String?
  }

  /// A rename that is refused since the server still holds the identity.
  private struct Refusal: Error {}

  /// The entries that the journal should have, by entity and identity.
  private struct ExpectedJournal {
    var entries: [String: ExpectedEntry] = [:]

    private static func attributes(of key: String) -> Set<String> {
      switch key.prefix(while: { $0 != " " }) {
      case "Resident": ["number", "text"]
      case "Badge": ["title"]
      case "Pet": ["value"]
      default: []
      }
    }

    mutating func inserted(_ key: String) {
      let isKnown = entries[key]?.kind == .deleted
      entries[key] =
        isKnown
        ? ExpectedEntry(kind: .updated, attributes: Self.attributes(of: key)) : ExpectedEntry(kind: .inserted)
    }

    mutating func updated(_ key: String, _ attributes: Set<String>) {
      guard !attributes.isEmpty else { return }
      entries[key, default: ExpectedEntry(kind: .updated)].attributes.formUnion(attributes)
    }

    mutating func deleted(_ key: String) {
      let entry = entries.removeValue(forKey: key)
      if let entry, entry.kind == .inserted, !entry.isSent { return }
      deleted(knownAs: entry?.former ?? key)
    }

    /// The server is told that the object it knows by an identity is gone, or has become the one that took the identity.
    private mutating func deleted(knownAs key: String) {
      guard var other = entries[key], other.kind != .deleted else {
        return entries[key] = ExpectedEntry(kind: .deleted)
      }
      let former = other.former
      other.kind = .updated
      other.former = nil
      other.attributes.formUnion(Self.attributes(of: key))
      entries[key] = other
      if let former { deleted(knownAs: former) }
    }

    mutating func renamed(_ key: String, to new: String) throws {
      var entry = entries[key] ?? ExpectedEntry(kind: .updated)
      let isTaken = entries[new]?.kind == .deleted
      if entry.kind == .inserted, !entry.isSent {
        if isTaken { entry = ExpectedEntry(kind: .updated, attributes: Self.attributes(of: new)) }
      } else {
        if isTaken { throw Refusal() }
        let former = entry.former ?? key
        entry.former = former == new ? nil : former
      }
      entries[key] = nil
      entries[new] = entry
    }
  }

  /// A store, the server that it imports from, and the journal that is expected.
  private struct Run {
    let store: Store
    var random: RandomSteps
    var server = ResidentServer()
    var expected = ExpectedJournal()
    var log: [String] = []

    init(_ seed: UInt64) async throws {
      store = try await Store(at: .memory, for: Resident.self, tracksLocalChanges: true)
      random = RandomSteps(seed + 100_000)
    }

    func end(of log: [String]) -> String { log.suffix(9).joined(separator: "\n") }

    /// Does one random thing, and returns what is wrong afterwards.
    mutating func step() async throws -> [String] {
      var problems: [String] = []
      switch random.random.below(8) {
      case 0, 1: try await changeLocally()
      case 2: if random.chance(2) { problems += try await renameLocally() } else { try await changeLocally() }
      case 3: changeServer()
      case 4 where random.chance(2): try await confirm()
      case 5 where random.chance(3):
        log.append("send")
        _ = try await store.localChanges()
        for key in expected.entries.keys { expected.entries[key]?.isSent = true }
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

    /// Renames a resident, or lets two swap their names.
    private mutating func renameLocally() async throws -> [String] {
      let before = try await ResidentText.values(store)
      let residents = before.keys.filter { $0.hasPrefix("Resident ") }.map { String($0.dropFirst(9)) }
        .sorted()
      guard let one = residents.first.map({ _ in random.random.pick(residents) }) else { return [] }
      let other = random.random.pick(random.names.filter { $0 != one })
      let renames = residents.contains(other) ? [(one, "tmp"), (other, one), ("tmp", other)] : [(one, other)]
      log.append("rename \(renames)")
      var next = expected
      do {
        for (old, new) in renames { try next.renamed("Resident \(old)", to: "Resident \(new)") }
      } catch {
        return await isRefused(renames) ? [] : ["the rename was not refused"]
      }
      try await store.write { transaction in
        for (old, new) in renames { try transaction.rename(Resident.self, old, to: new) }
      }
      expected = next
      let after = try await ResidentText.values(store)
      return renames.count == 1 && after["Resident \(one)"] != nil ? ["\(one) is still there"] : []
    }

    private func isRefused(_ renames: [(String, String)]) async -> Bool {
      do {
        try await store.write { transaction in
          for (old, new) in renames { try transaction.rename(Resident.self, old, to: new) }
        }
        return false
      } catch {
        return error is SaveError
      }
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
      expected = ExpectedJournal()
    }

    /// Imports objects of the server, and returns what the import did that it must not do.
    private mutating func importSomething() async throws -> [String] {
      let (entity, json) =
        random.random.below(3) == 0 ? random.random.pick(server.everything) : server.some(&random)
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
      if let left = try await journal().first { return ["\(left.key) is left: \(left.value)"] }
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
    _ before: ResidentValues, _ after: ResidentValues, _ expected: inout ExpectedJournal
  ) {
    for key in Set(before.keys).union(after.keys).sorted() {
      switch (before[key], after[key]) {
      case (nil, _?): expected.inserted(key)
      case (_?, nil): expected.deleted(key)
      case (let old?, let new?):
        expected.updated(key, Set(new.keys.filter { new[$0] != old[$0] }).intersection(attributes))
      default: continue
      }
    }
  }

  /// How the journal differs from the expected one. Either end of a link may be in it.
  private static func differences(_ expected: ExpectedJournal, _ journal: [String: LocalChange]) -> [String] {
    var problems: [String] = []
    for (key, entry) in expected.entries {
      guard let change = journal[key] else {
        problems.append("\(key) is missing: \(entry)")
        continue
      }
      let kind = entry.kind == .updated && entry.former != nil ? .renamed : entry.kind
      if change.kind != kind { problems.append("\(key) is \(change.kind), not \(kind)") }
      let former = change.formerIdentity.map { "\(change.entity) \($0)" }
      if former != entry.former { problems.append("\(key) was \(former ?? "-"), not \(entry.former ?? "-")") }
      let attributes = Set(change.properties).intersection(attributes)
      if kind == .updated || kind == .renamed, attributes != entry.attributes {
        problems.append("\(key) has \(attributes), not \(entry.attributes)")
      }
    }
    for (key, change) in journal where expected.entries[key] == nil {
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
      if let former = change.formerIdentity.map({ "\(change.entity) \($0)" }), before[former] == nil,
        after[former] != nil
      {
        problems.append("\(former) came back, which is \(key) now")
      }
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

import Broker
import Foundation
import TestSettings
import Testing

/// Random changes of a store with many observations. After each look, every observation must have the present state.
@Suite struct RandomObservationTests {
  private struct Stop: Error {}

  @Test(arguments: Seeds.first(3, long: 12)) func observationsGetThePresentState(_ seed: UInt64) async throws
  {
    let store = try await Store(at: .scratch, for: Resident.self)
    var random = RandomSteps(seed + 5000)
    let observations = try Observations(store, random.names)
    await observations.wait()
    var state = NaiveResidents()
    var mirror = Mirror()
    var commits = 0
    for number in 0..<25 {
      let before = try await ResidentText.values(store)
      let steps = (0..<(1 + random.random.below(3))).map { _ in random.step(state) }
      try await Self.run(steps, store, &state, fails: random.chance(6))
      let after = try await ResidentText.values(store)
      if before != after { commits += 1 }
      // Sometimes there are several commits between two looks.
      guard random.chance(2) || number == 24 else { continue }
      var problems = try await observations.differences(from: store)
      let keys = Set(after.keys)
      if await !eventually(2, { mirror.follow(observations.changes.all) == keys }) {
        problems.append("changes: \(mirror.keys.symmetricDifference(keys))")
      }
      #expect(problems == [], "seed \(seed), step \(number): \(steps)")
      if !problems.isEmpty { return }
    }
    #expect(mirror.count >= commits, "seed \(seed)")
  }

  /// Runs steps in one transaction, whether some of them fail or not.
  private static func run(
    _ steps: [ResidentStep], _ store: Store, _ state: inout NaiveResidents, fails: Bool
  ) async throws {
    do {
      try await store.write { transaction in
        for step in steps { try? step.run(transaction) }
        if fails { throw Stop() }
      }
      for step in steps { _ = step.apply(to: &state) }
    } catch is Stop {
    } catch is SaveError {}
  }
}

/// The keys of all objects, as the changes of a store give them.
private struct Mirror {
  private(set) var keys: Set<String> = []
  /// How many changes it has followed.
  private(set) var count = 0

  /// Returns the keys after all changes, without those of remarks, which have no identity.
  mutating func follow(_ changes: [StoreChanges]) -> Set<String> {
    for change in changes[count...] {
      for object in change.deleted { keys.remove("\(object.entity) \(object.identity)") }
      for object in change.inserted { keys.insert("\(object.entity) \(object.identity)") }
    }
    count = changes.count
    keys = keys.filter { !$0.hasPrefix("Remark") }
    return keys
  }
}

/// Observations of a store of each kind.
private struct Observations {
  private let queries: [Broker.Query<Resident>]
  private let results: [Follower<[Resident]>]
  private let counts: [Follower<Int>]
  private let names: [String]
  private let residents: [Follower<Resident?>]
  private let loans: [Follower<Loan?>]
  let changes: Follower<StoreChanges>

  init(_ store: Store, _ names: [String]) throws {
    queries = [
      Resident.all, try Resident.filter(format: "number == 1"),
      try Resident.filter(format: "parent.number == 1"),
      try Resident.filter(format: "ANY children.text == 'y'"),
      try Resident.filter(format: "ANY friends.number == 2"),
      try Resident.filter(format: "ANY badges.title == 't'"), try Resident.filter(format: "partner == nil"),
      try Resident.filter(format: "pets.@count > 1"),
      Resident.all.sorted(by: \.parent?.number).sorted(by: \.name),
      Resident.all.sorted(by: \.number, .reverse).limit(2), Resident.everything,
      try Resident.filter(format: "number > 0").prefetching(\.children) { $0.prefetching(\.badges) },
      Resident.filter(ids: ["a", "b"]).prefetching(\.partner),
    ]
    results = queries.map { Follower(store.observe($0)) }
    counts = queries.map { Follower(store.observeCount(of: $0)) }
    self.names = names
    residents = names.map { Follower(store.observe(Resident.self, $0)) }
    loans = (1...4).map { Follower(store.observe(Loan.self, $0)) }
    changes = Follower(store.changes())
  }

  /// Waits until each observation has its first value.
  func wait() async {
    for follower in results { _ = await eventually { follower.last != nil } }
    for follower in counts { _ = await eventually { follower.last != nil } }
    for follower in residents { _ = await eventually { follower.last != nil } }
    for follower in loans { _ = await eventually { follower.last != nil } }
  }

  /// The observations that do not get the present state within two seconds.
  func differences(from store: Store) async throws -> [String] {
    var problems: [String] = []
    for (index, query) in queries.enumerated() {
      let expected = try await store.fetch(query).map(Self.text)
      let follower = results[index]
      if await !eventually(2, { follower.last?.map(Self.text) == expected }) {
        problems.append("query \(index): \(follower.last?.map(Self.text) ?? []) instead of \(expected)")
      }
      let count = try await store.count(query)
      if await !eventually(2, { counts[index].last == count }) { problems.append("count \(index)") }
    }
    for (name, follower) in zip(names, residents) {
      let expected = try await store.fetch(Resident.self, id: name).map(Self.text)
      if await !eventually(2, { (follower.last ?? nil).map(Self.text) == expected }) { problems.append(name) }
    }
    for (index, follower) in loans.enumerated() {
      let expected = try await store.fetch(Loan.self, id: index + 1)?.resident?.id
      if await !eventually(2, { (follower.last ?? nil)?.resident?.id == expected }) {
        problems.append("loan \(index + 1)")
      }
    }
    return problems
  }

  private static func text(_ resident: Resident) -> String {
    func list<Target: Storable>(_ list: ToMany<Target>) -> String {
      list.objects.map { "\($0.map(\.id))" } ?? "-"
    }
    let parent =
      resident.parent.map { "\($0.id) \($0.object?.text ?? "-") \($0.object?.number ?? -1)" } ?? "-"
    let partner = resident.partner.map { "\($0.id) \($0.object?.text ?? "-")" } ?? "-"
    return
      "\(resident.name) \(resident.number ?? -1) \(resident.text) \(parent) \(partner) \(list(resident.children)) \(list(resident.friends))"
      + " \(list(resident.badges)) \(list(resident.pets)) \(list(resident.loans)) \(list(resident.remarks))"
      + " \(resident.children.objects?.map { "\($0.text) \(list($0.badges))" } ?? [])"
  }
}

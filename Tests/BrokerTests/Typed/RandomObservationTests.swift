import Broker
import Foundation
import Testing

/// Whatever is done to a store, who follows it knows in the end what it holds.
@Suite struct RandomObservationTests {
  private struct Stop: Error {}

  @Test(arguments: 0..<12) func followersKnowWhatThereIs(_ seed: Int) async throws {
    let store = try await Store(at: .memory, for: Knot.self)
    var random = RandomKnots(seed + 5000)
    let queries: [Broker.Query<Knot>] = [
      Knot.all, try Knot.filter(format: "number == 1"), try Knot.filter(format: "parent.number == 1"),
      try Knot.filter(format: "ANY children.text == 'y'"), try Knot.filter(format: "ANY friends.number == 2"),
      try Knot.filter(format: "ANY marks.title == 't'"), try Knot.filter(format: "partner == nil"),
      try Knot.filter(format: "leaves.@count > 1"), Knot.all.sorted(by: \.parent?.number).sorted(by: \.name),
      Knot.all.sorted(by: \.number, .reverse).limit(2), Knot.everything,
      try Knot.filter(format: "number > 0").prefetching(\.children) { $0.prefetching(\.marks) },
      Knot.filter(ids: ["a", "b"]).prefetching(\.partner),
    ]
    let followers = queries.map { Follower(store.observe($0)) }
    let counts = queries.map { Follower(store.observeCount(of: $0)) }
    let objects = random.names.map { Follower(store.observe(Knot.self, $0)) }
    let locks = (1...4).map { Follower(store.observe(Lock.self, $0)) }
    let changes = Follower(store.changes())
    for follower in followers { _ = await eventually { follower.last != nil } }
    for follower in objects { _ = await eventually { !follower.all.isEmpty } }
    for follower in locks { _ = await eventually { !follower.all.isEmpty } }
    for follower in counts { _ = await eventually { follower.last != nil } }
    var state = NaiveKnots()
    var (mirror, seen) = (Set<String>(), 0)
    var commits = 0
    for number in 0..<25 {
      let before = try await KnotView.values(store)
      let steps = (0..<(1 + random.random.next(3))).map { _ in random.step(state) }
      let fails = random.chance(6)
      do {
        try await store.write { transaction in
          for step in steps { try? step.run(transaction) }
          if fails { throw Stop() }
        }
        for step in steps { _ = step.apply(to: &state) }
      } catch is Stop {
      } catch is SaveError {}
      // Now and then several commits come before anybody looks.
      let after = try await KnotView.values(store)
      if before != after { commits += 1 }
      guard random.chance(2) || number == 24 else { continue }
      for (index, query) in queries.enumerated() {
        let expected = try await store.fetch(query).map { Self.text($0) }
        let isRight = await eventually(2) { followers[index].last?.map { Self.text($0) } == expected }
        #expect(
          isRight,
          "seed \(seed), step \(number), query \(index): \(steps)\n\(expected)\n\(followers[index].last?.map { Self.text($0) } ?? [])"
        )
        let count = try await store.count(query)
        #expect(await eventually(2) { counts[index].last == count }, "seed \(seed), step \(number), \(index)")
        if !isRight { return }
      }
      for (index, name) in random.names.enumerated() {
        let expected = try await store.fetch(Knot.self, id: name).map { Self.text($0) }
        let isRight = await eventually(2) { (objects[index].last ?? nil).map { Self.text($0) } == expected }
        #expect(isRight, "seed \(seed), step \(number), \(name): \(steps)")
        if !isRight { return }
      }
      for (index, follower) in locks.enumerated() {
        let expected = try await store.fetch(Lock.self, id: index + 1)?.knot?.id
        let isRight = await eventually(2) { (follower.last ?? nil)?.knot?.id == expected }
        #expect(isRight, "seed \(seed), step \(number), lock \(index + 1): \(steps)")
        if !isRight { return }
      }
      let there = Set(after.keys)
      let isMirrored = await eventually(2) {
        let all = changes.all
        for change in all[seen...] {
          for object in change.deleted { mirror.remove("\(object.entity) \(object.identity)") }
          for object in change.inserted { mirror.insert("\(object.entity) \(object.identity)") }
        }
        seen = all.count
        return mirror.filter { !$0.hasPrefix("Scrap") } == there
      }
      #expect(isMirrored, "seed \(seed), step \(number): \(mirror.symmetricDifference(there))")
      if !isMirrored { return }
    }
    #expect(seen >= commits, "seed \(seed)")
  }

  private static func text(_ knot: Knot) -> String {
    func list<Target: Storable>(_ list: ToMany<Target>) -> String {
      list.objects.map { "\($0.map(\.id))" } ?? "-"
    }
    let parent = knot.parent.map { "\($0.id) \($0.object?.text ?? "-") \($0.object?.number ?? -1)" } ?? "-"
    let partner = knot.partner.map { "\($0.id) \($0.object?.text ?? "-")" } ?? "-"
    return
      "\(knot.name) \(knot.number ?? -1) \(knot.text) \(parent) \(partner) \(list(knot.children)) \(list(knot.friends))"
      + " \(list(knot.marks)) \(list(knot.leaves)) \(list(knot.locks)) \(list(knot.scraps))"
      + " \(knot.children.objects?.map { "\($0.text) \(list($0.marks))" } ?? [])"
  }
}

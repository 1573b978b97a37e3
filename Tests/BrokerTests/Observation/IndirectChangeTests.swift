import Broker
import Foundation
import Testing

/// Observations of objects that change because others do.
@Suite struct IndirectChangeTests {
  private func store() async throws -> Store {
    let store = try await Store(at: .scratch, for: Resident.self)
    try await store.write { transaction in
      var a = Resident("a")
      a.parent = ToOne(id: "b")
      try transaction.save(a)
      try transaction.save(Resident("b"))
      try transaction.save(Resident("c"))
    }
    return store
  }

  @Test func conditionsOnObjectsOfTheSameEntityAreFollowed() async throws {
    let store = try await store()
    let follower = Follower(store.observe(try Resident.filter(format: "parent.number == 1")))
    #expect(await eventually { follower.last?.isEmpty == true })
    try await store.update(Resident.self, "b") { $0.number = 1 }
    #expect(await eventually { follower.last?.map(\.name) == ["a"] })
    try await store.update(Resident.self, "b") { $0.number = 2 }
    #expect(await eventually { follower.last?.isEmpty == true })
  }

  @Test func ordersByObjectsOfTheSameEntityAreFollowed() async throws {
    let store = try await store()
    try await store.update(Resident.self, "c") { $0.parent = ToOne(id: "a") }
    let query = Resident.filter(#Predicate { $0.name != "b" }).sorted(by: \.parent?.number).sorted(by: \.name)
    let follower = Follower(store.observe(query))
    #expect(await eventually { follower.last?.map(\.name) == ["a", "c"] })
    try await store.update(Resident.self, "b") { $0.number = 7 }
    #expect(try await store.fetch(query).map(\.name) == ["c", "a"])
    #expect(await eventually { follower.last?.map(\.name) == ["c", "a"] })
  }

  @Test func objectsOfTheSameEntityThatAreFetchedAlongAreFollowed() async throws {
    let store = try await store()
    let follower = Follower(store.observe(Resident.filter(ids: ["a"]).prefetching(\.parent)))
    #expect(await eventually { follower.last?.first?.parent?.object?.text == "x" })
    try await store.update(Resident.self, "b") { $0.text = "new" }
    #expect(await eventually { follower.last?.first?.parent?.object?.text == "new" })
  }

  @Test func whatArrivesIsSeenByWhatWaitedForIt() async throws {
    let store = try await bandStore()
    let one = Follower(store.observe(Band.self, "Talk Talk"))
    let all = Follower(store.observe(Band.filter(ids: ["Talk Talk"])))
    #expect(await eventually { one.last != nil && one.last??.label == nil && all.last?.count == 1 })
    try await store.import(#"[{"name": "EMI"}]"#, as: Label.self)
    #expect(try await store.find(Band.self, "Talk Talk").label?.id == "EMI")
    #expect(await eventually { all.last?.first?.label?.id == "EMI" })
    #expect(await eventually { one.last??.label?.id == "EMI" })
    try await store.delete(Label.self, "EMI")
    #expect(await eventually { one.last != nil && one.last??.label == nil })
    #expect(await eventually { all.last?.count == 1 && all.last?.first?.label == nil })
  }

  @Test func writingWhileObservingEnds() async throws {
    let store = try await store()
    let task = Task {
      var seen: [Int?] = []
      for try await resident in store.observe(Resident.self, "c") {
        seen.append(resident?.number)
        if let number = resident?.number, number >= 20 { break }
        try await store.update(Resident.self, "c") { $0.number = ($0.number ?? 0) + 1 }
      }
      return seen
    }
    #expect(try await task.value.last == 20)
  }

  @Test func observationsThatFailSaySo() async throws {
    let file = try TemporaryFile()
    let store = try await Store(at: .file(file.url), for: Resident.self)
    try await store.save(Resident("a"))
    let follower = Follower(store.observe(Resident.all))
    #expect(await eventually { follower.last?.count == 1 })
    let broken = Follower(store.observe(Resident.all.sorted(byName: "nonsense")))
    #expect(await eventually { broken.error != nil })
    try store.close()
    let late = Follower(store.observe(Resident.all))
    #expect(await eventually { late.error != nil })
  }

  @Test func changesEndWithTheirStore() async throws {
    var store: Store? = try await store()
    let changes = try #require(store?.changes())
    let follower = Follower(changes)
    try await store?.update(Resident.self, "c") { $0.number = 1 }
    #expect(await eventually { follower.all.count == 1 })
    store = nil
    #expect(await eventually(1) { follower.hasEnded })
  }

  @Test func cancelledObserversLetGo() async throws {
    weak var gone: Store?
    do {
      let store = try await store()
      gone = store
      let follower = Follower(store.observe(Resident.all))
      #expect(await eventually { follower.last?.count == 3 })
    }
    #expect(await eventually { gone == nil })
  }

  @Test func limitsAreFollowed() async throws {
    let store = try await store()
    let follower = Follower(store.observe(Resident.all.sorted(by: \.number, .reverse).limit(1)))
    #expect(await eventually { follower.last?.count == 1 })
    try await store.update(Resident.self, "b") { $0.number = 5 }
    #expect(await eventually { follower.last?.map(\.name) == ["b"] })
    try await store.delete(Resident.self, "b")
    try await store.update(Resident.self, "c") { $0.number = 1 }
    #expect(await eventually { follower.last?.map(\.name) == ["c"] })
  }

  @Test func listsOfOneObjectAreFollowed() async throws {
    let store = try await store()
    let resident = try await store.find(Resident.self, "b")
    let children = Follower(store.observe(resident.children.query))
    let friends = Follower(store.observe(resident.friends.query))
    let badges = Follower(store.observe(resident.badges.query))
    let count = Follower(store.observeCount(of: resident.friends.query))
    #expect(await eventually { children.last?.map(\.name) == ["a"] && friends.last?.count == 0 })
    #expect(await eventually { badges.last?.count == 0 && count.last == 0 })
    try await store.update(Resident.self, "c") {
      $0.parent = ToOne(id: "b")
      $0.friends = ToMany(ids: ["b"])
    }
    try await store.save(Badge(id: 1, title: nil, residents: ToMany(ids: ["b"])))
    #expect(await eventually { children.last?.map(\.name) == ["a", "c"] })
    #expect(await eventually { friends.last?.map(\.name) == ["c"] })
    #expect(await eventually { badges.last?.map(\.id) == [1] })
    #expect(await eventually { count.last == 1 })
    // The order of a list only.
    try await store.update(Resident.self, "b") { $0.children = ToMany(ids: ["c", "a"]) }
    #expect(await eventually { children.last?.map(\.name) == ["c", "a"] })
    try await store.save(Badge(id: 2, title: nil, residents: ToMany(ids: ["b"])))
    try await store.update(Resident.self, "b") { $0.badges = ToMany(ids: [2, 1]) }
    #expect(await eventually { badges.last?.map(\.id) == [2, 1] })
    try await store.update(Resident.self, "b") { $0.friends = [] }
    #expect(await eventually { friends.last?.count == 0 && count.last == 0 })
  }
}

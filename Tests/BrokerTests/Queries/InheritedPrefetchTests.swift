import Broker
import Foundation
import Testing

@Entity struct Vessel {
  @Identity var name: String
  var harbour: ToOne<Harbour>?
  var flag: ToOne<Flag>
  var sailors: ToMany<Sailor>
}

@Entity struct Steamer {
  @Inherited var vessel: Vessel
  var power: Int?
}

@Entity struct Icebreaker {
  @Inherited var steamer: Steamer
  var sister: ToOne<Icebreaker>?
}

@Entity struct Harbour {
  @Identity var name: String
  var depth: Int
}

@Entity struct Flag {
  @Identity var country: String
  var colour: String
}

@Entity struct Sailor {
  var id: Int
  var name: String
  var vessels: ToMany<Vessel>
}

/// Relationships of the entity that another inherits from, fetched along with the other's objects.
@Suite struct InheritedPrefetchTests {
  private let json = """
    {"Icebreaker": [
       {"name": "Oden", "power": 18, "flag": "SE", "harbour": "Luleå", "sailors": [1, 2], "sister": "Ymer"},
       {"name": "Ymer", "power": 16, "flag": "SE", "harbour": "Atlantis", "sailors": [2]},
       {"name": "Polaris", "flag": "FI", "harbour": null}],
     "Steamer": [{"name": "Savannah", "flag": "US", "sailors": [3]}],
     "Harbour": [{"name": "Luleå", "depth": 12}, {"name": "Umeå", "depth": 9}],
     "Flag": [{"country": "SE", "colour": "blue"}, {"country": "US", "colour": "red"}],
     "Sailor": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}, {"id": 3, "name": "Cy"}]}
    """

  private func store() async throws -> Store {
    let store = try await Store(at: .scratch, for: Icebreaker.self)
    try await store.import(json)
    return store
  }

  @Test func toOne() async throws {
    let store = try await store()
    let query = Icebreaker.sorted(by: \.steamer.vessel.name)
      .prefetching(\.steamer.vessel.harbour).prefetching(\.steamer.vessel.flag)
      .prefetching(\.sister) { $0.prefetching(\.steamer.vessel.flag) }
    let found = try await store.fetch(query)
    let vessels: [Vessel] = found.map { $0.steamer.vessel }
    #expect(vessels.map { $0.name } == ["Oden", "Polaris", "Ymer"])
    let harbours: [Harbour?] = vessels.map { $0.harbour?.object }
    #expect(harbours.map { $0?.depth } == [12, nil, nil])
    // What has not arrived reads as nil where that can be, and else says which it will be.
    #expect(vessels.map { $0.harbour == nil } == [false, true, true])
    #expect(vessels.map { $0.flag.id } == ["SE", "FI", "SE"])
    let flags: [Flag?] = vessels.map { $0.flag.object }
    #expect(flags.map { $0?.colour } == ["blue", nil, "blue"])
    let sister: Icebreaker? = found[0].sister?.object
    #expect(sister?.steamer.power == 16)
    #expect(sister?.steamer.vessel.flag.object?.colour == "blue")
  }

  @Test func toMany() async throws {
    let store = try await store()
    let found = try await store.fetch(
      Icebreaker.sorted(by: \.steamer.vessel.name)
        .prefetching(\.steamer.vessel.sailors) { $0.prefetching(\.vessels) })
    let sailors: [[Sailor]] = found.map { Array($0.steamer.vessel.sailors) }
    #expect(sailors.map { $0.map { $0.name } } == [["Ann", "Bo"], [], ["Bo"]])
    #expect(sailors[2][0].vessels.map { $0.name } == ["Oden", "Ymer"])
    let steamers = try await store.fetch(
      Steamer.filter(ids: ["Savannah"]).prefetching(\.vessel.sailors).prefetching(\.vessel.flag))
    #expect(steamers.count == 1)
    #expect(steamers.first?.vessel.sailors.map { $0.id } == [3])
    #expect(steamers.first?.vessel.flag.object?.colour == "red")
  }

  @Test func observed() async throws {
    let store = try await store()
    let query = Icebreaker.filter(ids: ["Oden"])
      .prefetching(\.steamer.vessel.sailors).prefetching(\.steamer.vessel.harbour)
    let follower = Follower(store.observe(query))
    func depth() -> Int? { follower.last?.first?.steamer.vessel.harbour?.object?.depth }
    func names() -> [String]? { follower.last?.first?.steamer.vessel.sailors.map { $0.name } }
    #expect(await eventually { depth() == 12 })
    try await store.update(Harbour.self, "Luleå") { $0.depth = 13 }
    #expect(await eventually { depth() == 13 })
    try await store.update(Sailor.self, 2) { $0.name = "Bob" }
    #expect(await eventually { names() == ["Ann", "Bob"] })
    // Neither is theirs.
    try await store.update(Harbour.self, "Umeå") { $0.depth = 8 }
    try await store.update(Flag.self, "SE") { $0.colour = "yellow" }
    try await store.update(Harbour.self, "Luleå") { $0.depth = 14 }
    #expect(await eventually { depth() == 14 })
    #expect(follower.all.count == 4)
  }

  @Test func whatIsNoRelationshipIsAnError() async throws {
    let store = try await store()
    // An object that was put together by hand has a path, too, but none that the store knows.
    await #expect(throws: QueryError.self) { try await store.fetch(Icebreaker.all.prefetching(\.someone)) }
  }
}

extension Icebreaker {
  fileprivate var someone: ToOne<Sailor>? {
    get { nil }
    set {}
  }
}

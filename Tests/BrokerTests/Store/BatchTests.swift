import Broker
import Foundation
import Testing

@Entity private struct Plant {
  @Identity var name: String
  @Attribute(minimum: 0, maximum: 100) var height: Int?
  var price: Decimal?
  @Attribute(unique: true) var code: Int?
  var bed: ToOne<Bed>?
  var friends: ToMany<Plant>
  @Relationship(inverse: nil) var best: ToOne<Plant>?
}

@Entity private struct Bed {
  var id: Int
  @Relationship(ordered: true) var plants: ToMany<Plant>
  var pots: ToMany<Pot>
}

@Entity private struct Pot {
  var id: Int
  var size: Int
  var bed: ToOne<Bed>
}

private let gardenJSON = #"""
  {"beds": [{"id": 1, "plants": ["a", "b", "c"], "pots": [{"id": 1, "size": 3}]},
            {"id": 2, "plants": ["d"]}, {"id": 3}],
   "plants": [{"name": "a", "height": 1, "price": 1.10, "friends": ["b", "c"], "best": "d"},
              {"name": "b", "height": 2, "code": 7, "friends": ["c"]},
              {"name": "c", "height": 3, "best": "a"}, {"name": "d", "friends": ["d"], "best": "d"}]}
  """#

private func garden(tracksLocalChanges: Bool = false) async throws -> Store {
  let store = try await Store(
    at: .memory, for: Plant.self, Bed.self, Pot.self, tracksLocalChanges: tracksLocalChanges)
  try await store.import(gardenJSON)
  return store
}

@Suite("Batches") struct BatchTests {
  // MARK: - Updates

  @Test func attributesAreSet() async throws {
    let store = try await garden()
    #expect(try await store.update(Plant.filter(#Predicate { $0.name < "c" }), set: \.height, to: 9) == 2)
    #expect(try await store.fetch(Plant.select(\.height)) == [9, 9, 3, nil])
    let price = try #require(Decimal(string: "12345678901234567890.123456789"))
    #expect(try await store.update(Plant.all, set: \.price, to: price) == 4)
    #expect(try await store.fetch(Plant.all).map(\.price) == Array(repeating: price, count: 4))
    #expect(try await store.update(Plant.all, set: \.price, to: nil) == 4)
    #expect(try await store.fetch(Plant.select(\.price)) == [nil, nil, nil, nil])
  }

  @Test func whatIsEqualIsNotWritten() async throws {
    let store = try await garden()
    #expect(try await store.update(Plant.all, set: \.height, to: 2) == 3)
    #expect(try await store.update(Plant.all, set: \.height, to: 2) == 0)
    #expect(try await store.update(Plant.filter(ids: ["x"]), set: \.height, to: 1000) == 0)
  }

  @Test func rangesAndConditionsOnWhatIsSet() async throws {
    let store = try await garden()
    let two = Plant.sorted(by: \.name, .reverse).limit(2)
    #expect(try await store.update(two, set: \.height, to: 50) == 2)
    #expect(try await store.fetch(Plant.select(\.height)) == [1, 2, 50, 50])
    let high = Plant.filter(#Predicate { ($0.height ?? 0) > 1 })
    #expect(try await store.update(high, set: \.height, to: 0) == 3)
    let bed = try await store.find(Bed.self, 1)
    #expect(try await store.update(bed.plants.query, set: \.height, to: 8) == 3)
    #expect(try await store.fetch(Plant.select(\.height)) == [8, 8, 8, 0])
  }

  @Test func severalAndRelationships() async throws {
    let store = try await garden()
    try await store.write { transaction in
      let count = try transaction.update(
        Plant.filter(ids: ["a", "d"]), .set(\.height, to: 4), .set(\.price, to: 5), .set(\.height, to: 6))
      #expect(count == 2)
      #expect(try transaction.find(Plant.self, "a").height == 6)
      #expect(try transaction.update(Plant.all, .set(\.bed, to: ToOne(id: 2)), .set(\.height, to: 1)) == 4)
      #expect(try transaction.fetch(Plant.all).map(\.bed?.id) == [2, 2, 2, 2])
      #expect(try transaction.fetch(transaction.find(Bed.self, 1).plants).isEmpty)
      #expect(try transaction.update(Plant.all, set: \.bed, to: ToOne(id: 2)) == 0)
    }
  }

  @Test func valuesAreValidated() async throws {
    let store = try await garden()
    let error = await #expect(throws: SaveError.self) {
      try await store.update(Plant.all, set: \.height, to: 101)
    }
    #expect(error?.description.contains("height") == true)
    // Unique values, and identities.
    await #expect(throws: SaveError.self) { try await store.update(Plant.all, set: \.code, to: 7) }
    await #expect(throws: SaveError.self) {
      try await store.update(Plant.filter(ids: ["a"]), set: \.name, to: "z")
    }
    await #expect(throws: SaveError.self) {
      try await store.write { transaction in _ = try transaction.update(Plant.all, set: \.code, to: 8) }
    }
    try await store.write { transaction in
      let count = try transaction.update(Plant.filter(ids: ["a"]), set: \.code, to: 8)
      #expect(count == 1)
    }
    #expect(try await store.fetch(Plant.select(\.code)) == [8, 7, nil, nil])
  }

  @Test func observersAreTold() async throws {
    let store = try await garden()
    var heights = store.observe(Plant.all).makeAsyncIterator()
    _ = try await heights.next()
    try await store.update(Plant.filter(ids: ["b"]), set: \.height, to: 77)
    #expect(try await heights.next()?.map(\.height) == [1, 77, 3, nil])
    try await store.delete(Plant.filter(ids: ["a", "b"]))
    #expect(try await heights.next()?.map(\.name) == ["c", "d"])
  }

  @Test func localChangesAreNoted() async throws {
    let store = try await garden(tracksLocalChanges: true)
    #expect(try await store.update(Plant.filter(ids: ["a", "b"]), set: \.height, to: 2) == 1)
    try await store.delete(Plant.filter(ids: ["d"]))
    let changes = try await store.localChanges()
    #expect(
      Set(changes.map { "\($0.kind) \($0.identity)" }).isSuperset(of: ["updated a", "deleted d"]))
    #expect(!changes.contains { $0.identity == "b" })
  }

  @Test func savedObjectsAndBatchesGoTogether() async throws {
    let store = try await garden()
    try await store.write { transaction in
      var plant = try transaction.find(Plant.self, "a")
      plant.height = 10
      try transaction.save(plant)
      try transaction.update(Plant.all, set: \.height, to: 20)
      try transaction.save(plant)
      #expect(try transaction.fetch(Plant.select(\.height)) == [10, 20, 20, 20])
      try transaction.delete(Plant.all)
      try transaction.save(plant)
      #expect(try transaction.count(Plant.all) == 1)
    }
    #expect(try await store.fetch(Plant.select(\.name)) == ["a"])
  }

  @Test func aNewStore() async throws {
    let store = try await Store(at: .scratch, for: Plant.self, Bed.self, Pot.self)
    try await store.write { transaction in
      #expect(try transaction.update(Plant.all, set: \.height, to: 1) == 0)
      #expect(try transaction.delete(Plant.all) == 0)
      try transaction.save(Bed(id: 1, plants: ToMany(), pots: ToMany()))
      #expect(try transaction.delete(Pot.all) == 0)
    }
  }

  // MARK: - Deletions

  /// A deletion of many leaves the store that single deletions leave.
  @Test(arguments: [["a"], ["a", "b"], ["d"], ["a", "d"], ["a", "b", "c", "d"], []])
  func linksGoToo(_ names: [String]) async throws {
    let (together, apart) = (try await garden(), try await garden())
    #expect(try await together.delete(Plant.filter(ids: names)) == names.count)
    for name in names { try await apart.delete(Plant.self, name) }
    let left = try await together.exportAll()
    #expect(try await left == apart.exportAll())
  }

  @Test func rulesHold() async throws {
    let store = try await garden()
    // A pot requires its bed.
    await #expect(throws: SaveError.self) { try await store.delete(Bed.filter(ids: [1, 3])) }
    #expect(try await store.count(Bed.all) == 3)
    #expect(try await store.delete(Bed.filter(ids: [2, 3])) == 2)
    #expect(try await store.find(Plant.self, "d").bed == nil)
    #expect(try await store.delete(Pot.all) == 1)
    #expect(try await store.delete(Bed.all) == 1)
    let bands = try await bandStore()
    #expect(try await bands.delete(Band.filter(ids: ["Japan"])) == 1)
    #expect(try await bands.count(Album.all) == 1)
    #expect(try await bands.delete(Album.all) == 1)
  }
}

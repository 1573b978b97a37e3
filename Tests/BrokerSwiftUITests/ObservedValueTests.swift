import Broker
import BrokerSwiftUI
import Foundation
import Observation
import Testing

@Entity struct Band {
  @Identity var name: String
  var formed = 1970
  @Relationship(inverse: \Album.band, deleteRule: .cascade) var albums: ToMany<Album>
}

@Entity struct Album {
  @Identity var title: String
  var band: ToOne<Band>
}

private let bandsJSON = """
  [{"name": "Japan", "formed": 1974, "albums": [{"title": "Tin Drum"}]}, {"name": "Talk Talk", "formed": 1981}]
  """

private func bandStore() async throws -> Store {
  let store = try await Store(at: .memory, for: Band.self)
  try await store.import(bandsJSON, as: Band.self)
  return store
}

/// Whether a condition becomes true within some seconds.
@MainActor private func eventually(_ condition: () -> Bool) async throws -> Bool {
  for _ in 0..<6_000 {
    if condition() { return true }
    try await Task.sleep(for: .milliseconds(10))
  }
  return condition()
}

@MainActor @Suite struct ObservedValueTests {
  @Test("it has the value that it was made with, then those of the store")
  func values() async throws {
    let store = try await bandStore()
    let bands = ObservedValue([], following: store.observe(Band.sorted(by: \.name)))
    #expect(bands.value.isEmpty && !bands.isLoaded)
    #expect(try await eventually { bands.value.map(\.name) == ["Japan", "Talk Talk"] })
    #expect(bands.isLoaded && bands.error == nil)
    try await store.delete(Band.self, "Japan")
    #expect(try await eventually { bands.value.map(\.name) == ["Talk Talk"] })
  }

  @Test("whoever reads it is told of a change, once")
  func observation() async throws {
    let store = try await bandStore()
    let count = ObservedValue(0, following: store.observeCount(of: Band.all))
    #expect(try await eventually { count.value == 2 })
    let (changes, change) = AsyncStream.makeStream(of: Void.self)
    let seen = withObservationTracking {
      count.value
    } onChange: {
      change.yield()
    }
    #expect(seen == 2)
    try await store.save(Band(name: "Roxy Music", albums: ToMany()))
    for await _ in changes { break }
    #expect(try await eventually { count.value == 3 })
  }

  @Test("it follows another observation in place of the one before, or none")
  func replacement() async throws {
    let store = try await bandStore()
    let bands = ObservedValue([], following: store.observe(Band.filter(#Predicate { $0.formed < 1980 })))
    #expect(try await eventually { bands.value.map(\.name) == ["Japan"] })
    bands.follow(store.observe(Band.filter(#Predicate { $0.formed > 1980 })))
    #expect(try await eventually { bands.value.map(\.name) == ["Talk Talk"] })
    // The former one gives no values any more.
    try await store.update(Band.self, "Japan") { $0.formed = 1975 }
    try await store.update(Band.self, "Talk Talk") { $0.formed = 1982 }
    #expect(try await eventually { bands.value.first?.formed == 1982 })
    bands.stop()
    try await store.delete(Band.self, "Talk Talk")
    try await Task.sleep(for: .milliseconds(100))
    #expect(bands.value.map(\.name) == ["Talk Talk"])
  }

  @Test("an error ends it and is told; another observation takes it away")
  func errors() async throws {
    let store = try await bandStore()
    let broken = try Band.filter(format: "nothing == 1")
    let bands = ObservedValue([], following: store.observe(broken))
    #expect(try await eventually { bands.error != nil })
    #expect("\(try #require(bands.error))".contains("nothing"))
    bands.follow(store.observe(Band.all))
    #expect(try await eventually { bands.value.count == 2 && bands.error == nil })
  }

  @Test("nothing is followed any more once it is gone")
  func end() async throws {
    let store = try await bandStore()
    weak var observed: ObservedValue<Int>?
    do {
      let count = ObservedValue(0, following: store.observeCount(of: Band.all))
      observed = count
      #expect(try await eventually { count.value == 2 })
    }
    #expect(try await eventually { observed == nil })
  }
}

/// What a view asks for, as the property wrapper asks.
@MainActor @Suite struct ObservationRequestTests {
  @Test(
    "a view that is drawn again with the same query goes on; with another one, or another store, it follows that"
  )
  func requests() async throws {
    let (store, other) = (try await bandStore(), try await bandStore())
    try await other.delete(Band.self, "Japan")
    let bands = ObservedValue<[Band]>([])
    var changes = 0
    func draw(_ year: Int, in store: Store?) {
      let query = Band.filter(#Predicate { $0.formed < year }).sorted(by: \.name)
      bands.follow(ObservationRequest(query), in: store) { change in
        changes += 1
        change()
      }
    }
    draw(2000, in: store)
    #expect(try await eventually { bands.value.count == 2 })
    for _ in 0..<100 { draw(2000, in: store) }
    try await store.update(Band.self, "Japan") { $0.formed = 1975 }
    #expect(try await eventually { bands.value.first?.formed == 1975 })
    // The first value is no change.
    #expect(changes == 1)
    draw(1980, in: store)
    #expect(try await eventually { bands.value.map(\.name) == ["Japan"] })
    draw(2000, in: other)
    #expect(try await eventually { bands.value.map(\.name) == ["Talk Talk"] })
  }

  @Test("a view without a store says so, and follows the store once it has one")
  func missingStore() async throws {
    let count = ObservedValue(0)
    count.follow(ObservationRequest(count: Band.all), in: nil)
    #expect(try await eventually { count.error is MissingStore })
    #expect("\(try #require(count.error))".contains("brokerStore"))
    count.follow(ObservationRequest(count: Band.all), in: try await bandStore())
    #expect(try await eventually { count.value == 2 && count.error == nil })
  }

  @Test("objects and reads are followed as well")
  func others() async throws {
    let store = try await bandStore()
    let band = ObservedValue<Band?>(nil)
    band.follow(ObservationRequest(Band.self, "Japan"), in: store)
    #expect(try await eventually { band.value?.formed == 1974 })
    band.follow(ObservationRequest(Band.self, "Talk Talk"), in: store)
    #expect(try await eventually { band.value?.formed == 1981 })
    let counts = ObservedValue([0])
    counts.follow(
      ObservationRequest(id: 1) { [try $0.count(Band.all), try $0.count(Album.all)] }, in: store)
    #expect(try await eventually { counts.value == [2, 1] })
  }

  @Test(
    "queries are told apart by all that they ask for",
    arguments: zip(
      queries.indices, queries))
  func keys(_ index: Int, _ query: Query<Band>) {
    #expect(query.key == queries[index].key)
    for (other, another) in queries.enumerated() where other != index {
      #expect(query.key != another.key, "\(index) and \(other)")
    }
  }
}

private let years = [1970, 1980]

private let queries: [Query<Band>] =
  years.flatMap { year in
    [
      Band.filter(#Predicate { $0.formed < year }), Band.filter(not: #Predicate { $0.formed < year }),
      Band.filter(any: [#Predicate { $0.formed < year }, #Predicate { $0.name == "Japan" }]),
      Band.all.limit(year), Band.all.offset(year), Band.filter(ids: ["\(year)"]),
    ]
  } + [
    Band.all, Band.sorted(by: \.name), Band.sorted(by: \.name, .reverse), Band.sorted(by: \.formed),
    Band.all.sorted(byName: "formed"), Band.all.prefetching(\.albums), Band.all.limit(1).offset(2),
  ]

import Broker
import Foundation
import Testing

/// Queries of the objects with some identities, of which there may be more than SQLite takes arguments.
@Suite("Queries by identities") struct IdentityQueryTests {
  @Test func some() async throws {
    let store = try await bandStore()
    #expect(try await store.fetch(Band.all.filter(ids: [])).isEmpty)
    #expect(try await store.fetch(Band.all.filter(ids: ["Japan"])).map(\.name) == ["Japan"])
    #expect(try await store.fetch(Band.all.filter(ids: ["Talk Talk", "Japan", "Japan", "?"])).count == 2)
    #expect(try await store.count(Musician.all.filter(ids: [1, 3]).filter(#Predicate { $0.id > 1 })) == 0)
  }

  @Test func many() async throws {
    let store = try await bandStore()
    let names = (0..<50_000).map { "Band \($0) \"\\\n\u{1}é" } + ["Japan"]
    #expect(try await store.fetch(Band.all.filter(ids: names)).map(\.name) == ["Japan"])
    #expect(try await store.count(Musician.all.filter(ids: 2..<50_002)) == 1)
    let artists = Set(names)
    #expect(try await store.count(Band.filter(#Predicate { artists.contains($0.name) })) == 1)
  }

  @Test func severalParts() async throws {
    let store = try await TrackStore.shared.value
    let ids = TrackStore.places.map(\.id)
    #expect(try await store.fetch(Place.all.filter(ids: ids.dropFirst())).map(\.id) == [ids[2], ids[1]])
    let many = (0..<50_000).map { Place.ID(country: "UK", number: $0) }
    #expect(try await store.fetch(Place.all.filter(ids: many)).map(\.number) == [1, 2])
    #expect(try await store.count(Place.all.filter(ids: [])) == 0)
  }

  @Test func places() async throws {
    let store = try await bandStore()
    let ids = try await store.fetch(Note.all).map(\.id)
    #expect(try await store.fetch(Note.all.filter(ids: ids)).map(\.text) == ["a", "b"])
    #expect(try await store.fetch(Note.all.filter(ids: [RowID()])).isEmpty)
  }

  @Test("of every type that an identity can have", .onSQLite) func types() async throws {
    let store = try await Store(
      at: .scratch, for: Weight.self, Moment.self, Amount.self, Mark.self, Switch.self, Web.self)
    try await check([0.1, -1e300, 5].map(Weight.init), store)
    let days = [0, 0.123_456, -1e9].map { Date(timeIntervalSinceReferenceDate: $0) }
    try await check(days.map(Moment.init), store)
    try await check(
      ["0.10", "-12345678901234567890.5"].compactMap { Decimal(string: $0) }.map(Amount.init), store)
    try await check([UUID(), UUID()].map(Mark.init), store)
    try await check([true, false].map(Switch.init), store)
    try await check(
      ["https://example.org/ä b?c=\"d\"", "mailto:a@b"].compactMap { URL(string: $0) }.map(Web.init), store)
    let error = await #expect(throws: StoreError.self) {
      try await store.count(Weight.all.filter(ids: (0..<40_000).map { WeightID(value: Double($0)) }))
    }
    #expect(error?.description.contains("too many") == true)
  }

  private func check<Root: Storable>(_ objects: [Root], _ store: Store) async throws {
    try await store.save(objects)
    let ids = objects.map(\.id)
    let found = try await store.fetch(Root.all.filter(ids: ids)).map(\.id)
    #expect(Set(found) == Set(ids))
    #expect(try await store.fetch(Root.all.filter(ids: ids.prefix(1))).map(\.id) == Array(ids.prefix(1)))
  }
}

struct WeightID: IdentityValue {
  var value: Double

  init(value: Double) { self.value = value }
  init(from parts: inout IdentityDecoder) throws { value = try parts.next() }
  func encode(to parts: inout IdentityEncoder) { parts.append(value) }
}

/// The identity is a number with a fraction, which `@Entity` does not offer.
struct Weight: Storable {
  var value: Double
  var id: WeightID { WeightID(value: value) }

  init(value: Double) { self.value = value }
  init(row: borrowing ObjectRow) throws { value = try row.value(0) }

  static let properties = Properties<Weight>("Weight", .attribute("value", \.value, .identity))
}

@Entity struct Moment {
  @Identity var date: Date
}

@Entity struct Amount {
  @Identity var value: Decimal
}

@Entity struct Mark {
  @Identity var code: UUID
}

@Entity struct Switch {
  @Identity var isOn: Bool
}

@Entity struct Web {
  @Identity var page: URL
}

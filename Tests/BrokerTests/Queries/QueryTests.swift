import Broker
import Foundation
import Testing

@Suite("Queries") struct QueryTests {
  // MARK: - Order

  @Test func ordersByProperties() async throws {
    let store = try await bandStore()
    #expect(try await names(Album.sorted(by: \.name), store) == ["Quiet Life", "Spirit of Eden", "Tin Drum"])
    #expect(
      try await names(Album.sorted(by: \.name, .reverse), store) == [
        "Tin Drum", "Spirit of Eden", "Quiet Life",
      ])
    // Nothing comes first, and last where the order is reversed.
    #expect(
      try await names(Album.sorted(by: \.released).sorted(by: \.year, .reverse), store)
        == ["Spirit of Eden", "Quiet Life", "Tin Drum"])
    #expect(try await names(Album.sorted(by: \.released, .reverse), store).first == "Tin Drum")
  }

  @Test(.onSQLite) func ordersByWhatRelationshipsLeadTo() async throws {
    let store = try await bandStore()
    #expect(
      try await names(Album.sorted(by: \.band.formed), store) == ["Spirit of Eden", "Quiet Life", "Tin Drum"])
    #expect(
      try await names(Album.sorted(by: \.band.name, .reverse).sorted(by: \.year), store)
        == ["Spirit of Eden", "Quiet Life", "Tin Drum"])
    #expect(try await names(Album.sorted(by: \.band.id), store).last == "Spirit of Eden")
    #expect(try await names(Album.sorted(by: \.band), store).last == "Spirit of Eden")
    #expect(try await store.fetch(Band.sorted(by: \.label?.country)).map(\.name) == ["Talk Talk", "Japan"])
    #expect(
      try await store.fetch(Band.sorted(by: \.label?.id, .reverse)).map(\.name) == ["Japan", "Talk Talk"])
    #expect(
      try await names(Album.sorted(by: \.band.label?.country), store)
        == ["Spirit of Eden", "Quiet Life", "Tin Drum"])
    #expect(
      try await store.sql(of: Album.sorted(by: \.band.label?.country)).hasSuffix(
        #"LEFT JOIN "Band" t1 ON t1."name" = t0."band" LEFT JOIN "Label" t2 ON t2."name" = t1."label""#
          + #" ORDER BY t2."country", t0."name""#))
  }

  @Test(.onSQLite) func ordersByInheritedProperties() async throws {
    let store = try await TrackStore.shared.value
    #expect(
      try await store.sql(of: Single.sorted(by: \.track.plays)).hasSuffix(#"ORDER BY t0."plays", t0."title""#)
    )
    #expect(
      try await store.sql(of: Single.sorted(by: \.track.artist.founded)).hasSuffix(
        #"ORDER BY t1."founded", t0."title""#))
  }

  @Test func ordersByDescriptors() async throws {
    let store = try await bandStore()
    let query = Album.all.sorted(using: SortDescriptor(\.year, order: .reverse), SortDescriptor(\.name))
    #expect(try await names(query, store) == ["Spirit of Eden", "Tin Drum", "Quiet Life"])
  }

  @Test func ordersByNames() async throws {
    let store = try await bandStore()
    #expect(
      try await names(Album.all.sorted(byName: "band.formed").sorted(byName: "year", .reverse), store)
        == ["Spirit of Eden", "Tin Drum", "Quiet Life"])
    await #expect(throws: StoreError.self) { try await names(Album.all.sorted(byName: "band.fromed"), store) }
  }

  @Test func whatGivesNoOrderIsAnError() async throws {
    let store = try await bandStore()
    await #expect(throws: QueryError.self) { try await names(Album.sorted(by: \.name.count), store) }
    // The compiler warns of a list where it sees one.
    func sorted<Value>(by path: any KeyPath<Band, Value> & Sendable) -> Query<Band> { Band.sorted(by: path) }
    await #expect(throws: StoreError.self) { try await store.fetch(sorted(by: \.albums)) }
  }

  // MARK: - Range

  @Test func ranges() async throws {
    let store = try await bandStore()
    let albums = Album.sorted(by: \.year)
    #expect(try await names(albums.limit(2), store) == ["Quiet Life", "Tin Drum"])
    #expect(try await names(albums.limit(1).offset(1), store) == ["Tin Drum"])
    #expect(try await names(albums.offset(1), store) == ["Tin Drum", "Spirit of Eden"])
    #expect(try await names(albums.offset(3), store) == [])
    #expect(try await names(albums.limit(0), store) == [])
    #expect(try await store.first(albums.offset(2))?.name == "Spirit of Eden")
  }

  @Test func countsWithinRanges() async throws {
    let store = try await bandStore()
    #expect(try await store.count(Album.all) == 3)
    #expect(try await store.count(Album.all.limit(2)) == 2)
    #expect(try await store.count(Album.all.limit(2).offset(2)) == 1)
    #expect(try await store.count(Album.all.offset(5)) == 0)
    #expect(try await store.count(Album.filter(#Predicate { $0.band.formed == 1974 }).limit(5)) == 2)
    #expect(try await store.count(Album.sorted(by: \.band.formed).limit(1)) == 1)
  }

  // MARK: - Conditions

  @Test func formats() async throws {
    let store = try await bandStore()
    #expect(
      try await names(Album.filter(format: "year > %d AND band == %@", 1980, "Japan"), store) == ["Tin Drum"])
    let late = try ObjectPredicate(format: "year > 1985")
    #expect(try await names(Album.filter(matching: late), store) == ["Spirit of Eden"])
    #expect(throws: ObjectPredicateError.self) { try Album.filter(format: "year >") }
    await #expect(throws: ObjectPredicateError.self) {
      try await names(Album.filter(format: "yaer > 1"), store)
    }
  }

  @Test func lists() async throws {
    let store = try await bandStore()
    let japan = try await store.find(Band.self, "Japan")
    #expect(try await names(japan.albums.filter(#Predicate { $0.year == 1979 }), store) == ["Quiet Life"])
    #expect(try await names(japan.albums.sorted(by: \.year, .reverse), store) == ["Tin Drum", "Quiet Life"])
    #expect(try await names(japan.albums.query.limit(1), store) == ["Quiet Life"])
    #expect(try await store.count(japan.albums.filter(#Predicate { $0.band.formed == 1974 })) == 2)
    // A list of its own order keeps it, unless it is asked for another.
    #expect(try await store.fetch(japan.members.query).map(\.id) == [2, 1])
    #expect(try await store.fetch(japan.members.filter(#Predicate { $0.id > 0 })).map(\.id) == [2, 1])
    #expect(try await store.fetch(japan.members.sorted(by: \.name)).map(\.id) == [1, 2])
    await #expect(throws: QueryError.self) { try await store.fetch(ToMany<Album>().query) }
  }

  @Test(.onSQLite) func sql() async throws {
    let store = try await bandStore()
    let name = "O'Neill"
    let query = Band.filter(#Predicate { $0.name == name }).sorted(by: \.formed, .reverse).limit(3).offset(1)
    #expect(
      try await store.sql(of: query).hasSuffix(
        #"FROM "Band" t0 WHERE t0."name" = 'O''Neill' ORDER BY t0."formed" DESC, t0."name" LIMIT 3 OFFSET 1"#)
    )
  }

  private func names(_ query: Query<Album>, _ store: Store) async throws -> [String] {
    try await store.fetch(query).map(\.name)
  }
}

import Broker
import Foundation
import Testing

@Suite("Selections") struct SelectionTests {
  @Test func values() async throws {
    let store = try await bandStore()
    let rows = try await store.fetch(
      Band.sorted(by: \.name).select(\.name, \.albums.count, \.rating, \.genre))
    #expect(rows.map(\.0) == ["Japan", "Talk Talk"])
    #expect(rows.map(\.1) == [2, 1])
    #expect(rows.map(\.2) == [8.5, nil])
    #expect(rows.map(\.3) == [.pop, .rock])
    #expect(try await store.fetch(Band.select(\.name)) == ["Japan", "Talk Talk"])
    #expect(try await store.fetch(Band.sorted(by: \.formed).select(\.tags)) == [nil, ["uk", "80s"]])
  }

  @Test func throughRelationships() async throws {
    let store = try await bandStore()
    let rows = try await store.fetch(
      Album.sorted(by: \.year).select(\.name, \.band.name, \.band.label?.country, \.band, \.released))
    #expect(rows.map(\.0) == ["Quiet Life", "Tin Drum", "Spirit of Eden"])
    #expect(rows.map(\.1) == ["Japan", "Japan", "Talk Talk"])
    #expect(rows.map(\.2) == ["UK", "UK", nil])
    #expect(rows.map(\.3.id) == ["Japan", "Japan", "Talk Talk"])
    #expect(rows.map { $0.4 != nil } == [false, true, false])
    // What has not arrived reads as nothing, as in the objects.
    #expect(try await store.fetch(Band.select(\.label)) == [ToOne(id: "Virgin"), nil])
    #expect(try await store.fetch(Album.select(\.band.id)) == ["Japan", "Talk Talk", "Japan"])
  }

  @Test func ofInheritedProperties() async throws {
    let store = try await TrackStore.shared.value
    let rows = try await store.fetch(Single.select(\.track.title, \.chart, \.track.plays, \.track.fans.count))
    let singles = try await store.fetch(Single.all)
    #expect(!rows.isEmpty)
    #expect(rows.map(\.0) == singles.map(\.track.title))
    #expect(rows.map(\.1) == singles.map(\.chart))
    #expect(rows.map(\.2) == singles.map(\.track.plays))
  }

  @Test func theyReadWhatObjectsRead() async throws {
    let store = try await TrackStore.shared.value
    let tracks = try await store.fetch(Track.sorted(by: \.plays, .reverse).limit(20))
    let rows = try await store.fetch(
      Track.sorted(by: \.plays, .reverse).limit(20)
        .select(
          \.level, \.length, \.pitch, \.price, \.released, \.code, \.page, \.cover, \.isLive, \.mood, \.grade)
    )
    #expect(rows.count == tracks.count)
    for (row, track) in zip(rows, tracks) {
      #expect(row.0 == track.level && row.1 == track.length && row.2 == track.pitch && row.3 == track.price)
      #expect(row.4 == track.released && row.5 == track.code && row.6 == track.page && row.7 == track.cover)
      #expect(row.8 == track.isLive && row.9 == track.mood && row.10 == track.grade)
    }
    let composite = try await store.fetch(Artist.select(\.home))
    let homes = try await store.fetch(Artist.all).map(\.home)
    #expect(composite == homes)
  }

  @Test func distinct() async throws {
    let store = try await bandStore()
    let years = Album.sorted(by: \.year, .reverse).select(\.band.formed)
    #expect(try await store.fetch(years) == [1970, 1974, 1974])
    #expect(try await store.fetch(years.distinct()) == [1970, 1974])
    let earliest = Album.sorted(by: \.year).select(\.band.formed).distinct()
    #expect(try await store.fetch(earliest) == [1974, 1970])
    // A range counts what is left.
    let second = Album.sorted(by: \.year).limit(1).offset(1).select(\.band.formed).distinct()
    #expect(try await store.fetch(second) == [1970])
    let pairs = try await store.fetch(Album.select(\.band.name, \.band.label?.country).distinct())
    #expect(pairs.map(\.0) == ["Japan", "Talk Talk"])
    #expect(pairs.map(\.1) == ["UK", nil])
  }

  @Test func whatIsNoValueIsAnError() async throws {
    let store = try await bandStore()
    let error = await #expect(throws: QueryError.self) { try await store.fetch(Band.select(\.name.count)) }
    #expect(error?.description.contains("is no stored property of Band") == true)
    await #expect(throws: QueryError.self) { try await store.fetch(Band.select(\.albums)) }
    await #expect(throws: QueryError.self) { try await store.fetch(ToMany<Album>().query.select(\.name)) }
  }
}

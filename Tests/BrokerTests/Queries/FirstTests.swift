import Broker
import Foundation
import Testing

@Suite struct FirstTests {
  @Test func findsWhatWasImported() async throws {
    let store = try await bandStore()
    let japan = try await store.find(Band.self, "Japan")
    #expect(japan.formed == 1974)
    #expect(japan.genre == .pop)
    #expect(japan.tags == ["uk", "80s"])
    #expect(japan.label?.id == "Virgin")
    #expect(try await store.fetch(japan.albums).map(\.name) == ["Quiet Life", "Tin Drum"])
    #expect(try await store.fetch(japan.members).map(\.id) == [2, 1])
    let talkTalk = try await store.find(Band.self, "Talk Talk")
    #expect(talkTalk.formed == 1970)
    #expect(talkTalk.label == nil)
    print(try await store.sql(of: japan.albums.sorted(by: \.released)))
    print(try await store.sql(of: Album.sorted(by: \.band.formed).limit(3)))
    let bands = try await store.fetch(
      Band.all.prefetching(\.albums).prefetching(\.label).prefetching(\.notes))
    #expect(bands.map(\.albums.count) == [2, 1])
    #expect(bands[0].label?.country == "UK")
    #expect(bands[0].notes.map(\.text) == ["a", "b"])
  }

  @Test func saves() async throws {
    let store = try await bandStore()
    try await store.write { transaction in
      var japan = try transaction.find(Band.self, "Japan")
      japan.formed = 1975
      japan.label = ToOne(id: "EMI")
      try transaction.save(japan)
      try transaction.save(Album(name: "Exorcising Ghosts", released: nil, band: ToOne(japan), year: nil))
    }
    let japan = try await store.find(Band.self, "Japan")
    #expect(japan.formed == 1975)
    #expect(try await store.count(japan.albums.query) == 3)
    #expect(try await store.fetch(japan.members).map(\.id) == [2, 1])
    try await store.delete(Band.self, "Japan")
    #expect(try await store.count(Album.all) == 1)
  }
}

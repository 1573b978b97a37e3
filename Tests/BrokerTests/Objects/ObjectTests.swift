import Broker
import Foundation
import Testing

/// Objects by the names of a model that is known at run time only.
@Suite struct ObjectTests {
  @Test func findsAndFetches() async throws {
    let store = try await bandStore()
    let japan = try await store.find("Band", "Japan")
    #expect(japan["formed"] == 1974)
    #expect(japan["label"] == .link("Virgin"))
    #expect(japan["genre"]?.stringValue == "pop")
    #expect(japan["tags"] == .json(.array([.string("uk"), .string("80s")])))
    #expect(japan["albums"] == nil)
    #expect(japan["nonsense"] == nil)
    let talkTalk = try await store.find("Band", "Talk Talk")
    #expect(talkTalk["label"] == .null)
    let query = try ObjectQuery("Band").filter(format: "formed > %d", 1960).sorted(by: "name", .reverse)
      .including("albums", "members").limit(1).offset(1)
    let bands = try await store.fetch(query)
    #expect(bands.map(\.identity) == ["Japan"])
    #expect(bands[0]["albums"]?.links == ["Quiet Life", "Tin Drum"])
    #expect(bands[0]["members"]?.links == ["2", "1"])
    #expect(try await store.count(ObjectQuery("Album")) == 3)
    #expect(try await store.exists("Album", "Tin Drum"))
    #expect(try await store.sql(of: ObjectQuery("Label").limit(1)).contains("LIMIT 1"))
  }

  @Test func savesWhatItHas() async throws {
    let store = try await bandStore()
    var rush = Object("Band", ["name": "Rush", "rating": 9, "label": .link("Virgin")])
    rush["members"] = .links(["1"])
    let saved = try await store.save(rush)
    #expect(saved["formed"] == 1970)
    #expect(saved["rating"] == 9.0)
    var change = Object("Band", ["name": "Rush"])
    change["rating"] = .null
    #expect(try await store.save(change)["label"] == .link("Virgin"))
    #expect(try await store.find(Band.self, "Rush").rating == nil)
    try await store.delete("Band", "Rush")
    #expect(try await !store.exists("Band", "Rush"))
    #expect(try await store.delete(try ObjectQuery("Album").filter(format: "year < 1985")) == 2)
  }

  @Test func saysWhatIsWrong() async throws {
    let store = try await bandStore()
    await #expect(throws: StoreError.self) { try await store.find("Bnd", "x") }
    await #expect(throws: ObjectNotFound.self) { try await store.find("Band", "Rush") }
    await #expect(throws: StoreError.self) {
      try await store.save(Object("Band", ["name": "Rush", "formd": 1]))
    }
    let error = await #expect(throws: SaveError.self) {
      try await store.save(
        Object(
          "Band", ["name": "Rush", "formed": "soon", "label": 7, "members": .links(["x"]), "rating": 11]))
    }
    #expect(
      error?.problems.map(\.description) == [
        "Band Rush.formed: expected integer64, found \"soon\"", "Band Rush.label: expected a link, found 7",
        "Band Rush.members: expected an identity of Musician, found \"x\"",
        "Band Rush.rating: expected a number from 0 to 10, found 11.0",
      ])
    await #expect(throws: SaveError.self) { try await store.save(Object("Band", ["formed": 1])) }
  }

  @Test func importsAndExportsByName() async throws {
    let store = try await bandStore()
    try await store.import(#"[{"name": "Rush"}]"#, as: "Band")
    let json = try await store.export(ObjectQuery("Label"), options: .relationships(.none))
    #expect(String(decoding: json, as: UTF8.self) == "[\n{\"name\":\"Virgin\",\"country\":\"UK\"}\n]\n")
  }
}

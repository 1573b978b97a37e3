import Broker
import Foundation
import Testing

/// A rename is a change like others: noted, told, confirmed and respected by imports.
@Suite struct RenamedChangesTests {
  private func store() async throws -> Store {
    let store = try await Store(at: .scratch, for: Band.self, tracksLocalChanges: true)
    try await store.import(bandsJSON)
    return store
  }

  private func summary(_ store: Store) async throws -> [String] {
    try await store.localChanges().map {
      "\($0.kind) \($0.entity) \($0.identity)" + ($0.formerIdentity.map { " from \($0)" } ?? "")
        + ($0.properties.isEmpty ? "" : " \($0.properties)")
    }
  }

  private let served = """
    {"bands": [
      {"name": "Japan", "formed": 1970, "rating": 9, "albums": [{"name": "Tin Drum", "year": 1981}, "Quiet Life"]},
      {"name": "Talk Talk", "albums": ["Spirit of Eden"]}],
     "albums": [{"name": "Obscure Alternatives", "band": "Japan"}]}
    """

  @Test func importsFindTheRenamedObject() async throws {
    let store = try await store()
    try await store.rename(Band.self, "Japan", to: "Rain Tree Crow")
    let report = try await store.import(served)
    #expect(report.issues.isEmpty)
    #expect(try await store.fetch(Band.all).map(\.name).sorted() == ["Rain Tree Crow", "Talk Talk"])
    let band = try await store.find(Band.self, "Rain Tree Crow")
    #expect(band.rating == 9)
    #expect(report.keptLocal["Band"] == 1)
    for album in ["Tin Drum", "Quiet Life", "Obscure Alternatives"] {
      #expect(try await store.find(Album.self, album).band.id == "Rain Tree Crow")
    }
    #expect(try await !store.import(served).changesAnything)
    var options = ImportOptions()
    options.overwritesLocalChanges = true
    #expect(try await !store.import(served, options: options).changesAnything)
    options.overwritesLocalChanges = false
    options.prunes = true
    _ = try await store.import(served, options: options)
    #expect(try await store.exists(Band.self, "Rain Tree Crow"))
  }

  @Test func itIsToldAndConfirmed() async throws {
    let store = try await store()
    try await store.rename(Band.self, "Japan", to: "Rain Tree Crow")
    try await store.update(Band.self, "Rain Tree Crow") { $0.formed = 1990 }
    let changes = try await store.localChanges()
    #expect(
      try await summary(store) == [#"renamed Band Rain Tree Crow from Japan ["formed", "name"]"#])
    let json = String(decoding: try await store.exportLocalChanges(changes), as: UTF8.self)
    #expect(
      json.hasPrefix(
        #"[{"operation":"rename","entity":"Band","identity":"Rain Tree Crow","formerIdentity":"Japan","revision":2,"object":{"#
      ))
    #expect(json.contains(#""formed":1990"#))
    #expect(try JSONDecoder().decode([LocalChange].self, from: JSONEncoder().encode(changes)) == changes)
    try await store.confirm(changes)
    #expect(try await summary(store) == [])
    // The server calls it by the new name now, so the old one is another object's.
    try await store.import(#"[{"name": "Japan"}]"#, as: Band.self)
    #expect(try await store.exists(Band.self, "Japan"))
  }

  @Test func confirmingLeavesAnotherRenameToTell() async throws {
    let store = try await store()
    try await store.rename(Band.self, "Japan", to: "B")
    let changes = try await store.localChanges()
    try await store.rename(Band.self, "B", to: "C")
    #expect(try await summary(store) == [#"renamed Band C from Japan ["name"]"#])
    try await store.confirm(changes)
    #expect(try await summary(store) == [#"renamed Band C from B ["name"]"#])
    try await store.import(#"[{"name": "B", "rating": 1}]"#, as: Band.self)
    #expect(try await store.find(Band.self, "C").rating == 1)
    #expect(try await !store.exists(Band.self, "B"))
  }

  @Test func goingBackAfterItWasToldIsARename() async throws {
    let store = try await store()
    try await store.rename(Band.self, "Japan", to: "B")
    let changes = try await store.localChanges()
    try await store.rename(Band.self, "B", to: "Japan")
    try await store.confirm(changes)
    #expect(try await summary(store) == [#"renamed Band Japan from B ["name"]"#])
  }

  @Test func whatTheServerNeverHeardOfIsOnlyInserted() async throws {
    let store = try await store()
    try await store.save(Label(name: "draft", country: nil, bands: ToMany()))
    try await store.rename(Label.self, "draft", to: "Hansa")
    #expect(try await summary(store) == ["inserted Label Hansa"])
    try await store.rename(Label.self, "Hansa", to: "EMI")
    #expect(try await summary(store) == ["inserted Label EMI from Hansa"])
  }

  @Test func aRenamedObjectIsDeletedUnderTheServersIdentity() async throws {
    let store = try await store()
    try await store.rename(Album.self, "Tin Drum", to: "B")
    try await store.delete(Album.self, "B")
    #expect(try await summary(store) == ["deleted Album Tin Drum"])
    _ = try await store.import(served)
    #expect(try await !store.exists(Album.self, "Tin Drum"))
    #expect(try await !store.exists(Album.self, "B"))
  }

  @Test func aDeletionAfterATellingIsOfTheIdentityThatWasTold() async throws {
    let store = try await store()
    try await store.rename(Album.self, "Tin Drum", to: "B")
    let changes = try await store.localChanges()
    try await store.delete(Album.self, "B")
    try await store.confirm(changes)
    #expect(try await summary(store) == ["deleted Album B"])
  }

  @Test func theFormerIdentityCanBeANewObjects() async throws {
    let store = try await store()
    try await store.rename(Album.self, "Tin Drum", to: "B")
    try await store.save(Album(name: "Tin Drum", released: nil, band: ToOne(id: "Talk Talk"), year: 2))
    try await store.update(Album.self, "B") { $0.year = 3 }
    #expect(
      try await summary(store) == [
        #"renamed Album B from Tin Drum ["name", "year"]"#, "inserted Album Tin Drum",
      ])
    // Until the server was told, it means the renamed object.
    try await store.import(#"[{"name": "Tin Drum", "released": "1981-11-13", "year": 1981}]"#, as: Album.self)
    #expect(try await store.find(Album.self, "Tin Drum").year == 2)
    #expect(try await store.find(Album.self, "B").year == 3)
    // The new one stays when the renamed one goes.
    try await store.delete(Album.self, "B")
    #expect(
      try await summary(store) == [#"updated Album Tin Drum ["band", "released", "year"]"#])
  }

  @Test func anIdentityThatTheServerStillHoldsIsTaken() async throws {
    let store = try await store()
    try await store.delete(Album.self, "Quiet Life")
    await #expect(throws: SaveError.self) {
      try await store.rename(Album.self, "Tin Drum", to: "Quiet Life")
    }
    #expect(try await store.exists(Album.self, "Tin Drum"))
    try await store.confirm(try await store.localChanges())
    try await store.rename(Album.self, "Tin Drum", to: "Quiet Life")
    #expect(try await summary(store) == [#"renamed Album Quiet Life from Tin Drum ["name"]"#])
  }

  @Test func aDraftThatWasRenamedKeepsItsNameWhenTheServerAnswers() async throws {
    let store = try await store()
    try await store.save(Label(name: "draft", country: nil, bands: ToMany()))
    let draft = try #require(try await store.localChanges().first)
    try await store.rename(Label.self, "draft", to: "Hansa")
    try await store.import(#"[{"name": "17", "country": "DE"}]"#, as: Label.self)
    try await store.confirm(draft, identity: "17")
    #expect(try await summary(store) == [#"renamed Label Hansa from 17 ["name"]"#])
    #expect(try await store.fetch(Label.all).map(\.name).sorted() == ["Hansa", "Virgin"])
    #expect(try await store.find(Label.self, "Hansa").country == "DE")
  }

  @Test func renamesFollowTheIdentitiesThatTheyFree() async throws {
    let store = try await store()
    try await store.rename(Album.self, "Tin Drum", to: "C")
    try await store.rename(Album.self, "Quiet Life", to: "Tin Drum")
    try await store.update(Album.self, "C") { $0.year = 3 }
    #expect(
      try await summary(store) == [
        #"renamed Album C from Tin Drum ["name", "year"]"#,
        #"renamed Album Tin Drum from Quiet Life ["name"]"#,
      ])
    try await store.import(
      #"[{"name": "Tin Drum", "released": "1981-11-13"}, {"name": "Quiet Life", "year": 1}]"#, as: Album.self)
    #expect(try await store.fetch(Album.all).map(\.name).sorted() == ["C", "Spirit of Eden", "Tin Drum"])
    #expect(try await store.find(Album.self, "Tin Drum").year == 1)
  }

  @Test func forgettingARenameMakesTheNewIdentityTheServers() async throws {
    let store = try await store()
    try await store.rename(Band.self, "Japan", to: "B")
    try await store.forget(try await store.localChanges())
    #expect(try await summary(store) == [])
    try await store.import(#"[{"name": "Japan"}]"#, as: Band.self)
    #expect(try await store.exists(Band.self, "Japan"))
    #expect(try await store.exists(Band.self, "B"))
  }
}

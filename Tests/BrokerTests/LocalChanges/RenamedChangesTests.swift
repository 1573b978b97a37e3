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

  @Test func swappedIdentitiesFollowOneAnother() async throws {
    let store = try await store()
    try await store.write { transaction in
      for (old, new) in [("Tin Drum", "x"), ("Quiet Life", "Tin Drum"), ("x", "Quiet Life")] {
        try transaction.rename(Album.self, old, to: new)
      }
    }
    // Of a row of renames, the last comes first, since its identity is free.
    try await store.rename(Band.self, "Talk Talk", to: "Mark Hollis")
    try await store.rename(Band.self, "Japan", to: "Talk Talk")
    #expect(
      try await summary(store) == [
        #"renamed Album Quiet Life from Tin Drum ["name"]"#,
        #"renamed Album Tin Drum from Quiet Life ["name"]"#,
        #"renamed Band Mark Hollis from Talk Talk ["name"]"#,
        #"renamed Band Talk Talk from Japan ["name"]"#,
      ])
    try await store.import(
      #"[{"name": "Tin Drum", "year": 1981}, {"name": "Quiet Life", "year": 1979}]"#, as: Album.self)
    #expect(try await store.find(Album.self, "Quiet Life").year == 1981)
    #expect(try await store.find(Album.self, "Tin Drum").year == 1979)
  }

  @Test func aNewObjectWithTheIdentityOfOneThatWasToldIsConfirmedToo() async throws {
    let store = try await store()
    try await store.save(Label(name: "A", country: nil, bands: ToMany()))
    let first = try await store.localChanges()
    try await store.rename(Label.self, "A", to: "B")
    try await store.save(Label(name: "A", country: nil, bands: ToMany()))
    let changes = try await store.localChanges()
    #expect(try await summary(store) == ["inserted Label B from A", "inserted Label A"])
    // What was told first is of the object that is called B now.
    try await store.confirm(first)
    #expect(try await summary(store) == [#"renamed Label B from A ["name"]"#, "inserted Label A"])
    try await store.confirm(changes)
    #expect(try await summary(store) == [])
  }

  @Test func aRenameThatALinkWaitedForChangesTheLink() async throws {
    let store = try await Store(at: .scratch, for: Resident.self, tracksLocalChanges: true)
    try await store.import(#"[{"name": "a"}]"#, as: Resident.self)
    var other = Resident("b")
    other.partner = ToOne(id: "c")
    try await store.save(other)
    #expect(try await store.find(Resident.self, "b").partner == nil)
    try await store.rename(Resident.self, "a", to: "c")
    #expect(try await store.find(Resident.self, "c").partner?.id == "b")
    #expect(
      try await summary(store) == [#"renamed Resident c from a ["name", "partner"]"#, "inserted Resident b"])
    try await store.import(#"[{"name": "a", "partner": null}]"#, as: Resident.self)
    #expect(try await store.find(Resident.self, "b").partner?.id == "c")
  }

  @Test func identitiesThatLookAlikeAreTwo() async throws {
    let store = try await store()
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    try await store.import(#"[{"name": "\#(composed)"}, {"name": "other"}]"#, as: Label.self)
    try await store.rename(Label.self, composed, to: decomposed)
    let change = try #require(try await store.localChanges().first)
    #expect(change.kind == .renamed)
    #expect(Array(change.identity.utf8) == Array(decomposed.utf8))
    #expect(Array((change.formerIdentity ?? "").utf8) == Array(composed.utf8))
    try await store.import(#"[{"name": "\#(composed)", "country": "FR"}]"#, as: Label.self)
    #expect(try await store.fetch(Label.filter(#Predicate { $0.country == "FR" })).count == 1)
    #expect(try await store.find(Label.self, decomposed).country == "FR")
    try await store.confirm([change])
    // What was deleted here is only that one.
    try await store.delete(Label.self, decomposed)
    try await store.import(#"[{"name": "\#(composed)"}, {"name": "\#(decomposed)"}]"#, as: Label.self)
    let names = try await store.fetch(Label.all).map(\.name)
    #expect(names.contains { Array($0.utf8) == Array(composed.utf8) })
    #expect(!names.contains { Array($0.utf8) == Array(decomposed.utf8) })
  }
}

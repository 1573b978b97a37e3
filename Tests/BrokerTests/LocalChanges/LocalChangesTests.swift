import Broker
import Foundation
import Testing

/// The journal of what a program changed, and what imports make of it.
@Suite struct LocalChangesTests {
  private func store() async throws -> Store {
    let store = try await Store(at: .memory, for: Band.self, tracksLocalChanges: true)
    try await store.import(bandsJSON)
    return store
  }

  private func summary(_ store: Store) async throws -> [String] {
    try await store.localChanges().map {
      "\($0.kind) \($0.entity) \($0.identity)" + ($0.properties.isEmpty ? "" : " \($0.properties)")
    }
  }

  @Test func importsAreNoLocalChanges() async throws {
    #expect(try await summary(try store()) == [])
  }

  @Test func storesThatWereNotAskedKeepNone() async throws {
    let store = try await bandStore()
    try await store.update(Band.self, "Japan") { $0.formed = 1 }
    #expect(try await store.localChanges() == [])
  }

  @Test func changesAreNotedByProperty() async throws {
    let store = try await store()
    try await store.update(Band.self, "Japan") {
      $0.formed = 1975
      $0.label = ToOne(id: "EMI")
    }
    try await store.save(Label(name: "EMI", country: nil, bands: ToMany()))
    try await store.delete(Album.self, "Quiet Life")
    try await store.update(Band.self, "Japan") { $0.formed = 1976 }
    #expect(
      try await summary(store) == [
        "inserted Label EMI", "deleted Album Quiet Life", "updated Band Japan [\"formed\", \"label\"]",
      ])
  }

  @Test func savingWhatIsThereIsNoChange() async throws {
    let store = try await store()
    try await store.save(try await store.find(Band.self, "Japan"))
    #expect(try await summary(store) == [])
  }

  @Test func whatNobodyHeardOfIsNotToldWhenItIsGone() async throws {
    let store = try await store()
    try await store.save(Label(name: "EMI", country: nil, bands: ToMany()))
    try await store.delete(Label.self, "EMI")
    #expect(try await summary(store) == [])
    try await store.save(Label(name: "EMI", country: nil, bands: ToMany()))
    _ = try await store.localChanges()
    try await store.delete(Label.self, "EMI")
    #expect(try await summary(store) == ["deleted Label EMI"])
  }

  @Test func cascadesAreNoted() async throws {
    let store = try await store()
    try await store.delete(Band.self, "Japan")
    #expect(
      Set(try await summary(store)).isSuperset(of: [
        "deleted Band Japan", "deleted Album Tin Drum", "deleted Album Quiet Life",
      ]))
  }

  /// Reports of imports name the first 10,000 deleted objects; the journal has all.
  @Test func everyDeletionIsNoted() async throws {
    let store = try await Store(at: .memory, for: Band.self, tracksLocalChanges: true)
    let labels = (0..<10_500).map { #"{"name": "Label \#($0)"}"# }.joined(separator: ",")
    try await store.import("[\(labels)]", as: Label.self)
    let deleted = try await store.write { try $0.delete(Query<Label>()) }
    #expect(deleted == 10_500)
    let changes = try await store.localChanges()
    #expect(changes.count == 10_500)
    #expect(changes.allSatisfy { $0.kind == .deleted && $0.entity == "Label" })
  }

  @Test func importsKeepWhatWasChangedAndUpdateTheRest() async throws {
    let store = try await store()
    try await store.update(Band.self, "Japan") { $0.formed = 1975 }
    let report = try await store.import(
      #"[{"name": "Japan", "formed": 1974, "rating": 9, "albums": ["Tin Drum"]}]"#, as: Band.self)
    let japan = try await store.find(Band.self, "Japan")
    #expect(japan.formed == 1975)
    #expect(japan.rating == 9)
    #expect(report.keptLocal == ["Band": 1])
    let again = try await store.import(#"[{"name": "Japan", "formed": 1974}]"#, as: Band.self)
    #expect(!again.changesAnything)
  }

  @Test func importsOverwriteWhenTold() async throws {
    let store = try await store()
    try await store.update(Band.self, "Japan") { $0.formed = 1975 }
    var options = ImportOptions()
    options.overwritesLocalChanges = true
    try await store.import(#"[{"name": "Japan", "formed": 1974}]"#, as: Band.self, options: options)
    #expect(try await store.find(Band.self, "Japan").formed == 1974)
  }

  @Test func importsDoNotBringBackWhatWasDeleted() async throws {
    let store = try await store()
    try await store.delete(Album.self, "Tin Drum")
    let report = try await store.import(bandsJSON)
    #expect(try await !store.exists(Album.self, "Tin Drum"))
    #expect(report.keptLocal == ["Album": 1])
    try await store.confirm(try await store.localChanges())
    try await store.import(bandsJSON)
    #expect(try await store.exists(Album.self, "Tin Drum"))
  }

  @Test func prunesSpareWhatIsNew() async throws {
    let store = try await store()
    try await store.save(Label(name: "EMI", country: nil, bands: ToMany()))
    var options = ImportOptions()
    options.prunes = true
    let report = try await store.import("[]", as: Label.self, options: options)
    #expect(report.deleted == ["Label": 1])
    #expect(try await store.fetch(Label.all).map(\.name) == ["EMI"])
  }

  @Test func linksThatWereChangedStay() async throws {
    let store = try await store()
    try await store.update(Album.self, "Tin Drum") { $0.band = ToOne(id: "Talk Talk") }
    try await store.import(bandsJSON)
    #expect(try await store.find(Album.self, "Tin Drum").band.id == "Talk Talk")
    #expect(try await summary(store) == ["updated Album Tin Drum [\"band\"]"])
  }

  @Test func listsThatWereChangedStay() async throws {
    let store = try await store()
    try await store.update(Band.self, "Japan") { $0.members.remove(id: 2) }
    try await store.import(bandsJSON)
    let japan = try await store.find(Band.self, "Japan")
    #expect(try await store.fetch(japan.members).map(\.id) == [1])
    #expect(try await summary(store) == ["updated Band Japan [\"members\"]"])
  }

  @Test func partsAreChangesOfTheirOwner() async throws {
    let store = try await store()
    try await store.update(Band.self, "Japan") { $0.notes = [Note(text: "c", band: nil)] }
    try await store.import(bandsJSON)
    let japan = try await store.find(Band.self, "Japan")
    #expect(try await store.fetch(japan.notes).map(\.text) == ["c"])
  }

  @Test func confirmingLeavesWhatWasChangedSince() async throws {
    let store = try await store()
    try await store.update(Band.self, "Japan") { $0.formed = 1975 }
    let sent = try await store.localChanges()
    try await store.update(Band.self, "Japan") { $0.rating = 1 }
    try await store.confirm(sent)
    #expect(try await summary(store) == ["updated Band Japan [\"rating\"]"])
    try await store.confirm(try await store.localChanges())
    #expect(try await summary(store) == [])
  }

  @Test func newObjectsThatChangeAfterTheyWereToldAreUpdates() async throws {
    let store = try await store()
    try await store.save(Label(name: "EMI", country: nil, bands: ToMany()))
    let sent = try await store.localChanges()
    try await store.update(Label.self, "EMI") { $0.country = "UK" }
    try await store.confirm(sent)
    #expect(try await summary(store) == ["updated Label EMI [\"country\"]"])
  }

  @Test func changesAreJSONForTheServer() async throws {
    let store = try await store()
    try await store.update(Band.self, "Japan") { $0.formed = 1975 }
    try await store.save(Label(name: "EMI", country: "UK", bands: ToMany()))
    try await store.delete(Album.self, "Tin Drum")
    let json = try await store.exportLocalChanges(try await store.localChanges())
    #expect(
      String(decoding: json, as: UTF8.self) == """
        [{"operation":"update","entity":"Band","identity":"Japan","revision":1,"object":{"name":"Japan","formed":1975}},\
        {"operation":"insert","entity":"Label","identity":"EMI","revision":2,"object":{"name":"EMI","country":"UK","bands":["Talk Talk"]}},\
        {"operation":"delete","entity":"Album","identity":"Tin Drum","revision":3}]
        """)
  }

  @Test func whatFailsIsNotNoted() async throws {
    let store = try await store()
    await #expect(throws: SaveError.self) {
      try await store.update(Band.self, "Japan") { $0.rating = 11 }
    }
    #expect(try await summary(store) == [])
  }
}

import Broker
import Foundation
import Testing

/// Unusual saves: pending references, copies that are out of date, cycles, refused changes.
@Suite struct UnusualSaveTests {
  private func residents() async throws -> Store { try await Store(at: .scratch, for: Resident.self) }

  @Test func whatWaitsSurvivesSavesThatDoNotConcernIt() async throws {
    let store = try await bandStore()
    try await store.update(Band.self, "Talk Talk") { $0.rating = 9 }
    try await store.save(Label(name: "EMI", country: nil, bands: ToMany()))
    #expect(try await store.find(Band.self, "Talk Talk").label?.id == "EMI")
  }

  @Test func whatWaitsSurvivesSavesByName() async throws {
    let store = try await bandStore()
    var band = try await store.find("Band", "Talk Talk")
    band["rating"] = 9
    try await store.save(band)
    try await store.save(Label(name: "EMI", country: nil, bands: ToMany()))
    #expect(try await store.find(Band.self, "Talk Talk").label?.id == "EMI")
  }

  @Test func removedAndInsertedAgainIsAtTheEnd() async throws {
    let store = try await bandStore()
    var japan = try #require(try await store.first(Band.filter(ids: ["Japan"]).prefetching(\.members)))
    #expect(japan.members.map(\.id) == [2, 1])
    let mick = japan.members[0]
    japan.members.remove(id: 2)
    japan.members.insert(mick)
    #expect(japan.members.map(\.id) == [1, 2])
    try await store.save(japan)
    #expect(try await store.fetch(japan.members).map(\.id) == [1, 2])
    // Inserted and removed again, it is gone; twice inserted, it is there once.
    japan = try await store.find(Band.self, "Japan")
    japan.members.insert(id: 1)
    japan.members.insert(id: 1)
    japan.members.insert(mick)
    japan.members.remove(id: 2)
    try await store.save(japan)
    #expect(try await store.fetch(japan.members).map(\.id) == [1])
  }

  @Test func listsWithTheSameObjectTwice() async throws {
    let store = try await bandStore()
    try await store.update(Band.self, "Japan") { $0.members = ToMany(ids: [1, 2, 1, 1]) }
    let japan = try #require(try await store.first(Band.filter(ids: ["Japan"]).prefetching(\.members)))
    #expect(japan.members.map(\.id) == [1, 2])
    let musician = try await store.find(Musician.self, 1)
    try await store.update(Band.self, "Talk Talk") { $0.members = [musician, musician] }
    #expect(try await store.count(try await store.find(Band.self, "Talk Talk").members.query) == 1)
  }

  @Test func staleCopiesLeavePartsAlone() async throws {
    let store = try await bandStore()
    let stale = try #require(try await store.first(Band.filter(ids: ["Japan"]).prefetching(\.notes)))
    try await store.save(Note(text: "c", band: ToOne(id: "Japan")))
    var changed = stale
    changed.formed = 1
    try await store.save(changed)
    #expect(try await store.fetch(stale.notes).map(\.text) == ["a", "b", "c"])
  }

  @Test func staleCopiesOfWhatIsGone() async throws {
    let store = try await bandStore()
    let japan = try #require(try await store.first(Band.filter(ids: ["Japan"]).prefetching(\.notes)))
    let note = japan.notes[0]
    let dynamic = try #require(try await store.fetch(ObjectQuery("Note")).first)
    try await store.delete(Band.self, "Japan")
    #expect(try await store.fetch(japan.albums).isEmpty)
    await #expect(throws: ObjectNotFound.self) { try await store.delete(Band.self, "Japan") }
    await #expect(throws: ObjectNotFound.self) { try await store.delete(Note.self, note.id) }
    await #expect(throws: ObjectNotFound.self) { try await store.update(Note.self, note.id) { $0.text = "" } }
    // Saved again, it is new.
    try await store.save(japan)
    #expect(try await store.exists(Band.self, "Japan"))
    #expect(try await store.find(Band.self, "Japan").label?.id == "Virgin")
    try await store.save(note)
    #expect(try await store.count(try Note.filter(format: "text == 'a'")) <= 2)
    // So is one by name, whatever row it had.
    let before = try await store.count(Note.all)
    let saved = try await store.save(dynamic)
    #expect(saved["text"] == dynamic["text"])
    #expect(try await store.count(Note.all) - before <= 1)
    #expect(try await store.count(try Note.filter(format: "text == 'a'")) >= 1)
  }

  @Test func identitiesCannotBeChangedByUpdates() async throws {
    let store = try await bandStore()
    await #expect(throws: SaveError.self) {
      try await store.update(Band.self, "Japan") { $0.name = "Nippon" }
    }
    #expect(try await store.exists(Band.self, "Japan"))
    #expect(try await !store.exists(Band.self, "Nippon"))
  }

  @Test func selfRelationsAndCycles() async throws {
    let store = try await residents()
    var a = Resident("a")
    a.parent = ToOne(id: "a")
    a.partner = ToOne(id: "a")
    a.friends = ToMany(ids: ["a"])
    a.children = ToMany(ids: ["a"])
    try await store.save(a)
    let saved = try #require(try await store.first(Resident.everything))
    #expect(saved.parent?.id == "a" && saved.partner?.id == "a")
    #expect(saved.friends.map(\.name) == ["a"] && saved.children.map(\.name) == ["a"])
    try await store.write { transaction in
      for (one, other) in [("b", "c"), ("c", "d"), ("d", "b")] {
        var resident = Resident(one)
        resident.parent = ToOne(id: other)
        resident.partner = ToOne(id: other)
        try transaction.save(resident)
      }
    }
    // The last save counts: d and b are partners, and c has none.
    let partners = try await store.fetch(Resident.all).map { $0.partner?.id }
    #expect(partners == ["a", "d", nil, "b"])
    try await store.delete(Resident.self, "a")
    try await store.delete(Resident.all)
    #expect(try await store.count(Resident.all) == 0)
  }

  @Test func aFailedSaveLeavesNoDemandBehind() async throws {
    let store = try await bandStore()
    try await store.write { transaction in
      #expect(throws: SaveError.self) {
        try transaction.save(
          Band(name: "New", rating: 99, albums: ToMany(ids: ["Tin Drum"]), members: ToMany(), notes: ToMany())
        )
      }
      try transaction.update(Band.self, "Japan") { $0.formed = 3 }
    }
    #expect(try await store.find(Band.self, "Japan").formed == 3)
    #expect(try await store.find(Album.self, "Tin Drum").band.id == "Japan")
  }

  @Test func whatListsLetGoMayComeBack() async throws {
    let store = try await bandStore()
    try await store.write { transaction in
      try transaction.update(Band.self, "Japan") { $0.albums = [] }
      try transaction.update(Band.self, "Japan") { $0.albums = ToMany(ids: ["Quiet Life"]) }
      try transaction.save(Album(name: "Tin Drum", released: nil, band: ToOne(id: "Japan"), year: nil))
    }
    #expect(try await store.count(Album.all) == 3)
    // An import between the steps changes nothing of that.
    try await store.write { transaction in
      try transaction.update(Band.self, "Japan") { $0.albums = [] }
      try transaction.import(#"[{"name": "Rush"}]"#, as: Band.self)
      try transaction.update(Band.self, "Japan") { $0.albums = ToMany(ids: ["Quiet Life", "Tin Drum"]) }
    }
    #expect(try await store.exists(Band.self, "Rush"))
    await #expect(throws: SaveError.self) {
      try await store.write { transaction in
        try transaction.update(Band.self, "Japan") { $0.albums = ToMany(ids: ["Quiet Life"]) }
        try transaction.update(Band.self, "Japan") { $0.formed = 1 }
      }
    }
  }

  @Test func whatWaitedStaysWhenANewListIsAddedTo() async throws {
    let store = try await residents()
    var a = Resident("a")
    a.parent = ToOne(id: "p")
    try await store.save(a)
    var p = Resident("p")
    p.children.insert(id: "b")
    try await store.save(p)
    try await store.import(#"[{"name": "b"}]"#, as: Resident.self)
    let saved = try await store.find(Resident.self, "p")
    #expect(Set(try await store.fetch(saved.children).map(\.name)) == ["a", "b"])
  }

  @Test func deniedDeletionsChangeNothing() async throws {
    let store = try await residents()
    try await store.write { transaction in
      try transaction.save(Resident("a"), Resident("b"))
      try transaction.save(Pet(id: 1, value: nil, resident: ToOne(id: "b")))
      try transaction.save(Loan(id: 1, resident: ToOne(id: "b")))
    }
    await #expect(throws: SaveError.self) { try await store.delete(Resident.all) }
    #expect(try await store.count(Resident.all) == 2)
    await #expect(throws: SaveError.self) {
      try await store.write { transaction in
        try transaction.delete(Resident.all)
        let count = try transaction.count(Pet.all)
        #expect(count == 0)
      }
    }
    #expect(try await store.count(Pet.all) == 1)
    try await store.delete(Loan.self, 1)
    #expect(try await store.delete(Resident.all) == 2)
    #expect(try await store.count(Pet.all) == 0)
  }

  @Test func transactionsThatAreKeptAreNoMore() async throws {
    let store = try await residents()
    final class Holder: @unchecked Sendable { var transaction: WriteTransaction? }
    let holder = Holder()
    try await store.write { transaction in
      holder.transaction = transaction
      try transaction.save(Resident("a"))
    }
    #expect(throws: StoreError.self) { try holder.transaction?.save(Resident("b")) }
    #expect(try await store.count(Resident.all) == 1)
  }
}

extension WriteTransaction {
  fileprivate func save<Root: Storable>(_ objects: Root...) throws {
    for object in objects { try save(object) }
  }
}

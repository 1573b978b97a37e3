import Broker
import Foundation
import TestSettings
import Testing

/// What transactions commit and what they undo.
@Suite struct TransactionTests {
  private struct Stop: Error {}

  @Test func nothingStaysOfWhatThrows() async throws {
    let store = try await bandStore()
    await #expect(throws: Stop.self) {
      try await store.write { transaction in
        try transaction.update(Band.self, "Japan") { $0.formed = 1 }
        try transaction.import(#"[{"name": "Rush"}]"#, as: Band.self)
        throw Stop()
      }
    }
    #expect(try await store.find(Band.self, "Japan").formed == 1974)
    #expect(try await !store.exists(Band.self, "Rush"))
  }

  /// A tool, which has no tasks.
  private func useWithoutTasks(_ store: Store) throws {
    try store.write { transaction in
      try transaction.update(Band.self, "Japan") { $0.formed = 1 }
      #expect(throws: StoreError.self) { try store.write { try $0.delete(Band.self, "Japan") } }
    }
    #expect(try store.read { try $0.find(Band.self, "Japan").formed } == 1)
    #expect(throws: Stop.self) {
      try store.write { transaction in
        try transaction.delete(Band.self, "Japan")
        throw Stop()
      }
    }
    #expect(throws: SaveError.self) {
      try store.write { try $0.update(Band.self, "Japan") { $0.rating = 11 } }
    }
    let counts = try store.read { transaction in
      // A read in a read sees the same.
      (try transaction.count(Band.all), try store.read { try $0.count(Band.all) })
    }
    #expect(counts == (2, 2))
  }

  @Test func withoutTasks() async throws {
    let store = try await bandStore()
    try useWithoutTasks(store)
    #expect(try await store.find(Band.self, "Japan").formed == 1)
  }

  @Test func whatATransactionReadsAndChangesNobodyElseChangesInBetween() async throws {
    let file = try TemporaryFile()
    let place: StoreLocation = Engine.isServer ? .scratch : .file(file.url)
    // To each other, they are what two processes are.
    let stores = [
      try await Store(at: place, for: Band.self), try await Store(at: place, for: Band.self),
    ]
    try await stores[0].write { try $0.import(#"[{"name": "Japan", "formed": 0}]"#, as: Band.self) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          try await stores[number % 2].update(Band.self, "Japan") { $0.formed += 1 }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await stores[1].find(Band.self, "Japan").formed == 60)
  }

  @Test func transactionsReadWhatTheyWrote() async throws {
    let store = try await bandStore()
    let count = try await store.write { transaction in
      try transaction.save(Label(name: "EMI", country: nil, bands: ToMany()))
      return try transaction.count(Label.all)
    }
    #expect(count == 2)
  }

  @Test func aFailedStepLeavesTheRest() async throws {
    let store = try await bandStore()
    try await store.write { transaction in
      try transaction.save(Label(name: "EMI", country: nil, bands: ToMany()))
      #expect(throws: SaveError.self) {
        try transaction.update(Band.self, "Japan") { $0.rating = 11 }
      }
      #expect(throws: ImportError.self) {
        try transaction.import(#"[{"name": "Rush"}, "#, as: Band.self)
      }
    }
    #expect(try await store.exists(Label.self, "EMI"))
    #expect(try await !store.exists(Band.self, "Rush"))
    #expect(try await store.find(Band.self, "Japan").rating == 8.5)
  }

  @Test func importsOfOneTransactionReferToEachOther() async throws {
    let store = try await Store(at: .scratch, for: Band.self)
    try await store.write { transaction in
      let first = try transaction.import(#"[{"name": "Tin Drum", "band": "Japan"}]"#, as: Album.self)
      #expect(first.pendingCount == 1)
      let second = try transaction.import(#"[{"name": "Japan", "label": "Virgin"}]"#, as: Band.self)
      #expect(second.pendingCount == 1)
      let third = try transaction.import(#"[{"name": "Virgin"}]"#, as: Label.self)
      #expect(third.pendingCount == 0)
    }
    let albums = try await store.fetch(Album.all.prefetching(\.band) { $0.prefetching(\.label) })
    #expect(albums.first?.band.object?.label?.object?.name == "Virgin")
  }

  @Test func referencesThatMayNotWaitMayDoSoUntilTheEnd() async throws {
    let store = try await Store(at: .scratch, for: Band.self)
    var options = ImportOptions()
    options.references = .error
    try await store.write { [options] transaction in
      try transaction.import(#"[{"name": "Tin Drum", "band": "Japan"}]"#, as: Album.self, options: options)
      try transaction.import(#"[{"name": "Japan"}]"#, as: Band.self, options: options)
    }
    await #expect(throws: ImportError.self) {
      try await store.write { [options] transaction in
        try transaction.import(#"[{"name": "2112", "band": "Rush"}]"#, as: Album.self, options: options)
      }
    }
    #expect(try await store.count(Album.all) == 1)
  }

  @Test func savedObjectsMayLackAtFirstWhatTheyNeed() async throws {
    let store = try await Store(at: .scratch, for: Band.self)
    try await store.write { transaction in
      try transaction.save(Album(name: "Tin Drum", released: nil, band: ToOne(id: "Japan"), year: nil))
      try transaction.save(
        Band(name: "Japan", albums: ToMany(), members: ToMany(), notes: ToMany()))
    }
    let japan = try await store.find(Band.self, "Japan")
    #expect(try await store.count(japan.albums.query) == 1)
  }

  @Test func whatIsThereCannotBeInsertedAgain() async throws {
    let store = try await bandStore()
    let japan = try await store.find(Band.self, "Japan")
    await #expect(throws: SaveError.self) { try await store.insert(japan) }
    await #expect(throws: ObjectNotFound.self) { try await store.find(Band.self, "Rush") }
    await #expect(throws: ObjectNotFound.self) { try await store.delete(Band.self, "Rush") }
    #expect(try await store.fetch(Band.self, id: "Rush") == nil)
    #expect(
      try await store.find(Band.self, ids: ["Talk Talk", "Rush", "Japan"]).map(\.name) == [
        "Talk Talk", "Japan",
      ])
  }

  @Test func whatTheModelDoesNotAllowIsSaid() async throws {
    let store = try await bandStore()
    let error = await #expect(throws: SaveError.self) {
      try await store.update(Band.self, "Japan") { $0.rating = 10.5 }
    }
    #expect(error?.description == "Band Japan.rating: expected a number from 0 to 10, found 10.5")
  }

  @Test func infinitiesAndDatesBeyondReasonAreNotStored() async throws {
    let store = try await bandStore()
    await #expect(throws: SaveError.self) {
      try await store.update(Band.self, "Japan") { $0.rating = .nan }
    }
    await #expect(throws: SaveError.self) {
      try await store.update(Album.self, "Tin Drum") { $0.released = .distantFuture.addingTimeInterval(1e12) }
    }
  }

  @Test func listsAreChangedAtBothEnds() async throws {
    let store = try await bandStore()
    var japan = try await store.find(Band.self, "Japan")
    japan.members.insert(id: 3)
    japan.members.remove(id: 2)
    try await store.write { [japan] transaction in
      try transaction.save(Musician(id: 3, name: "Richard Barbieri", bands: ToMany()))
      try transaction.save(japan)
    }
    #expect(try await store.fetch(japan.members).map(\.id) == [1, 3])
    let richard = try await store.find(Musician.self, 3)
    #expect(try await store.fetch(richard.bands).map(\.name) == ["Japan"])
    japan.members = []
    try await store.save(japan)
    #expect(try await store.count(richard.bands.query) == 0)
  }

  @Test func childrenThatNeedTheirOwnerCannotLoseIt() async throws {
    let store = try await bandStore()
    await #expect(throws: SaveError.self) {
      try await store.update(Band.self, "Japan") { $0.albums = [] }
    }
    #expect(try await store.count(Album.all) == 3)
  }

  @Test func partsLiveWithTheirOwner() async throws {
    let store = try await bandStore()
    var japan = try #require(
      try await store.first(Band.filter(ids: ["Japan"]).prefetching(\.notes)))
    #expect(japan.notes.map(\.text) == ["a", "b"])
    japan.notes = [Note(text: "b", band: nil), Note(text: "c", band: nil), Note(text: "d", band: nil)]
    japan = try await store.save(japan)
    #expect(try await store.fetch(japan.notes).map(\.text) == ["b", "c", "d"])
    var note = try #require(try await store.first(japan.notes.query))
    note.text = "e"
    let saved = try await store.save(note)
    #expect(saved.id == note.id)
    #expect(try await store.count(Note.all) == 3)
    try await store.delete(Band.self, "Japan")
    #expect(try await store.count(Note.all) == 0)
  }

  @Test func newPartsGetTheirPlace() async throws {
    let store = try await bandStore()
    let note = try await store.insert(Note(text: "x", band: ToOne(id: "Talk Talk")))
    #expect(note.id.value != nil)
    #expect(note.band?.id == "Talk Talk")
  }

  @Test func deletesByQuery() async throws {
    let store = try await bandStore()
    #expect(try await store.delete(try Album.filter(format: "year < %d", 1985)) == 2)
    #expect(try await store.fetch(Album.all).map(\.name) == ["Spirit of Eden"])
  }

  @Test func readsAreOfOneMoment() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try await Store(at: .file(folder.appending(path: "bands.sqlite")), for: Band.self)
    try await store.import(bandsJSON)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await store.update(Band.self, "Japan") { $0.formed = number }
          try await store.update(Band.self, "Talk Talk") { $0.formed = number }
        }
        group.addTask {
          let (first, second) = try await store.read { transaction in
            (try transaction.find(Band.self, "Japan").formed, try transaction.find(Band.self, "Japan").formed)
          }
          #expect(first == second)
        }
      }
      try await group.waitForAll()
    }
    try store.close()
  }

  @Test func readOnlyStoresAreNotWritten() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite")
    defer { try? FileManager.default.removeItem(at: file) }
    let store = try await Store(at: .file(file), for: Band.self)
    try await store.import(bandsJSON)
    try store.close()
    let again = try await Store(at: .file(file), for: Band.self, access: .readOnly)
    #expect(try await again.count(Band.all) == 2)
    await #expect(throws: StoreError.self) { try await again.delete(Band.self, "Japan") }
    try again.close()
  }
}

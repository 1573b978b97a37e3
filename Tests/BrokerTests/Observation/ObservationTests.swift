import Broker
import Foundation
import Testing

/// Observations of objects, queries, counts and commits.
@Suite struct ObservationTests {
  /// The values of an observation in order. The lock guards them.
  private final class Watch<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [Value] = []
    private var task: Task<Void, any Error>?

    init<Values: AsyncSequence & Sendable>(_ sequence: Values) where Values.Element == Value {
      task = Task { [weak self] in
        for try await value in sequence { self?.add(value) }
      }
    }

    deinit { task?.cancel() }

    private func add(_ value: Value) { lock.withLock { values.append(value) } }

    var all: [Value] { lock.withLock { values } }

    /// Waits until there are `count` values.
    func wait(for count: Int) async throws -> [Value] {
      for _ in 0..<6_000 {
        if all.count >= count { return all }
        try await Task.sleep(for: .milliseconds(10))
      }
      return all
    }

    /// Waits for values that must not come.
    func settle() async throws -> [Value] {
      try await Task.sleep(for: .milliseconds(150))
      return all
    }
  }

  @Test func changesAreToldByCommit() async throws {
    let store = try await Store(at: .scratch, for: Band.self)
    let watch = Watch(store.changes())
    try await store.import(bandsJSON)
    try await store.import(bandsJSON)
    try await store.write { transaction in
      try transaction.update(Band.self, "Japan") { $0.formed = 1 }
      try transaction.update(Band.self, "Japan") { $0.formed = 2 }
      try transaction.save(Label(name: "Polydor", country: nil, bands: ToMany()))
      try transaction.delete(Label.self, "Polydor")
    }
    try await store.update(Band.self, "Japan") { $0.formed = 2 }
    await #expect(throws: SaveError.self) { try await store.update(Band.self, "Japan") { $0.rating = 99 } }
    try await store.delete(Album.self, "Tin Drum")
    let changes = try await watch.wait(for: 3)
    try #require(changes.count == 3)
    #expect(changes[0].isImport)
    #expect(changes[0].inserted(Band.self).sorted() == ["Japan", "Talk Talk"])
    #expect(changes[0].inserted(Musician.self).sorted() == [1, 2])
    #expect(!changes[1].isImport)
    #expect(changes[1].updated(Band.self) == ["Japan"])
    #expect(changes[1].inserted(Label.self) == [])
    #expect(changes[1].deleted(Label.self) == [])
    #expect(changes[2].deleted(Album.self) == ["Tin Drum"])
    #expect(changes[2].deleted == [ObjectReference(entity: "Album", identity: "Tin Drum")])
    #expect(try await watch.settle().count == 3)
  }

  @Test func anObjectIsFollowed() async throws {
    let store = try await bandStore()
    let watch = Watch(store.observe(Band.self, "Japan"))
    #expect(try await watch.wait(for: 1).map { $0?.formed } == [1974])
    try await store.update(Band.self, "Talk Talk") { $0.formed = 1 }
    try await store.update(Band.self, "Japan") { $0.formed = 1975 }
    #expect(try await watch.wait(for: 2).map { $0?.formed } == [1974, 1975])
    try await store.delete(Band.self, "Japan")
    #expect(try await watch.wait(for: 3).map { $0?.formed } == [1974, 1975, nil])
    #expect(try await watch.settle().count == 3)
  }

  @Test func aQueryIsFollowed() async throws {
    let store = try await bandStore()
    let watch = Watch(store.observe(try Band.filter(format: "formed < 1980").sorted(by: \.name)))
    #expect(try await watch.wait(for: 1).map { $0.map(\.name) } == [["Japan", "Talk Talk"]])
    // Nothing of these concerns the result.
    try await store.import(bandsJSON)
    try await store.save(Label(name: "Polydor", country: nil, bands: ToMany()))
    try await store.save(
      Band(name: "Rush", formed: 1990, albums: ToMany(), members: ToMany(), notes: ToMany()))
    #expect(try await watch.settle().count == 1)
    try await store.update(Band.self, "Rush") { $0.formed = 1968 }
    #expect(try await watch.wait(for: 2).last?.map(\.name) == ["Japan", "Rush", "Talk Talk"])
    try await store.update(Band.self, "Japan") { $0.rating = 1 }
    #expect(try await watch.wait(for: 3).last?.first?.rating == 1)
    try await store.update(Band.self, "Japan") { $0.formed = 2000 }
    #expect(try await watch.wait(for: 4).last?.map(\.name) == ["Rush", "Talk Talk"])
  }

  @Test func queriesThroughRelationshipsAreFollowed() async throws {
    let store = try await bandStore()
    let watch = Watch(store.observe(try Band.filter(format: "ANY albums.year > 1985")))
    #expect(try await watch.wait(for: 1).last?.map(\.name) == ["Talk Talk"])
    try await store.update(Album.self, "Tin Drum") { $0.year = 1990 }
    #expect(try await watch.wait(for: 2).last?.map(\.name) == ["Japan", "Talk Talk"])
  }

  @Test func whatIsFetchedAlongIsFollowed() async throws {
    let store = try await bandStore()
    let watch = Watch(store.observe(Band.filter(ids: ["Japan"]).prefetching(\.albums)))
    #expect(try await watch.wait(for: 1).last?.first?.albums.count == 2)
    try await store.update(Album.self, "Tin Drum") { $0.year = 1990 }
    #expect(try await watch.wait(for: 2).last?.first?.albums.map(\.year) == [1979, 1990])
  }

  @Test func whatIsNotFetchedAlongGivesNoValue() async throws {
    let store = try await bandStore()
    let query = Band.filter(ids: ["Japan"]).prefetching(\.albums).prefetching(\.label)
    let watch = Watch(store.observe(query))
    #expect(try await watch.wait(for: 1).last?.first?.label?.country == "UK")
    let others: [@Sendable () async throws -> Void] = [
      // Objects of other entities.
      { try await store.update(Musician.self, 1) { $0.name = "David" } },
      { try await store.save(Note(text: "c", band: nil)) },
      // Others of the same entities.
      { try await store.update(Band.self, "Talk Talk") { $0.formed = 1981 } },
      { try await store.update(Album.self, "Spirit of Eden") { $0.year = 1989 } },
      { try await store.save(Label(name: "Polydor", country: "UK", bands: ToMany())) },
    ]
    for change in others {
      try await change()
      try await Task.sleep(for: .milliseconds(30))
    }
    #expect(watch.all.count == 1)
    try await store.update(Album.self, "Tin Drum") { $0.year = 1982 }
    #expect(try await watch.wait(for: 2).last?.first?.albums.map(\.year) == [1979, 1982])
    try await store.update(Label.self, "Virgin") { $0.country = "US" }
    #expect(try await watch.wait(for: 3).last?.first?.label?.country == "US")
    try await store.delete(Album.self, "Tin Drum")
    #expect(try await watch.wait(for: 4).last?.first?.albums.map(\.name) == ["Quiet Life"])
    #expect(watch.all.count == 4)
  }

  @Test func whatIsFetchedAlongWithOthersIsFollowed() async throws {
    let store = try await Store(at: .scratch, for: Band.self)
    // Nothing is there yet, so nothing is fetched along.
    let watch = Watch(store.observe(Album.all.prefetching(\.band) { $0.prefetching(\.members) }))
    #expect(try await watch.wait(for: 1).last?.isEmpty == true)
    try await store.import(bandsJSON)
    #expect(try await watch.wait(for: 2).last?.last?.band.object?.members.map(\.name).last == "David Sylvian")
    try await store.update(Label.self, "Virgin") { $0.country = "US" }
    try await Task.sleep(for: .milliseconds(30))
    try await store.update(Musician.self, 1) { $0.name = "David" }
    #expect(try await watch.wait(for: 3).last?.last?.band.object?.members.map(\.name).last == "David")
    #expect(watch.all.count == 3)
  }

  @Test func countsAreFollowed() async throws {
    let store = try await bandStore()
    let watch = Watch(store.observeCount(of: Album.all))
    #expect(try await watch.wait(for: 1) == [3])
    try await store.update(Album.self, "Tin Drum") { $0.year = 1990 }
    try await store.delete(Album.self, "Tin Drum")
    #expect(try await watch.wait(for: 2) == [3, 2])
  }

  @Test func quickCommitsAreNotMissed() async throws {
    let store = try await bandStore()
    let watch = Watch(store.observe(Band.self, "Japan"))
    _ = try await watch.wait(for: 1)
    for year in 1...200 { try await store.update(Band.self, "Japan") { $0.formed = year } }
    for _ in 0..<6_000 where watch.all.last??.formed != 200 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(watch.all.last??.formed == 200)
  }

  @Test func manyFollowAndWriteAtOnce() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try await Store(at: .file(folder.appending(path: "labels.sqlite")), for: Label.self)
    try await store.import(
      "[" + (0..<50).map { "{\"name\": \"L\($0)\"}" }.joined(separator: ",") + "]", as: Label.self)
    let watches = (0..<50).map { Watch(store.observe(Label.self, "L\($0)")) }
    for watch in watches { _ = try await watch.wait(for: 1) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask { try await store.update(Label.self, "L\(number)") { $0.country = "\(number)" } }
        group.addTask { _ = try await store.fetch(Label.all) }
      }
      try await group.waitForAll()
    }
    for (number, watch) in watches.enumerated() {
      #expect(try await watch.wait(for: 2).last??.country == "\(number)")
    }
    try store.close()
  }

  @Test(.timeLimit(.minutes(1))) func observationsEndWhenTheStoreIsClosed() async throws {
    let store = try await bandStore()
    var object = store.observe(Band.self, "Japan").makeAsyncIterator()
    var absent = store.observe(Band.self, "Nobody").makeAsyncIterator()
    var query = store.observe(Band.all).makeAsyncIterator()
    var count = store.observeCount(of: Band.all).makeAsyncIterator()
    var changes = store.changes().makeAsyncIterator()
    _ = (try await object.next(), try await absent.next(), try await query.next(), try await count.next())
    // What is written right before is not missed in silence, but the store cannot be read any more.
    try await store.update(Band.self, "Japan") { $0.formed = 1975 }
    try store.close()
    #expect(try await object.next() == nil)
    #expect(try await absent.next() == nil)
    #expect(try await query.next() == nil)
    #expect(try await count.next() == nil)
    _ = await changes.next()
    #expect(await changes.next() == nil)
    var late = store.observe(Band.self, "Japan").makeAsyncIterator()
    await #expect(throws: StoreError.self) { try await late.next() }
  }

  @Test(.timeLimit(.minutes(1))) func aWaitForAChangeEndsWhenTheStoreIsClosed() async throws {
    let store = try await bandStore()
    let waiting = Task {
      var values = 0
      for try await _ in store.observe(Band.self, "Japan") { values += 1 }
      return values
    }
    try await Task.sleep(for: .milliseconds(50))
    try store.close()
    // It may have been closed before the first value.
    #expect((try? await waiting.value) ?? 0 <= 1)
  }

  @Test func localChangesAreChanges() async throws {
    let store = try await Store(at: .memory, for: Band.self, tracksLocalChanges: true)
    try await store.import(bandsJSON)
    let watch = Watch(store.changes())
    try await store.update(Band.self, "Japan") { $0.formed = 1975 }
    // What an import leaves alone, and confirming, change no object.
    try await store.import(#"[{"name": "Japan", "formed": 1974}]"#, as: Band.self)
    try await store.confirm(try await store.localChanges())
    #expect(try await watch.wait(for: 1).map { $0.updated(Band.self) } == [["Japan"]])
    #expect(try await watch.settle().count == 1)
  }
}

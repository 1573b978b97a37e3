import Broker
import Foundation
import Testing

/// A folder of its own for a test.
private struct Drawer {
  let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  func path(_ name: String) -> String { url.appending(path: name).path }
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
  func remove() { try? FileManager.default.removeItem(at: url) }
}

@Suite("Upkeep") struct UpkeepTests {
  // MARK: - Backup

  @Test(arguments: [false, true])
  func backups(isInFile: Bool) async throws {
    let folder = try Drawer()
    defer { folder.remove() }
    let store = try await Store(at: isInFile ? .file(folder.path("a.sqlite")) : .memory, for: Band.self)
    try await store.import(bandsJSON)
    try await store.backup(to: folder.path("b.sqlite")) { #expect((0...1).contains($0)) }
    #expect(folder.names.filter { !$0.hasPrefix("a.") } == ["b.sqlite"])
    let copy = try await Store(at: .file(folder.path("b.sqlite")), for: Band.self)
    let all = try await store.exportAll()
    #expect(try await copy.exportAll() == all)
    try await copy.delete(Album.all)
    #expect(try await store.exportAll() == all)
    await #expect(throws: StoreError.self) { try await store.backup(to: folder.path("b.sqlite")) }
    await #expect(throws: StoreError.self) { try await store.backup(to: folder.path("none/b.sqlite")) }
  }

  @Test func aBackupIsOfOneMoment() async throws {
    let folder = try Drawer()
    defer { folder.remove() }
    let store = try await Store(at: .file(folder.path("a.sqlite")), for: Band.self)
    try await store.write { transaction in
      for index in 0..<3_000 {
        try transaction.save(Label(name: "Label \(index)", country: "0", bands: ToMany()))
      }
    }
    let writing = Task {
      for round in 1...20 {
        try await store.update(Label.all, set: \.country, to: "\(round)")
      }
    }
    for round in 0..<3 {
      try await store.backup(to: folder.path("\(round).sqlite"))
      let copy = try await Store(at: .file(folder.path("\(round).sqlite")), for: Band.self)
      #expect(try await copy.count(Label.all) == 3_000)
      #expect(try await copy.count(Label.all, by: \.country).count == 1)
    }
    try await writing.value
  }

  @Test(.onSQLite) func aCancelledBackupLeavesNothing() async throws {
    let folder = try Drawer()
    defer { folder.remove() }
    let store = try await Store(at: .scratch, for: Band.self)
    try await store.import(bandsJSON)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.backup(to: folder.path("b.sqlite"))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(folder.names == [])
    let stopped = Task {
      try await store.backup(to: folder.path("b.sqlite")) { _ in withUnsafeCurrentTask { $0?.cancel() } }
    }
    await #expect(throws: CancellationError.self) { try await stopped.value }
    #expect(folder.names == [])
    #expect(try await store.count(Band.all) == 2)
  }

  @Test func aBackupOfAnEmptyStore() async throws {
    let folder = try Drawer()
    defer { folder.remove() }
    let store = try await Store(at: .file(folder.path("a.sqlite")), for: Band.self)
    try await store.backup(to: folder.path("b.sqlite"))
    let copy = try await Store(at: .file(folder.path("b.sqlite")), for: Band.self)
    #expect(try await copy.count(Band.all) == 0)
  }

  // MARK: - Size

  @Test func spaceIsGivenBack() async throws {
    let folder = try Drawer()
    defer { folder.remove() }
    let store = try await Store(at: .file(folder.path("a.sqlite")), for: Band.self)
    try await store.vacuum()
    try await store.write { transaction in
      for index in 0..<3_000 {
        try transaction.save(Label(name: "Label \(index)", country: "A country", bands: ToMany()))
      }
      try transaction.save(Note(text: "one", band: nil))
      try transaction.save(Note(text: "two", band: nil))
    }
    try await store.delete(Note.filter(#Predicate { $0.text == "one" }))
    let notes = try await store.fetch(Note.all).map(\.id)
    let full = try await store.size()
    #expect(full.pages > 100_000)
    try await store.delete(Label.filter(#Predicate { $0.name != "Label 7" }))
    #expect(try await store.size().free > 50_000)
    try await store.vacuum()
    let small = try await store.size()
    #expect(small.free == 0)
    #expect(small.pages < full.pages / 2)
    #expect(try await store.fetch(Label.select(\.name)) == ["Label 7"])
    #expect(try await store.fetch(Note.all).map(\.id) == notes)
    try await store.save(Label(name: "New", country: nil, bands: ToMany()))
    let memory = try await Store(at: .scratch, for: Band.self)
    try await memory.import(bandsJSON)
    try await memory.vacuum()
    #expect(try await memory.size().pages > 0)
    #expect(try await memory.count(Band.all) == 2)
  }

  // MARK: - Removal

  @Test func removal() async throws {
    let folder = try Drawer()
    defer { folder.remove() }
    let location = StoreLocation.file(folder.path("a.sqlite"))
    try Store.remove(at: location)
    let store = try await Store(at: location, for: Band.self)
    try await store.import(bandsJSON)
    #expect(throws: StoreError.self) { try Store.remove(at: location) }
    #expect(try await store.count(Band.all) == 2)
    try store.close()
    try Store.remove(at: location)
    #expect(folder.names == [])
    try Data("no database at all, and long enough to be looked at".utf8).write(
      to: folder.url.appending(path: "b"))
    #expect(throws: StoreError.self) { try Store.remove(at: .file(folder.path("b"))) }
    #expect(throws: StoreError.self) { try Store.remove(at: .file(folder.url.path)) }
    #expect(folder.names == ["b"])
    #expect(throws: StoreError.self) { try Store.remove(at: .scratch) }
  }

  // MARK: - Emptying

  @Test func emptying() async throws {
    let store = try await Store(at: .memory, for: Band.self, tracksLocalChanges: true)
    try await store.import(bandsJSON)
    try await store.update(Band.self, "Japan") { $0.formed = 1 }
    var bands = store.observe(Band.all).makeAsyncIterator()
    #expect(try await bands.next()?.count == 2)
    try await store.removeAll()
    #expect(try await bands.next()?.count == 0)
    #expect(try await store.localChanges() == [])
    let empty = try await Store(at: .scratch, for: Band.self)
    let left = try await store.exportAll()
    #expect(try await left == empty.exportAll())
    // What waited for an arrival waits no longer.
    try await store.save(Label(name: "EMI", country: nil, bands: ToMany()))
    #expect(try await store.import(bandsJSON).inserted["Band"] == 2)
  }

  @Test func emptyingWithinATransaction() async throws {
    let store = try await bandStore()
    try await store.write { transaction in
      try transaction.save(Album(name: "Early", released: nil, band: ToOne(id: "Nobody"), year: nil))
      try transaction.removeAll()
      try transaction.save(Label(name: "EMI", country: nil, bands: ToMany()))
    }
    #expect(try await store.count(Band.all) == 0)
    #expect(try await store.fetch(Label.select(\.name)) == ["EMI"])
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await store.write { transaction in
        try transaction.removeAll()
        throw Stop()
      }
    }
    #expect(try await store.count(Label.all) == 1)
  }
}

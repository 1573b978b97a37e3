import Broker
import Foundation
import Testing

/// Observations of what other programs write to the file of a store.
@Suite struct OtherWritersTests {
  private let file: TemporaryFile

  init() throws { file = try TemporaryFile() }

  private func store() async throws -> Store { try await Store(at: .file(file.url), for: Band.self) }

  @Test("what another store of the process commits is told of, and who did")
  func changes() async throws {
    let (own, other) = (try await store(), try await store())
    try await own.import(bandsJSON)
    let follower = Follower(own.changes())
    try await other.update(Band.self, "Japan") { $0.formed = 1 }
    #expect(await eventually { follower.all.count == 1 })
    let told = try #require(follower.last)
    #expect(told.isByOthers && !told.isComplete)
    try await own.update(Band.self, "Japan") { $0.formed = 2 }
    #expect(await eventually { follower.all.count == 2 })
    #expect(follower.last?.isByOthers == false)
    #expect(follower.last?.updated(Band.self) == ["Japan"])
    // No change comes twice, and reading is no change.
    _ = try await other.fetch(Band.all)
    try await Task.sleep(for: .milliseconds(150))
    #expect(follower.all.count == 2)
  }

  @Test("objects, queries and counts follow it, and only what concerns them gives a value")
  func observations() async throws {
    let (own, other) = (try await store(), try await store())
    try await own.import(bandsJSON)
    let object = Follower(own.observe(Band.self, "Japan"))
    let query = Follower(own.observe(Band.filter(#Predicate { $0.formed == 1974 })))
    let count = Follower(own.observeCount(of: Album.all))
    #expect(await eventually { object.all.count == 1 && query.all.count == 1 && count.all.count == 1 })
    try await other.save(Musician(id: 77, name: "x", bands: ToMany()))
    try await other.update(Band.self, "Japan") { $0.rating = 3 }
    #expect(await eventually { object.last??.rating == 3 && query.last?.first?.rating == 3 })
    try await other.delete(Album.self, "Tin Drum")
    #expect(await eventually { count.last == 2 })
    try await Task.sleep(for: .milliseconds(100))
    #expect(object.all.count == 2)
    #expect(query.all.count == 2)
    #expect(count.all.count == 2)
  }

  @Test("a store that another one makes is followed from the beginning")
  func newStores() async throws {
    let (own, other) = (try await store(), try await store())
    let query = Follower(own.observe(Band.all))
    #expect(await eventually { query.last?.isEmpty == true })
    try await other.import(bandsJSON)
    #expect(await eventually { query.last?.count == 2 })
    try own.close()
    #expect(await eventually { query.hasEnded })
  }

  @Test("a store that makes the file itself is told of its own commit only")
  func ownStores() async throws {
    let own = try await store()
    let follower = Follower(own.changes())
    try await own.import(bandsJSON)
    try await own.update(Band.self, "Japan") { $0.formed = 2 }
    #expect(await eventually { follower.all.count == 2 })
    try await Task.sleep(for: .milliseconds(150))
    #expect(follower.all.map(\.isByOthers) == [false, false])
  }

  @Test("both write at the same time, and each learns of all")
  func together() async throws {
    let (own, other) = (try await store(), try await store())
    try await own.import("[]", as: Band.self)
    let (first, second) = (
      Follower(own.observeCount(of: Musician.all)), Follower(other.observeCount(of: Musician.all))
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, store) in [own, other].enumerated() {
        group.addTask {
          for id in 0..<20 {
            try await store.save(Musician(id: index * 100 + id, name: "x", bands: ToMany()))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(await eventually { first.last == 40 && second.last == 40 })
  }

  @Test("another process")
  func processes() async throws {
    let own = try await store()
    try await own.import(bandsJSON)
    let query = Follower(own.observe(Label.all.sorted(by: \.name)))
    #expect(await eventually { query.last?.count == 1 })
    let json = file.url.deletingLastPathComponent().appending(path: "labels.json")
    try Data(#"[{"name": "Hansa"}]"#.utf8).write(to: json)
    let process = Process()
    process.executableURL = Self.command
    process.arguments = ["import", json.path, "--store", file.url.path, "--entity", "Label"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    #expect(await eventually { query.last?.map(\.name) == ["Hansa", "Virgin"] })
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// The command, which is built beside the tests.
  private static var command: URL? {
    let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let folders = [tests, Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0])].compactMap {
      $0?.deletingLastPathComponent()
    }
    return (folders + [Bundle.main.bundleURL]).map { $0.appending(path: "broker") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}

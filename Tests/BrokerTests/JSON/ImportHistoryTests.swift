import Broker
import Foundation
import Testing

/// What a store tells of its last imports.
@Suite struct ImportHistoryTests {
  @Test func importsOfAllKindsAreTold() async throws {
    let store = try await Store(at: .scratch, for: Band.self)
    #expect(try await store.importHistory().isEmpty)
    let before = Date()
    let report = try await store.import(bandsJSON)
    try await store.import(ImportSource.string(bandsJSON).named("GET /all"))
    try await store.write { transaction in
      try transaction.import(#"[{"name": "Rush"}]"#, as: Band.self)
    }
    let history = try await store.importHistory()
    #expect(history.map(\.sources) == [[], ["GET /all"], []])
    #expect(history.map(\.sourceCount) == [1, 1, 1])
    #expect(history.map(\.changesAnything) == [true, false, true])
    #expect(history.last?.inserted == report.inserted)
    #expect(
      history.allSatisfy { $0.date >= before.addingTimeInterval(-1) && $0.date <= Date() && $0.seconds > 0 })
    #expect(try await store.read { try $0.importHistory() } == history)
    try await store.removeAll()
    #expect(try await store.importHistory().isEmpty)
  }

  @Test("an import that changes nothing tells no observer, and savings are no imports")
  func observers() async throws {
    let file = try TemporaryFile()
    let store = try await Store(at: .file(file.url), for: Band.self)
    try await store.import(bandsJSON)
    let changes = Follower(store.changes())
    let query = Follower(store.observe(Band.all))
    #expect(await eventually { query.all.count == 1 })
    for _ in 0..<5 { try await store.import(bandsJSON) }
    try await store.update(Band.self, "Japan") { $0.formed = 2 }
    #expect(await eventually { changes.all.count == 1 && query.all.count == 2 })
    try await Task.sleep(for: .milliseconds(150))
    #expect(changes.all.count == 1)
    #expect(query.all.count == 2)
    #expect(try await store.importHistory().count == 6)
  }

  @Test("an import of another store that changes nothing gives queries no value")
  func otherStores() async throws {
    let file = try TemporaryFile()
    let store = try await Store(at: .file(file.url), for: Band.self)
    try await store.import(bandsJSON)
    let other = try await Store(at: .file(file.url), for: Band.self)
    let query = Follower(store.observe(Band.all))
    #expect(await eventually { query.all.count == 1 })
    try await other.import(bandsJSON)
    try await Task.sleep(for: .milliseconds(200))
    #expect(query.all.count == 1)
    #expect(try await store.importHistory().count == 2)
  }
}

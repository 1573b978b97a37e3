import Broker
import Foundation
import GRDB

/// What the Swift face costs, beside GRDB on the same file.
@main struct BenchSwift {
  static func main() async throws {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 9
    let folder = FileManager.default.temporaryDirectory.appending(path: "bench-swift-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "persons.sqlite")
    let store = try await Store(at: .file(file), for: Person.self)
    try await store.import(personsJSON(100_000), as: Person.self)
    let peer = try DatabasePool(path: file.path)
    print(
      "what".padding(toLength: 44, withPad: " ", startingAt: 0), "         Broker", "             GRDB",
      "    ratio")
    try await Reading(store: store, peer: peer, rounds: rounds).run()
    try await Importing(folder: folder, rounds: rounds).run()
    try await Following(store: store, rounds: rounds).run()
    let staff = try await StaffStore(folder.appending(path: "staff.sqlite"))
    try await Relating(staff: staff, rounds: rounds).run()
    try await Moving(staff: staff, rounds: rounds).run()
  }
}

/// Finding and fetching.
struct Reading {
  let store: Store
  let peer: DatabasePool
  let rounds: Int

  private static let all = """
    SELECT "id", "name", "email", "age", "height", "isActive", "created", "city" FROM "Person"
    """
  private static let one = all + " WHERE \"id\" = ?"

  func run() async throws {
    let ids = (0..<20_000).map { ($0 &* 7_919) % 100_000 + 1 }
    try await Contest(name: "find by identity, in one read", unit: "object", count: ids.count, limit: 1.3)
      .run(
        rounds: rounds
      ) {
        try await store.read { transaction in
          for id in ids { _ = try transaction.find(Person.self, id) }
        }
      } against: {
        try await peer.read { database in
          let statement = try database.cachedStatement(sql: Self.one)
          for id in ids { _ = try PersonRecord.fetchOne(statement, arguments: [id]) }
        }
      }
    let few = ids.prefix(2_000)
    try await Contest(name: "find by identity, a read each", unit: "object", count: few.count, limit: 1.3)
      .run(
        rounds: rounds
      ) {
        for id in few { _ = try await store.find(Person.self, id) }
      } against: {
        for id in few {
          _ = try await peer.read { database in
            try PersonRecord.fetchOne(try database.cachedStatement(sql: Self.one), arguments: [id])
          }
        }
      }
    try await Contest(name: "fetch 100,000 typed objects", unit: "object", count: 100_000, limit: 1.2).run(
      rounds: rounds
    ) {
      let persons = try await store.fetch(Person.all)
      precondition(persons.count == 100_000)
    } against: {
      let persons = try await peer.read { try PersonRecord.fetchAll($0, sql: Self.all + " ORDER BY \"id\"") }
      precondition(persons.count == 100_000)
    }
  }
}

/// Importing through the Swift face, and as the command does it.
struct Importing {
  let folder: URL
  let rounds: Int

  func run() async throws {
    let json = personsJSON(100_000)
    let model = try Model(describing: Person.self)
    try await Contest(
      name: "import 100,000 (beside the bare importer)", unit: "object", count: 100_000, limit: 1.05
    ).run(
      rounds: rounds
    ) {
      let file = folder.appending(path: UUID().uuidString)
      let store = try await Store(at: .file(file), for: Person.self)
      try await store.import(json, as: Person.self)
      try store.close()
    } against: {
      let file = folder.appending(path: UUID().uuidString)
      let store = try Store(path: file.path, model: model)
      var options = ImportOptions()
      options.entity = "Person"
      _ = try Importer(store, options).run([.bytes(json)])
      try store.close()
    }
  }
}

/// Commits that a hundred observers hear of, each of one object, beside commits that nobody hears of.
struct Following {
  let store: Store
  let rounds: Int

  func run() async throws {
    var turn = 0
    func commits() async throws {
      turn += 1
      for number in 0..<1_000 {
        let age = number + turn
        try await store.update(Person.self, number % 100 + 1) { $0.age = age }
      }
    }
    let contest = Contest(
      name: "1,000 commits, 100 observers (beside none)", unit: "commit", count: 1_000, limit: 2.0)
    // That observers come and go is no part of it.
    var observers: [Task<Void, any Error>] = []
    func gather() async throws {
      observers = (1...100).map { id in
        Task { for try await person in store.observe(Person.self, id) { _ = person } }
      }
      try await Task.sleep(for: .milliseconds(200))
    }
    func scatter() async {
      for observer in observers { observer.cancel() }
      for observer in observers { _ = await observer.result }
    }
    try await contest.run(
      rounds: rounds, preparing: gather, commits, settling: scatter, against: commits)
  }
}

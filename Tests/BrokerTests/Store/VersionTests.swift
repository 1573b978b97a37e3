import Broker
import Foundation
import Testing

// The same entities in two versions, as the types of an app before and after a release.

enum FirstVersion {
  @Entity("Member") struct Member {
    var id: Int
    var first: String
    var last: String
    var points: Int?
    var home: ToOne<City>?
  }

  @Entity("City") struct City {
    @Identity var name: String
  }
}

enum SecondVersion {
  @Entity("Fellow", renamedFrom: "Member") struct Fellow {
    var id: Int
    var first: String
    var last: String
    @Attribute(renamedFrom: "points") var score: Int = 0
    @Relationship(renamedFrom: "home") var city: ToOne<City>?
    var note: String?
  }

  @Entity("City") struct City {
    @Identity var name: String
  }
}

enum ShortVersion {
  @Entity("Member") struct Member {
    var id: Int
    var first: String
  }
}

enum ThirdVersion {
  @Entity("Fellow") struct Fellow {
    var id: Int
    var name: String
  }
}

/// Stores that are opened with types of another version.
@Suite("Versions by types") struct VersionTests {
  private let file: TemporaryFile

  init() async throws {
    file = try TemporaryFile()
    let store = try await Store(at: .file(file.url), for: FirstVersion.Member.self, tracksLocalChanges: true)
    try await store.import(
      #"""
      [{"id": 1, "first": "Mick", "last": "Karn", "points": 5, "home": "London"},
       {"id": 2, "first": "Holger", "last": "Czukay"}]
      """#, as: FirstVersion.Member.self)
    try await store.import(#"[{"name": "London"}]"#, as: FirstVersion.City.self)
    try await store.update(FirstVersion.Member.self, 2) { $0.points = 7 }
    try store.close()
  }

  @Test("entities, attributes and relationships are renamed, with links and what the server was not told of")
  func renaming() async throws {
    let store = try await Store(at: .file(file.url), for: SecondVersion.Fellow.self)
    let fellows = try await store.fetch(SecondVersion.Fellow.all.sorted(by: \.id))
    #expect(fellows.map(\.score) == [5, 7])
    #expect(fellows[0].city?.id == "London")
    let changes = try await store.localChanges()
    #expect(changes.map(\.entity) == ["Fellow"])
    #expect(changes.first?.properties == ["score"])
    #expect(changes.first?.identity == "2")
  }

  @Test("what removes data is refused with a plan")
  func refusal() async throws {
    let error = await #expect(throws: StoreError.self) {
      try await Store(at: .file(file.url), for: ThirdVersion.Fellow.self)
    }
    let plan = try #require(error?.migrationPlan)
    #expect(!plan.canRun)
    #expect(
      plan.steps.contains { $0.change.name == "Member" && $0.change.action == .removed && $0.removed == 2 })
  }

  private func stages() throws -> Store.Migration {
    try Store.Migration.automatic
      .stage(Model(describing: FirstVersion.Member.self))
      .stage(Model(describing: SecondVersion.Fellow.self))
      .stage(Model(describing: ThirdVersion.Fellow.self)) { old, new in
        try old.forEach(ObjectQuery("Fellow")) { fellow in
          guard case .string(let first)? = fellow["first"], case .string(let last)? = fellow["last"] else {
            return
          }
          try new.save(Object("Fellow", ["id": fellow["id"] ?? .null, "name": .string("\(first) \(last)")]))
        }
      }
  }

  @Test("stages: the versions in between are passed, and code reads the old objects and writes the new ones")
  func staged() async throws {
    var options = Store.Options()
    options.migration = try stages()
    let store = try await Store(at: .file(file.url), for: ThirdVersion.Fellow.self, options: options)
    #expect(
      try await store.fetch(ThirdVersion.Fellow.all.sorted(by: \.id)).map(\.name) == [
        "Mick Karn", "Holger Czukay",
      ])
    try store.close()
    // It is of the last version now, and there is nothing to do.
    let again = try await Store(at: .file(file.url), for: ThirdVersion.Fellow.self, options: options)
    #expect(try await again.count(ThirdVersion.Fellow.all) == 2)
  }

  @Test("what a stage saves of an object that the server was not told of joins what was changed of it")
  func unsentChangesInStages() async throws {
    let first = try await Store(at: .file(file.url), for: FirstVersion.Member.self)
    try await first.confirm(try await first.localChanges())
    try await first.update(FirstVersion.Member.self, 1) { $0.last = "Karn-Michaelides" }
    try first.close()
    var options = Store.Options()
    options.migration = try stages()
    let store = try await Store(at: .file(file.url), for: ThirdVersion.Fellow.self, options: options)
    let changes = try await store.localChanges()
    #expect(
      changes.map { "\($0.kind) \($0.entity) \($0.identity) \($0.properties)" } == [
        #"updated Fellow 1 ["name"]"#
      ])
    let report = try await store.import(
      #"[{"id": 1, "name": "Mick Karn"}, {"id": 2, "name": "Czukay"}]"#, as: ThirdVersion.Fellow.self)
    #expect(report.keptLocal == ["Fellow": 1])
    #expect(
      try await store.fetch(ThirdVersion.Fellow.all.sorted(by: \.id)).map(\.name) == [
        "Mick Karn-Michaelides", "Czukay",
      ])
  }

  @Test("a stage that saves nothing of such an object needs consent")
  func unsentChangesThatAStageForgets() async throws {
    let first = try await Store(at: .file(file.url), for: FirstVersion.Member.self)
    try await first.confirm(try await first.localChanges())
    try await first.update(FirstVersion.Member.self, 1) { $0.last = "Karn-Michaelides" }
    try first.close()
    var options = Store.Options()
    options.migration = try Store.Migration.automatic
      .stage(Model(describing: FirstVersion.Member.self))
      .stage(Model(describing: ShortVersion.Member.self)) { _, _ in }
    let error = await #expect(throws: StoreError.self) {
      try await Store(at: .file(file.url), for: ShortVersion.Member.self, options: options)
    }
    let plan = try #require(error?.migrationPlan)
    #expect(plan.steps.map(\.change.name) == ["Member.last"])
    #expect(plan.steps.map(\.unsent) == [1])
    options.migration = options.migration.allowing(.removals)
    let store = try await Store(at: .file(file.url), for: ShortVersion.Member.self, options: options)
    #expect(try await store.localChanges() == [])
    #expect(try await store.count(ShortVersion.Member.all) == 2)
  }

  @Test("code that throws, or leaves something required empty, changes nothing")
  func failingStage() async throws {
    struct Failure: Error {}
    func migrate(_ body: @escaping @Sendable () throws -> Void) async throws {
      var options = Store.Options()
      options.migration = try Store.Migration.automatic
        .stage(Model(describing: FirstVersion.Member.self))
        .stage(Model(describing: SecondVersion.Fellow.self))
        .stage(Model(describing: ThirdVersion.Fellow.self)) { _, _ in try body() }
      _ = try await Store(at: .file(file.url), for: ThirdVersion.Fellow.self, options: options)
    }
    func expectUnchanged() async throws {
      let store = try await Store(at: .file(file.url), for: FirstVersion.Member.self)
      #expect(try await store.count(FirstVersion.Member.all) == 2)
      try store.close()
    }
    await #expect(throws: Failure.self) { try await migrate { throw Failure() } }
    try await expectUnchanged()
    let forgetful = await #expect(throws: StoreError.self) { try await migrate {} }
    #expect(
      forgetful?.description.contains("1 local change that the server was not told of would go") == true,
      "\(String(describing: forgetful))")
    try await expectUnchanged()
    // Once nothing is left that the server was not told of, only what is required is missing.
    let store = try await Store(at: .file(file.url), for: FirstVersion.Member.self)
    try await store.confirm(try await store.localChanges())
    try store.close()
    let empty = await #expect(throws: StoreError.self) { try await migrate {} }
    #expect(
      empty?.description.contains("without name, which is required") == true, "\(String(describing: empty))")
    try await expectUnchanged()
  }

  @Test("a store of none of the versions is refused")
  func unknownVersion() async throws {
    var options = Store.Options()
    options.migration = try Store.Migration.automatic.stage(Model(describing: ThirdVersion.Fellow.self))
    let error = await #expect(throws: StoreError.self) {
      try await Store(at: .file(file.url), for: ThirdVersion.Fellow.self, options: options)
    }
    #expect(error?.description.contains("is of none of the 1 versions") == true)
  }

  @Test("a store that is only read stays as it is, and is seen as of the new version")
  func reading() async throws {
    let before = try Data(contentsOf: file.url)
    let store = try await Store(at: .file(file.url), for: SecondVersion.Fellow.self, access: .readOnly)
    let fellows = try await store.fetch(SecondVersion.Fellow.all.sorted(by: \.id))
    #expect(fellows.map(\.score) == [5, 7])
    #expect(fellows.map(\.note) == [nil, nil])
    #expect(try await store.find(SecondVersion.Fellow.self, 1).city?.id == "London")
    #expect(try await store.count(SecondVersion.Fellow.filter(#Predicate { $0.score > 5 })) == 1)
    try store.close()
    #expect(try Data(contentsOf: file.url) == before)
  }

  @Test("the older of two programs is told at its next transaction, and writes nothing")
  func olderProgram() async throws {
    let older = try await Store(at: .file(file.url), for: FirstVersion.Member.self)
    #expect(try await older.count(FirstVersion.Member.all) == 2)
    let newer = try await Store(at: .file(file.url), for: SecondVersion.Fellow.self)
    for _ in 0..<2 {
      await #expect(throws: StoreError.self) {
        try await older.save(FirstVersion.Member(id: 3, first: "a", last: "b"))
      }
      let error = await #expect(throws: StoreError.self) { try await older.fetch(FirstVersion.Member.all) }
      #expect(
        error?.description.contains("Another program has given the store") == true,
        "\(String(describing: error))")
    }
    #expect(try await newer.count(SecondVersion.Fellow.all) == 2)
    try await newer.save(SecondVersion.Fellow(id: 3, first: "a", last: "b"))
  }
}

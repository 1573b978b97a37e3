import Broker
import Testing

@Entity private struct Holder {
  var id: Int
  var name: String?
  @Relationship(inverse: \Need.holder) var needs: ToMany<Need>
}

@Entity private struct Need {
  var id: Int
  var text: String?
  var holder: ToOne<Holder>
}

/// Relationships to one that are required.
@Suite struct RequiredToOneTests {
  private func store() async throws -> Store {
    let store = try await Store(at: .scratch, for: Holder.self, Need.self)
    let report = try await store.import(
      #"[{"id": 4, "needs": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]}, {"id": 5}]"#, as: Holder.self)
    #expect(report.issues == [])
    #expect(report.inserted == ["Holder": 2, "Need": 2], "\(report)")
    return store
  }

  @Test func aDeletionIsRefused() async throws {
    let store = try await store()
    let error = await #expect(throws: SaveError.self) { try await store.delete(Holder.self, 4) }
    #expect(
      error?.description
        == "Holder 4: expected 4 to be deleted, found Need 1, which requires it as its holder")
    await #expect(throws: SaveError.self) { try await store.delete(Holder.all) }
    #expect(try await store.fetch(Need.all).map(\.holder.id) == [4, 4])
    #expect(try await store.count(Holder.all) == 2)
    try await store.write { transaction in
      try transaction.delete(Need.all)
      try transaction.delete(Holder.all)
    }
    #expect(try await store.count(Holder.all) == 0)
  }

  /// Required objects hold at the end of a transaction, in whatever order its steps come.
  @Test func anOwnerMayGoBeforeTheObjectsThatRequireIt() async throws {
    let store = try await store()
    try await store.write { transaction in
      try transaction.delete(Holder.self, 4)
      try transaction.delete(Need.self, 1)
      try transaction.save(Need(id: 2, text: "moved", holder: ToOne(id: 5)))
    }
    #expect(try await store.fetch(Need.all).map(\.holder.id) == [5])
    #expect(try await store.fetch(Holder.all).map(\.id) == [5])
    let error = await #expect(throws: SaveError.self) {
      try await store.write { transaction in
        try transaction.delete(Holder.self, 5)
        try transaction.save(Holder(id: 6, name: nil, needs: ToMany()))
      }
    }
    #expect(
      error?.description
        == "Holder 5: expected 5 to be deleted, found Need 2, which requires it as its holder")
    #expect(try await store.fetch(Holder.all).map(\.id) == [5])
  }

  @Test func aPruneKeepsIt() async throws {
    let store = try await store()
    var options = ImportOptions()
    options.prunes = true
    let report = try await store.import("[]", as: Holder.self, options: options)
    #expect(report.deleted == ["Holder": 1])
    #expect(report.issues.map(\.found) == ["Need 1, which requires it as its holder"])
    #expect(try await store.fetch(Need.all).map(\.holder.id) == [4, 4])
  }

  @Test func jsonWithoutItIsAnIssue() async throws {
    let store = try await store()
    let report = try await store.import(
      #"[{"id": 7, "holder": null}, {"id": 8}, {"id": 1, "holder": null, "text": "x"}]"#, as: Need.self)
    #expect(report.issues.map(\.path) == ["$[0].holder", "$[2].holder", "$[0].holder", "$[1].holder"])
    #expect(try await store.fetch(Need.all).map(\.id) == [1, 2])
    #expect(try await store.find(Need.self, 1).text == "x")
  }

  @Test func aListThatLosesItIsRefused() async throws {
    let store = try await store()
    await #expect(throws: SaveError.self) {
      try await store.update(Holder.self, 4) { $0.needs.remove(id: 1) }
    }
    let report = try await store.import(#"{"id": 4, "needs": [2]}"#, as: Holder.self)
    #expect(report.issueCount == 1)
    #expect(try await store.fetch(Need.all).map(\.holder.id) == [4, 4])
  }
}

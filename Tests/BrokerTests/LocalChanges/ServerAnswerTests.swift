import Broker
import Testing

@Entity private struct Draft {
  var id: Int
  var title: String?
  var body: String?
  @Relationship(inverse: \Line.draft) var lines: ToMany<Line>
  @Relationship(inverse: \Topic.drafts) var topics: ToMany<Topic>

  init(id: Int, title: String) {
    (self.id, self.title) = (id, title)
    (lines, topics) = (ToMany(), ToMany())
  }
}

@Entity private struct Line {
  var id: Int
  var text: String?
  var draft: ToOne<Draft>
}

@Entity private struct Topic {
  var id: String
  var drafts: ToMany<Draft>
}

/// The server's answers to what a program has changed.
@Suite struct ServerAnswerTests {
  private func store() async throws -> Store {
    let store = try await Store(
      at: .memory, for: Draft.self, Line.self, Topic.self, tracksLocalChanges: true)
    try await store.import(
      #"[{"id": 4, "title": "d", "lines": [{"id": 40, "text": "x"}]}, {"id": 5, "title": "e"}]"#,
      as: Draft.self)
    return store
  }

  private func told(_ store: Store) async throws -> [String] {
    try await store.localChanges().map {
      "\($0.kind) \($0.entity) \($0.identity)" + ($0.properties.isEmpty ? "" : " \($0.properties)")
    }
  }

  /// A draft with a line and a topic, and the change that tells of it.
  private func draft(in store: Store) async throws -> LocalChange {
    try await store.write { transaction in
      try transaction.save(Draft(id: -1, title: "new"))
      try transaction.save(Line(id: -2, text: "l", draft: ToOne(id: -1)))
      try transaction.save(Topic(id: "t", drafts: ToMany()))
      try transaction.update(Draft.self, -1) { $0.topics.insert(id: "t") }
    }
    return try #require(try await store.localChanges().first { $0.entity == "Draft" && $0.identity == "-1" })
  }

  @Test func aDraftGetsTheIdentityThatTheServerGave() async throws {
    let store = try await store()
    let change = try await draft(in: store)
    // Between sending and the answer.
    try await store.update(Draft.self, -1) { $0.title = "newer" }
    try await store.confirm(change, identity: "100")
    #expect(try await store.fetch(Draft.all).map(\.id) == [4, 5, 100])
    #expect(try await store.find(Line.self, -2).draft.id == 100)
    #expect(try await store.fetch(store.find(Draft.self, 100).topics).map(\.id) == ["t"])
    let told = try await told(store)
    #expect(told.contains(#"updated Draft 100 ["title"]"#))
    #expect(told.contains("inserted Line -2"))
    #expect(!told.contains { $0.contains("Draft -1") || $0.contains("deleted") })
    // The import of the answer leaves the later edit alone.
    let report = try await store.import(#"{"id": 100, "title": "new", "body": "b"}"#, as: Draft.self)
    #expect(report.keptLocal == ["Draft": 1])
    let object = try await store.find(Draft.self, 100)
    #expect(object.title == "newer" && object.body == "b")
  }

  @Test func anImportMayBeFasterThanTheAnswer() async throws {
    let store = try await store()
    let change = try await draft(in: store)
    try await store.update(Draft.self, -1) { $0.title = "newer" }
    try await store.import(#"{"id": 100, "title": "new", "body": "b"}"#, as: Draft.self)
    try await store.update(Draft.self, 100) { $0.body = "mine" }
    try await store.confirm(change, identity: "100")
    #expect(try await store.fetch(Draft.all).map(\.id) == [4, 5, 100])
    let object = try await store.find(Draft.self, 100)
    #expect(object.title == "newer" && object.body == "mine")
    #expect(try await store.find(Line.self, -2).draft.id == 100)
    #expect(try await store.fetch(object.topics).map(\.id) == ["t"])
    #expect(try await told(store).contains(#"updated Draft 100 ["body", "title"]"#))
  }

  @Test func aDraftThatWasDeletedMeanwhileIsDeletedByItsNewIdentity() async throws {
    let store = try await store()
    try await store.save(Draft(id: -1, title: "new"))
    let change = try #require(try await store.localChanges().first)
    try await store.delete(Draft.self, -1)
    try await store.confirm(change, identity: "100")
    #expect(try await told(store) == ["deleted Draft 100"])
    let report = try await store.import(#"{"id": 100, "title": "new"}"#, as: Draft.self)
    #expect(report.keptLocal == ["Draft": 1])
  }

  @Test func whatIsNoIdentityIsRefused() async throws {
    let store = try await store()
    let change = try await draft(in: store)
    let error = await #expect(throws: SaveError.self) { try await store.confirm(change, identity: "abc") }
    #expect(error?.description == #"Draft -1: expected an identity of Draft, found "abc""#)
    try await store.confirm(change, identity: "-1")
    #expect(try await !told(store).contains("inserted Draft -1"))
  }

  @Test func whatWasDeletedAndMadeAgainIsNewOnceTheDeletionIsConfirmed() async throws {
    let store = try await store()
    try await store.delete(Draft.self, 5)
    let deletion = try await store.localChanges()
    #expect(deletion.map(\.kind) == [.deleted])
    try await store.insert(Draft(id: 5, title: "again"))
    try await store.confirm(deletion)
    #expect(try await told(store) == ["inserted Draft 5"])
  }

  @Test func childrenOfWhatWasDeletedHereAreKeptOut() async throws {
    let store = try await store()
    try await store.write { transaction in
      try transaction.delete(Line.self, 40)
      try transaction.delete(Draft.self, 4)
    }
    var options = ImportOptions()
    options.isStrict = true
    options.prunes = true
    for json in [
      #"[{"id": 4, "lines": [{"id": 41, "text": "y"}]}, {"id": 5}]"#,
      #"[{"id": 42, "text": "z", "draft": {"id": 4, "title": "d"}}]"#,
    ] {
      let report = try await store.import(
        json, as: json.contains("lines") ? "Draft" : "Line", options: options)
      #expect(report.issues == [])
      #expect(report.keptLocal["Line"] == 1, "\(json) \(report)")
      #expect(report.pending == [])
    }
    #expect(try await store.fetch(Draft.all).map(\.id) == [5])
    #expect(try await store.count(Line.all) == 0)
  }

  @Test func linksBetweenListsAreToldByOneEndAndStayAtBoth() async throws {
    let store = try await store()
    try await store.import(#"[{"id": "t", "drafts": [4]}, {"id": "u"}]"#, as: Topic.self)
    try await store.update(Draft.self, 4) {
      $0.topics.insert(id: "u")
      $0.topics.remove(id: "t")
    }
    #expect(try await told(store) == [#"updated Draft 4 ["topics"]"#])
    let report = try await store.import(
      #"[{"id": "t", "drafts": [4, 5]}, {"id": "u", "drafts": []}]"#, as: Topic.self)
    #expect(report.keptLocal == ["Draft": 1])
    #expect(try await store.fetch(store.find(Draft.self, 4).topics).map(\.id) == ["u"])
    #expect(try await store.fetch(store.find(Draft.self, 5).topics).map(\.id) == ["t"])
  }
}

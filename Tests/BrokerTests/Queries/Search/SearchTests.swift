import Broker
import Foundation
import Synchronization
import Testing

@Entity struct Gazette {
  var id: Int
  @Attribute(search: true) var headline: String
  @Attribute(search: true) var body: String?
  @Attribute(search: true) var topics: [String]?
  @Attribute(search: true) var page: URL?
  var secret: String?
  var editor: ToOne<GazetteEditor>?
}

@Entity struct GazetteExtra {
  @Inherited var base: Gazette
  @Attribute(search: true) var occasion: String?
}

@Entity struct GazetteEditor {
  @Identity var name: String
  @Attribute(search: true) var bio: String?
  var gazettes: ToMany<Gazette>
}

@Entity(identified: false) struct GazetteClipping {
  @Attribute(search: true) var text: String
}

/// A name that the macro cannot look behind.
typealias GazettePrice = Double

@Entity struct GazetteNumber {
  var id: Int
  @Attribute(search: true) var price: GazettePrice
}

/// Searching for words, in Swift.
@Suite struct SearchTests {
  private static let json = """
    {"gazettes": [
      {"id": 1, "headline": "Rock garden", "body": "Of rocks and plants", "topics": ["green", "stone"], "editor": "Ann"},
      {"id": 2, "headline": "Rock, rock, rock", "body": null, "page": "https://example.org/music/rock", "editor": "Bob"},
      {"id": 3, "headline": "Silence", "body": "Nothing to be heard but a rock", "secret": "rock", "editor": "Ann"}],
     "gazette_editors": [{"name": "Ann", "bio": "Likes stones"}, {"name": "Bob"}]}
    """

  private func store(at path: String? = nil) async throws -> Store {
    let place: StoreLocation = path.map { .file($0) } ?? .memory
    let store = try await Store(at: place, for: GazetteExtra.self, GazetteEditor.self, GazetteClipping.self)
    try await store.import(Self.json)
    return store
  }

  private func ids(_ query: Query<Gazette>, _ store: Store) async throws -> [Int] {
    try await store.fetch(query).map(\.id)
  }

  @Test func theBestComesFirst() async throws {
    let store = try await store()
    #expect(try await ids(Gazette.matching("rock"), store) == [2, 1, 3])
    #expect(try await ids(Gazette.matching("rock").sorted(by: \.id), store) == [1, 2, 3])
    #expect(
      try await ids(Gazette.matching("rock").sorted(by: \.editor?.name).sortedByRank(), store).last == 2)
    #expect(try await ids(Gazette.matching("rock").limit(1), store) == [2])
    #expect(try await ids(Gazette.matching("rock").offset(1).limit(1), store) == [1])
    #expect(try await store.count(Gazette.matching("rock")) == 3)
    #expect(try await ids(Gazette.filter(#Predicate { $0.id > 1 }).matching("rock"), store) == [2, 3])
    await #expect(throws: StoreError.self) { try await store.fetch(Gazette.all.sortedByRank()) }
  }

  @Test func inSomeAttributes() async throws {
    let store = try await store()
    #expect(try await ids(Gazette.matching("rock", in: \.body), store) == [3])
    #expect(try await ids(Gazette.matching("rock garden", in: \.headline, \.body), store) == [1])
    #expect(try await ids(Gazette.matching("stone", in: \.topics), store) == [1])
    #expect(try await ids(Gazette.matching("music", in: \.page), store) == [2])
    #expect(try await ids(Gazette.matching("stones", in: \.editor?.bio), store) == [1, 3])
    #expect(try await ids(Gazette.matching("rock").matching("garden", in: \.headline), store) == [1])
    #expect(try await ids(Gazette.matching("rock").matching(""), store) == [])
    let error = await #expect(throws: StoreError.self) {
      try await store.fetch(Gazette.matching("rock", in: \.secret))
    }
    #expect(error?.description.contains("Gazette.secret is not searched") == true)
    let editor = try await store.find(GazetteEditor.self, "Ann")
    #expect(try await ids(editor.gazettes.matching("rock"), store).sorted() == [1, 3])
  }

  @Test func formatsAndTypesGoTogether() async throws {
    let store = try await store()
    let query = try Gazette.filter(
      format: "headline MATCHES_TEXT %@ OR ANY editor.gazettes MATCHES_TEXT 'silence'", "rock")
    #expect(try await ids(query, store) == [1, 2, 3])
    let authors = try GazetteEditor.filter(format: "NOT ANY gazettes MATCHES_TEXT 'garden'")
    #expect(try await store.fetch(authors).map(\.name) == ["Bob"])
    let objects = try await store.fetch(ObjectQuery("Gazette").matching("rock"))
    #expect(objects.map(\.identity) == ["2", "1", "3"])
    let sql = try await store.sql(of: Gazette.matching("rock"))
    #expect(sql.contains("\"Gazette_search\" MATCH '((\"rock\"))'"), "\(sql)")
    #expect(sql.hasSuffix("-- needs SQLite's extension FTS5"))
  }

  @Test func hits() async throws {
    let store = try await store()
    let hits = try await store.search(
      Gazette.matching("rock"), snippets: SearchSnippets(start: "<", end: ">", wordCount: 4))
    #expect(hits.map(\.object.id) == [2, 1, 3])
    #expect(hits.map(\.snippet) == ["<Rock>, <rock>, <rock>", "<Rock> garden", "…heard but a <rock>"])
    #expect(hits.map(\.rank) == hits.map(\.rank).sorted())
    #expect(hits[0].rank < 0)
    let byID = try await store.search(Gazette.matching("rock").sorted(by: \.id).limit(2))
    #expect(byID.map(\.object.id) == [1, 2])
    #expect(byID.map(\.snippet) == ["[Rock] garden", "[Rock], [rock], [rock]"])
    let objects = try await store.search(ObjectQuery("Gazette").matching("garden", in: "headline"))
    #expect(objects.map(\.object.identity) == ["1"])
    #expect(objects.map(\.snippet) == ["Rock [garden]"])
    #expect(try await store.search(Gazette.matching("-rock")).isEmpty)
    await #expect(throws: QueryError.self) { try await store.search(Gazette.all) }
    await #expect(throws: QueryError.self) { try await store.search(ObjectQuery("Gazette")) }
    let related = try await store.search(Gazette.matching("stones", in: \.editor?.bio))
    #expect(related.map(\.snippet) == ["", ""])
  }

  @Test func everyWayOfWritingIsFollowed() async throws {
    let store = try await store()
    try await store.write { transaction in
      try transaction.save(GazetteExtra(base: Gazette(id: 9, headline: "Extra"), occasion: "A wedding"))
      #expect(try transaction.count(Gazette.matching("wedding")) == 1)
      #expect(try transaction.count(GazetteExtra.matching("wedding extra")) == 1)
      try transaction.rename(Gazette.self, 9, to: 10)
      #expect(try transaction.fetch(Gazette.matching("wedding")).map(\.id) == [10])
      #expect(try transaction.update(Gazette.matching("rock"), set: \.headline, to: "Pebbles") == 3)
      #expect(try transaction.fetch(Gazette.matching("pebbles")).map(\.id).sorted() == [1, 2, 3])
      #expect(try transaction.fetch(Gazette.matching("rock", in: \.headline)).isEmpty)
      #expect(try transaction.delete(Gazette.matching("pebbles", in: \.headline).filter(ids: [1, 2])) == 2)
      #expect(try transaction.fetch(Gazette.matching("pebbles")).map(\.id) == [3])
      try transaction.execute("UPDATE Gazette SET headline = 'Gravel' WHERE id = 3")
      #expect(try transaction.fetch(Gazette.matching("gravel")).map(\.id) == [3])
      try transaction.insert(GazetteClipping(text: "cut out"))
      #expect(try transaction.count(GazetteClipping.matching("cut")) == 1)
    }
    try await store.removeAll()
    #expect(try await store.count(Gazette.matching("gravel OR wedding OR pebbles")) == 0)
    try await store.import(Self.json)
    #expect(try await ids(Gazette.matching("rock"), store) == [2, 1, 3])
  }

  @Test func whatIsUndoneIsNotFound() async throws {
    let store = try await store()
    struct Stop: Error {}
    try await store.write { transaction in
      _ = try? transaction.import(#"[{"id": 7, "headline": "Undone"}, {"#, as: Gazette.self)
      #expect(try transaction.count(Gazette.matching("undone")) == 0)
      try transaction.save(Gazette(id: 8, headline: "Done"))
    }
    await #expect(throws: Stop.self) {
      try await store.write { transaction in
        try transaction.save(Gazette(id: 7, headline: "Undone"))
        throw Stop()
      }
    }
    #expect(try await store.count(Gazette.matching("undone")) == 0)
    #expect(try await store.count(Gazette.matching("done")) == 1)
  }

  @Test func aNewStoreIsSearchedInItsFirstTransaction() async throws {
    let store = try await Store(at: .memory, for: GazetteExtra.self, GazetteEditor.self)
    try await store.write { transaction in
      try transaction.import(Self.json)
      #expect(try transaction.fetch(Gazette.matching("rock")).map(\.id) == [2, 1, 3])
      try transaction.save(Gazette(id: 4, headline: "More"))
      #expect(try transaction.count(try Gazette.filter(format: "SELF MATCHES_TEXT 'more'")) == 1)
    }
    #expect(try await ids(Gazette.matching("more OR silence").sorted(by: \.id), store) == [3, 4])
  }

  /// What an observation gave so far.
  private final class Seen<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func add(_ value: Value) { values.withLock { $0.append(value) } }

    /// Waits until there are so many.
    func wait(for count: Int) async throws {
      for _ in 0..<1_000 where all.count < count { try await Task.sleep(for: .milliseconds(5)) }
    }
  }

  @Test func observations() async throws {
    let store = try await store()
    let seen = Seen<[Int]>()
    let task = Task {
      for try await found in store.observe(Gazette.matching("rock", in: \.headline)) {
        seen.add(found.map(\.id).sorted())
      }
    }
    defer { task.cancel() }
    try await seen.wait(for: 1)
    try await store.update(Gazette.self, 3) { $0.headline = "Rock silence" }
    try await seen.wait(for: 2)
    try await store.update(Gazette.self, 1) { $0.secret = "x" }
    try await seen.wait(for: 3)
    try await store.save(GazetteClipping(text: "rock"))
    try await store.update(Gazette.self, 2) { $0.headline = "Pop" }
    try await seen.wait(for: 4)
    #expect(seen.all == [[1, 2], [1, 2, 3], [1, 2, 3], [1, 3]])
  }

  @Test func changesTellObjectsAndNothingElse() async throws {
    let store = try await store()
    let seen = Seen<StoreChanges>()
    let changes = store.changes()
    let task = Task { for try await each in changes { seen.add(each) } }
    defer { task.cancel() }
    try await store.write { transaction in
      try transaction.update(Gazette.self, 1) { $0.headline = "One" }
      try transaction.save(GazetteEditor(name: "Eve", bio: "rock", gazettes: ToMany()))
      try transaction.delete(Gazette.self, 2)
    }
    try await seen.wait(for: 1)
    let first = try #require(seen.all.first)
    #expect(first.isComplete)
    #expect(first.updated(Gazette.self) == [1])
    #expect(first.inserted(GazetteEditor.self) == ["Eve"])
    #expect(first.deleted(Gazette.self) == [2])
  }

  @Test func filesOfAllKinds() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a.sqlite").path
    let store = try await store(at: path)
    // Rows in the middle go, so that SQLite would number the others anew.
    try await store.write { transaction in
      for index in 0..<200 {
        try transaction.save(GazetteEditor(name: "E\(index)", bio: "number n\(index)", gazettes: ToMany()))
      }
    }
    try await store.write { transaction in
      for index in 0..<150 { try transaction.delete(GazetteEditor.self, "E\(index)") }
    }
    try await store.vacuum()
    let copy = folder.appending(path: "b.sqlite").path
    try await store.backup(to: copy)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 150..<200 {
        group.addTask {
          let found = try await store.fetch(GazetteEditor.matching("n\(index)"))
          #expect(found.map(\.name) == ["E\(index)"])
        }
      }
      try await group.waitForAll()
    }
    try store.close()
    let other = try await Store(
      at: .file(copy), for: GazetteExtra.self, GazetteEditor.self, GazetteClipping.self)
    #expect(try await other.count(GazetteEditor.matching("number")) == 50)
    let reading = try await Store(
      at: .file(path), for: GazetteExtra.self, GazetteEditor.self, GazetteClipping.self, access: .readOnly)
    #expect(try await reading.fetch(GazetteEditor.matching("n177")).map(\.name) == ["E177"])
  }

  @Test func onlyTextsCanBeSearched() async throws {
    let error = await #expect(throws: TypeError.self) {
      try await Store(at: .memory, for: GazetteNumber.self)
    }
    #expect(error?.description.contains("GazetteNumber.price: Double has no words to search") == true)
  }

  @Test func cancellation() async throws {
    let store = try await store()
    let (searches, search) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      try await store.read { transaction -> Int in
        for _ in 0..<1_000_000 {
          _ = try transaction.search(Gazette.matching("rock"))
          search.yield()
        }
        return 0
      }
    }
    for await _ in searches { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.count(Gazette.matching("rock")) == 3)
  }
}

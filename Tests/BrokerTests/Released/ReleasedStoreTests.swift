import Broker
import Foundation
import GRDB
import Testing

/// A version of Broker that was released or is about to be, whose store is kept as text, with what it exported.
struct ReleasedVersion: CustomTestStringConvertible {
  var name: String
  var testDescription: String { name }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Stores")

  /// The versions whose stores are kept.
  static let all: [ReleasedVersion] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".sql") }.sorted().map {
      ReleasedVersion(name: String($0.dropLast(4)))
    }
  }()

  var text: URL { Self.folder.appending(path: name + ".sql") }
  var exported: URL { Self.folder.appending(path: name + ".json") }

  /// The store's file, made anew.
  func file() throws -> TemporaryFile {
    let file = try TemporaryFile("released.sqlite")
    try StoreText.make(String(contentsOf: text, encoding: .utf8), at: file.url)
    return file
  }
}

/// VERSIONING.md: every version reads and writes the stores of all released versions. Each of these tests runs on the file of
/// each version, with the code as it is now.
@Suite struct ReleasedStoreTests {
  private static let root = ReleasedVersion.folder.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// JSON without what is only its look: the order of keys, and spaces.
  private func canonical(_ json: Data) throws -> String {
    let value = try JSONSerialization.jsonObject(with: json)
    return String(
      decoding: try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .prettyPrinted]),
      as: UTF8.self)
  }

  /// A release that is named in the changelog without its store would not be tested.
  @Test func everyReleaseHasItsStore() throws {
    let changes = try String(contentsOf: Self.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let released = changes.split(separator: "\n").filter { $0.hasPrefix("## ") && !$0.contains("unreleased") }
      .compactMap { $0.dropFirst(3).split(separator: " ").first.map(String.init) }
    let kept = ReleasedVersion.all.map(\.name)
    #expect(kept.contains("0.1.0"))
    #expect(released.filter { !kept.contains($0) } == [], "scripts/keep-store VERSION makes them")
  }

  @Test(arguments: ReleasedVersion.all) func openingChangesNothing(_ version: ReleasedVersion) async throws {
    let file = try version.file()
    let before = try StoreText.dump(file.url)
    for access in [Store.Access.readOnly, .readWrite] {
      let store = try await Store(at: .file(file.url), model: nil, access: access)
      #expect(try await store.count(ObjectQuery("Work")) == 3)
      try store.close()
    }
    #expect(try StoreText.dump(file.url) == before)
  }

  @Test(arguments: ReleasedVersion.all) func valuesAreThere(_ version: ReleasedVersion) async throws {
    let file = try version.file()
    let store = try await Store(at: .file(file.url), model: nil)
    let sample = try await store.find("Sample", "1")
    #expect(sample["flag"] == true)
    #expect(sample["small"] == -32768)
    #expect(sample["medium"] == 2_147_483_647)
    #expect(sample["large"] == .integer(.max))
    #expect(sample["single"] == 0.5)
    #expect(sample["real"] == 0.1)
    #expect(sample["exact"] == Decimal(string: "12345678901234567890.0123456789").map { .decimal($0) })
    #expect(sample["text"] == "Schöne alte Wörter\nin two lines")
    #expect(sample["moment"] == .date(Date(timeIntervalSince1970: 374_530_500.25)))
    #expect(sample["day"] == .date(Date(timeIntervalSince1970: 374_457_600)))
    #expect(
      sample["uuid"] == UUID(uuidString: "6f9619ff-8b86-d011-b42d-00cf4fc964ff").map { .uuid($0) })
    #expect(sample["address"] == URL(string: "https://example.com/a?b=c").map { .url($0) })
    #expect(sample["bytes"] == .data(Data([0, 1, 2, 255])))
    #expect(sample["topics"] == .json(.array([.string("art"), .string("it's"), .string("日本")])))
    #expect(sample["place.street"] == "Talbot Road")
    #expect(sample["place.zip"] == "W11")
    let empty = try await store.find("Sample", "2")
    #expect(empty["small"] == 7)
    #expect(empty["text"] == .null)
  }

  @Test(arguments: ReleasedVersion.all) func linksAreThere(_ version: ReleasedVersion) async throws {
    let file = try version.file()
    let store = try await Store(at: .file(file.url), model: nil)
    func links(
      _ entity: String, _ identity: String, _ name: String
    ) async throws -> [String]? {
      try await store.fetch(ObjectQuery(entity).filter(identity: identity).including(name)).first?[name]?
        .links
    }
    #expect(try await store.find("Work", "f1").entity == "Film")
    #expect(try await store.find("Film", "f1")["minutes"] == 90)
    #expect(try await store.find("Book", "b1")["author"] == .link("Ada"))
    #expect(try await store.find("Book", "b1")["shelf"] == .link("attic,3"))
    #expect(try await store.find("Book", "b1")["pages"] == 101)
    #expect(try await store.find("Edition", "b1,1")["year"] == 1901)
    #expect(try await store.find("Desk", "1")["person"] == .link("Ada"))
    #expect(try await links("Tag", "old", "works").map(Set.init) == ["b1", "b2"])
    #expect(try await links("Book", "b1", "tags").map(Set.init) == ["old", "long"])
    #expect(try await links("Person", "Ada", "favourites") == ["b2", "f1", "b1"])
    #expect(try await links("Film", "f1", "fans").map(Set.init) == ["Ada", "Bo"])
    #expect(try await links("Person", "Bo", "friends") == ["Ada"])
    #expect(try await links("Person", "Ada", "friends") == ["Bo"])
    let chapters = try #require(try await links("Book", "b1", "chapters"))
    let headings = Dictionary(
      uniqueKeysWithValues: try await store.fetch(ObjectQuery("Chapter")).map { ($0.identity, $0["heading"]) }
    )
    #expect(chapters.map { headings[$0] } == ["Start", "Middle", "End"])
  }

  @Test(arguments: ReleasedVersion.all) func queriesUseItsIndexes(_ version: ReleasedVersion) async throws {
    let file = try version.file()
    let store = try await Store(at: .file(file.url), model: nil)
    #expect(try await store.fetch(ObjectQuery("Sample").matching("schone worter")).map(\.identity) == ["1"])
    let art = try ObjectQuery("Sample").filter(format: "ANY topics == %@", "it's")
    #expect(try await store.fetch(art).map(\.identity) == ["1"])
    // What is written now is found as well.
    try await store.import(#"[{"id": 2, "text": "neue Wörter", "topics": ["it's"]}]"#, as: "Sample")
    #expect(try await store.count(ObjectQuery("Sample").matching("worter")) == 2)
    #expect(try await store.count(art) == 2)
  }

  @Test(arguments: ReleasedVersion.all) func pendingReferencesAreMet(_ version: ReleasedVersion) async throws
  {
    let file = try version.file()
    let store = try await Store(at: .file(file.url), model: nil)
    let ada = ObjectQuery("Person").filter(identity: "Ada").including("favourites")
    let report = try await store.import(
      #"{"people": [{"name": "Dee"}], "books": [{"id": "b9", "work_title": "Nine"}]}"#)
    #expect(report.inserted == ["Person": 1, "Book": 1])
    #expect(report.isComplete)
    #expect(try await store.find("Book", "b2")["author"] == .link("Dee"))
    #expect(try await store.fetch(ada).first?["favourites"]?.links == ["b2", "f1", "b9", "b1"])
  }

  @Test(arguments: ReleasedVersion.all) func localChangesAreTold(_ version: ReleasedVersion) async throws {
    let file = try version.file()
    let store = try await Store(at: .file(file.url), model: nil, for: Feeling.self, tracksLocalChanges: true)
    let changes = try await store.localChanges()
    #expect(
      changes.map { "\($0.kind) \($0.entity) \($0.formerIdentity ?? "") \($0.identity) \($0.properties)" }
        == [
          "renamed Feeling calm quiet [\"name\"]", "updated Book  b1 [\"pages\"]", "inserted Tag  new []",
          "deleted Person  Cy []",
        ])
    // The server says what it said, so nothing changes, and what was changed here stays.
    let report = try await store.import(ReleasedSample.json)
    #expect(!report.changesAnything, "\(report.inserted) \(report.updated) \(report.deleted)")
    #expect(report.issueCount == 0)
    #expect(try await store.find("Book", "b1")["pages"] == 101)
    #expect(try await !store.exists("Person", "Cy"))
    #expect(try await store.find(Feeling.self, "quiet").note == nil)
    try await store.confirm(changes)
    #expect(try await store.localChanges() == [])
    #expect(try await store.import(ReleasedSample.json).updated["Book"] == 1)
  }

  @Test(arguments: ReleasedVersion.all) func historyIsThere(_ version: ReleasedVersion) async throws {
    let file = try version.file()
    let store = try await Store(at: .file(file.url), model: nil)
    let record = try #require(try await store.importHistory().first)
    #expect(record.inserted["Sample"] == 2)
    #expect(record.isWhole)
    try await store.import(#"[{"name": "more"}]"#, as: "Tag")
    #expect(try await store.importHistory().count == 2)
  }

  @Test(arguments: ReleasedVersion.all) func exportsAreTheSame(_ version: ReleasedVersion) async throws {
    let file = try version.file()
    let store = try await Store(at: .file(file.url), model: nil)
    let now = try await store.exportAll()
    #expect(try canonical(now) == canonical(Data(contentsOf: version.exported)))
    let model = try Model(yaml: Data(ReleasedSample.model.utf8))
    let copy = try await Store(at: .memory, model: model)
    let report = try await copy.import(Data(contentsOf: version.exported))
    #expect(report.issueCount == 0)
    #expect(try await copy.exportAll() == now)
  }

  @Test(arguments: ReleasedVersion.all) func writesLeaveASoundFile(_ version: ReleasedVersion) async throws {
    let file = try version.file()
    let store = try await Store(at: .file(file.url), model: nil)
    try await store.delete("Book", "b1")
    #expect(try await store.count(ObjectQuery("Chapter")) == 0)
    #expect(try await store.count(ObjectQuery("Edition")) == 0)
    try await store.save(Object("Desk", ["id": 2, "colour": "green", "person": .link("Bo")]))
    #expect(try await store.find("Person", "Bo")["desk"] == .link("2"))
    try store.close()
    let queue = try DatabaseQueue(path: file.url.path)
    #expect(try await queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
  }

  /// A version of the model that adds, renames and removes.
  @Test(arguments: ReleasedVersion.all) func modelsMayChange(_ version: ReleasedVersion) async throws {
    let file = try version.file()
    let changed = ReleasedSample.model
      .replacing("note: string}", with: "remark: {type: string, renamingIdentifier: note}, weight: int = 3}")
      .replacing("    medium: int32\n", with: "")
    var options = Store.Options()
    options.migration = .automatic.allowing(.removals)
    let store = try await Store(
      at: .file(file.url), model: Model(yaml: Data(changed.utf8)), options: options, tracksLocalChanges: true)
    #expect(try await store.find("Feeling", "bright")["remark"] == "as ever")
    #expect(try await store.find("Feeling", "quiet")["weight"] == 3)
    #expect(try await store.find("Sample", "1")["medium"] == nil)
    #expect(try await store.find("Sample", "1")["real"] == 0.1)
    #expect(try await store.localChanges().count == 4)
  }

  // MARK: - For a release

  /// Writes the files of a release: `scripts/keep-store VERSION`.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["BROKER_KEEP_STORE"] != nil, "for a release"))
  func keepTheStoreOfThisVersion() async throws {
    let name = try #require(ProcessInfo.processInfo.environment["BROKER_KEEP_STORE"])
    let file = try TemporaryFile("released.sqlite")
    try await ReleasedSample.make(at: file.url)
    let version = ReleasedVersion(name: name)
    let store = try await Store(at: .file(file.url), model: nil, access: .readOnly)
    try await store.exportAll().write(to: version.exported)
    try store.close()
    try Data(StoreText.dump(file.url).utf8).write(to: version.text)
  }
}

import Foundation
import Mapping
import MemoryEngine
import ObjectModel
import ObjectStore
import Testing

/// What a store remembers of its imports, on both engines.
@Suite struct HistoryTests {
  private let notation = """
    Band
      id: integer64
      name: string
      albums: [Album] <- band
    Album
      id: integer64
      band: Band <- albums
    """

  /// `from: Band +1 ~2, !0`, the last one first, of SQLite after a comparison with the other engine.
  private func history(_ fixture: Fixture) throws -> [String] {
    let text = { (records: [ImportRecord]) in
      records.map { record in
        var report = Report()
        (report.inserted, report.updated, report.deleted) = (record.inserted, record.updated, record.deleted)
        report.skipped = record.skipped
        let source = "\(record.sources.joined(separator: " "))/\(record.sourceCount)"
        return "\(source): \(report.counts), \(record.issueCount)\(record.isWhole ? "" : ", part")"
      }
    }
    let own = text(try fixture.store.read { try $0.importHistory() })
    if let twin = fixture.twin { #expect(try twin.read { text(try $0.importHistory()) } == own) }
    return own
  }

  @Test func everyImportThatIsCommitted() throws {
    let fixture = try Fixture(notation, entity: "Band")
    #expect(try history(fixture) == [])
    try fixture.load(#"[{"id": 1, "name": "x", "albums": [{"id": 1}, {"id": 2}]}, {"id": "?"}]"#)
    try fixture.load(#"[{"id": 1, "name": "y"}]"#)
    try fixture.load(#"[{"id": 1, "name": "y"}]"#)
    try fixture.load(#"[{"id": 2, "name": "dry"}]"#) { $0.isDryRun = true }
    #expect(throws: ImportError.self) { try fixture.load("[{]") }
    try fixture.load(#"[{"id": 3, "name": "z"}]"#, #"[{"id": 4, "name": "z"}]"#) { $0.prunes = true }
    #expect(
      try history(fixture) == [
        "/2: Band +2 -1, 0", "/1: , 0", "/1: Band ~1, 0", "/1: Album +2, Band +1 !1, 1",
      ])
  }

  @Test func aCopyIsTheLastThatItsTargetRemembers() throws {
    let fixture = try Fixture(notation, entity: "Band")
    try fixture.load(#"[{"id": 1, "name": "x"}]"#)
    try fixture.load(#"[{"id": 2, "name": "y"}]"#)
    let remembered = try fixture.store.read { try $0.importHistory() }
    let model = fixture.store.layout.schema.model
    let target = Store(try SQLiteStore(path: ":memory:", model: model))
    for copies in 1...2 {
      #expect(try StoreCopy(from: fixture.store, to: target).run(isCancelled: { false }).isWhole)
      let found = try target.read { try $0.importHistory() }
      #expect(found.count == remembered.count + copies)
      #expect(Array(found.suffix(remembered.count)) == remembered)
    }
  }

  @Test func sourcesHaveTheNamesThatTheyWereGiven() throws {
    let fixture = try Fixture(notation, entity: "Band")
    let sources = [
      ImportSource.string("[]").named("GET /bands \"\\\u{1}\n日本"), .string("[]"),
      .bytes("[]".utf8).named("b"),
    ]
    try fixture.load(sources, fixture.options)
    #expect(try history(fixture) == ["GET /bands \"\\\u{1}\n日本 b/3: , 0"])
    let many = (1...30).map { ImportSource.string("[]").named("\($0)") }
    try fixture.load(many, fixture.options)
    #expect(try history(fixture).first == (1...20).map(String.init).joined(separator: " ") + "/30: , 0")
  }

  @Test func aHundredAreKept() throws {
    let fixture = try Fixture(notation, entity: "Band")
    for number in 1...145 {
      try fixture.load([.string("[]").named("\(number)")], fixture.options)
    }
    let history = try history(fixture)
    #expect(history.count == 100)
    #expect(history.first == "145/1: , 0")
    #expect(history.last == "46/1: , 0")
    #expect(Int(try fixture.rows("SELECT count(*) FROM broker_imports").joined()) ?? 0 < 120)
  }

  @Test func itIsATableOfTheStore() throws {
    let fixture = try Fixture(notation, entity: "Band")
    try fixture.load([.string("[]").named("a\"b")], fixture.options)
    #expect(
      try fixture.rows(
        """
        SELECT "number", "sources", "source_count", "inserted", "issues", "whole", "seconds" > 0,
          "date" LIKE '20__-%' FROM broker_imports
        """) == [#"1 ["a\"b"] 1 {} 0 1 1 1"#])
    #expect(
      try fixture.rows("SELECT type FROM sqlite_schema WHERE name = 'broker_imports'") == ["table"])
    #expect(try fixture.rows("SELECT name FROM sqlite_schema WHERE name = 'sqlite_sequence'") == [])
    try fixture.store.transaction { transaction in
      try transaction.removeAll()
      return ((), .commit)
    }
    #expect(try fixture.store.read { try $0.importHistory() }.isEmpty)
  }

  @Test func anImportInChunksIsOne() throws {
    let fixture = try Fixture(notation, entity: "Band").alone()
    // More than one batch, so that some is committed before the end is found to be missing.
    let list = "[" + (1...20_000).map { #"{"id": \#($0), "name": "x"}"# }.joined(separator: ",")
    try fixture.load(list + "]") { $0.chunks = .objects(2_000) }
    #expect(throws: PartialImportError.self) {
      try fixture.load(list.replacing("x", with: "y")) { $0.chunks = .objects(2_000) }
    }
    let history = try history(fixture)
    #expect(history.count == 2)
    #expect(
      history.first?.hasPrefix("/1: Band ~") == true && history.first?.hasSuffix("000, 0, part") == true)
    #expect(history.last == "/1: Band +20000, 0")
  }

  @Test func importsOfATransactionThatIsUndoneAreNot() throws {
    let store = try Store(path: ":memory:", model: model(notation))
    var options = ImportOptions()
    options.entity = "Band"
    let importer = Importer(store, options)
    try store.transaction { transaction in
      _ = try importer.execute([.string(#"{"id": 1, "name": "x"}"#)], in: transaction)
      _ = try? importer.execute([.string(#"[{"id": 2"#)], in: transaction)
      _ = try importer.execute([.string(#"{"id": 3, "name": "x"}"#)], in: transaction)
      return ((), .commit)
    }
    #expect(try history(Fixture(store: store)) == ["/1: Band +1, 0", "/1: Band +1, 0"])
    try store.transaction { transaction in
      _ = try importer.execute([.string(#"{"id": 4, "name": "x"}"#)], in: transaction)
      return ((), .rollback)
    }
    #expect(try history(Fixture(store: store)).count == 2)
  }

  @Test func itSurvivesAnotherVersionOfTheModelAndIsCopied() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("bands.sqlite")
    let first = try Fixture(notation, entity: "Band", path: path)
    try first.load(#"{"id": 1, "name": "x"}"#)
    try first.store.close()
    let changed = try Fixture(
      notation.replacing("name: string", with: "name: string\n  formed: integer16"), entity: "Band",
      path: path)
    #expect(try history(changed) == ["/1: Band +1, 0"])
    try changed.load(#"{"id": 1, "name": "x", "formed": 1974}"#)
    let copy = directory.path("copy.sqlite")
    try await changed.store.backup(to: copy)
    let copied = Fixture(store: try Store(path: copy, access: .readOnly))
    #expect(try history(copied) == ["/1: Band ~1, 0", "/1: Band +1, 0"])
  }

  @Test func aTableWithoutItIsAddedAlsoWhereThatIsUndone() throws {
    let store = try Store(path: ":memory:", model: model(notation))
    var options = ImportOptions()
    options.entity = "Band"
    let importer = Importer(store, options)
    for ending in [TransactionEnding.rollback, .rollback, .commit] {
      try store.transaction { transaction in
        _ = try importer.execute([.string(#"{"id": 1, "name": "x"}"#)], in: transaction)
        return ((), ending)
      }
    }
    #expect(try history(Fixture(store: store)).count == 1)
  }

  @Test func anEntityMayHaveTheNameOfItsTable() throws {
    let fixture = try Fixture("broker_imports\n  id: integer64", entity: "broker_imports")
    try fixture.load(#"[{"id": 1}]"#)
    #expect(try history(fixture) == ["/1: broker_imports +1, 0"])
    #expect(try fixture.exported("broker_imports") == [#"{"id":1}"#])
  }
}

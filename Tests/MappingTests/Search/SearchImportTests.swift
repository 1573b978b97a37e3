import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Full-text indexes follow imports.
@Suite struct SearchImportTests {
  private static let notation = """
    Work | broker.discriminator=kind
      id: integer64
      title: string | broker.search=true
      tags: transformable | broker.search=true
      plain: string
      author: Author <- works
    Book : Work | broker.kind=book
      blurb: string | broker.search=true
    Film : Work | broker.kind=film
      plot: string | broker.search=true
    Author | unique=name
      name: string
      bio: string | broker.search=true
      works: [Work] <- author
    """

  private static func found(_ words: String, _ entity: String = "Work", in fixture: Fixture) throws
    -> [String]
  {
    var query = Query(entity)
    query.search = [SearchCondition(words)]
    query.sort = [Query.Sort(entity == "Author" ? "name" : "id")]
    return try names(query, fixture)
  }

  private static func found(where format: String, _ entity: String = "Work", in fixture: Fixture) throws
    -> [String]
  {
    var query = Query(entity)
    query.predicate = try ObjectPredicate(format: format)
    return try names(query, fixture)
  }

  private static func names(_ query: Query, _ fixture: Fixture) throws -> [String] {
    try fixture.store.read { transaction in
      let rows = try Projection(query, selecting: [query.entity == "Author" ? "name" : "id"], transaction)
      var result: [String] = []
      while let row = try rows.next() {
        switch row[0] {
        case .integer(let id): result.append(String(id))
        case .text(let text, _): result.append(text)
        default: result.append("-")
        }
      }
      return result
    }
  }

  private static func check(_ fixture: Fixture) throws {
    for table in ["Work_search", "Author_search"] {
      try fixture.store.transaction { transaction in
        // 1: compared with the texts themselves as well.
        try transaction.execute("INSERT INTO \(table) (\(table), rank) VALUES ('integrity-check', 1)")
        return ((), .commit)
      }
    }
  }

  private static let json = #"""
    [{"id": 1, "kind": "book", "title": "Rock gardens", "tags": ["green", "line\nbreak \"quoted\""], "blurb": "café",
      "author": {"name": "Ann", "bio": "Grows rock plants"}},
     {"id": 2, "kind": "film", "title": "Rolling", "plot": "A rock rolls", "plain": "rock", "author": "Ann"},
     {"id": 3, "kind": "film", "author": {"name": "Bob", "bio": null}}]
    """#

  @Test(arguments: [":memory:", "file"])
  func newStore(_ place: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = place == "file" ? folder.appending(path: "s.sqlite").path : place
    let works = try Fixture(Self.notation, entity: "Work", path: path)
    #expect(try works.load(Self.json).counts == "Author +2, Book +1, Film +2")
    #expect(try works.load(Self.json).counts == "Author =2, Book =1, Film =2")
    #expect(try Self.found("rock", in: works) == ["1", "2"])
    #expect(try Self.found("rock", "Film", in: works) == ["2"])
    #expect(try Self.found("CAFE", "Book", in: works) == ["1"])
    #expect(try Self.found("break quoted green", in: works) == ["1"])
    #expect(try Self.found("nbreak", in: works) == [])
    #expect(try Self.found("rolls OR green", in: works) == ["1", "2"])
    #expect(try Self.found(where: "author MATCHES_TEXT 'plants'", in: works) == ["1", "2"])
    #expect(try Self.found(where: "NOT author.bio MATCHES_TEXT 'plants'", in: works) == ["3"])
    #expect(try Self.found(where: "ANY works.title MATCHES_TEXT 'rolling'", "Author", in: works) == ["Ann"])
    #expect(try Self.found(where: "NONE works MATCHES_TEXT 'rock'", "Author", in: works) == ["Bob"])
    #expect(try Self.found(where: "ALL works MATCHES_TEXT 'rock'", "Author", in: works) == ["Ann"])
    #expect(
      try Self.found(
        where: "SUBQUERY(works, $w, $w.title MATCHES_TEXT 'ro*' AND $w.id > 1).@count == 1", "Author",
        in: works)
        == ["Ann"])
    try Self.check(works)
  }

  @Test func updatesPrunesAndRenames() throws {
    let works = try Fixture(Self.notation, entity: "Work")
    try works.load(Self.json)
    #expect(try works.load(#"{"id": 1, "title": "Jazz"}"#).counts == "Work ~1")
    #expect(try Self.found("rock", in: works) == ["2"])
    #expect(try Self.found("jazz green", in: works) == ["1"])
    // Nothing that is searched: no write to the index.
    let before = try works.rows("SELECT id, hex(block) FROM Work_search_data")
    #expect(try works.load(#"{"id": 1, "plain": "rock"}"#).counts == "Work ~1")
    #expect(try works.rows("SELECT id, hex(block) FROM Work_search_data") == before)
    // Another key, which is the row's id.
    try works.load(#"{"id": 20}"#) { $0.target = .object(entity: "Work", identity: "2") }
    #expect(try Self.found("rolls", in: works) == ["20"])
    // Another kind, which has not the plot.
    try works.load(#"{"id": 20, "kind": "book"}"#)
    #expect(try Self.found("rolls", in: works) == [])
    // A prune by words.
    let isJazz = try ObjectPredicate(format: "SELF MATCHES_TEXT 'jazz'")
    let report = try works.load(#"[{"id": 99, "title": "New"}]"#) { $0.pruneCondition = isJazz }
    #expect(report.counts == "Book -1, Work +1")
    #expect(try Self.found("jazz OR new", in: works) == ["99"])
    try Self.check(works)
  }

  @Test func anEmptyTableOfAStoreThatIsThereIsFilledInTheEnd() throws {
    let works = try Fixture(Self.notation)
    try works.load(#"{"name": "Ann", "bio": "first"}"#, as: "Author")
    let triggers = try works.rows("SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
    #expect(triggers.count == 6)
    try works.load(Self.json, as: "Work")
    #expect(try works.rows("SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name") == triggers)
    #expect(try Self.found("rock", in: works) == ["1", "2"])
    try works.load(#"{"id": 4, "title": "rock"}"#, as: "Work")
    #expect(try Self.found("rock", in: works) == ["1", "2", "4"])
    try Self.check(works)
    // One that is undone leaves all as it was.
    let other = try Fixture(Self.notation)
    try other.load(#"{"name": "Ann", "bio": "first"}"#, as: "Author")
    #expect(throws: ImportError.self) { try other.load(#"[{"id": 1, "title": "rock"}, {"#, as: "Work") }
    #expect(
      try other.load(Self.json, as: "Work") { $0.isDryRun = true }.counts == "Author +1 ~1, Book +1, Film +2")
    #expect(try other.rows("SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name") == triggers)
    #expect(try Self.found("rock", in: other) == [])
    try other.load(Self.json, as: "Work")
    #expect(try Self.found("rock", in: other) == ["1", "2"])
    try Self.check(other)
  }

  @Test(
    arguments: [
      ("plain MATCHES_TEXT 'x'", "Work.plain is not searched: give it @Attribute(search: true)"),
      ("id MATCHES_TEXT 'x'", "Work.id is not searched"),
      ("title MATCHES_TEXT[cd] 'x'", "leave [cd] out"),
      ("title MATCHES_TEXT plain", "looks for words, which stand in quotes"),
      ("title MATCHES_TEXT 5", "looks for words, which stand in quotes"),
      ("'x' MATCHES_TEXT title", "looks in a searched attribute"),
      ("author.name MATCHES_TEXT 'x'", "Author.name is not searched"),
      ("author.works MATCHES_TEXT 'x'", "works leads to many objects: put ANY"),
      ("title MATCHES_TXT 'x'", "Did you mean MATCHES_TEXT?"),
    ])
  func refusals(_ format: String, _ message: String) throws {
    let works = try Fixture(Self.notation, entity: "Work")
    try works.load(Self.json)
    let error = #expect(throws: ObjectPredicateError.self) { try Self.found(where: format, in: works) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func aStoreWithoutSearchSaysSo() throws {
    let plain = try Fixture("A\n  id: integer64\n  name: string", entity: "A")
    try plain.load(#"{"id": 1, "name": "x"}"#)
    var query = Query("A")
    query.predicate = try ObjectPredicate(format: "SELF MATCHES_TEXT 'x'")
    #expect(throws: ObjectPredicateError.self) { try Self.names(query, plain) }
    query.predicate = nil
    query.search = [SearchCondition("x")]
    let error = #expect(throws: StoreError.self) { try Self.names(query, plain) }
    #expect(error?.description.hasPrefix("A has no searched attributes: give an attribute") == true)
  }
}

import Mapping
import ObjectStore
import Testing

/// What an import does to what is there, and what its report says.
@Suite struct ReportTests {
  private let bands = """
    Band
      id: integer64
      name: string!
      formed: integer16 | default=1970
      active: boolean! | default=YES
      label: Label
      tags: [Tag] <- bands
    Label
      id: integer64
      name: string
    Tag
      id: integer64
      bands: [Band] <- tags
    """

  private let first =
    #"[{"id": 1, "name": "Japan", "formed": 1974, "label": {"id": 7, "name": "Virgin"}, "tags": [1]}]"#

  private func filled() throws -> Fixture {
    let fixture = try Fixture(bands, entity: "Band")
    try fixture.load(first)
    return fixture
  }

  private func band(_ fixture: Fixture) throws -> String {
    try fixture.rows("SELECT * FROM Band WHERE id = 1").joined()
  }

  @Test(arguments: [
    (#"{"id": 1}"#, "1 Japan 1974 1 7", "Band =1"),
    (#"{"id": 1, "formed": null, "label": null}"#, "1 Japan - 1 -", "Band ~1"),
    (#"{"id": 1, "formed": 1974, "name": "Japan"}"#, "1 Japan 1974 1 7", "Band =1"),
    (#"{"id": 1, "name": "japan"}"#, "1 japan 1974 1 7", "Band ~1"),
    (#"{"id": 1, "tags": []}"#, "1 Japan 1974 1 7", "Band ~1"),
    (#"{"id": 1, "name": null}"#, "1 Japan 1974 1 7", "Band !1"),
    (#"{"id": 1, "active": null, "formed": 5}"#, "1 Japan 1974 1 7", "Band !1"),
    (#"{"id": 1, "formed": "long ago", "active": 0}"#, "1 Japan 1974 0 7", "Band ~1"),
    (#"{"id": 1, "label": {"id": 7, "name": "V2"}}"#, "1 Japan 1974 1 7", "Band =1, Label ~1"),
  ])
  func absentKeepsAndNullClears(_ json: String, _ row: String, _ counts: String) throws {
    let fixture = try filled()
    #expect(try fixture.load(json).counts == counts)
    #expect(try band(fixture) == row)
  }

  @Test func defaultsApplyToNewObjectsOnly() throws {
    let fixture = try Fixture(bands, entity: "Band")
    let report = try fixture.load(
      #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b", "formed": null}, {"id": 3}, {"id": 4, "name": null}]"#
    )
    #expect(try fixture.rows("SELECT id, formed, active FROM Band") == ["1 1970 1", "2 - 1"])
    #expect(report.counts == "Band +2 !2")
    #expect(
      report.problems == [
        "$[2].name: expected a string, found nothing; object skipped",
        "$[3].name: expected a string, found null; object skipped",
      ])
    try fixture.load(#"[{"id": 2, "name": "c"}]"#)
    #expect(try fixture.rows("SELECT formed FROM Band WHERE id = 2") == ["-"])
  }

  @Test func unchangedRowsAreNotWritten() throws {
    let fixture = try filled()
    let writes = try fixture.writes()
    let report = try fixture.load(first)
    #expect(report.counts == "Band =1, Label =1")
    #expect(!report.changesAnything)
    #expect(try fixture.writes() == writes)
  }

  @Test func aSkippedObjectLeavesWhatItHoldsAndOthersAlone() throws {
    let fixture = try Fixture(bands, entity: "Band")
    let report = try fixture.load(
      #"[{"id": 1, "label": {"id": 7, "name": "Virgin"}, "tags": [{"id": 1}]}, {"id": 2, "name": "b"}]"#)
    #expect(report.counts == "Band +1 !1, Label +1, Tag +1")
    #expect(try fixture.rows("SELECT count(*) FROM Band_tags") == ["0"])
  }

  @Test func aReportCountsBytesAndTime() throws {
    let fixture = try Fixture(bands, entity: "Band")
    let report = try fixture.load(first, "  []  ")
    #expect(report.bytes == first.utf8.count + 6)
    #expect(report.seconds > 0)
    #expect(report.objectCount == 2)
  }

  @Test func aDryRunSaysTheSameAndChangesNothing() throws {
    let json =
      #"[{"id": 1, "name": "X", "label": 9, "foo": 1}, {"id": 2, "name": "b", "formed": "?", "tags": [5]}]"#
    let fixture = try filled()
    let before = try fixture.contents()
    var rehearsal = try fixture.load(json) { $0.isDryRun = true }
    #expect(try fixture.contents() == before)
    var report = try fixture.load(json)
    rehearsal.seconds = 0
    report.seconds = 0
    #expect(rehearsal == report)
    #expect(report.counts == "Band +1 ~1")
  }

  @Test func issuesAreCountedAndTheFirstListed() throws {
    let fixture = try Fixture(bands, entity: "Band")
    let rows = (0..<50).map { "{\"id\": \($0), \"name\": \"x\", \"formed\": \"?\"}" }.joined(separator: ",")
    let report = try fixture.load("[\(rows)]") { $0.maximumIssues = 7 }
    #expect(report.issueCount == 50)
    #expect(report.issues.count == 7)
    #expect(report.counts == "Band +50")
  }

  @Test func strictStopsAtTheFirstIssue() throws {
    let fixture = try filled()
    let before = try fixture.contents()
    let error = #expect(throws: ImportError.self) {
      try fixture.load(
        #"[{"id": 2, "name": "b"}, {"id": 3, "name": "c", "formed": "?"}, {"id": 4, "formed": "??"}]"#
      ) { $0.isStrict = true }
    }
    #expect(error?.issue?.path == "$[1].formed")
    #expect(error?.issue?.identity == "3")
    #expect(try fixture.contents() == before)
    #expect(
      try fixture.load(#"[{"id": 2, "name": "b", "foo": 1}]"#) { $0.isStrict = true }.counts == "Band +1")
  }

  @Test func strictCountsWhatTheStoreRefusesToo() throws {
    let fixture = try Fixture(bands, entity: "Band")
    let error = #expect(throws: ImportError.self) { try fixture.load(#"[{"id": 3}]"#) { $0.isStrict = true } }
    #expect(error?.issue?.key == "name")
    #expect(try fixture.rows("SELECT count(*) FROM Band") == ["0"])
  }

  @Test func aUniquenessConstraintIsKept() throws {
    let fixture = try Fixture(
      "User | broker.identity=id | unique=email\n  id: integer64\n  email: string\n  name: string",
      entity: "User")
    var report = try fixture.load(
      #"[{"id": 1, "email": "a"}, {"id": 2, "email": "a"}, {"id": 3}, {"id": 4}]"#)
    #expect(report.counts == "User +3 !1")
    #expect(report.places == ["$[1]"])
    #expect(report.issues.first?.identity == "2")
    report = try fixture.load(
      #"[{"id": 1, "email": "a", "name": "x"}, {"id": 3, "email": "a", "name": "y"}]"#)
    // The value is left out, the rest is used.
    #expect(report.counts == "User ~2")
    #expect(report.issues.map(\.action) == ["values left out"])
    #expect(try fixture.rows("SELECT * FROM User ORDER BY id") == ["1 a x", "3 - y", "4 - -"])
  }

  @Test func aChangeOfLinksOfARepeatedObjectIsCounted() throws {
    let fixture = try Fixture(
      """
      Shelf
        id: integer64
        books: [Book] <- shelves
      Book
        id: integer64
        title: string
        shelves: [Shelf] <- books
        tags: [Tag]
      Tag
        id: integer64
      """, entity: "Shelf")
    let book = #"{"id": 9, "title": "t", "tags": [1]}"#
    try fixture.load(#"[{"id": 1, "books": [\#(book)]}, {"id": 2, "books": [\#(book)]}]"#)
    let report = try fixture.load(
      #"[{"id": 1, "books": [\#(book)]}, {"id": 2, "books": [{"id": 9, "title": "t", "tags": [2]}]}]"#)
    #expect(try fixture.rows("SELECT tags FROM Book_tags") == ["2"])
    #expect(report.updated == ["Book": 1])
  }
}

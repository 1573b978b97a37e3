import Foundation
import JSONStream
import Mapping
import ObjectModel
import Testing

/// CSV and TSV as lists of objects.
@Suite struct TableImportTests {
  private static let notation = """
    Band
      id: integer64
      name: string
      motto: string!
      formed: integer16 | broker.key=details.formed
      rating: decimal
      active: boolean
      ended: date
      genres: transformable | broker.transformer=split("/")
      label: Label
      albums: [Album] <- band | broker.transformer=split(" ")
    Label
      id: integer64
      name: string
    Album
      title: string | broker.identity=true
      year: integer16
      band: Band <- albums
    """

  private func bands() throws -> Fixture { try Fixture(Self.notation, entity: "Band") }

  private func load(_ csv: String, into fixture: Fixture, _ adjust: (inout ImportOptions) -> Void = { _ in })
    throws -> Report
  {
    var options = fixture.options
    adjust(&options)
    return try fixture.load([.string(csv).formatted(as: .csv)], options)
  }

  @Test func rowsAreObjectsOfTheModelsTypes() throws {
    let fixture = try bands()
    let report = try load(
      """
      id,name,motto,details.formed,rating,active,ended,genres,label.id,label.name,albums
      1,"Japan, the band",,1974,9.10,yes,1982-12-16,pop/art,7,Virgin,Quartet Drums
      2,XTC,x,"","",no,,,7,,

      """, into: fixture)
    #expect(
      report.problems == [
        "line 2: $.motto: expected a string, found null; object skipped"
      ])
    #expect(report.counts == "Band +1, !1, Label +1" || report.counts.contains("Band +1"))
    #expect(
      try fixture.rows("SELECT id, name, motto, formed, rating, active, ended, genres, label FROM Band") == [
        "2 XTC x - - 0 - - 7"
      ])
  }

  @Test func theSameAsJSONSays() throws {
    let (table, json) = (try bands(), try bands())
    _ = try load(
      """
      id;name;motto;details.formed;rating;active;ended;genres;label.id;label.name;albums
      1;Japan;"";1974;9.10;1;1982-12-16;pop/art;7;Virgin;Quartet Drums
      2;"a ""b""
      c";m;;;;;;;;
      3;d
      """, into: table)
    try json.load(
      #"""
      [{"id": 1, "name": "Japan", "motto": "", "details": {"formed": 1974}, "rating": 9.10, "active": true,
        "ended": "1982-12-16", "genres": "pop/art", "label": {"id": 7, "name": "Virgin"}, "albums": "Quartet Drums"},
       {"id": 2, "name": "a \"b\"\nc", "motto": "m"}]
      """#)
    let exported = try table.exported("Band") { $0.relationships = .nested(depth: 1) }
    #expect(exported == (try json.exported("Band") { $0.relationships = .nested(depth: 1) }))
    #expect(exported.count == 2)
  }

  @Test func emptyWithoutQuotesIsNullAndWithQuotesAnEmptyText() throws {
    let fixture = try bands()
    try fixture.load(
      #"[{"id": 1, "name": "n", "motto": "m", "rating": 1, "active": true, "label": 7, "albums": "a b"}]"#)
    let report = try load("id,name,rating,active,label,albums\n1,\"\",\"\",\"\",\"\",\"\"\n", into: fixture)
    #expect(report.problems == [])
    #expect(try fixture.rows("SELECT name, rating, active, label FROM Band") == [" - - -"])
    _ = try load("id,name\n1,\n", into: fixture)
    #expect(try fixture.rows("SELECT name FROM Band") == ["-"])
  }

  @Test func aFieldThatARowLacksIsAbsent() throws {
    let fixture = try bands()
    try fixture.load(#"[{"id": 1, "name": "n", "motto": "m", "rating": 1}]"#)
    let report = try load("id,name,rating\n1,x\n", into: fixture)
    #expect(report.problems == [])
    #expect(try fixture.rows("SELECT name, rating FROM Band") == ["x 1"])
  }

  @Test func issuesNameTheLine() throws {
    let fixture = try bands()
    let report = try load(
      "id,name,motto,details.formed,\r\n1,\"a\r\nb\",m,soon,\r\n\r\n2,b,m,1,,7\r\n3,c,m,70000,x\r\n",
      into: fixture)
    #expect(
      report.problems == [
        "line 2: $.details.formed: expected a whole number from -32768 to 32767, found \"soon\"; value left out",
        "line 5: $: expected 5 fields, found 6; the rest left out",
        "line 6: $.details.formed: expected a whole number from -32768 to 32767, found \"70000\"; value left out",
        "line 6: $: expected a name for each column, found none for column 5; column left out",
      ])
    #expect(try fixture.rows("SELECT id, name FROM Band ORDER BY id") == ["1 a\r\nb", "2 b", "3 c"])
  }

  @Test func aColumnTwiceIsToldOnce() throws {
    let fixture = try bands()
    let report = try load("id,name,motto,name\n1,a,m,b\n2,c,m,d\n", into: fixture)
    #expect(report.problems == ["line 1: $: expected one column name, found several; the last one was used"])
    #expect(try fixture.rows("SELECT name FROM Band ORDER BY id") == ["b", "d"])
  }

  @Test func columnsThatMatchNothingAreCounted() throws {
    let report = try load("id,motto,nmae,x.y\n1,m,a,b\n2,m,c,d\n", into: try bands())
    #expect(report.unmatchedKeys["Band"] == ["nmae": 2, "x": 2])
    #expect(report.nearMisses["Band"]?["nmae"] == "name")
  }

  @Test func pruningTakesTheTableForTheWholeList() throws {
    let fixture = try bands()
    try fixture.load(#"[{"id": 1, "motto": "m"}, {"id": 2, "motto": "m"}]"#)
    let report = try load("id,motto\n2,m\n", into: fixture) { $0.prunes = true }
    #expect(report.deleted == ["Band": 1])
    let other = try load("id,motto\n", into: fixture) { $0.prunes = true }
    #expect(other.deleted == ["Band": 1])
  }

  @Test func aTableWithoutAnythingHasNoObjects() throws {
    let report = try load("", into: try bands())
    #expect(report.problems == [])
    #expect(report.objectCount == 0)
  }

  @Test func whatIsNotUTF8IsAnErrorWithTheLine() throws {
    let fixture = try bands()
    let bytes = Array("id,motto\n1,m\n2,".utf8) + [0xE9, 0x0A]
    let error = #expect(throws: ImportError.self) {
      try fixture.load([.bytes(bytes).formatted(as: .csv)], fixture.options)
    }
    #expect(
      error?.description
        == "the JSON is not a valid table: found bytes that are not UTF-8 at line 3. Nothing was changed.")
  }

  @Test func aBrokenQuoteChangesNothing() throws {
    let fixture = try bands()
    let error = #expect(throws: ImportError.self) { try load("id,motto\n1,m\n2,\"m\n", into: fixture) }
    #expect(error?.place?.line == 3)
    #expect(error?.place?.column == 3)
    #expect(try fixture.rows("SELECT count(*) FROM Band") == ["0"])
  }

  @Test func bytesCountTheTable() throws {
    let csv = "id,motto\n1,m\n"
    #expect(try load(csv, into: try bands()).bytes == csv.utf8.count)
  }

  @Test(arguments: [",", ";", "\t", "|", "a", " "] as [Character])
  func separators(_ separator: Character) throws {
    #expect(InputFormat.csv(separator: separator) != nil)
  }

  @Test(arguments: ["\"", "\n", "\r", "é"] as [Character])
  func whatCannotBeASeparator(_ separator: Character) throws {
    #expect(InputFormat.csv(separator: separator) == nil)
  }
}

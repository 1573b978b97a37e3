import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Documents whose first keys say nothing, at great length.
@Suite struct LongLookTests {
  private let bands = """
    Band
      id: integer64
      name: string
    Label
      id: integer64
    """
  private let long =
    "{\"list\": [" + Array(repeating: "\"0123456789\"", count: 200_000).joined(separator: ",") + "]}"

  @Test func aDocumentIsFoundBehindThem() throws {
    let fixture = try Fixture(bands)
    let report = try fixture.load(#"{"meta": \#(long), "page": 2, "bands": [{"id": 1}], "next": null}"#)
    #expect(report.inserted == ["Band": 1])
    #expect(report.unmatchedKeys == ["$": ["meta": 1, "page": 1, "next": 1]])
  }

  @Test func anObjectIsFoundBehindThem() throws {
    let fixture = try Fixture(bands)
    let report = try fixture.load(
      #"{"meta": \#(long), "page": 2, "id": 1, "name": "Japan", "more": 1}"#, as: "Band")
    #expect(report.inserted == ["Band": 1])
    #expect(report.unmatchedKeys == ["Band": ["meta": 1, "page": 1, "more": 1]])
    #expect(try fixture.rows("SELECT id, name FROM Band") == ["1 Japan"])
  }

  @Test func anObjectOfUnknownKeysAloneIsSkipped() throws {
    let fixture = try Fixture(bands)
    let report = try fixture.load(#"{"meta": \#(long)}"#, as: "Band")
    #expect(report.skipped == ["Band": 1])
    #expect(report.unmatchedKeys == ["Band": ["meta": 1]])
  }

  @Test func wrappersOfRecordsAreReadTo() throws {
    let fixture = try Fixture(bands)
    let report = try fixture.load(#"{"meta": \#(long), "1": {"name": "a"}, "2": {"name": "b"}}"#, as: "Band")
    #expect(report.inserted == ["Band": 2])
  }
}

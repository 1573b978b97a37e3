import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Regular expressions have so many steps for an import, however fast the machine is.
@Suite("The work of regular expressions")
struct PatternBudgetTests {
  private func fixture() throws -> Fixture {
    let fixture = try Fixture("Word\n  id: integer64\n  text: string")
    var model = fixture.store.model
    model.entities[0].attributes[1].pattern = "(a+)+b"
    return try Fixture(model: model, entity: "Word")
  }

  @Test func isBounded() throws {
    let fixture = try fixture()
    let slow = String(repeating: "a", count: 40)
    let words = (0..<400).map { #"{"id": \#($0), "text": "\#(slow)"}"# }
    let start = ContinuousClock.now
    let report = try fixture.load("[" + words.joined(separator: ",") + "]")
    #expect(ContinuousClock.now - start < .seconds(100))
    // One issue, and no value is lost for it.
    #expect(report.issueCount == 1)
    #expect(report.issues.first?.path == "$[0].text")
    #expect(report.issues.first?.action == "kept without that check, here and wherever else it is too much")
    #expect(try fixture.rows("SELECT count(*) FROM Word WHERE text IS NOT NULL") == ["400"])
    #expect(throws: ImportError.self) {
      try fixture.load(#"[{"id": 1000, "text": "\#(slow)"}]"#) { $0.isStrict = true }
    }
  }

  @Test func ofOrdinaryValuesIsFree() throws {
    let fixture = try fixture()
    let long = String(repeating: "a", count: 100_000) + "b"
    let words = (0..<40).map { #"{"id": \#($0), "text": "\#($0 % 2 == 0 ? long : "c")"}"# }
    let report = try fixture.load("[" + words.joined(separator: ",") + "]")
    #expect(report.issues.map(\.action) == Array(repeating: "value left out", count: 20))
  }

  /// Many values through an expression that does not backtrack cost nothing beyond their length.
  @Test(arguments: [#"(\d+)"#, #"/people/(\d+)/"#, #"(?:.*)/([^/]+)"#])
  func ofATransformerIsFree(_ pattern: String) throws {
    let fixture = try Fixture("Word\n  id: integer64\n  text: string")
    var model = fixture.store.model
    let calls = [TransformerCall.regex(pattern)]
    model.entities[0].attributes[1].userInfo["broker.transformer"] = calls[0].text
    let words = (0..<20_000).map { #"{"id": \#($0), "text": "https://api.example.com/people/\#($0)/12"}"# }
    let other = try Fixture(model: model, entity: "Word").alone()
    #expect(try other.load("[" + words.joined(separator: ",") + "]").issueCount == 0)
    #expect(try other.rows("SELECT count(text) FROM Word") == ["20000"])
  }

  @Test func ofATransformerThatBacktracksIsBounded() throws {
    let fixture = try Fixture("Word\n  id: integer64\n  text: string")
    var model = fixture.store.model
    model.entities[0].attributes[1].userInfo["broker.transformer"] = TransformerCall.regex("(a(?:a+)+)b").text
    let slow = String(repeating: "a", count: 40)
    let words = (0..<400).map { #"{"id": \#($0), "text": "\#(slow)"}"# }
    let other = try Fixture(model: model, entity: "Word").alone()
    let report = try other.load("[" + words.joined(separator: ",") + "]")
    #expect(report.issueCount == 400)
    #expect(report.issues.first?.expected.contains("without more work") == true)
  }

  @Test func inAPredicate() throws {
    let fixture = try Fixture("Word\n  id: integer64\n  text: string", entity: "Word")
    try fixture.load(#"[{"id": 1, "text": "\#(String(repeating: "a", count: 40))"}]"#)
    let error = #expect(throws: StoreError.self) { try fixture.found("Word", "text MATCHES '(a+)+b'") }
    #expect(error?.description.contains("too many steps") == true)
    #expect(try fixture.found("Word", "text MATCHES 'a+'") == ["1"])
  }
}

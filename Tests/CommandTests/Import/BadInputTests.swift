import Foundation
import Testing

/// Each refusal has its message, status 1, and a store that is as it was, byte for byte.
@Suite("Bad input")
struct BadInputTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.makeStore()
  }

  private let intoShops = ["--entity", "Shop", "--store", "store.sqlite"]

  // MARK: - What is no JSON

  @Test(
    "broken JSON: what, and where",
    arguments: [
      (
        "truncated", #"[{"id": 3, "name": "Fopp""#,
        "the JSON ends where ',' or '}' was expected at line 1, column 26 (byte 25)"
      ),
      (
        "truncated in a string", "[\n  {\"id\": 3, \"name\": \"Fo",
        "the JSON ends where the end of a string was expected at line 2, column 24 (byte 25)"
      ),
      (
        "a stray byte", "[{\"id\": 3,, \"name\": \"Fopp\"}]",
        "found ',' where a key was expected at line 1, column 11 (byte 10)"
      ),
      (
        "a stray byte after the end", "[{\"id\": 3, \"name\": \"Fopp\"}]]",
        "found more after the end of the JSON value at line 1, column 28 (byte 27)"
      ),
      (
        "an unquoted key", "[{id: 3}]",
        "found 'i' where a key or '}' was expected at line 1, column 3 (byte 2)"
      ),
      (
        "a web page", "<html><body>502</body></html>",
        "found '<' where a value was expected at line 1, column 1 (byte 0)"
      ),
      ("an empty file", "", "there is no JSON: the input is empty at line 1, column 1 (byte 0)"),
      ("only white space", " \n ", "there is no JSON: the input is empty at line 2, column 2 (byte 3)"),
    ])
  func brokenJSON(_ name: String, _ json: String, _ message: String) throws {
    try folder.write(json, to: "bad.json")
    try folder.refused(
      ["bad.json"] + intoShops, because: "bad.json is not valid JSON: \(message). Nothing was changed.")
    try folder.refused(
      ["-"] + intoShops, input: json,
      because: "standard input is not valid JSON: \(message). Nothing was changed.")
  }

  @Test("bytes that are not UTF-8")
  func invalidUTF8() throws {
    try folder.write(
      Data(#"[{"id": 3, "name": "F"#.utf8) + [0xFF, 0xFE] + Data(#""}]"#.utf8), to: "bad.json")
    let before = folder.store()
    let outcome = try broker(["import", "bad.json"] + intoShops, in: folder)
    #expect(outcome.status == 1)
    #expect(
      outcome.error.contains("bad.json is not valid JSON: found bytes that are not UTF-8 at line 1, column 2")
    )
    #expect(folder.store() == before)
  }

  @Test(
    "10,000 levels of nesting",
    arguments: [
      ("", "[", "", "]", "", 512),
      ("", "{\"a\":", "1", "}", "", 2560),
      ("[{\"id\":3,\"name\":", "[", "", "]", "}]", 526),
      ("[", "{\"id\":1,\"records\":[{\"id\":1,\"shop\":", "1", "}]}", "]", nil),
    ])
  func deep(
    _ start: String, _ open: String, _ middle: String, _ close: String, _ end: String, _ offset: Int?
  ) throws {
    let json =
      start + String(repeating: open, count: 10_000) + middle + String(repeating: close, count: 10_000) + end
    let before = folder.store()
    let outcome = try broker(["import", "-"] + intoShops, input: json, in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("found arrays and objects nested more than 512 deep at line 1"))
    if let offset { #expect(outcome.error.contains("(byte \(offset))")) }
    #expect(folder.store() == before)
  }

  @Test("a key of 1 MB is a key that matches nothing")
  func longKey() throws {
    let key = String(repeating: "k", count: 1_000_000)
    let outcome = try broker(
      ["import", "-", "--format", "json"] + intoShops, input: #"[{"id": 3, "name": "Fopp", "\#(key)": 1}]"#,
      in: folder)
    #expect(outcome.status == 0)
    let report = try outcome.report()
    #expect(report.inserted == ["Shop": 1])
    #expect(report.unmatchedKeys["Shop"]?.values.reduce(0, +) == 1)
    #expect(outcome.output.utf8.count < 1_000, "the report does not repeat it")
  }

  @Test("an identity of 1 MB is shortened in messages")
  func longValue() throws {
    let text = String(repeating: "9", count: 1_000_000)
    let outcome = try broker(
      ["import", "-"] + intoShops, input: #"[{"id": "\#(text)", "name": "Fopp"}]"#, in: folder)
    #expect(outcome.status == 3)
    #expect(outcome.output.utf8.count < 1_000)
  }

  @Test(
    "JSON whose keys match nothing at all",
    arguments: [[], ["--entity", "Shop"]],
    ["{}", #"{"foo": 1}"#, #"{"data": [{"id": 3, "name": "Fopp"}]}"#, #"{"data": {"shops": []}}"#])
  func strangeObject(_ entity: [String], _ json: String) throws {
    let before = try folder.contents()
    let outcome = try broker(["import", "-", "--store", "store.sqlite"] + entity, input: json, in: folder)
    #expect(outcome.status == (entity.isEmpty ? 1 : 3))
    #expect(!outcome.error.contains("Fatal error"))
    #expect(try folder.contents() == before)
  }

  @Test(
    "a scalar where objects were expected",
    arguments: [("\"text\"", "\"text\""), ("null", "null"), ("7", "7")])
  func scalar(_ json: String, _ found: String) throws {
    try folder.refused(
      ["-"] + intoShops, input: json,
      because: "standard input has \(found) where an object or a list of objects was expected."
        + " Nothing was changed.")
  }

  // MARK: - What is no input

  @Test("a file that is not there, and a folder without files")
  func noFile() throws {
    try folder.refused(
      ["absent.json"] + intoShops, because: "absent.json cannot be read: No such file or directory.")
    try folder.makeFolder("folder.json")
    try folder.refused(
      ["folder.json"] + intoShops,
      because: "There are no files of JSON, JSON Lines, CSV or TSV in folder.json. Nothing was changed.")
  }

  // MARK: - Names

  @Test(
    "an entity that does not exist",
    arguments: [
      ("Shpo", "There is no entity Shpo. Did you mean Shop?"),
      ("shops", "There is no entity shops. Did you mean Shop?"),
      ("RECORD", "There is no entity RECORD. Did you mean Record?"),
      ("Xylophone", "There is no entity Xylophone. The model has Record, Shop."),
    ])
  func entity(_ name: String, _ message: String) throws {
    try folder.refused(["-", "--entity", name, "--store", "store.sqlite"], input: "[]", because: message)
  }

  @Test("an entity that nothing tells")
  func noEntity() throws {
    try folder.refused(
      ["-", "--store", "store.sqlite"], input: "[]",
      because:
        "It is not clear which entity the objects of standard input are. The model has Record, Shop. Add --entity"
        + " NAME; or --at KEY.PATH, if the objects lie deeper.")
  }

  @Test("a path to nothing")
  func noPath() throws {
    try folder.refused(
      ["-", "--at", "data.shops"] + intoShops, input: #"{"data": {"shop": [], "page": 1}}"#,
      because: "standard input has nothing at data.shops: there is no key shops, only shop, page.")
  }

  @Test("a date format that is none")
  func dateFormat() throws {
    try folder.refused(
      ["-", "--dates", "qqq"] + intoShops, input: "[]",
      because: "The date format qqq cannot be read: use auto, seconds, milliseconds, or pattern letters as in"
        + " yyyy/MM/dd HH:mm:ss ZZZZZ.")
  }

  // MARK: - Values

  @Test(
    "a value that does not fit: left out, or the end of a strict import",
    arguments: [
      (#""floors": 70000"#, "floors", "a whole number from -32768 to 32767", "70000"),
      (#""floors": 1.5"#, "floors", "a whole number from -32768 to 32767", "1.5"),
      (#""floors": [1]"#, "floors", "a whole number from -32768 to 32767", "a list"),
      (#""rating": "good""#, "rating", "a number", "\"good\""),
      (#""rating": 1e999"#, "rating", "a number", "1e999"),
      (#""opened": "tomorrow""#, "opened", "a date", "\"tomorrow\""),
      (#""records": 1.5"#, "records", "a list", "1.5"),
    ])
  func values(_ member: String, _ key: String, _ expected: String, _ found: String) throws {
    let json = #"[{"id": 3, "name": "Fopp", \#(member)}]"#
    let before = folder.store()
    let strict = try broker(["import", "--strict"] + intoShops, input: json, in: folder)
    #expect(strict.status == 1)
    #expect(strict.output == "")
    #expect(strict.error.hasPrefix("Error: $[0].\(key): expected \(expected)"), "\(strict.error)")
    #expect(
      strict.error.hasSuffix(
        "found \(found); value left out (Shop 3). The import is strict, so nothing was changed.\n"),
      "\(strict.error)")
    #expect(folder.store() == before)

    let lenient = try broker(["import", "--format", "json"] + intoShops, input: json, in: folder)
    #expect(lenient.status == 3)
    let report = try lenient.report()
    #expect(report.inserted == ["Shop": 1])
    #expect(report.issues.count == 1)
    #expect(report.issues.first?.path == "$[0].\(key)")
    #expect(report.issues.first?.identity == "3")
    #expect(report.issues.first?.key == key)
    #expect(report.issues.first?.found == found)
    #expect(report.issues.first?.action == "value left out")
  }

  @Test("an object where a string belongs is kept as JSON text; a strict import refuses it")
  func objectForString() throws {
    let json = #"[{"id": 3, "name": {"first": "Fo", "last": [1, 2.50]}}]"#
    try folder.refused(
      ["-", "--strict"] + intoShops, input: json,
      because:
        "$[0].name: expected a string, found an object; kept as JSON text (Shop 3). The import is strict,"
        + " so nothing was changed.")
    let outcome = try broker(["import", "-", "--format", "json"] + intoShops, input: json, in: folder)
    #expect(outcome.status == 3)
    #expect(try outcome.report().issues.first?.action == "kept as JSON text")
    let name = try broker(
      "query", "Shop", "--store", "store.sqlite", "--select", "name", "--sort=-id", "--limit", "1",
      "--format",
      "csv", in: folder)
    #expect(name.output.contains(#""{""first"":""Fo"",""last"":[1,2.50]}""#), "\(name.output)")
  }

  @Test("a reference that is not there, where that is an error")
  func references() throws {
    try folder.refused(
      ["-", "--entity", "Record", "--references", "error", "--store", "store.sqlite"],
      input: #"[{"id": 1, "shop": 99}]"#,
      because: "Record 1 refers by shop to Shop 99, which is not there. Nothing was changed.")
  }

  // MARK: - Where output goes

  @Test(
    "an output that takes nothing more",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: [
      ["import", "-", "--entity", "Shop", "--store", "store.sqlite"],
      ["query", "Shop", "--store", "store.sqlite"],
      ["query", "Shop", "--store", "store.sqlite", "--format", "json"],
      ["export", "Shop", "--store", "store.sqlite"],
    ])
  func fullOutput(_ arguments: [String]) throws {
    let running = try RunningBroker(arguments, in: folder, input: .file("[]"), outputTo: "/dev/full")
    let outcome = try running.finish()
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("No space left on device"))
    #expect(!outcome.error.contains("Fatal error"))
    #expect(!outcome.error.contains("SourceError("))
  }
}

import Foundation
import Testing

/// What `broker import` reads besides JSON in UTF-8.
@Suite("Input")
struct InputTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.makeStore()
  }

  private func importing(_ arguments: String..., input: String = "") throws -> Outcome {
    try broker(["import", "--store", "store.sqlite"] + arguments, input: input, in: folder)
  }

  /// Replaces a file by what a program of the system makes of it.
  private func run(_ program: String, _ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = folder.url
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  private func shops() throws -> String {
    try broker(
      "query", "Shop", "--select", "id,name", "--format", "csv", "--store", "store.sqlite", in: folder
    )
    .output
  }

  @Test("gzip from a file, from standard input and from a pipe, in any number of members")
  func gzip() throws {
    try folder.write(#"[{"id": 1, "name": "One"}]"#, to: "shops.json")
    try folder.write(#"{"id": 2, "name": "Two"}"#, to: "second.json")
    try run("gzip", "shops.json", "second.json")
    try folder.write(try folder.data("shops.json.gz") + folder.data("second.json.gz"), to: "both.jsonl.gz")
    #expect(try importing("shops.json.gz").status == 0)
    let outcome = try importing("both.jsonl.gz", "--entity", "Shop", "--format", "json")
    #expect(outcome.status == 0)
    #expect(try shops() == "id,name\r\n1,One\r\n2,Two\r\n")
    let pipe = try RunningBroker(
      ["import", "-", "--entity", "Shop", "--store", "store.sqlite", "--receive-first"], in: folder,
      input: .pipe)
    for byte in try folder.data("shops.json.gz") {
      try pipe.input.fileHandleForWriting.write(contentsOf: [byte])
    }
    try pipe.input.fileHandleForWriting.close()
    #expect(try pipe.finish().status == 0)
  }

  @Test("broken gzip is an error with the byte, and nothing is changed")
  func brokenGzip() throws {
    try folder.write(#"[{"id": 1, "name": "One"}]"#, to: "shops.json")
    try run("gzip", "shops.json")
    let whole = try folder.data("shops.json.gz")
    try folder.write(whole.dropLast(9), to: "shops.json.gz")
    let outcome = try importing("shops.json.gz")
    #expect(outcome.status == 1)
    #expect(
      outcome.error
        == "Error: shops.json.gz cannot be read: its gzip data ends too early, after \(whole.count - 9) bytes."
        + " Nothing was changed.\n")
  }

  @Test("a dictionary of values is one of objects, however long it is", arguments: [2_000, 65_000])
  func longDictionaries(_ count: Int) throws {
    let pairs = (0..<count).map { #""k\#($0)": \#($0)"# }
    try folder.write("{" + pairs.joined(separator: ",") + "}", to: "prices.json")
    let taken = try broker(
      "import", "prices.json", "--store", "prices.sqlite", "--format", "json", in: folder)
    #expect(taken.status == 0, "\(taken.error)")
    #expect(try taken.report().inserted == ["Price": count])
    let again = try broker(
      "import", "prices.json", "--store", "prices.sqlite", "--format", "json", in: folder)
    #expect(try again.report().unchanged == ["Price": count])
  }

  @Test("the size of an input can be limited")
  func limits() throws {
    let json = #"[{"id": 1, "name": "One"}]"#
    #expect(try importing("-", "--entity", "Shop", "--max-input", "1kB", input: json).status == 0)
    let outcome = try importing("-", "--entity", "Shop", "--max-input", "10", input: json)
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("it has more than 10 bytes of text; that is the limit"))
    #expect(try importing("-", "--max-input", "10XB").status == 64)
    #expect(try importing("-", "--max-ratio", "0").status == 64)
  }

  @Test("UTF-16 with a byte order mark")
  func utf16() throws {
    let text = #"[{"id": 1, "name": "Plätze 😀"}]"#
    for encoding in [String.Encoding.utf16BigEndian, .utf16LittleEndian] {
      try folder.write(try #require("\u{FEFF}\(text)".data(using: encoding)), to: "shops.json")
      #expect(try importing("shops.json").status == 0)
      #expect(try shops().contains("1,Plätze 😀"))
    }
  }

  @Test("values one after another on a line, and behind record separators")
  func concatenated() throws {
    let json =
      "{\"id\": 1, \"name\": \"One\"}{\"id\": 2, \"name\": \"Two\"}\n\u{1E}{\"id\": 1, \"name\": \"Eins\"}\n"
    #expect(try importing("-", "--entity", "Shop", input: json).status == 0)
    #expect(try shops() == "id,name\r\n1,Eins\r\n2,Two\r\n")
  }

  @Test("a table by its name, with the line in issues")
  func table() throws {
    try folder.write("id,name,floors\n1,One,2\n2,Two,many\n", to: "shops.csv")
    let outcome = try importing("shops.csv")
    #expect(outcome.status == 3)
    #expect(outcome.output.contains("shops.csv:3: $.floors  expected"))
    try run("gzip", "shops.csv")
    #expect(try importing("shops.csv.gz").status == 3)
    try folder.write("id\tname\n1\tEins\n", to: "shops.tsv")
    #expect(try importing("shops.tsv").status == 0)
    #expect(try shops() == "id,name\r\n1,Eins\r\n2,Two\r\n")
  }

  @Test("a table by an option")
  func tableByOption() throws {
    let options = ["--entity", "Shop", "--store", "store.sqlite"]
    for (more, input) in [
      (["--input-format", "csv"], "id;name\n1;A\n"), (["--input-format", "tsv"], "id\tname\n1\tA\n"),
      (["--separator", "|"], "id|name\n1|A\n"), (["--separator", "tab"], "id\tname\n1\tA\n"),
    ] {
      #expect(try broker(["import", "-"] + options + more, input: input, in: folder).status == 0)
    }
    #expect(try shops().hasPrefix("id,name\r\n1,A\r\n"))
    let explained = try broker(
      "explain", "-", "--input-format", "csv", "--entity", "Shop", "--store", "store.sqlite",
      input: "id,nmae\n1,x\n", in: folder)
    #expect(explained.output.contains("nmae"))
    #expect(try importing("-", "--separator", "||").status == 64)
    #expect(try importing("-", "--separator", ";", "--input-format", "json").status == 64)
  }

  @Test("what a query prints as CSV is imported again")
  func queriedTable() throws {
    let csv = try broker(
      "query", "Shop", "--select", "id,name,floors", "--format", "csv", "--store", "store.sqlite", in: folder
    ).output
    let outcome = try importing(
      "-", "--entity", "Shop", "--input-format", "csv", "--format", "json", input: csv)
    #expect(try outcome.report().unchanged == ["Shop": 2])
  }

  @Test("a broken quote is an error with the line and the column")
  func brokenQuote() throws {
    try folder.write("id,name\n1,\"One\n", to: "shops.csv")
    let outcome = try importing("shops.csv")
    #expect(outcome.status == 1)
    #expect(
      outcome.error
        == "Error: shops.csv cannot be read: the quote that begins a field is never closed at line 2, column 3"
        + " (byte 10). Nothing was changed.\n")
  }

  @Test("folders and patterns are one import of all their files")
  func folders() throws {
    try folder.makeFolder("data/shops")
    try folder.write(#"{"id": 1, "name": "A"}"#, to: "data/shops/1.json")
    try folder.write(#"{"id": 3, "name": "C"}"#, to: "data/shops/3.json")
    #expect(try importing("data").status == 0)
    #expect(try importing("data/**/[1-3].json").status == 0)
    #expect(try shops() == "id,name\r\n1,A\r\n2,Amoeba\r\n3,C\r\n")
    let none = try importing("data/*.json")
    #expect(none.status == 1)
    #expect(none.error == "Error: No file matches data/*.json. Nothing was changed.\n")
    try folder.makeFolder("empty")
    #expect(
      try importing("empty").error.contains("There are no files of JSON, JSON Lines, CSV or TSV in empty."))
    #expect(try importing("data", "--onto", "Shop/1").status == 64)
    try folder.write(#"{"id": 1, "name": "#, to: "data/shops/2.json")
    let broken = try importing("data", "--format", "json")
    #expect(broken.error.contains("data/shops/2.json is not valid JSON"))
  }
}

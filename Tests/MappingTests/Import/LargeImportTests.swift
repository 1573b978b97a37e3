import Foundation
import Mapping
import ObjectStore
import Testing

/// Large input is read on a thread of its own, in batches: the outcome is that of small input.
@Suite struct LargeImportTests {
  private let bands = """
    Band
      id: integer64
      name: string!
      formed: integer16
      label: Label
      albums: [Album] <- band | ordered
      tags: [Tag]
    Label
      id: integer64
      name: string
    Album
      id: integer64
      title: string
      band: Band <- albums
    Tag
      name: string
    """

  /// Bands, some of them with something wrong.
  private func json(_ count: Int, padding: Int = 0) -> String {
    let records = (0..<count).map { number -> String in
      let name =
        number % 97 == 5 ? "null" : "\"Band \(number) \(String(repeating: "é", count: number % 50))\""
      let formed = number % 53 == 7 ? "\"long ago\"" : "\(number % 3000)"
      return """
        {"id": \(number % (count - 10)), "name": \(name), "formed": \(formed),
         "label": {"id": \(number % 31), "name": "Label \(number % 31)"},
         "albums": [{"id": \(number * 2), "title": "x"}, \(number * 2 + 1)],
         "tags": [{"name": "t"}], "foo": 1}
        """
    }
    return "[" + String(repeating: " ", count: padding) + records.joined(separator: ",") + "]"
  }

  private func outcome(_ json: String) throws -> (report: Report, contents: [String]) {
    let fixture = try Fixture(bands, entity: "Band").large()
    var report = try fixture.load(json)
    report.seconds = 0
    report.bytes = 0
    return (report, try fixture.contents())
  }

  @Test func theThreadMakesNoDifference() throws {
    let small = json(300)
    #expect(small.utf8.count < 1 << 17)
    let (report, contents) = try outcome(small)
    let (paddedReport, paddedContents) = try outcome(json(300, padding: 1 << 18))
    #expect(report == paddedReport)
    #expect(contents == paddedContents)
    #expect(report.issueCount == 4 + 6)
  }

  @Test func batchesMakeNoDifference() throws {
    let whole = json(3000)
    let (report, contents) = try outcome(whole)
    #expect(report.issueCount == report.issues.count)
    #expect(report.places == report.places.sorted { Self.index($0) < Self.index($1) })
    // The same records line by line.
    let lines = whole.dropFirst().dropLast().replacing("},{", with: "}\n{")
    let (linesReport, linesContents) = try outcome(String(lines))
    #expect(linesContents == contents)
    #expect(linesReport.counts == report.counts)
  }

  /// The number of the record that a path begins with.
  private static func index(_ path: String) -> Int { Int(path.dropFirst(2).prefix { $0.isNumber }) ?? -1 }

  @Test func strictStopsInAThreadToo() throws {
    let fixture = try Fixture(bands, entity: "Band").large()
    let error = #expect(throws: ImportError.self) { try fixture.load(json(3000)) { $0.isStrict = true } }
    #expect(error?.issue?.path == "$[5].name")
    #expect(try fixture.rows("SELECT count(*) FROM Band") == ["0"])
  }

  @Test func aLongValueIsNoObstacle() throws {
    let fixture = try Fixture(bands, entity: "Band").large()
    let name = String(repeating: "ü\\n", count: 2_000_000)
    let report = try fixture.load("[{\"id\": 1, \"name\": \"\(name)\"}, {\"id\": 2, \"name\": \"b\"}]")
    #expect(report.counts == "Band +2")
    #expect(try fixture.rows("SELECT length(name) FROM Band ORDER BY id") == ["4000000", "1"])
  }

  @Test func anObjectWithManyPartsIsNoObstacle() throws {
    let fixture = try Fixture(bands, entity: "Band").large()
    let albums = (0..<15_000).map { "{\"id\": \($0), \"title\": \"t\"}" }.joined(separator: ",")
    let json = "{\"id\": 1, \"name\": \"a\", \"albums\": [\(albums)]}"
    #expect(try fixture.load(json).counts == "Album +15000, Band +1")
    let writes = try fixture.writes()
    #expect(try fixture.load(json).counts == "Album =15000, Band =1")
    #expect(try fixture.writes() == writes)
  }

  @Test func aPipeIsReadAsItComes() throws {
    let fixture = try Fixture(bands, entity: "Band").large()
    let pipe = Pipe()
    let data = Data(json(3000).utf8)
    Thread {
      for start in stride(from: 0, to: data.count, by: 7777) {
        pipe.fileHandleForWriting.write(data[start..<min(start + 7777, data.count)])
      }
      try? pipe.fileHandleForWriting.close()
    }.start()
    let report = try Importer(fixture.store, fixture.options)
      .run([.descriptor(pipe.fileHandleForReading.fileDescriptor)])
    #expect(report.bytes == data.count)
    #expect(try fixture.contents() == outcome(json(3000)).contents)
  }
}

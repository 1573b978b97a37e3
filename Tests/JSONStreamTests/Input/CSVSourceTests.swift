import TestSettings
import Testing

@testable import JSONStream

@Suite struct CSVSourceTests {
  private func json(
    _ csv: String, separator: Character? = nil, step: Int = .max, notes: TableNotes = TableNotes()
  ) throws(SourceError) -> String {
    let source = CSVSource(
      DrippingSource(Array(csv.utf8), step: step), separator: separator?.asciiValue, notes: notes)
    return String(decoding: try read(source, room: step < 100 ? 7 : 1 << 12), as: UTF8.self)
  }

  @Test(arguments: [
    ("", "[]"), ("a", "[]"), ("a\n", "[\n]"), ("a\n1", #"[\#n{"a":"1"}]"#),
    ("a,b\n1,2\n3,4\n", "[\n{\"a\":\"1\",\"b\":\"2\"}\n,{\"a\":\"3\",\"b\":\"4\"}\n]"),
    ("a,b\r\n1,2\r\n", "[\n{\"a\":\"1\",\"b\":\"2\"}\n]"), ("a,b\r1,2\r", "[\n{\"a\":\"1\",\"b\":\"2\"}\n]"),
    // Empty fields, and empty texts
    ("a,b,c\n,\"\",x", "[\n{\"a\":null,\"b\":\"\",\"c\":\"x\"}]"), ("a\n\n1\n\n", "[\n\n{\"a\":\"1\"}\n\n]"),
    ("a,b\n,", "[\n{\"a\":null,\"b\":null}]"),
    // Rows with too few fields
    ("a,b,c\n1\n1,2", "[\n{\"a\":\"1\"}\n,{\"a\":\"1\",\"b\":\"2\"}]"),
    // Quotes
    (#"a\#n"x,y""#, #"[\#n{"a":"x,y"}]"#), ("a\n\"x \"\"y\"\"\"", #"[\#n{"a":"x \"y\""}]"#),
    (
      "a,b\n\"1\n2\r\n3\",4\n5,6",
      "[\n{\"a\":\"1\\u000a2\\u000d\\u000a3\",\"b\":\"4\"}\n\n\n,{\"a\":\"5\",\"b\":\"6\"}]"
    ),
    ("a\nx\"y\"z", #"[\#n{"a":"x\"y\"z"}]"#), ("a\n\\\t", "[\n{\"a\":\"\\\\\\u0009\"}]"),
    ("\"a\"\"b\",c\n1,2", #"[\#n{"a\"b":"1","c":"2"}]"#),
    // Separators
    ("a;b\n1;2,3", #"[\#n{"a":"1","b":"2,3"}]"#), ("a\tb\n1\t2", #"[\#n{"a":"1","b":"2"}]"#),
    ("\"a;b;c\",d\n1,2", #"[\#n{"a;b;c":"1","d":"2"}]"#),
    // A byte order mark, and names with space around them
    ("\u{FEFF}a, b \n1,2", #"[\#n{"a":"1","b":"2"}]"#),
    // Key paths
    (
      "id,band.name,x,band.label.id,band.formed\n1,a,b,c,d\n2,,b,,\n3,,b\n4",
      #"[\#n{"id":"1","band":{"name":"a","label":{"id":"c"},"formed":"d"},"x":"b"}\#n"#
        + #",{"id":"2","band":null,"x":"b"}\#n,{"id":"3","band":null,"x":"b"}\#n,{"id":"4"}]"#
    ),
    ("a.b,a.c\n,1", #"[\#n{"a":{"b":null,"c":"1"}}]"#), ("a.b,a\n1,2", #"[\#n{"a":"2","a":{"b":"1"}}]"#),
    ("a..b,.c,St. Name\n1,2,3", #"[\#n{"a..b":"1",".c":"2","St. Name":"3"}]"#),
    // Of two columns with one name the last counts
    ("a,b,a\n1,2,3", #"[\#n{"b":"2","a":"3"}]"#),
  ])
  func becomesObjects(_ csv: String, _ expected: String) throws {
    for step in [Int.max, 1, 2, 3, 5] {
      #expect(try json(csv, step: step) == expected, "in steps of \(step)")
    }
  }

  @Test func aSeparatorThatIsToldCounts() throws {
    #expect(try json("a,b|c\n1,2|3", separator: "|") == #"[\#n{"a,b":"1,2","c":"3"}]"#)
  }

  @Test(arguments: [
    ("a,b\n1,\"2", "the quote that begins a field is never closed at line 2, column 3 (byte 6)"),
    (
      "a,b\n\"1\n2\",\"é\"x", "there is more behind the quote that ends a field at line 3, column 7 (byte 14)"
    ),
    ("a\r\n\r\n\"\r\nx\"y", "there is more behind the quote that ends a field at line 4, column 3 (byte 10)"),
  ])
  func brokenQuotesAreErrorsWithAPlace(_ csv: String, _ message: String) {
    for step in [Int.max, 1, 2, 3] {
      let error = #expect(throws: SourceError.self) { try json(csv, step: step) }
      #expect(error?.message == message)
      #expect(error?.place.map { message.hasSuffix("\($0)") } == true)
    }
  }

  @Test func notesTellOfValuesWithoutAColumn() throws {
    let notes = TableNotes()
    _ = try json("a,,b,a\n1,,2,3\n4,5,6,7,8,9\n\n1,x,1,1\n1,2,3,4,,,\n", notes: notes)
    var told: [String] = []
    while let note = notes.take(upTo: .max) {
      told.append("\(note.line): \(note.expected), \(note.found): \(note.action)")
    }
    #expect(
      told == [
        "1: one column a, several: the last one was used",
        "3: a name for each column, none for column 2: column left out", "3: 4 fields, 6: the rest left out",
      ])
  }

  @Test func notesWaitForTheirLine() throws {
    let notes = TableNotes()
    _ = try json("a\n1\n2,3\n", notes: notes)
    #expect(notes.take(upTo: 2) == nil)
    #expect(notes.take(upTo: 3)?.line == 3)
    #expect(notes.take(upTo: 4) == nil)
  }

  /// Random tables, written with random quotes, separators and line ends, are read as what was written, and each row on
  /// its line.
  @Test(arguments: 1...60)
  func randomTables(_ seed: Int) throws {
    var random = Seeded(state: UInt64(seed))
    let pieces = ["a", "é", "😀", "\"", ",", ";", "\t", "\n", "\r\n", "\\", "\u{1}", " ", "null", "1", "."]
    func text() -> String {
      (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
    }
    let separator = [",", ";", "\t"].randomElement(using: &random) ?? ","
    let lineEnd = ["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n"
    let columns = (0..<Int.random(in: 2...5, using: &random)).map { "c\($0)" }
    var csv = columns.joined(separator: separator) + lineEnd
    var expected: [(line: Int, values: [String?])] = []
    var line = 2
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      var fields: [String] = []
      var values: [String?] = []
      for _ in columns {
        let value = Int.random(in: 0..<5, using: &random) == 0 ? nil : text()
        values.append(value)
        let needsQuotes =
          value.map { $0.isEmpty || $0.unicodeScalars.contains { "\"\n\r,;\t".unicodeScalars.contains($0) } }
          ?? false
        let isQuoted = value != nil && (needsQuotes || Bool.random(using: &random))
        fields.append(isQuoted ? "\"\((value ?? "").replacing("\"", with: "\"\""))\"" : value ?? "")
      }
      expected.append((line, values))
      let row = fields.joined(separator: separator)
      csv += row + lineEnd
      line += 1 + row.utf8.count(where: { $0 == 0x0A })
    }
    for step in [Int.max, 1, Int.random(in: 2...40, using: &random)] {
      let found = try rows(try json(csv, separator: separator.first, step: step), columns)
      #expect(found.map(\.values) == expected.map(\.values))
      #expect(found.map(\.line) == expected.map(\.line))
    }
  }

  /// Whatever a table holds, it is an error or becomes JSON, however it comes.
  @Test(arguments: 1...60)
  func anyTextIsAnErrorOrBecomesJSON(_ seed: Int) throws {
    var random = Seeded(state: UInt64(seed))
    let pieces = [
      "a", "b.c", "b.d", "\"", "\"", ",", ",", ";", "\t", "\n", "\n", "\r", "\\", "\u{0}", "\u{1F}", ".", " ",
      "é",
    ]
    for _ in 0..<50 {
      let count = Int.random(in: 0...60, using: &random)
      let csv = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let whole = Result { try json(csv) }
      let pieces = Result { try json(csv, step: Int.random(in: 1...5, using: &random)) }
      switch (whole, pieces) {
      case (.success(let text), .success(let other)):
        #expect(text == other)
        #expect(complaint(about: Array(text.utf8)) == nil, "\(csv)")
      case (.failure(let error as SourceError), .failure(let other as SourceError)): #expect(error == other)
      default: Issue.record("differs by its pieces: \(csv)")
      }
    }
  }

  /// The lines and the values of the objects in a list.
  private func rows(_ json: String, _ columns: [String]) throws -> [(line: Int, values: [String?])] {
    var reader = JSONReader(MemorySource(Array(json.utf8)))
    var rows: [(line: Int, values: [String?])] = []
    _ = try reader.next()
    while try reader.next() == .beginObject {
      rows.append((reader.line, []))
      while try reader.next() == .key {
        #expect(String(decoding: reader.text, as: UTF8.self) == columns[rows[rows.count - 1].values.count])
        let token = try reader.next()
        rows[rows.count - 1].values.append(
          token == .null ? nil : String(decoding: reader.text, as: UTF8.self))
      }
    }
    return rows
  }
}

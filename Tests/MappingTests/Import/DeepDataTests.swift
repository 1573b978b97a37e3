import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Data that nests deep, on a thread with little stack.
@Suite struct DeepDataTests {
  private static let chain = """
    Node
      id: integer64
      name: string
      next: Node <- previous
      previous: Node <- next
      children: [Node] <- parent | ordered
      parent: Node <- children
    """

  private static func nested(_ depth: Int, _ key: String, isList: Bool) -> String {
    var json = "{\"id\": \(depth), \"name\": \"last\"}"
    for id in (0..<depth).reversed() {
      json = "{\"id\": \(id), \"\(key)\": \(isList ? "[\(json)]" : json)}"
    }
    return json
  }

  @Test(arguments: [("next", false), ("children", true), ("parent", false)])
  func deepDocumentsAreImported(_ key: String, _ isList: Bool) throws {
    let count = try onSmallStack {
      let fixture = try Fixture(Self.chain)
      let depth = isList ? 250 : 500
      let report = try fixture.load(Self.nested(depth, key, isList: isList))
      #expect(report.problems == [])
      return try fixture.rows("SELECT count(*) FROM Node")
        + fixture.rows("SELECT count(*) FROM Node WHERE \(isList ? "parent" : key) IS NOT NULL")
    }
    #expect(count == (isList ? ["251", "250"] : ["501", "500"]))
  }

  @Test func partsOfPartsComeBackHoweverDeepTheyAre() throws {
    try onSmallStack {
      let notation = """
        Box
          name: string
          inner: Box
        Shelf
          id: integer64
          box: Box
        """
      var json = #"{"name": "0"}"#
      for number in 1...400 { json = #"{"name": "\#(number)", "inner": \#(json)}"# }
      let fixture = try Fixture(notation)
      try fixture.load(#"{"id": 1, "box": \#(json)}"#, as: "Shelf")
      let text = try Exporter(fixture.store).text(of: "Shelf")
      let copy = try Fixture(notation)
      let report = try copy.load(text, as: "Shelf")
      #expect(report.problems == [])
      #expect(try copy.rows("SELECT count(*) FROM Box") == ["401"])
      #expect(try Exporter(copy.store).text(of: "Shelf") == text)
      // Deleting the outermost takes all of them.
      try copy.load(#"{"id": 1, "box": null}"#, as: "Shelf")
      #expect(try copy.rows("SELECT count(*) FROM Box") == ["0"])
    }
  }

  @Test func nestedExportsEndInIdentities() throws {
    try onSmallStack {
      let notation = Self.chain + "\nStart\n  id: integer64\n  first: Node"
      let fixture = try Fixture(notation)
      let json = Self.nested(300, "next", isList: false)
      try fixture.load("{\"id\": 1, \"first\": \(json)}", as: "Start")
      let text = try fixture.exported("Start") { $0.relationships = .nested(depth: 1_000) }
      let copy = try Fixture(notation)
      #expect(try copy.load(text.joined(), as: "Start").problems == [])
      #expect(try copy.rows("SELECT count(*) FROM Node WHERE next IS NOT NULL") == ["199"])
    }
  }

  @Test func anyDepthThatIsAllowedIsRead() throws {
    let fixture = try Fixture(Self.chain)
    let report = try fixture.load(Self.nested(5_000, "next", isList: false)) { $0.maximumDepth = 6_000 }
    #expect(report.inserted == ["Node": 5_001])
  }
}

import Mapping
import ObjectModel
import ObjectStore
import Testing

/// The order in which reports list references that wait: the same on every engine, since ``Fixture`` compares them.
@Suite("The order of references that wait")
struct PendingOrderTests {
  private static let notation = """
    Band
      id: integer64
      name: string
      label: Label
      likes: [Band]
      albums: [Album] <- band
      home: Place
    Album | identityAttributes=title
      title: string
      band: Band <- albums
    Label
      id: string
    Place | identityAttributes=x,y
      x: integer16
      y: string
    """

  @Test("by the object that refers, whole numbers by their value, then by the relationship and its target")
  func order() throws {
    let fixture = try Fixture(Self.notation, entity: "Band")
    let report = try fixture.load(
      #"[{"id": 10, "label": "x", "likes": [20, 3]}, {"id": 9, "likes": [100], "home": "2,b"}, {"id": 2, "label": "y"}]"#
    )
    #expect(
      report.waiting == [
        "Band 2 label -> Label y", "Band 9 home -> Place 2,b", "Band 9 likes -> Band 100",
        "Band 10 label -> Label x", "Band 10 likes -> Band 3", "Band 10 likes -> Band 20",
      ])
    #expect(report.pendingCount == 6)
  }

  @Test("whatever was deleted and written in between, and whether rows come one by one or together")
  func afterDeletions() throws {
    let fixture = try Fixture(Self.notation, entity: "Band")
    let many = (1...400).map { #"{"id": \#($0), "name": "n", "label": "l\#($0 % 7)"}"# }
    try fixture.load("[\(many.joined(separator: ","))]")
    try fixture.load("[\(many.suffix(150).joined(separator: ","))]") { $0.prunes = true }
    let back = (1...300).reversed().map { number in
      let likes = number % 3 == 0 ? #", "likes": [\#(number + 1_000), \#(number + 900)]"# : ""
      return #"{"id": \#(number), "label": "l\#(number % 5)"\#(likes), "albums": ["a\#(number)"]}"#
    }
    let report = try fixture.load("[\(back.joined(separator: ","))]")
    let owners = report.pending.filter { $0.entity == "Band" }.compactMap { Int($0.identity) }
    #expect(owners == owners.sorted())
    #expect(Set(owners).count == 300)
  }

  @Test("of references that must not wait, the error names the first of that order")
  func errors() throws {
    let fixture = try Fixture(Self.notation, entity: "Band")
    let error = #expect(throws: ImportError.self) {
      try fixture.load(#"[{"id": 10, "label": "x"}, {"id": 9, "label": "y"}]"#) { $0.references = .error }
    }
    #expect(error?.description.contains("Band 9") == true, "\(String(describing: error))")
  }
}

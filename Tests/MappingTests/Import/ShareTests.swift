import Foundation
import JSONStream
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Imports of shares of an input, by several importers into one store.
@Suite struct ShareTests {
  private static let notation = """
    Band
      id: integer64
      name: string
      size: integer64
      labels: [Label] <- bands
      albums: [Album] <- band
    Album
      id: string
      band: Band <- albums
      tracks: [Track] <- album
    Track
      title: string
      album: Album <- tracks
    Label
      id: string
      bands: [Band] <- labels
    """

  private static func bands(_ count: Int) -> String {
    let objects = (0..<count).map { index in
      #"{"id": \#(index), "name": "b\#(index)", "labels": [{"id": "l\#(index % 5)"}], "#
        + #""albums": [{"id": "a\#(index)", "tracks": [{"title": "t\#(index)"}]}, "a\#((index + 1) % count)x"]}"#
    }
    return "[\(objects.joined(separator: ","))]"
  }

  /// All that a store has, whatever wrote it.
  private func exported(_ fixture: Fixture) throws -> [[String]] {
    try ["Band", "Album", "Label"].map { try fixture.exported($0) }
  }

  @Test(arguments: [1, 2, 7]) func sharesAreTheWhole(count: Int) throws {
    let whole = try Fixture(Self.notation, entity: "Band")
    try whole.load(Self.bands(60))
    let shared = try Fixture(Self.notation, entity: "Band")
    var inserted = 0
    for number in 1...count {
      shared.options.share = ImportShare(number, of: count)
      inserted += try shared.load(Self.bands(60)).inserted["Band"] ?? 0
    }
    #expect(inserted == 60)
    #expect(try exported(shared) == exported(whole))
  }

  @Test func everyShareHasSome() throws {
    let fixture = try Fixture(Self.notation, entity: "Band")
    let counts = try (1...4).map { number in
      fixture.options.share = ImportShare(number, of: 4)
      return try fixture.load(Self.bands(400)).inserted["Band"] ?? 0
    }
    #expect(counts.reduce(0, +) == 400)
    #expect(counts.allSatisfy { (60...140).contains($0) }, "\(counts)")
  }

  @Test("issues are those of the share's own objects, at their places")
  func issues() throws {
    let json =
      #"[{"id": 1, "size": "x"}, {"id": 2, "size": "x"}, {"id": 3, "size": "x"}, {"id": 4, "size": "x"}]"#
    var paths: [String] = []
    for number in 1...3 {
      let fixture = try Fixture(Self.notation, entity: "Band")
      fixture.options.share = ImportShare(number, of: 3)
      paths += try fixture.load(json).issues.map(\.path)
    }
    #expect(paths.sorted() == ["$[0].size", "$[1].size", "$[2].size", "$[3].size"])
  }

  @Test("objects without identity are dealt out by their places")
  func withoutIdentity() throws {
    let fixture = try Fixture("Note\n  text: string", entity: "Note")
    for number in 1...3 {
      fixture.options.share = ImportShare(number, of: 3)
      let report = try fixture.load(#"[{"text": "a"}, {"text": "b"}, {"text": "c"}, {"text": "d"}]"#)
      #expect(report.inserted["Note"] == (number == 2 ? 2 : 1))
    }
    #expect(try fixture.exported("Note").count == 4)
  }

  @Test func mistakes() throws {
    for text in ["0/3", "4/3", "3", "a/b", "1/0", "1/2/3", ""] {
      #expect(ImportShare(text) == nil, "\(text)")
    }
    #expect(ImportShare("2/3")?.description == "2/3")
    let fixture = try Fixture(Self.notation, entity: "Band")
    fixture.options.share = ImportShare(1, of: 2)
    fixture.options.prunes = true
    #expect(throws: ImportError.self) { try fixture.load(Self.bands(2)) }
  }
}

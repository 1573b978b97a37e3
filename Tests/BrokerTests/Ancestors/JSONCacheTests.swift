import Broker
import Foundation
import Testing

/// What JSONCache promised.
@Suite("The ancestor JSONCache: JSON staged, then applied to Core Data")
struct JSONCacheTests {
  private let model = Model(entities: [
    entity(
      "Band",
      [
        required("name", .string, ["JC.isIdentifier": "YES"]), optional("bandDescription", .string),
        optional("formed", .integer16), optional("hiatusSince", .date), optional("imageURL", .string),
      ],
      [
        Relationship(name: "albums", destination: "Album", inverse: "band", isToMany: true),
        Relationship(name: "members", destination: "BandMember", inverse: "band", isToMany: true),
      ]),
    entity(
      "Album",
      [
        required("name", .string, ["JC.isIdentifier": "true"]), optional("released", .date),
        optional("albumType", .string),
      ],
      [Relationship(name: "band", destination: "Band", inverse: "albums")]),
    entity(
      "BandMember", [required("id", .integer64), optional("instrument", .string)],
      [Relationship(name: "band", destination: "Band", inverse: "members")]),
  ])

  private func store() throws -> Store { try Store(path: ":memory:", model: model) }

  private let bands = #"{"bands": [{"name": "Japan", "formed": 1974, "description": "London"}]}"#
  private let albums =
    #"{"albums": [{"name": "Tin Drum", "band": "Japan"}, {"name": "Quiet Life", "band": "Japan"}]}"#
  private let members = #"{"band_members": [{"id": 1, "instrument": "bass", "band": "Japan"}]}"#

  @Test(
    "several entities are staged in any order and applied at once",
    arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]])
  func staging(_ order: [Int]) throws {
    let store = try store()
    let pieces = [bands, albums, members]
    let report = try Importer(store).run(order.map { .string(pieces[$0]) })
    #expect(report.inserted == ["Band": 1, "Album": 2, "BandMember": 1])
    #expect(report.pending == [] && report.issues == [])
    #expect(
      try Exporter.lines("Band", store) == [
        #"{"name":"Japan","description":"London","formed":1974,"albums":["Quiet Life","Tin Drum"],"members":[1]}"#
      ])
  }

  @Test("keys in snake and in camel case", arguments: ["image_url", "imageURL", "imageUrl", "ImageURL"])
  func keyStyles(_ key: String) throws {
    let store = try store()
    let report = try Importer(store).run([
      .string(#"{"bands": [{"name": "X", "\#(key)": "u", "hiatus_since": 0}]}"#)
    ])
    #expect(report.unmatchedKeys == [:])
    #expect(
      try Exporter.lines("Band", store) == [
        // As they came, where all came alike.
        key == "image_url"
          ? #"{"name":"X","hiatus_since":"1970-01-01T00:00:00Z","image_url":"u","albums":[],"members":[]}"#
          : #"{"name":"X","hiatusSince":"1970-01-01T00:00:00Z","imageURL":"u","albums":[],"members":[]}"#
      ])
  }

  @Test("reserved words are qualified with the entity's name, both ways")
  func reservedWords() throws {
    let store = try store()
    _ = try Importer(store).run([
      .string(#"{"bands": [{"name": "X", "description": "d"}], "albums": [{"name": "Y", "type": "live"}]}"#)
    ])
    #expect(try Exporter.lines("Band", store).first?.contains(#""description":"d""#) == true)
    #expect(try Exporter.lines("Album", store) == [#"{"name":"Y","type":"live"}"#])
  }

  @Test(
    "three formats of dates",
    arguments: [
      #""2013-06-15T12:30:00Z""#, #""2013-06-15T12:30:00.000+00:00""#, "1371299400", "1371299400000",
    ])
  func dates(_ date: String) throws {
    let store = try store()
    let report = try Importer(store).run([.string(#"{"albums": [{"name": "Y", "released": \#(date)}]}"#)])
    #expect(report.issues == [])
    // Texts go out as they came.
    let written = date.contains("+") ? date : #""2013-06-15T12:30:00Z""#
    #expect(try Exporter.lines("Album", store) == [#"{"name":"Y","released":\#(written)}"#])
  }

  @Test("identifiers by userInfo")
  func identifiers() throws {
    let store = try store()
    _ = try Importer(store).run([.string(albums)])
    let report = try Importer(store).run([.string(#"{"albums": [{"name": "Tin Drum", "type": "studio"}]}"#)])
    #expect(report.updated == ["Album": 1] && report.inserted == [:])
  }

  @Test("one object, or several, by identifier")
  func byIdentifier() throws {
    let store = try store()
    _ = try Importer(store).run([.string(albums)])
    let exporter = Exporter(store)
    let one = try exporter.text(of: "Album", identity: "Tin Drum")
    #expect(one.hasPrefix(#"{"name":"Tin Drum","released":null"#))
    #expect(try exporter.text(of: "Album", identity: "Gone") == "")
    let several = try ObjectPredicate(format: "name IN %@", [["Quiet Life", "Tin Drum", "Gone"]])
    let json = try exporter.text(of: "Album", where: several)
    let list = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    #expect(list?.map { $0["name"] as? String } == ["Quiet Life", "Tin Drum"])
  }

  private struct BandInfo: Encodable {
    var name = "Japan"
    var bandDescription = "London"
    var formed = 1974
    var hiatusSince = Date(timeIntervalSince1970: 375_926_400.5)
    var albums = ["Tin Drum"]
  }

  @Test("JSON from an object and from a plain struct is alike, and the struct can be applied")
  func structs() throws {
    let store = try store()
    #expect(
      try Exporter.text(of: BandInfo(), keys: .snake)
        == #"{"albums":["Tin Drum"],"band_description":"London","formed":1974,"hiatus_since":"1981-11-30T00:00:00.5Z","name":"Japan"}"#
    )
    var options = ImportOptions()
    options.entity = "Band"
    let report = try Importer(store, options).run([
      .value(BandInfo()), .value([BandInfo(name: "Dalis Car", albums: ["The Waking Hour"])]),
    ])
    #expect(report.inserted == ["Band": 2] && report.issues == [])
    options.target = .object(entity: "Band", identity: "Japan")
    _ = try Importer(store, options).run([.value(["formed": 1975])])
    var style = ExportOptions()
    style.keys = .snake
    style.includesNulls = false
    let object = try Exporter(store, style).text(of: "Band", identity: "Japan")
    #expect(
      object == """
        {"name":"Japan","description":"London","formed":1975,"hiatus_since":"1981-11-30T00:00:00.5Z",\
        "albums":["Tin Drum"],"members":[]}

        """)
  }
}

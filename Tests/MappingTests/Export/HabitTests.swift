import Foundation
import Mapping
import ObjectStore
import Testing

/// Exports are written as the JSON came, where the mapping does not say how.
@Suite struct HabitTests {
  private let bands = """
    Band
      id: integer64
      firstName: string
      imageURL: string
      hitAlbums: [Album] <- mainBand
    Album
      id: integer64
      outOn: date
      mainBand: Band <- hitAlbums
    """
  private let snake = #"""
    {"bands": [{"id": 1, "first_name": "a", "image_url": "u", "hit_album_ids": [5]}],
     "albums": [{"id": 5, "out_on": "1981-11-13", "main_band_id": 1}]}
    """#
  private let camel = #"{"bands": [{"id": 1, "firstName": "a", "imageURL": "u"}]}"#

  private func memory(_ fixture: Fixture) throws -> String? {
    try fixture.rows("SELECT value FROM broker_store WHERE key = 'json'").first
  }

  @Test func keysGoOutInTheStyleInWhichTheyCame() throws {
    let fixture = try Fixture(bands)
    #expect(try fixture.load(snake).problems == [])
    #expect(
      try fixture.exported("Band") == [#"{"id":1,"first_name":"a","image_url":"u","hit_albums":[5]}"#])
    #expect(
      try fixture.exported("Band") { $0.keys = .camel } == [
        #"{"id":1,"firstName":"a","imageURL":"u","hitAlbums":[5]}"#
      ])
    #expect(try fixture.exported("Album") == [#"{"id":5,"out_on":"1981-11-13","main_band":1}"#])
    // The last import that tells counts, for each entity by itself.
    try fixture.load(camel.replacing(#""a""#, with: #""b""#))
    #expect(try fixture.exported("Band")[0].contains("firstName"))
    #expect(try fixture.exported("Album")[0].contains("out_on"))
    try fixture.load(#"{"bands": [{"id": 2}]}"#)
    #expect(try fixture.exported("Band")[0].contains("firstName"))
    #expect(
      try fixture.exported("Band") { $0.keys = .snake }[0].contains("first_name"))
  }

  @Test func keysOfRelationshipsTellTheStyleToo() throws {
    let fixture = try Fixture(
      "Band\n  id: integer64\n  label: Label\n  homeTown: string\nLabel\n  id: integer64\n  name: string")
    try fixture.load(#"{"id": 1, "label_id": 3}"#, as: "Band")
    #expect(try fixture.exported("Band") == [#"{"id":1,"home_town":null,"label":3}"#])
  }

  @Test func subEntitiesHaveTheStyleOfTheirParents() throws {
    let fixture = try Fixture(
      "Media\n  id: integer64\n  longTitle: string\nPhoto : Media\n  imageWidth: integer16")
    try fixture.load(#"{"id": 1, "long_title": "x"}"#, as: "Media")
    try fixture.load(#"{"id": 2}"#, as: "Photo")
    #expect(try fixture.exported("Photo") == [#"{"id":2,"long_title":null,"image_width":null}"#])
  }

  @Test func whatTheMappingSaysStays() throws {
    let fixture = try Fixture(
      "Band\n  id: integer64\n  firstName: string | broker.key=GivenName\n  lastName: string", entity: "Band")
    try fixture.load(#"{"id": 1, "GivenName": "a", "last_name": "b"}"#)
    #expect(try fixture.exported("Band") == [#"{"id":1,"GivenName":"a","last_name":"b"}"#])
  }

  @Test func thereAndBackChangesNothing() throws {
    for json in [snake, camel] {
      let fixture = try Fixture(bands)
      try fixture.load(json)
      let before = try fixture.contents()
      let writes = try fixture.writes()
      let text = try Exporter(fixture.store).wholeText()
      let report = try fixture.load(text)
      #expect(report.problems == [])
      #expect(report.unmatchedKeys == [:])
      #expect(try fixture.contents() == before)
      #expect(try fixture.writes() == writes)
      let other = try Fixture(bands)
      try other.load(text)
      #expect(try other.contents() == before)
      #expect(try Exporter(other.store).wholeText() == text)
    }
  }

  @Test func importsWithoutNewsRememberNothing() throws {
    let fixture = try Fixture(bands)
    try fixture.load(snake) { $0.isDryRun = true }
    #expect(try memory(fixture) == nil)
    try fixture.load(#"{"bands": [{"id": 1}]}"#)
    #expect(try memory(fixture) == nil)
    #expect(throws: ImportError.self) { try fixture.load(snake + "]") }
    #expect(try memory(fixture) == nil)
    try fixture.load(snake)
    let writes = try fixture.writes()
    try fixture.load(snake)
    // Nor does one that tells other things, and changes no object.
    try fixture.load(camel)
    #expect(try fixture.writes() == writes)
    #expect(
      try memory(fixture) == #"{"dates":{"Album":{"outOn":"date"}},"keys":{"Album":"snake","Band":"snake"}}"#)
  }

  @Test func whatAProgramMadeTellsNothing() throws {
    struct Band: Encodable {
      var id = 1
      var firstName = "b"
    }
    let fixture = try Fixture(bands, entity: "Band")
    try fixture.load(snake)
    try fixture.load([.value(Band())], fixture.options)
    #expect(try fixture.exported("Band")[0].contains(#""first_name":"b""#))
  }

  @Test func theStoreRemembersItWhenOpenedAgain() throws {
    let folder = try TemporaryDirectory()
    let fixture = try Fixture(bands, path: folder.path("bands.sqlite"))
    try fixture.load(snake)
    let text = try Exporter(fixture.store).wholeText()
    try fixture.store.close()
    let again = try Fixture(model: nil, path: folder.path("bands.sqlite"))
    #expect(try Exporter(again.store).wholeText() == text)
    try again.store.close()
  }

  // MARK: - Dates

  private static let dates: [(came: [String], said: String, expected: [String]?)] = [
    // What came, and what goes out.
    (["1981-11-13"], "", ["1981-11-13"]),
    (["19811113", "Fri, 13 Nov 1981"], "", ["1981-11-13", "1981-11-13"]),
    (["1981-11-13T00:00:00Z"], "", ["1981-11-13T00:00:00Z"]),
    (["1981-11-13", "1981-11-14T08:00:00Z"], "", ["1981-11-13T00:00:00Z", "1981-11-14T08:00:00Z"]),
    (["374198400"], "", ["1981-11-10T00:00:00Z"]),
    (["1981-11-13"], "| broker.timeZone=Europe/Berlin", ["1981-11-13"]),
    // A day that begins at one o'clock, since the clocks were put forward at midnight.
    (["2018-11-04"], "| broker.timeZone=America/Sao_Paulo", nil),
    (
      ["1981-11-13T10:00:00.000Z", "1981-11-13T10:00:00.120Z"], "",
      ["1981-11-13T10:00:00.000Z", "1981-11-13T10:00:00.120Z"]
    ),
    (["1981-11-13T10:00:00"], "", ["1981-11-13T10:00:00"]),
    (["1981-11-13 10:00:00.25"], "", ["1981-11-13 10:00:00.25"]),
    (["1981-11-13T10:00:00+00:00"], "", ["1981-11-13T10:00:00+00:00"]),
    (
      ["1981-11-13T10:00:00.5+0000", "1981-11-13T10:00:00+0000"], "",
      ["1981-11-13T10:00:00.5+0000", "1981-11-13T10:00:00+0000"]
    ),
    // Forms with nothing in common.
    (["1981-11-13T10:00:00", "1981-11-13T10:00:00Z"], "", ["1981-11-13T10:00:00Z", "1981-11-13T10:00:00Z"]),
    (["1981-11-13T10:00:00", "1981-11-13"], "", ["1981-11-13T10:00:00Z", "1981-11-13T00:00:00Z"]),
    (["1981-11-13T10:00:00+02:00"], "", ["1981-11-13T08:00:00Z"]),
    (["1981-11-13T10:00:00"], "| broker.timeZone=Europe/Berlin", ["1981-11-13T09:00:00Z"]),
    (["13.11.1981"], "| broker.dateFormat=dd.MM.yyyy", ["13.11.1981"]),
    (["13.11.1981 08"], "| broker.dateFormat=dd.MM.yyyy HH", ["13.11.1981 08"]),
  ]

  @Test(arguments: dates)
  func datesGoOutAsTheyCame(_ dates: [String], _ said: String, _ expected: [String]?) throws {
    let fixture = try Fixture("Album\n  id: integer64\n  out: date \(said)", entity: "Album")
    let values = dates.map { "\"\($0)\"" }
    let list = values.enumerated().map { #"{"id": \#($0), "out": \#($1)}"# }.joined(separator: ",")
    #expect(try fixture.load("[\(list)]").problems == [])
    let before = try fixture.contents()
    let out = try fixture.exported("Album")
    if let expected {
      #expect(out == expected.enumerated().map { #"{"id":\#($0),"out":"\#($1)"}"# })
    }
    try fixture.load(out.joined(separator: "\n"))
    #expect(try fixture.contents() == before)
  }

  @Test func aTimeIsNotForgotten() throws {
    let fixture = try Fixture("Album\n  id: integer64\n  out: date", entity: "Album")
    try fixture.load(#"{"id": 1, "out": "1981-11-13T00:00:00Z"}"#)
    try fixture.load(#"{"id": 2, "out": "1981-11-14"}"#)
    #expect(
      try fixture.exported("Album") == [
        #"{"id":1,"out":"1981-11-13T00:00:00Z"}"#, #"{"id":2,"out":"1981-11-14T00:00:00Z"}"#,
      ])
  }

  @Test func whatAProgramSetGoesOutInTheFormOfTheOthers() throws {
    let fixture = try Fixture("Album\n  id: integer64\n  out: date", entity: "Album").alone()
    try fixture.load(
      #"[{"id": 1, "out": "1981-11-13T10:00:00.000Z"}, {"id": 2, "out": "1981-11-13T10:00:00.000Z"}]"#)
    try fixture.store.transaction {
      (try $0.execute("UPDATE Album SET \"out\" = '1981-11-14 08:30:00.12345' WHERE id = 2"), .commit)
    }
    #expect(
      try fixture.exported("Album") == [
        #"{"id":1,"out":"1981-11-13T10:00:00.000Z"}"#, #"{"id":2,"out":"1981-11-14T08:30:00.12345Z"}"#,
      ])
  }

  @Test func aTimeThatAProgramSetGoesOutWhole() throws {
    let fixture = try Fixture("Album\n  id: integer64\n  out: date", entity: "Album").alone()
    try fixture.load(#"[{"id": 1, "out": "1981-11-13"}, {"id": 2, "out": "1981-11-14"}]"#)
    try fixture.store.transaction {
      (try $0.execute("UPDATE Album SET \"out\" = '1981-11-14 08:30:00.5' WHERE id = 2"), .commit)
    }
    #expect(
      try fixture.exported("Album") == [
        #"{"id":1,"out":"1981-11-13"}"#, #"{"id":2,"out":"1981-11-14T08:30:00.5Z"}"#,
      ])
  }

  @Test func inheritedDatesAndDatesOfIdentities() throws {
    let fixture = try Fixture(
      """
      Media
        id: integer64
        out: date
      Photo : Media
        width: integer16
      Day | broker.identity=date
        date: date
        photo: Media
        next: Day
      """)
    try fixture.load(
      #"{"photos": [{"id": 1, "out": "1981-11-13"}], "days": [{"date": "2020-01-01", "photo": 1, "next": "2020-01-02"}, {"date": "2020-01-02"}]}"#
    )
    #expect(try fixture.exported("Media").first?.contains(#""out":"1981-11-13""#) == true)
    #expect(try fixture.exported("Day")[0] == #"{"date":"2020-01-01","photo":1,"next":"2020-01-02"}"#)
  }
}

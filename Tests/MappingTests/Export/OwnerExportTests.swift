import Mapping
import ObjectModel
import Testing

/// Exports of objects whose identity names their owner, and what their imports give.
@Suite struct OwnerExportTests {
  private let model =
    OwnerImportTests.crates + """

      User
        id: integer64
        favourite: Version
        uses: [Version]
      """

  private func fixture() throws -> Fixture {
    let fixture = try Fixture(model)
    try fixture.load(
      #"{"crates": [{"id": "serde", "versions": [{"num": "2", "size": 1}, {"num": "1", "size": 2, "downloads": [{"day": 5, "count": 1}]}]}], "versions": [{"crate": "late", "num": "9", "size": 3}], "users": [{"id": 1, "favourite": "serde,1", "uses": ["late,9", "x,1", "serde,2"]}]}"#
    )
    return fixture
  }

  @Test func anObjectHasItsOwnerAsAKey() throws {
    let fixture = try fixture()
    let versions = [
      #"{"num":"9","size":3,"crate":"late"}"#, #"{"num":"1","size":2,"crate":"serde"}"#,
      #"{"num":"2","size":1,"crate":"serde"}"#,
    ]
    let found = try fixture.exported("Version") { $0.relationships = .none }
    #expect(found == versions)
    #expect(
      try fixture.exported("Download") { $0.relationships = .none } == [
        #"{"day":5,"count":1,"version":{"crate":"serde","num":"1"}}"#
      ])
    #expect(
      try fixture.exported("User") { $0.relationships = .keys } == [
        #"{"id":1,"favourite":{"crate":"serde","num":"1"},"uses":[{"crate":"late","num":"9"},{"crate":"serde","num":"2"},{"crate":"x","num":"1"}]}"#
      ])
  }

  @Test func nestedInItsOwnerItIsLeftOut() throws {
    let fixture = try fixture()
    let text = try fixture.exported("Crate") { $0.relationships = .nested(depth: 2) }
    #expect(
      text == [
        #"{"id":"serde","name":null,"versions":[{"num":"2","size":1,"downloads":[]},{"num":"1","size":2,"downloads":[{"day":5,"count":1}]}]}"#
      ])
    let report = try fixture.load("{\"crates\": [\(text[0])]}")
    #expect(report.problems == [])
    #expect(report.updated == [:])
    let elsewhere = try fixture.exported("User") { $0.relationships = .nested(depth: 1) }
    #expect(try fixture.load("{\"users\": [\(elsewhere[0])]}").updated == [:])
  }

  @Test func aWholeStoreComesBack() throws {
    let fixture = try fixture()
    let text = try Exporter(fixture.store).wholeText()
    let copy = try Fixture(model)
    let report = try copy.load(text)
    #expect(report.problems == [])
    #expect(try Exporter(copy.store).wholeText() == text)
    #expect(
      try copy.rows("SELECT * FROM Version ORDER BY 1, 2")
        == fixture.rows("SELECT * FROM Version ORDER BY 1, 2"))
    #expect(try copy.load(text).updated == [:])
  }

  @Test func keysOfOwnersWithSeveralValues() throws {
    let fixture = try Fixture(
      """
      Land
        code: string | broker.identity=true | broker.key=iso
        name: string
      Town | identityAttributes=land,name
        name: string
        size: integer64
        land: Land | broker.key=country
      Street | identityAttributes=town,name
        name: string
        length: integer64
        town: Town | broker.key=place.town
      House
        id: integer64
        street: Street
      """)
    let json =
      #"{"houses":[{"id":1,"street":{"place":{"town":{"country":"ch","name":"Chur"}},"name":"Gasse"}}]}"#
    #expect(try fixture.load(json).waiting == ["House 1 street -> Street ch,Chur,Gasse"])
    #expect(
      try fixture.exported("House") { $0.relationships = .keys }.map { #"{"houses":[\#($0)]}"# } == [json])
    #expect(try fixture.load(#"{"houses": [{"id": 1, "street": "ch,Chur,Gasse"}]}"#).counts == "House =1")
  }
}

import Mapping
import ObjectModel
import ObjectStore
import Testing

/// What a mapping does to imports and exports, and what a store remembers of it.
@Suite struct MappedImportTests {
  private static let notation = """
    Band
      name: string | sync.remoteKey=title
      caption: string
      founded: date
      secret: string
      rating: integer16 | default=3
      genres: [Genre]
      albums: [Album] <- band
    Album
      id: integer64
      band: Band <- albums
    Genre
      name: string | broker.identity=true
    """

  private static let text = """
    Band:
      identity: name
      names: [acts]
      keys: {caption: [title, info.caption]}
      dates: {founded: {format: dd.MM.yyyy HH:mm, timeZone: "+02:00"}}
      transformers: {caption: trimmed}
      ignore: secret
      notExported: rating
      references: {genres: stub}
    """

  private func fixture(path: String = ":memory:") throws -> Fixture {
    try Fixture(Self.notation, path: path, mapping: JSONMapping(text: Self.text))
  }

  @Test func everyPartTakesEffect() throws {
    let fixture = try fixture()
    let report = try fixture.load(
      """
      {"acts": [{"name": "Japan", "title": " a ", "info": {"caption": "b"}, "founded": "01.02.1974 03:00",
        "secret": "x", "rating": 5, "genres": ["pop", "rock"], "albums": [7]}, {"name": "XTC", "info": {"caption": "c "}}]}
      """)
    #expect(
      try fixture.rows("SELECT name, caption, founded, secret, rating FROM Band") == [
        "Japan a 1974-02-01 01:00:00 - 5", "XTC c - - 3",
      ])
    #expect(try fixture.rows("SELECT name FROM Genre ORDER BY 1") == ["pop", "rock"])
    #expect(report.unmatchedKeys == [:])
    #expect(report.waiting == ["Band Japan albums -> Album 7"])
    // The mapping ranks the keys of caption.
    #expect(report.problems == [])
    let json = try Exporter(fixture.store).text(of: "Band")
    #expect(json.contains(#""title":"a""#) && json.contains(#""founded":"01.02.1974 03:00""#))
    #expect(!json.contains("secret") && !json.contains("rating"))
  }

  @Test func theBestOfSeveralKeysWinsWhateverTheirOrder() throws {
    for json in [
      #"[{"name": "a", "title": "x", "info": {"caption": "y"}}]"#,
      #"[{"name": "a", "info": {"caption": "y"}, "title": "x"}]"#,
    ] {
      let fixture = try fixture()
      try fixture.load(json, as: "Band")
      #expect(try fixture.rows("SELECT caption FROM Band") == ["x"])
    }
  }

  @Test func theStoreRemembersIt() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("bands.sqlite")
    let made = try fixture(path: path)
    try made.load(#"[{"name": "Japan", "title": "t"}]"#, as: "Band")
    try made.store.close()

    let again = try Fixture(model: nil, entity: "Band", path: path)
    try again.load(#"[{"name": "Japan", "title": "u"}]"#)
    #expect(try again.rows("SELECT caption FROM Band") == ["u"])
    #expect(try Exporter(again.store).text(of: "Band").contains(#""title":"u""#))
    try again.store.close()

    // The same model without a mapping leaves the one that is remembered.
    let sameModel = try Fixture(Self.notation, entity: "Band", path: path)
    try sameModel.load(#"[{"name": "Japan", "title": "v"}]"#)
    #expect(try sameModel.rows("SELECT caption FROM Band") == ["v"])
    try sameModel.store.close()

    let other = try Fixture(
      model: nil, entity: "Band", path: path,
      mapping: JSONMapping(text: "Band: {identity: name, keys: {caption: text}}"))
    try other.load(#"[{"name": "Japan", "text": "w"}]"#)
    #expect(try other.rows("SELECT caption FROM Band") == ["w"])
    try other.store.close()
    #expect(try Exporter(Fixture(model: nil, path: path).store).text(of: "Band").contains(#""text":"w""#))
  }

  @Test func aDryRunRemembersNothing() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("bands.sqlite")
    let made = try fixture(path: path)
    try made.load(#"[{"name": "Japan"}]"#, as: "Band")
    try made.store.close()
    let other = try Fixture(
      model: nil, entity: "Band", path: path,
      mapping: JSONMapping(text: "Band: {identity: name, keys: {caption: text}}"))
    _ = try other.load(#"[{"name": "Japan", "text": "w"}]"#) { $0.isDryRun = true }
    try other.store.close()
    #expect(try Exporter(Fixture(model: nil, path: path).store).text(of: "Band").contains(#""title":null"#))
  }

  @Test func anotherIdentityNeedsAnotherStore() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("bands.sqlite")
    let made = try fixture(path: path)
    try made.load(#"[{"name": "Japan"}]"#, as: "Band")
    try made.store.close()
    let error = #expect(throws: StoreError.self) {
      try Fixture(model: nil, path: path, mapping: JSONMapping(text: "Band: {identity: caption}"))
    }
    #expect(error?.description.contains("1 object would have no caption, which is the identity now") == true)
  }

  @Test func identitiesByRelatedByAttribute() throws {
    let fixture = try Fixture(
      "Album\n  id: integer64\n  band: Band <- albums | relatedByAttribute=code\nBand\n  code: string\n  albums: [Album] <- band"
    )
    try fixture.load(#"{"albums": [{"id": 1, "band": "J"}], "bands": [{"code": "J"}]}"#)
    #expect(try fixture.rows("SELECT band FROM Album") == ["J"])
    #expect(try fixture.rows("SELECT code FROM Band") == ["J"])
  }

  @Test func defaultsByAnnotation() throws {
    let fixture = try Fixture(
      "Band\n  id: integer64\n  since: date! | broker.default=1974-01-01 00:00:00\n  raw: string | broker.default=x | default=y"
    )
    try fixture.load("[{\"id\": 1}]")
    #expect(try fixture.rows("SELECT * FROM Band") == ["1 1974-01-01 00:00:00 x"])
  }
}

/// Annotations that cannot be followed are refused before anything is read.
@Suite struct RefusedAnnotationTests {
  @Test(arguments: [
    (
      "Band\n  id: integer64\n  albums: [Band] | broker.toMany=prnue",
      "Band.albums has prnue for broker.toMany"
    ),
    ("Band\n  id: integer64\n  label: Band | broker.references=x", "Band.label has x for broker.references"),
    ("Band | broker.version=v\n  id: integer64", "Band.v is named as version"),
    ("Band | broker.version=b\n  id: integer64\n  b: boolean", "Band.b is named as version"),
  ])
  func isRefused(_ notation: String, _ message: String) throws {
    let fixture = try Fixture(notation, entity: "Band")
    let error = #expect(throws: PlanError.self) { try fixture.load("[{\"id\": 1}]") }
    #expect(error?.description.hasPrefix(message) == true)
    #expect(try fixture.rows("SELECT * FROM Band") == [])
  }
}

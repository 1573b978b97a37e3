import Mapping
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// Exports of all entities, imported into an empty store.
@Suite struct WholeStoreTests {
  @Test(arguments: Seeds.first(4, long: 40))
  func aStoreComesBackWhole(_ seed: UInt64) throws {
    for step in 0..<4 {
      var random = Seeded(state: seed &* 7_000_003 &+ UInt64(step))
      let model = RandomModel(&random, [.noAbstractTargets])
      let fixture = try Fixture(model.notation)
      try fixture.load(model.json)
      let whole = try wholeStore(fixture)
      let copy = try Fixture(model.notation)
      let report = try copy.load(whole)
      let told = "seed \(seed), step \(step)\n\(model.notation)\n\(model.json)\n\(whole)"
      try #require(report.problems.filter { !$0.contains("with one owner") } == [], "\(told)")
      try #require(report.unmatchedKeys == [:], "\(told)")
      for entity in model.roots {
        try #require(try copy.exported(entity) == fixture.exported(entity), "\(told)")
      }
    }
  }

  /// Whichever end is asked for: no key can say what has no identity.
  @Test func linksBetweenObjectsWithoutIdentityAreNested() throws {
    let notation = """
      Line
        text: string
        sheet: Sheet <- lines
      Sheet
        note: string
        lines: [Line] <- sheet
        cover: Cover <- sheet
        binder: Binder
      Cover
        color: string
        sheet: Sheet <- cover
      Binder
        label: string
      """
    let cover =
      #"{"color":"red","sheet":{"note":"a","lines":[{"text":"x"},{"text":"y"}],"binder":{"label":"b"}}}"#
    let sheet =
      #"{"note":"a","lines":[{"text":"x"},{"text":"y"}],"cover":{"color":"red"},"binder":{"label":"b"}}"#
    for (entity, json) in [("Sheet", sheet), ("Cover", cover)] {
      let fixture = try Fixture(notation)
      try fixture.load(json, as: entity)
      for relationships in [ExportOptions.Relationships.keys, .nested(depth: 1)] {
        #expect(try fixture.exported("Sheet") { $0.relationships = relationships } == [sheet])
        #expect(try fixture.exported("Cover") { $0.relationships = relationships } == [cover])
        #expect(
          try fixture.exported("Line") { $0.relationships = relationships }.first
            == #"{"text":"x","sheet":{"note":"a","cover":{"color":"red"},"binder":{"label":"b"}}}"#)
      }
    }
  }

  @Test func partsThatNobodyHasAreListed() throws {
    let notation = """
      Shelf
        id: integer64
        books: [Book]
      Book
        title: string
        pages: [Page]
      Page
        number: integer64
      """
    let fixture = try Fixture(notation)
    try fixture.load(
      #"{"shelves": [{"id": 1, "books": [{"title": "a", "pages": [{"number": 1}]}]}], "books": [{"title": "b", "pages": [{"number": 2}, {"number": 3}]}], "pages": [{"number": 4}]}"#
    )
    let whole = try wholeStore(fixture)
    let copy = try Fixture(notation)
    try copy.load(whole)
    for table in ["Shelf", "Book", "Page", "Shelf_books", "Book_pages"] {
      #expect(try copy.rows("SELECT count(*) FROM \(table)") == fixture.rows("SELECT count(*) FROM \(table)"))
    }
    #expect(try wholeStore(copy) == whole)
  }

  @Test func referencesThatWaitAreNotMade() throws {
    let notation = """
      Band
        id: integer64
        places: [Place] | ordered
        home: Place
      Place | identityAttributes=x,y
        x: integer16
        y: string
      """
    let fixture = try Fixture(notation)
    try fixture.load(
      #"{"bands": [{"id": 1, "places": ["1,a", "2,b\\,c"], "home": "3,d"}], "places": [{"x": 1, "y": "a"}]}"#)
    #expect(try fixture.rows("SELECT count(*) FROM Place") == ["1"])
    let copy = try Fixture(notation)
    let report = try copy.load(try wholeStore(fixture))
    #expect(report.pendingCount == 2)
    #expect(try copy.contents() == fixture.contents())
  }

  @Test func aWholeObjectKeepsWhatOthersTakeFromIt() throws {
    let notation = """
      Feature
        id: integer64
        title: string | broker.key=properties.name
        size: double | broker.key=properties.measures.size
        seen: date | broker.key=properties.seen
        properties: transformable
      """
    let fixture = try Fixture(notation).alone()
    let json =
      #"{"id":1,"properties":{"more":2,"name":"A","measures":{"size":1.50,"unit":"m"},"seen":"2020-01-02","rest":[1,{"x":null}]}}"#
    try fixture.load(json)
    #expect(try fixture.exported("Feature") == [json])
    // A value that was changed takes its place among the others.
    try fixture.store.transaction { transaction in
      try transaction.execute("UPDATE Feature SET title = 'B', size = NULL")
      return ((), .commit)
    }
    #expect(
      try fixture.exported("Feature") == [
        json.replacing("\"A\"", with: "\"B\"").replacing("1.50", with: "null")
      ])
    #expect(try fixture.load(fixture.exported("Feature")[0]).problems == [])
  }
}

import Mapping
import ObjectModel
import Testing

/// JSON objects whose keys are data.
@Suite struct DictionaryTests {
  private let country = """
    Country
      code: string
      translations: [Translation] <- country | ordered
      stats: [Stat] <- country | ordered
      cities: [City] <- country
    Translation
      language: string!
      official: string
      country: Country <- translations
    Stat
      browser: string
      version: integer32
      support: string
      country: Country <- stats
    City
      id: integer64
      rank: string
      country: Country <- cities
    """
  private let mapping = """
    Country:
      identity: code
      dictionary:
        translations: language
        stats: {keys: [browser, version], value: support}
        cities: rank
    """

  private func shape() throws -> JSONShape { try JSONShape(country, mapping, entity: "Country") }

  @Test func keysFillAttributes() throws {
    let shape = try shape()
    let report = try shape.load(
      """
      {"code": "DE", "translations": {"ara": {"official": "x"}, "eng": {}, "own": {"language": "deu"}},
       "stats": {"ie": {"11": "y", "12": {"support": "n"}}, "ff": {"1": null}, "op": {}, "no": null},
       "cities": {"capital": {"id": 1}, "big": [{"id": 2}, {"id": 3}], "none": null}}
      """)
    #expect(report.problems == [])
    #expect(try shape.rows("Translation", "language, official") == ["ara x", "eng -", "deu -"])
    #expect(try shape.rows("Stat", "browser, version, support") == ["ie 11 y", "ie 12 n", "ff 1 -"])
    #expect(try shape.rows("City", "id, rank") == ["1 capital", "2 big", "3 big"])
    #expect(
      try shape.fixture.exported("Country", { $0.relationships = .nested(depth: 1) }) == [
        #"{"code":"DE","translations":{"ara":{"official":"x"},"eng":{"official":null},"deu":{"official":null}},"stats":{"ie":{"11":"y","12":"n"},"ff":{"1":{"support":null}}},"cities":{"capital":{"id":1},"big":[{"id":2},{"id":3}]}}"#
      ])
    try shape.expectRoundTrip("Country")
  }

  @Test func listsAreReadAsWell() throws {
    let shape = try shape()
    try shape.load(
      #"{"code": "DE", "translations": [{"language": "a"}, {"language": "a"}], "cities": [4, {"id": 5}]}"#)
    #expect(try shape.rows("Translation", "language") == ["a", "a"])
    #expect(
      try shape.fixture.exported("Country") == [
        #"{"code":"DE","translations":{"a":[{"official":null},{"official":null}]},"stats":{},"cities":[4,5]}"#
      ])
    try shape.expectRoundTrip("Country")
  }

  @Test func oneKeyTwiceAmongScalarsIsAList() throws {
    let shape = try shape()
    try shape.load(
      #"{"code": "DE", "stats": [{"browser": "ie", "version": 1, "support": "y"}, {"browser": "ie", "version": 1}]}"#
    )
    #expect(
      try shape.fixture.exported("Country") == [
        #"{"code":"DE","translations":{},"stats":[{"browser":"ie","version":1,"support":"y"},{"browser":"ie","version":1,"support":null}],"cities":{}}"#
      ])
    try shape.expectRoundTrip("Country")
  }

  @Test func nullAndEmpty() throws {
    let shape = try shape()
    try shape.load(#"{"code": "DE", "translations": {"a": {}}, "stats": {"ie": {"1": "y"}}}"#)
    #expect(try shape.load(#"{"code": "DE"}"#).counts == "Country =1")
    #expect(
      try shape.load(#"{"code": "DE", "translations": {}, "stats": null}"#).counts
        == "Country =1, Stat -1, Translation -1")
    #expect(try shape.rows("Stat") == [])
  }

  @Test(arguments: [
    (#"{"stats": {"ie": 5}}"#, "$.stats.ie: expected an object, found 5; element left out"),
    (
      #"{"stats": {"ie": {"x": "y"}}}"#,
      #"$.stats.ie.x.version: expected a whole number from -2147483648 to 2147483647, found "x"; value left out"#
    ),
    (
      #"{"translations": {"a": "b"}}"#,
      #"$.translations.a: expected an object or a list of objects, found "b"; element left out"#
    ),
    (#"{"translations": {"a": [1]}}"#, "$.translations.a[0]: expected an object, found 1; element left out"),
  ])
  func whatCannotBeUsed(_ json: String, _ problem: String) throws {
    let shape = try shape()
    try shape.load(#"{"code": "DE", "translations": {"z": {}}}"#)
    let report = try shape.load(#"{"code": "DE", "# + json.dropFirst())
    #expect(report.problems == [problem])
    // What could not be read may be what seems to be missing.
    #expect(try shape.rows("Translation", "language") == ["z"])
  }

  @Test func dictionariesOfObjectsWithAnIdentity() throws {
    let shape = try JSONShape(
      """
      Team
        name: string
        players: [Player] <- team
      Player
        number: integer16
        name: string
        team: Team <- players
      """, "Team: {identity: name, dictionary: {players: number}}\nPlayer: {identity: number}", entity: "Team"
    )
    let report = try shape.load(
      #"{"name": "A", "players": {"7": {"name": "Ann"}, "8": {"number": 9, "name": null}}}"#)
    #expect(report.problems == [])
    #expect(try shape.rows("Player", "number, name") == ["7 Ann", "9 -"])
    #expect(
      try shape.fixture.exported("Team", { $0.relationships = .nested(depth: 1) }) == [
        #"{"name":"A","players":{"7":{"name":"Ann"},"9":{"name":null}}}"#
      ])
    try shape.expectRoundTrip("Team")
  }

  @Test func prunesWithinAParent() throws {
    let shape = try shape()
    try shape.load(#"{"code": "DE", "cities": {"a": {"id": 1}, "b": {"id": 2}}}"#)
    let report = try shape.load(#"{"code": "DE", "cities": {"a": {"id": 1}}}"#) { $0.toMany = .prune }
    #expect(report.counts == "City =1 -1, Country =1")
  }

  @Test(arguments: [
    ("translations: lang", "there is no attribute"), ("code: language", "is no relationship"),
  ])
  func mistakesAreFoundWhenTheMappingIsRead(_ rule: String, _ message: String) throws {
    #expect(throws: MappingError.self) {
      try JSONShape(country, "Country: {identity: code, dictionary: {\(rule)}}")
    }
  }

  // MARK: - Values that stand for objects

  @Test func scalarsAreParts() throws {
    let shape = try JSONShape(
      """
      Band
        id: integer64
        tags: [Tag] <- band | ordered
        size: Size <- band
      Tag
        name: string
        band: Band <- tags
      Size
        name: string
        unit: string
        band: Band <- size
      """, "Tag: {values: name}\nSize: {values: name}", entity: "Band")
    let report = try shape.load(
      #"[{"id": 1, "tags": ["a", "b", {"name": "c"}], "size": "XL"}, {"id": 2, "tags": "one", "size": {"name": "L", "unit": "cm"}}]"#
    )
    #expect(report.problems == [])
    #expect(try shape.rows("Tag", "name") == ["a", "b", "c", "one"])
    #expect(
      try shape.fixture.exported("Band") == [
        #"{"id":1,"tags":["a","b","c"],"size":"XL"}"#,
        #"{"id":2,"tags":["one"],"size":{"name":"L","unit":"cm"}}"#,
      ])
    try shape.expectRoundTrip("Band")
    #expect(
      try shape.load(#"{"id": 1, "tags": ["a"], "size": null}"#).counts == "Band ~1, Size -1, Tag =1 -2")
  }

  @Test func scalarsAtTheTop() throws {
    let shape = try JSONShape("Word\n  text: string", "Word: {values: text}")
    #expect(
      try shape.load(#"["a", "b", null]"#).problems == [
        "$[2]: expected an object, found null; element left out"
      ])
    #expect(try shape.rows("Word", "text") == ["a", "b"])
  }
}

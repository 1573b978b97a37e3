import Mapping
import ObjectModel
import Testing

/// Objects as lists of values whose columns have names.
@Suite struct ColumnsTests {
  private let model = """
    City
      id: integer64
      name: string
      people: integer64
      country: Country <- cities
    Country
      code: string
      title: string
      cities: [City] <- country
    """

  private func shape(_ document: String) throws -> JSONShape {
    try JSONShape(
      model, "document: \(document)\nCity: {identity: id}\nCountry: {identity: code}", entity: "City")
  }

  @Test func columnsStandBesideTheRows() throws {
    let shape = try shape("{at: rows, columns: $.columns}")
    let report = try shape.load(
      """
      {"columns": ["id", "name", "other", "country"],
       "rows": [[1, "A", 0, "DE"], [2, null, 0, {"code": "FR", "title": "x"}], [3], {"id": 4}, [5, "E", 0, null, 9]]}
      """)
    #expect(
      report.problems == [
        "$.rows[4]: expected 4 values, one for each column, found 5; the values beyond left out"
      ])
    #expect(report.unmatchedKeys == ["City": ["other": 3]])
    #expect(try shape.rows("City", "id, name, country") == ["1 A DE", "2 - FR", "3 - -", "4 - -", "5 E -"])
    #expect(
      try Exporter(shape.fixture.store).text(of: "City") == """
        {
        "columns":["id","name","people","country"],
        "rows":[[1,"A",null,"DE"],[2,null,null,"FR"],[3,null,null,null],[4,null,null,null],[5,"E",null,null]]
        }

        """)
    try shape.expectRoundTrip("City", "Country")
  }

  @Test func theFirstRowHasTheNames() throws {
    let shape = try shape("{columns: first}")
    let report = try shape.load(#"[["name", "id"], ["A", 1], ["B", 2]]"#)
    #expect(report.problems == [])
    #expect(try shape.rows("City", "id, name") == ["1 A", "2 B"])
    try shape.expectRoundTrip("City")
  }

  @Test func namesAreTakenFromObjects() throws {
    let shape = try shape("{at: \"data[].rows\", columns: \"^.fields[].key\"}")
    let report = try shape.load(
      """
      {"data": [{"fields": [{"key": "id"}, {"key": "name"}], "rows": [[1, "A"]]},
        {"rows": [["B", 2]], "fields": [{"key": "name"}, {"key": "id"}]}]}
      """)
    #expect(report.problems == [])
    #expect(try shape.rows("City", "id, name") == ["1 A", "2 B"])
    try shape.expectRoundTrip("City")
  }

  @Test(arguments: [
    #"{"rows": [[1]]}"#, #"{"columns": "id", "rows": [[1]]}"#, #"{"columns": [1], "rows": [[1]]}"#,
    #"{"columns": [], "rows": [[1]]}"#,
  ])
  func withoutNamesNothingIsImported(_ json: String) throws {
    let shape = try shape("{at: rows, columns: $.columns}")
    let error = #expect(throws: ImportError.self) { try shape.load(json) }
    #expect(error?.description.contains("no names of columns") == true)
    #expect(try shape.rows("City") == [])
  }
}

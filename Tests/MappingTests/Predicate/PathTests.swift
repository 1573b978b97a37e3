import Mapping
import ObjectStore
import Testing

/// Conditions, orders and selections follow their paths alike.
@Suite("Key paths")
struct PathTests {
  private func fixture() throws -> Fixture {
    let fixture = try Fixture(
      """
      Band
        id: integer64
        in.name: string | broker.key=name
        main.album: Album | broker.key=main
        albums: [Album] <- band
        price: decimal
      Album
        id: integer64
        year: integer16
        price: decimal
        band: Band <- albums
      """)
    try fixture.load(
      """
      [{"id": 1, "albums": [{"id": 10, "year": 1979, "price": "9"}, {"id": 11, "year": 1981, "price": "10"}]},
       {"id": 2}, {"id": 3, "albums": [{"id": 12, "year": 1985, "price": "2.5"}]}]
      """, as: "Band")
    try fixture.load(
      (1...3).map { #"{"id": \#($0), "name": "n\#($0)", "main": \#($0 + 9)}"# }.joined(separator: "\n"),
      as: "Band")
    return fixture
  }

  private func rows(_ query: Query, _ paths: [String]?, _ fixture: Fixture) throws -> [String] {
    try fixture.store.read { transaction in
      let rows = try Projection(query, selecting: paths, transaction)
      var result: [String] = []
      while let row = try rows.next() { result.append(row.map(Self.text).joined(separator: " ")) }
      return result
    }
  }

  private static func text(_ value: QueryValue) -> String {
    switch value {
    case .null: "-"
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text, _): text
    case .blob(let bytes): "\(bytes)"
    case .list(let values): "[\(values.map(text).joined(separator: ","))]"
    }
  }

  @Test func operatorsInOrdersAndSelections() throws {
    let fixture = try fixture()
    var query = Query("Band")
    query.sort = [Query.Sort("albums.@count", isAscending: false), Query.Sort("id")]
    let paths = [
      "id", "albums.@count", "albums.@max.year", "albums.@min.price", "albums.@avg.year", "albums",
    ]
    #expect(
      try rows(query, paths, fixture) == [
        "1 2 1981 9 1980.0 [10,11]", "3 1 1985 2.5 1985.0 [12]", "2 0 - - - []",
      ])
    query.sort = [Query.Sort("albums.@max.price")]
    #expect(try rows(query, ["id"], fixture) == ["2", "3", "1"])
    let albums = try rows(Query("Album"), ["id", "band.albums.@count"], fixture)
    #expect(albums == ["10 2", "11 2", "12 1"])
    query.predicate = try ObjectPredicate(format: "albums.@count > 0")
    #expect(try rows(query, ["id"], fixture) == ["3", "1"])
  }

  @Test func namesWithDots() throws {
    let fixture = try fixture()
    var query = Query("Band")
    #expect(
      try rows(query, nil, fixture) == ["1 n1 - 10", "2 n2 - 11", "3 n3 - 12"])
    query.predicate = try ObjectPredicate(
      format: "#in.name == 'n2' AND main.album == 11 AND main.album.year > 1980")
    query.sort = [Query.Sort("main.album.year"), Query.Sort("main.album")]
    #expect(try rows(query, ["in.name", "main.album", "main.album.year"], fixture) == ["n2 11 1981"])
  }

  @Test(arguments: [
    (
      "albums.@cuont",
      "@cuont is not supported: only @count, @min, @max, @sum and @avg are. Did you mean @count?"
    ),
    ("price.@count", "price does not lead to many objects."),
    ("albums.@max", "An attribute stands behind @max: albums.@max.year."),
    ("albums.@max.yaer", "Album has no property yaer. Did you mean year?"),
    ("main.albun", "Band has no property main."),
  ])
  func wrongPaths(_ path: String, _ message: String) throws {
    let fixture = try fixture()
    var query = Query("Band")
    query.sort = [Query.Sort(path)]
    for attempt in [{ try rows(query, nil, fixture) }, { try rows(Query("Band"), [path], fixture) }] {
      let error = #expect(throws: StoreError.self) { _ = try attempt() }
      #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }
  }

  @Test func longPathsAreRefusedAtOnce() throws {
    let fixture = try fixture()
    let path = Array(repeating: "band.albums", count: 10_000).joined(separator: ".")
    var query = Query("Album")
    let error = #expect(throws: StoreError.self) { try rows(query, [path + ".id"], fixture) }
    #expect(error?.description == "A key path can pass 30 relationships and no more.")
    query.sort = [Query.Sort(path + ".id")]
    #expect(throws: StoreError.self) { try rows(query, nil, fixture) }
    #expect(throws: ObjectPredicateError.self) { try fixture.found("Album", "ANY \(path).id == 1") }
  }
}

/// What SQLite has no room for is said in the model's words.
@Suite("Limits of SQLite")
struct LimitTests {
  @Test func columns() throws {
    let most = "Wide\n  id: integer64\n" + (0..<1_997).map { "  a\($0): integer16\n" }.joined()
    let fixture = try Fixture(most, entity: "Wide")
    try fixture.load(#"[{"id": 1, "a0": 1, "a1996": 2}]"#)
    try fixture.load(#"[{"id": 1, "a0": 3}]"#)
    #expect(try fixture.rows("SELECT a0, a1996 FROM Wide") == ["3 2"])
    #expect(try fixture.exported("Wide").count == 1)
    #expect(try fixture.found("Wide", "a1996 == 2") == ["1"])
    let error = #expect(throws: StoreError.self) { try Fixture(most + "  last: integer16\n") }
    #expect(
      error?.description
        == "Wide has 1999 attributes and to-one relationships. There is room for 1998, since a query gives at most 2,000"
        + " columns; relationships count twice. Split the entity.")
  }

  @Test func tables() throws {
    let entities = (0...5_000).map { "E\($0)\n  id: integer64" }.joined(separator: "\n")
    let error = #expect(throws: StoreError.self) { try Fixture(entities) }
    #expect(error?.description.hasPrefix("The model needs 5001 tables") == true)
  }

  @Test func joinsAndSelections() throws {
    let relationships = (0..<70).map { "  r\($0): B\n" }.joined()
    let fixture = try Fixture("A\n  id: integer64\n\(relationships)B\n  id: integer64\n  v: integer16")
    try fixture.load(#"[{"id": 1, "r0": {"id": 5, "v": 7}}]"#, as: "A")
    func rows(_ paths: [String], sort: [String] = []) throws -> Int {
      try fixture.store.read { transaction in
        var query = Query("A")
        query.sort = sort.map { Query.Sort($0) }
        let rows = try Projection(query, selecting: paths, transaction)
        var count = 0
        while try rows.next() != nil { count += 1 }
        return count
      }
    }
    #expect(try rows((0..<57).map { "r\($0).v" }) == 1)
    for attempt in [
      { try rows((0..<70).map { "r\($0).v" }) }, { try rows(["id"], sort: (0..<70).map { "r\($0).v" }) },
      { try rows(Array(repeating: "id", count: 2_500)) },
      { try rows(["id"], sort: Array(repeating: "id", count: 2_500)) },
    ] {
      let error = #expect(throws: StoreError.self) { _ = try attempt() }
      #expect(error?.sqliteCode == nil && error?.description.contains("A") == true)
    }
  }

  @Test func depth() throws {
    let fixture = try Fixture("A\n  id: integer64\n  v: integer16\n  others: [A]", entity: "A")
    let wide = (0..<900).map { "v == \($0)" }
    var condition = "v == 1"
    for index in 0..<2 {
      condition = "SUBQUERY(others, $x\(index), \((wide + [condition]).joined(separator: " OR "))).@count > 1"
    }
    let error = #expect(throws: ObjectPredicateError.self) { try fixture.found("A", condition) }
    #expect(error?.message == "The conditions are nested too deeply.")
  }
}

#if PostgreSQL
  import Foundation
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// A store whose tables are on several servers, as far as an emulation goes, answers what SQLite answers, by statements
  /// that Citus takes.
  @Suite(.serialized, .enabled(if: PostgreSQLServer.isWanted && !ServerShape.isDistributed))
  struct DistributedStoreTests {
    /// A database with what Broker asks of Citus, whose statements are logged.
    private static let database = Result {
      let url = try PostgreSQLServer.required().makeDatabase()
      try PostgreSQLServer.emulateCitus(in: url)
      try PostgreSQLServer.logStatements(of: url)
      return url
    }

    private static func store(
      _ notation: String, reference part: Int = 0, changesTogether: Int = 4
    ) throws -> PostgreSQLStore {
      let store = try PostgreSQLStore(
        DatabaseAddress(database.get(), schema: "s\(UUID().uuidString.prefix(12))"), model: model(notation),
        sizes: WriteSizes(changes: changesTogether))
      try ServerShape.distribute(store, reference: part)
      return store
    }

    private static let bands = Result {
      try ServerStores.bands(server: store(BandCollection.notation, reference: 3))
    }

    /// Fails for each statement since the tests began that Citus would refuse.
    private func checkStatements(_ store: PostgreSQLStore) throws {
      let tables = Set(store.layout.tables.map(\.name) + store.layout.joins.map(\.name))
      let statements = try PostgreSQLServer.required().loggedStatements()
      #expect(statements.contains { statement in tables.contains { statement.contains("\"\($0)\"") } })
      for statement in Set(statements) {
        let problems = StatementCheck(statement, tables: tables).problems
        #expect(problems == [], "\(statement)")
      }
    }

    // MARK: - Reading

    @Test func selectionsAndOrders() throws {
      let stores = try Self.bands.get()
      for text in [
        "name", "formed", "key", "logo", "isActive", "home", "home.country", "parent", "parent.formed",
        "parent.parent.name", "rider.text", "albums.@count", "albums.@sum.price", "albums.@avg.price",
        "albums.@max.title", "albums.@min.year", "members.@count", "likes.@count", "tags.@count",
        "likes.@max.formed", "parent.albums.@count",
      ] {
        let path = try stores.path(text, of: "Band")
        for condition in [nil, "albums.@count > 0", "parent.formed > 1970 OR tags.@count == 0"] {
          var query = Query("Band")
          query.predicate = try condition.map { try ObjectPredicate(format: $0) }
          query.sort = [Query.Sort(text, isAscending: false)]
          query.limit = 4
          let (expected, found) = stores.answers(query, [.kind, .key, .value(path), .reference(path)])
          #expect(found == expected, "\(text) \(condition ?? "")")
          let distinct = stores.answers(
            { try $0.distinctCursor(Query("Band"), [.value(path)]) },
            { try $0.distinctCursor(Query("Band"), [.value(path)]) })
          #expect(distinct.found == distinct.expected, "distinct \(text)")
        }
      }
      try checkStatements(stores.server)
    }

    @Test(arguments: [
      "ANY albums.year > 1980", "NOT ANY albums.label == 'Virgin'", "ALL albums.year > 1980",
      "NONE tags.word == 'art'", "albums.@count == 0", "albums.@count > 2", "albums.@count < 3",
      "likes.@count != 1",
      "tags.@count >= 1", "albums.@sum.sales > 10", "albums.@max.year == 1981", "parent == nil",
      "parent != nil",
      "parent == 'Japan'", "parent.formed > formed", "parent.formed == 1974", "parent.parent.formed != 1974",
      "home.country == 'UK'", "home == nil", "likes CONTAINS 'Talk Talk'", "ANY likes.likes.name == 'Japan'",
      "ANY albums.home.city == 'London'", "SUBQUERY(albums, $a, $a.year > 1980 AND $a.sales > 1).@count > 0",
      "SUBQUERY(albums, $a, $a.year > 1980).@count == 2", "SUBQUERY(albums, $a, $a.year > formed).@count > 1",
      "NOT (ANY albums.year > 1980 AND parent == nil)", "rider.text == 'x'", "rider == nil",
      "offshoots.albums.@count > 0", "albums.@count == members.@count",
      "parent IN {'Japan', 'Talk Talk'}",
      "motto LIKE 'T*' AND ANY albums.year > 1980", "likes.parent.@count > 0", "parent.home.country == 'UK'",
    ])
    func conditions(_ format: String) throws {
      let stores = try Self.bands.get()
      for range in [(nil, nil), (2, 1)] as [(Int?, Int?)] {
        var query = Query("Band")
        query.predicate = try ObjectPredicate(format: format)
        (query.limit, query.offset) = range
        let (expected, found) = stores.answers(
          query, [.key, .value(try stores.path("parent.formed", of: "Band"))])
        #expect(found == expected, "\(format)")
        let counts = try (
          stores.store.read { try $0.count(query) }, stores.server.read { try $0.count(query) }
        )
        #expect(counts.0 == counts.1, "\(format)")
      }
    }

    @Test func aggregates() throws {
      let stores = try Self.bands.get()
      let year = SelectedColumn.value(try stores.path("year", of: "Album"))
      let band = SelectedColumn.value(try stores.path("band.formed", of: "Album"))
      for function in [Aggregation.Function.count, .sum, .minimum, .maximum, .average] {
        for limit in [nil, 3] {
          var query = Query("Album")
          query.predicate = try ObjectPredicate(format: "band.albums.@count > 0")
          query.limit = limit
          let (expected, found) = stores.answers(
            { try $0.aggregateCursor(Aggregation(function), of: year, for: query, by: [band]) },
            { try $0.aggregateCursor(Aggregation(function), of: year, for: query, by: [band]) })
          #expect(Set(found) == Set(expected), "\(function)")
        }
      }
    }

    @Test func relatedObjects() throws {
      let stores = try Self.bands.get()
      let schema = stores.store.layout.schema
      let rows = try stores.store.read { try $0.rows(of: Query("Band")) }
      let own = try stores.server.read { try $0.rows(of: Query("Band")) }
      for relationship in schema.relationships where schema.entities[relationship.owner].name == "Band" {
        let query = Query(RelatedObjects(relationship, of: .key([.text("Japan")])), schema)
        let (expected, found) = stores.answers(query, [.key])
        #expect(found == expected, "\(relationship.name)")
        let linked = try stores.server.read { transaction in
          try own.map { try transaction.linkedKeys(of: relationship, row: $0) }
        }
        let expectedLinks = try stores.store.transaction(isCancelled: nil) { transaction in
          (try rows.map { try transaction.linkedKeys(of: relationship, row: $0) }, .rollback)
        }
        #expect(linked == expectedLinks, "\(relationship.name)")
        let hasTargets = try stores.server.read { transaction in
          try own.map { try transaction.hasTarget(of: relationship, row: $0) }
        }
        #expect(
          hasTargets.contains(true) || linked.allSatisfy(\.isEmpty) || hasTargets.isEmpty == own.isEmpty)
      }
      let path = try stores.path("albums.title", of: "Band")
      let band = try stores.store.layout.entity(named: "Band")
      func bound(_ cursor: any Cursor, _ row: Int64) -> any Cursor {
        cursor.bind(row, at: 1)
        return cursor
      }
      let titles = stores.answers(
        { bound(try $0.elements(of: path, band), rows[0]) },
        { bound(try $0.elements(of: path, band), own[0]) })
      #expect(titles.found == titles.expected && titles.found.count == 3)
      #expect(
        try Exporter(stores.server).wholeText() == Exporter(stores.store).wholeText())
    }

    @Test func facts() throws {
      let stores = try Self.bands.get()
      let (expected, found) = try (
        stores.store.read { ($0, try $0.objectCounts(), try $0.pendingReferenceCounts()) },
        stores.server.read {
          ($0, try $0.objectCounts(), try $0.pendingReferenceCounts(), try $0.pageBytes())
        }
      )
      #expect(found.1 == expected.1.filter { $0.value > 0 })
      #expect(found.2 == expected.2)
      #expect(found.3.all > 0)
      #expect(
        try stores.server.read { try $0.storedParts() }.contains { $0.name == "Band" && $0.bytes ?? 0 > 0 })
      try checkStatements(stores.server)
    }

    // MARK: - Writing

    private static let notation = """
      Band
        id: integer64
        name: string
        formed: integer16 | default=1970
        price: decimal
        label: Label
        albums: [Album] <- band
        likes: [Band]
      Album
        title: string! | broker.identity=true
        year: integer16
        band: Band <- albums
      Label
        country: string
        code: integer16
        name: string
      """

    @Test(arguments: [(4, 0), (200, 0), (4, 2), (200, 2)])
    func imports(_ changesTogether: Int, _ part: Int) throws {
      let store = try Self.store(
        Self.notation.replacing("Label\n", with: "Label | identityAttributes=country,code\n"),
        reference: part,
        changesTogether: changesTogether)
      let fixture = Fixture(
        store: try Store(path: ":memory:", model: store.layout.schema.model, mapping: nil), twin: store)
      fixture.options.entity = "Band"
      func band(_ id: Int, _ rest: String) -> String { #"{"id": \#(id), "name": "B\#(id)"\#(rest)}"# }
      func label(_ id: Int) -> String { #", "label": {"country": "c\#(id % 7)", "code": \#(id % 5)}"# }
      let lists = (1...300).map { id in
        band(
          id,
          #", "albums": [{"title": "a\#(id)"}, {"title": "b\#(id)", "year": \#(id)}], "likes": [\#(id % 9), \#(id + 1)]"#
            + label(id))
      }
      try fixture.load("[\(lists.joined(separator: ","))]")
      let plain = (1...600).map { band($0, $0 % 2 == 0 ? #", "price": "1.\#($0 % 10)""# : "") }
      for json in [plain, plain, plain.map { $0.replacing("}", with: #", "formed": 1980}"#) }] {
        try fixture.load("[\(json.joined(separator: ","))]")
      }
      // Lists are replaced, objects take their albums from others, others go.
      let moved = (1...300).map { id in
        band(id, #", "albums": [{"title": "a\#(id + 1)", "year": 1}], "likes": [\#(id % 4)]"# + label(id + 1))
      }
      try fixture.load("[\(moved.joined(separator: ","))]")
      try fixture.load("[\(plain.prefix(500).joined(separator: ","))]") { $0.prunes = true }
      let labels = (1...400).map { #"{"country": "c\#($0 % 20)", "code": \#($0 % 20), "name": "L\#($0)"}"# }
      try fixture.load("[\(labels.joined(separator: ","))]", as: "Label")
      try checkStatements(store)
      let link = try PostgreSQLConnection.open(Self.database.get())
      let left = try link.query("SELECT count(*) FROM pg_class WHERE relname LIKE 'broker_stage%'")
      #expect(try left.field(0, 0).int8() == 0)
    }

    @Test func plainRowsWithReferencesThatLeadNowhere() throws {
      let store = try Self.store("Album\n  id: integer64\n  band: Band\nBand\n  id: string\n  name: string")
      let fixture = Fixture(
        store: try Store(path: ":memory:", model: store.layout.schema.model, mapping: nil), twin: store)
      try fixture.load(#"[{"id": "b1"}, {"id": "b2"}]"#, as: "Band")
      for factor in [1, 2, 2] {
        let albums = (1...500).map { #"{"id": \#($0), "band": "b\#($0 * factor % 4)"}"# }
        try fixture.load("[\(albums.joined(separator: ","))]", as: "Album")
      }
      try checkStatements(store)
    }
  }
#endif

#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// The server answers what SQLite answers.
  @Suite(.enabled(if: PostgreSQLServer.isWanted)) struct ServerQueryTests {
    private static let stores = Result { try ServerStores.bands() }

    @Test func selectionsAndOrders() throws {
      let stores = try Self.stores.get()
      let paths = [
        "name", "formed", "isActive", "rating", "price", "worth", "founded", "key", "site", "logo", "facts",
        "motto", "in", "home", "home.country", "parent", "parent.formed", "rider.text", "albums.@count",
        "albums.@sum.price", "albums.@avg.price", "albums.@max.title", "albums.@min.year",
        "albums.@avg.sales",
        "albums.@sum.score", "members.@count",
      ]
      for text in paths {
        let path = try stores.path(text, of: "Band")
        for isAscending in [true, false] {
          for range in [(nil, nil), (2, nil), (nil, 3), (2, 1)] as [(Int?, Int?)] {
            var query = Query("Band")
            query.sort = [Query.Sort(text, isAscending: isAscending)]
            (query.limit, query.offset) = range
            let (expected, found) = stores.answers(query, [.kind, .key, .value(path), .reference(path)])
            #expect(found == expected, "\(text) \(isAscending) \(range)")
          }
        }
        let distinct = stores.answers(
          { try $0.distinctCursor(Query("Band"), [.value(path)]) },
          { try $0.distinctCursor(Query("Band"), [.value(path)]) })
        #expect(distinct.found == distinct.expected, "distinct \(text)")
      }
    }

    @Test func aggregates() throws {
      let stores = try Self.stores.get()
      let functions: [Aggregation.Function] = [.count, .sum, .minimum, .maximum, .average]
      let groups: [[SelectedColumn]] = [
        [], [.value(try stores.path("band", of: "Album"))],
        [.value(try stores.path("band.formed", of: "Album"))],
      ]
      for (name, isDecimal) in [("year", false), ("sales", false), ("score", false), ("price", true)] {
        let value = SelectedColumn.value(try stores.path(name, of: "Album"))
        for function in functions {
          let aggregation = Aggregation(function, isDecimal: isDecimal)
          for groups in groups {
            for condition in ["TRUEPREDICATE", "title LIKE '*i?*'"] {
              var query = Query("Album")
              query.predicate = try ObjectPredicate(format: condition)
              let (expected, found) = stores.answers(
                { try $0.aggregateCursor(aggregation, of: value, for: query, by: groups) },
                { try $0.aggregateCursor(aggregation, of: value, for: query, by: groups) })
              #expect(Set(found) == Set(expected), "\(function) of \(name), \(condition)")
            }
          }
        }
      }
    }

    @Test func leastAndGreatestOfTypesThatTheServerHasNoneFor() throws {
      let stores = try Self.stores.get()
      for name in ["isActive", "key", "logo", "founded", "name", "site"] {
        let value = SelectedColumn.value(try stores.path(name, of: "Band"))
        for function in [Aggregation.Function.minimum, .maximum] {
          let (expected, found) = stores.answers(
            { try $0.aggregateCursor(Aggregation(function), of: value, for: Query("Band"), by: []) },
            { try $0.aggregateCursor(Aggregation(function), of: value, for: Query("Band"), by: []) })
          #expect(found == expected, "\(function) of \(name)")
        }
      }
    }

    @Test func objectsThatAreNamed() throws {
      let stores = try Self.stores.get()
      let places: [[SQLValue]] = [
        [.integer(1), .text("London")], [.integer(7), .text("Nowhere")], [.text("x"), .text("y")],
        [.integer(9), .text("a\0b")],
      ]
      for choice in [Query.Choice.identities(places), .keys(places), .keys([]), .keys([places[0]])] {
        let (expected, found) = stores.answers(Query("Place", choice), [.key])
        #expect(found == expected, "\(choice)")
      }
      let names: [[SQLValue]] = ["Japan", "Sigur Rós", "\"quoted\" \\", "a\0b"].map { [.text($0)] }
      let bands = stores.answers(Query("Band", .keys(names)), [.key])
      #expect(bands.found == bands.expected)
      for identity in ["1,London", "x,London", "1"] {
        var query = Query("Place")
        query.identity = identity
        let (expected, found) = stores.answers(query, [.key])
        #expect(found == expected, "\(identity)")
      }
      let given = stores.answers(
        { transaction in Self.bound(try transaction.keptCursor(Query("Band", .givenKey), [.key])) },
        { transaction in Self.bound(try transaction.keptCursor(Query("Band", .givenKey), [.key])) })
      #expect(given.found == ["'Motörhead'"] && given.expected == given.found)
    }

    private static func bound(_ cursor: any Cursor) -> any Cursor {
      cursor.bind(.text("Motörhead"), at: 1)
      return cursor
    }

    @Test func relatedObjects() throws {
      let stores = try Self.stores.get()
      let schema = stores.store.layout.schema
      for relationship in schema.relationships where schema.entities[relationship.owner].name == "Band" {
        for name in ["Japan", "Talk Talk", "Nobody", "a\0b"] {
          let query = Query(RelatedObjects(relationship, of: .key([.text(name)])), schema)
          let (expected, found) = stores.answers(query, [.key])
          #expect(found == expected, "\(relationship.name) of \(name)")
        }
        let rows = try stores.store.read { try $0.rows(of: Query("Band")) }
        let own = try stores.server.read { try $0.rows(of: Query("Band")) }
        let (expected, found) = stores.answers(
          { try $0.cursor(Query(RelatedObjects(relationship, of: .rows(rows)), schema), [.key]) },
          { try $0.cursor(Query(RelatedObjects(relationship, of: .rows(own)), schema), [.key]) })
        #expect(found.sorted() == expected.sorted(), "\(relationship.name) of all")
      }
    }

    @Test func whatRowsAreLinkedTo() throws {
      let stores = try Self.stores.get()
      let schema = stores.store.layout.schema
      let rows = try stores.store.read { try $0.rows(of: Query("Band")) }
      let own = try stores.server.read { try $0.rows(of: Query("Band")) }
      for relationship in schema.relationships where schema.entities[relationship.owner].name == "Band" {
        let expected = try stores.store.transaction(isCancelled: nil) { transaction in
          let links = try rows.map { row in
            (
              try transaction.hasTarget(of: relationship, row: row),
              try transaction.linkedKeys(of: relationship, row: row)
            )
          }
          return (links, .rollback)
        }
        let found = try stores.server.read { transaction in
          try own.map { row in
            (
              try transaction.hasTarget(of: relationship, row: row),
              try transaction.linkedKeys(of: relationship, row: row)
            )
          }
        }
        #expect(found.map(\.0) == expected.map(\.0), "\(relationship.name)")
        #expect(found.map(\.1) == expected.map(\.1), "\(relationship.name)")
      }
      let keys = try stores.server.read { transaction in
        try own.map {
          try transaction.key(ofRow: $0, in: transaction.layout.table(of: schema.index(of: "Band") ?? 0))
        }
      }
      #expect(keys == ["Japan", "Motörhead", "Rain Tree Crow", "Sigur Rós", "Talk Talk"])
      let path = try stores.path("albums.title", of: "Band")
      let band = try stores.store.layout.entity(named: "Band")
      let titles = stores.answers(
        { Self.bound(try $0.elements(of: path, band), rows[0]) },
        { Self.bound(try $0.elements(of: path, band), own[0]) })
      #expect(titles.found == titles.expected && titles.found.count == 3)
    }

    private static func bound(_ cursor: any Cursor, _ row: Int64) -> any Cursor {
      cursor.bind(row, at: 1)
      return cursor
    }

    @Test func whatQueriesDependOn() throws {
      let stores = try Self.stores.get()
      for format in [
        "formed > 1970", "ANY albums.year > 1980", "tags.@count > 0", "name LIKE 'J*' AND home.x == 1",
      ] {
        var query = Query("Band")
        query.predicate = try ObjectPredicate(format: format)
        let expected = try stores.store.read { try $0.dependence(of: query, [.key]) }
        let found = try stores.server.read { try $0.dependence(of: query, [.key]) }
        #expect(found.tables == expected.tables, "\(format)")
        #expect(found.readsOthers == expected.readsOthers, "\(format)")
      }
    }
  }
#endif

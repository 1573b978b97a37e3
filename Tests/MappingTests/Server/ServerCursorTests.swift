#if PostgreSQL
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// Cursors over more rows than come at once.
  @Suite(.enabled(if: PostgreSQLServer.isWanted)) struct ServerCursorTests {
    private static let stores = Result {
      try ServerStores(
        """
        Band
          id: integer64
          name: string
          albums: [Album] <- band
          parent: Band <- offshoots
          offshoots: [Band] <- parent
        Album
          id: integer64
          band: Band <- albums
        """
      ) { fixture in
        let bands = (0..<1_300).map { band in
          let albums = (0..<band % 4).map { "{\"id\": \(band * 10 + $0)}" }.joined(separator: ",")
          return
            "{\"id\": \(band), \"name\": \"\(band)\", \"albums\": [\(albums)], \"parent\": \(band / 3 - 1)}"
        }
        // What is compared here is not what the import does.
        let server = fixture.twin
        fixture.twin = nil
        var options = ImportOptions()
        options.entity = "Band"
        let json = "[\(bands.joined(separator: ","))]"
        for store in [fixture.store.backend as any StoreEngine, server].compactMap({ $0 }) {
          _ = try Importer(store, options).run([.string(json)])
        }
      }
    }

    @Test func severalAreOpenAtOnce() throws {
      let stores = try Self.stores.get()
      try stores.server.read { transaction in
        let bands = try transaction.cursor(Query("Band"), [.row])
        let albums = try transaction.cursor(Query("Album"), [.row])
        var (bandCount, albumCount) = (0, 0)
        while try bands.step() {
          #expect(bands.integer(0) == Int64(bandCount))
          bandCount += 1
          if bandCount % 3 == 0 { albumCount += try albums.step() ? 1 : 0 }
          if bandCount % 400 == 0 { #expect(try transaction.count(Query("Album")) == 1_950) }
        }
        #expect(bandCount == 1_300 && albumCount == 433)
        #expect(try bands.step() && bands.integer(0) == 0, "A cursor that is done begins anew.")
        bands.reset()
        #expect(try bands.step() && bands.integer(0) == 0)
      }
    }

    @Test(arguments: [
      nil, ["albums"], ["offshoots", "offshoots.albums"], ["parent", "parent.parent.albums"],
    ])
    func exportsAreTheSame(_ nested: [String]?) throws {
      let stores = try Self.stores.get()
      var options = ExportOptions()
      if let nested { options.nested = nested }
      for entity in ["Band", "Album"] where nested == nil || entity == "Band" {
        let expected = try Exporter(stores.store, options).text(of: entity)
        #expect(try Exporter(stores.server, options).text(of: entity) == expected)
      }
      #expect(try Exporter(stores.server).wholeText() == Exporter(stores.store).wholeText())
    }

    @Test(arguments: [
      "name LIKE '*9'", "id > 5 AND name MATCHES '1.*'", "ANY albums.id > 500 AND name LIKE '?1*'",
    ])
    func conditionsOnManyRows(_ format: String) throws {
      let stores = try Self.stores.get()
      for range in [(nil, nil), (120, 30), (nil, 10)] as [(Int?, Int?)] {
        var query = Query("Band")
        query.predicate = try ObjectPredicate(format: format)
        (query.limit, query.offset) = range
        let (expected, found) = stores.answers(query, [.row, .key])
        #expect(found == expected && !found.isEmpty)
      }
    }

    @Test func whatWasWrittenIsRead() throws {
      let model = stores(
        of: "Band\n  id: integer64\n  albums: [Album] <- band\nAlbum\n  id: integer64\n  band: Band <- albums"
      )
      let server = try ServerStores.emptyServer(model)
      let count = try server.read { try $0.count(Query("Band")) }
      #expect(count == 0)
      try server.read { transaction in
        let bands = try transaction.cursor(Query("Band"), [.row, .key])
        #expect(try !bands.step() && bands.columnCount == 2)
      }
      var options = ImportOptions()
      options.entity = "Band"
      _ = try Importer(server, options).run([.string(#"[{"id": 1, "albums": [{"id": 5}]}, {"id": 2}]"#)])
      try server.read { transaction in
        let albums = try transaction.targets(of: try #require(server.layout.schema.relationships.first))
        for (row, count) in [(1, 1), (2, 0), (3, 0), (1, 1)] {
          albums.bind(Int64(row), at: 1)
          #expect(try ServerStores.rows(albums).count == count)
        }
      }
    }

    @Test func cursorsOfStepsThatAreUndone() throws {
      let server = try Self.stores.get().server
      let all = try server.transaction(isCancelled: nil) { transaction in
        let outer = try transaction.cursor(Query("Band"), [.row])
        #expect(try outer.step())
        var lost: (any Cursor)?
        #expect(throws: CancellationError.self) {
          try transaction.atomically {
            lost = try transaction.cursor(Query("Album"), [.row])
            _ = try lost?.step()
            throw CancellationError()
          }
        }
        lost = nil
        let another = try transaction.cursor(Query("Album"), [.row])
        #expect(try another.step())
        return (try ServerStores.rows(outer).count, .rollback)
      }
      #expect(all == 1_299)
    }

    @Test("keys that wait are written with their objects, also where they are more than are kept in memory")
    func keysThatWait() throws {
      let notation = """
        Band
          name: string | broker.identity=true
          albums: [Album] <- band | ordered
          singles: [Single] <- band
        Album
          number: integer64 | broker.identity=true
          band: Band <- albums
        Single
          title: string | broker.identity=true
          band: Band <- singles
        """
      // Two names that look alike, and many bands that wait for nothing.
      let names = ["é", "e\u{301}"] + (0..<150).map { "b\($0)" }
      func bands(_ each: Int) -> String {
        let all = names.enumerated().map { number, name in
          let albums = number % 5 == 4 ? [] : (0..<each).map { "\(number * 1_000 - $0)" }
          let singles = number < 2 ? #""s\#(number)""# : ""
          return
            #"{"name": "\#(name)", "albums": [\#(albums.joined(separator: ","))], "singles": [\#(singles)]}"#
        }
        return "[\(all.joined(separator: ","))]"
      }
      for each in [3, 190] {
        let server = try ServerFixture(notation, entity: "Band", changesTogether: 200)
        let report = try server.fixture.load(bands(each))
        #expect(report.pendingCount == names.indices.count { $0 % 5 != 4 } * each + 2)
        #expect(try server.exported("Band").count == names.count)
        _ = try server.fixture.exported("Band")
        // What is written in between is seen.
        let counts = try server.store.transaction(isCancelled: nil) { transaction in
          let waiting = try transaction.pendingTargets()
          func count(_ name: String) throws -> Int {
            waiting.bind(.text("Band.albums"), at: 1)
            waiting.bind(.text(name), at: 2)
            return try ServerStores.rows(waiting).count
          }
          let before = try names.prefix(5).map(count) + names.prefix(2).map(count)
          var options = server.fixture.options
          options.entity = "Album"
          _ = try Importer(server.store, options).execute([.string(#"[{"number": 0}]"#)], in: transaction)
          return (before + [try count(names[0])], TransactionEnding.rollback)
        }
        #expect(counts == [each, each, each, each, 0, each, each, each - 1])
      }
    }

    private func stores(of notation: String) -> Model { (try? model(notation)) ?? Model() }
  }
#endif

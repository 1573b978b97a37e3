#if PostgreSQL
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// An import asks a server for what it needs together: twice as many objects take no more statements.
  @Suite("Statements of imports", .enabled(if: PostgreSQLServer.isWanted))
  struct StatementCountTests {
    /// A model, and what is imported one after another for a number of objects.
    struct Shape: Sendable, CustomTestStringConvertible {
      var testDescription: String
      var notation: String
      var entity: String
      var prunes = false
      var toMany = ToManyPolicy.replace
      var references = ReferencePolicy.pending
      /// The object with a number in each of the imports; none for one that is left out.
      var objects: [@Sendable (Int) -> String?]
    }

    private static let people = """
      Person | unique=mail
        name: string | broker.identity=true
        mail: string
        rival: Person <- rival
      """

    private static let box = #"{"weight": 3, "inner": null}"#

    static let shapes = [
      Shape(
        testDescription: "unique values, and objects that point to each other", notation: people,
        entity: "Person",
        objects: [
          { #"{"name": "p\#($0)", "mail": "m\#($0)"}"# },
          { #"{"name": "p\#($0)", "mail": "x\#($0)", "rival": "p\#($0 ^ 1)"}"# },
          { #"{"name": "p\#($0)", "mail": "x\#($0 + 1)", "rival": "p\#($0 ^ 2)"}"# },
        ]),
      Shape(
        testDescription: "children that change their owners",
        notation: """
          Band
            name: string | broker.identity=true
            albums: [Album] <- band
          Album
            title: string | broker.identity=true
            band: Band <- albums
          """, entity: "Band",
        objects: [
          { #"{"name": "b\#($0)", "albums": [{"title": "a\#($0)"}]}"# },
          { #"{"name": "b\#($0)", "albums": [{"title": "a\#($0 + 1)"}]}"# },
        ]),
      Shape(
        testDescription: "links to what is not there, and links that go both ways",
        notation: """
          Band
            name: string | broker.identity=true
            tags: [Tag] <- bands | ordered
            friends: [Band] <- friends
          Tag
            label: string | broker.identity=true
            bands: [Band] <- tags
          """, entity: "Band",
        objects: [
          { #"{"name": "b\#($0)", "tags": ["t\#($0)"], "friends": ["b\#($0 + 3)"]}"# },
          { #"{"name": "b\#($0)", "tags": ["u\#($0)", {"label": "t\#($0)"}], "friends": ["b\#($0 + 5)"]}"# },
        ]),
      Shape(
        testDescription: "parts of parts",
        notation: """
          Order
            number: string | broker.identity=true
            lines: [Line] <- order | ordered
            box: Box
          Line
            sku: string
            order: Order <- lines
            box: Box
          Box
            weight: integer16
            inner: Box
          """, entity: "Order",
        objects: [
          {
            #"{"number": "o\#($0)", "box": {"weight": 1, "inner": {"weight": 2}}, "#
              + #""lines": [{"sku": "a", "box": {"weight": 1}}, {"sku": "b", "box": {"weight": 2}}]}"#
          },
          {
            #"{"number": "o\#($0)", "box": \#($0 % 2 == 0 ? "null" : Self.box), "#
              + #""lines": [{"sku": "c", "box": {"weight": 4}}]}"#
          },
        ]),
      Shape(
        testDescription: "prunes with cascades",
        notation: """
          Band
            name: string | broker.identity=true
            albums: [Album] <- band | delete=cascade
            tags: [Tag] <- bands
          Album
            title: string | broker.identity=true
            band: Band <- albums
          Tag
            label: string | broker.identity=true
            bands: [Band] <- tags
          """, entity: "Band", prunes: true, toMany: .prune,
        objects: [
          { #"{"name": "b\#($0)", "albums": [{"title": "a\#($0)"}], "tags": [{"label": "t\#($0 % 7)"}]}"# },
          { $0 % 2 == 0 ? #"{"name": "b\#($0)", "albums": []}"# : nil },
        ]),
      Shape(
        testDescription: "stubs",
        notation: """
          Band
            name: string | broker.identity=true
            label: Label <- bands
          Label
            name: string | broker.identity=true
            bands: [Band] <- label
          """, entity: "Band", references: .stub,
        objects: [
          { #"{"name": "b\#($0)", "label": "l\#($0)"}"# },
          { #"{"name": "b\#($0)", "label": "l\#($0 + 1)"}"# },
        ]),
    ]

    @Test("do not grow with the number of objects", arguments: shapes)
    func counts(_ shape: Shape) throws {
      let (few, many) = (try statements(shape, objects: 400), try statements(shape, objects: 800))
      for (few, many) in zip(few, many) { #expect(many <= few + 4 && few < 120, "\(few), \(many)") }
    }

    /// How many statements each import of a shape takes.
    private func statements(_ shape: Shape, objects count: Int) throws -> [Int] {
      let server = try PostgreSQLServer.started()
      let database = try server.makeDatabase()
      try PostgreSQLServer.logStatements(of: database)
      let store = Store(
        try PostgreSQLStore(DatabaseAddress(database, schema: "s"), model: try model(shape.notation)))
      defer { try? store.close() }
      var options = ImportOptions()
      options.entity = shape.entity
      (options.prunes, options.toMany, options.references) = (shape.prunes, shape.toMany, shape.references)
      var (result, before) = ([Int](), 0)
      for object in shape.objects {
        let json = "[" + (0..<count).compactMap(object).joined(separator: ",") + "]"
        _ = try Importer(store, options).run([.string(json)])
        let all = try server.loggedStatements().count
        result.append(all - before)
        before = all
      }
      return result
    }

    // MARK: - Exports

    private static let discography = """
      Band
        name: string | broker.identity=true
        formed: integer16
        label: Label
        albums: [Album] <- band | ordered
        tags: [Tag]
        likes: [Band] | ordered
        notes: [Note] <- band
      Album | identityAttributes=band,number
        number: integer16
        band: Band! <- albums
        songs: [Song] <- album
      Song
        id: integer64
        title: string
        album: Album <- songs
      Label
        id: uuid
        city: string
      Tag
        word: string | broker.identity=true
      Note
        text: string
        band: Band <- notes
      """

    /// A store with so many bands, and the database that it is in.
    private func discography(_ count: Int, isDistributed: Bool) throws -> (PostgreSQLServer, PostgreSQLStore)
    {
      let server = try PostgreSQLServer.started()
      let database = try server.makeDatabase()
      if isDistributed { try PostgreSQLServer.emulateCitus(in: database) }
      let store = try PostgreSQLStore(
        DatabaseAddress(database, schema: "s"), model: try model(Self.discography))
      var options = ImportOptions()
      options.entity = "Band"
      let bands = (0..<count).map { number in
        let songs = #""songs": [{"id": \#(number * 2), "title": "x"}, {"id": \#(number * 2 + 1)}]"#
        let label = "00000000-0000-0000-0000-\(String(100_000_000_000 + number % 40))"
        let rest = #""tags": ["t\#(number % 30)", {"word": "u\#(number)"}], "notes": [{"text": "n"}]"#
        return
          #"{"name": "b\#(number)", "label": "\#(label)", "albums": [{"number": 1, \#(songs)}, {"number": 2}], "#
          + #""likes": ["b\#(number + 3)", "b0"], \#(rest)}"#
      }
      _ = try Importer(store, options).run([.string("[\(bands.joined(separator: ","))]")])
      if isDistributed { try ServerShape.distribute(store, reference: 4) }
      try PostgreSQLServer.logStatements(of: database)
      return (server, try PostgreSQLStore(DatabaseAddress(database, schema: "s"), model: nil))
    }

    @Test(
      "exports of tables on several servers look at tables at most 1.5 times as often, and so in fewer statements"
    )
    func exports() throws {
      let count = 1_500
      var (statements, looks, texts): ([Int], [Int], [[String]]) = ([], [], [])
      for isDistributed in [false, true] {
        let (server, store) = try discography(count, isDistributed: isDistributed)
        defer { try? store.close() }
        var options = ExportOptions()
        options.relationships = .nested(depth: 1)
        let before = try server.loggedStatements().count
        texts.append([try Exporter(store).wholeText(), try Exporter(store, options).text(of: "Album")])
        let sent = try server.loggedStatements().dropFirst(before).filter { !$0.hasPrefix("FETCH") }
        statements.append(sent.count)
        // What a statement reads ahead is a statement to each server.
        looks.append(sent.reduce(0) { $0 + 1 + $1.ranges(of: "AS MATERIALIZED").count })
      }
      #expect(texts[0] == texts[1])
      #expect(texts[0][1].contains(#""title":"x""#) && texts[0][1].contains(#""formed":null"#))
      #expect(Double(looks[1]) <= 1.5 * Double(looks[0]), "\(looks)")
      #expect(statements[1] * 2 <= statements[0], "\(statements), \(looks)")
      // Twice as many objects do not take twice as many.
      let (server, store) = try discography(2 * count, isDistributed: true)
      defer { try? store.close() }
      let before = try server.loggedStatements().count
      _ = try Exporter(store).wholeText()
      let more = try server.loggedStatements().count - before
      #expect(more < statements[0], "\(more), \(statements)")
    }
  }
#endif

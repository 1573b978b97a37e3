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
  }
#endif

#if PostgreSQL
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// Copies take along what the server of the JSON was not told of.
  @Suite("Copies of stores", .enabled(if: PostgreSQLServer.isWanted))
  struct StoreCopyTests {
    private func journal(_ store: Store) throws -> [String] {
      try store.read { transaction in
        try transaction.journal()?.entries().sorted { $0.revision < $1.revision }.map {
          "\($0.entity) \($0.key) \($0.kind) \($0.properties.keys.sorted())"
        } ?? []
      }
    }

    @Test("local changes, from a file to a server and back")
    func localChanges() throws {
      let model = try model("Band\n  id: string\n  name: string\n  formed: integer16")
      func file() throws -> Store {
        Store(try SQLiteStore(path: ":memory:", model: model, journalsLocalChanges: true))
      }
      let source = try file()
      var options = ImportOptions()
      options.entity = "Band"
      _ = try Importer(source, options).run([.string(#"[{"id": "a", "name": "Japan"}, {"id": "b"}]"#)])
      try source.transaction { transaction in
        let journal = try #require(try transaction.journal())
        let band = try transaction.layout.entity(named: "Band")
        try journal.noteUpdated(band, key: "a", ["formed", "name"])
        try journal.noteInserted(band, key: "b")
        try journal.noteDeleted(band, key: "c")
        return ((), .commit)
      }
      let expected = try journal(source)
      #expect(expected.count == 3)

      let server = Store(
        try PostgreSQLStore(
          DatabaseAddress(PostgreSQLServer.required().makeDatabase(), schema: "s"), model: model,
          journalsLocalChanges: true))
      let (back, never) = (try file(), { @Sendable in false })
      #expect(try StoreCopy(from: source, to: server).run(isCancelled: never).isWhole)
      #expect(try journal(server) == expected)
      #expect(try StoreCopy(from: server, to: back).run(isCancelled: never).isWhole)
      #expect(try journal(back) == expected)
      #expect(try Exporter(back).wholeText() == Exporter(source).wholeText())
    }
  }
#endif

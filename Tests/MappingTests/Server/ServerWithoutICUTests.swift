#if PostgreSQL
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// A server that was built without ICU does not know the letters of all scripts: what ignores case is evaluated on the rows.
  @Suite(.enabled(if: PostgreSQLServer.isWanted)) struct ServerWithoutICUTests {
    private static let notation = """
      Band
        id: integer64
        name: string
        albums: [Album] <- band
      Album
        id: integer64
        title: string
        band: Band <- albums
      """

    @Test(arguments: [
      ("name ==[c] 'ÉTOILE'", 1), ("name CONTAINS[cd] 'etoile'", 1), ("name ==[d] 'Etoile'", 1),
      ("ANY albums.title BEGINSWITH[c] 'TIN'", 1), ("NOT name ==[c] 'étoile'", 1), ("name < 'Z'", 1),
    ])
    func conditionsIgnoreCase(_ condition: String, _ count: Int) throws {
      let database = try PostgreSQLServer.required().makeDatabase()
      let other = try PostgreSQLConnection.open(database)
      _ = try other.execute(
        "SET allow_system_table_mods = on; DELETE FROM pg_collation WHERE collprovider = 'i'")
      let store = try PostgreSQLStore(
        DatabaseAddress(database, schema: "bands"), model: model(Self.notation))
      var options = ImportOptions()
      options.entity = "Band"
      _ = try Importer(store, options).run([
        .string(
          #"[{"id": 1, "name": "Étoile"}, {"id": 2, "name": "Japan", "albums": [{"id": 1, "title": "Tin Drum"}]}]"#
        )
      ])
      var query = Query("Band")
      query.predicate = try ObjectPredicate(format: condition)
      #expect(try store.read { try $0.count(query) } == count)
    }
  }
#endif

#if PostgreSQL
  import Foundation
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// Batches that are pushed by a thread of their own, while the next are decided.
  @Suite("Pushing batches", .enabled(if: PostgreSQLServer.isWanted))
  struct PushingTests {
    private static let bands = """
      Band
        id: integer64
        name: string
        albums: [Album] <- band
      Album
        id: integer64
        title: string
        band: Band <- albums
      """

    /// Bands with two albums each, in several batches.
    private static func json(_ title: String, last: String? = nil) -> String {
      let bands = (0..<300).map { band in
        let titles = [title, band == 299 ? last ?? title : title]
        let albums = titles.enumerated().map { #"{"id": \#(band * 2 + $0), "title": "\#($1)"}"# }
        return #"{"id": \#(band), "name": "b", "albums": [\#(albums.joined(separator: ","))]}"#
      }
      return "[\(bands.joined(separator: ","))]"
    }

    private func server() throws -> ServerFixture {
      let server = try ServerFixture(
        Self.bands, entity: "Band", batchSize: BatchSize(bytes: 1 << 16, cells: 512))
      _ = try server.fixture.load(Self.json("before"))
      return server
    }

    private func otherProgram(of server: ServerFixture) throws -> PostgreSQLConnection {
      let connection = try PostgreSQLConnection.open(ServerFixture.database.get())
      _ = try connection.execute("SET search_path = \(SQL.quoted(server.schema))")
      return connection
    }

    private func titles(_ connection: PostgreSQLConnection) throws -> [String] {
      let rows = try connection.query(#"SELECT DISTINCT title FROM "Album" ORDER BY 1"#)
      return try (0..<rows.count).map { try rows.field($0, 0).string() }
    }

    @Test func allBatchesArrive() throws {
      let server = try server()
      let report = try server.fixture.load(Self.json("after"))
      #expect(report.counts == "Album ~600, Band =300")
      #expect(try titles(otherProgram(of: server)) == ["after"])
    }

    /// The other program lets its row go after a while, so that a wait that nobody ends fails the test.
    @Test func aWaitForAnotherProgramCanBeCancelled() throws {
      let server = try server()
      let other = try otherProgram(of: server)
      _ = try other.execute(
        """
        SET idle_in_transaction_session_timeout = '60s'; BEGIN;
        UPDATE "Album" SET title = 'other' WHERE id = 7
        """)
      let end = ContinuousClock.now + .seconds(1)
      var options = ImportOptions()
      options.entity = "Band"
      let importer = Importer(server.store, options)
      let error = #expect(throws: ImportError.self) {
        try importer.run([.string(Self.json("after"))], isCancelled: { ContinuousClock.now > end })
      }
      #expect(error?.isCancellation == true)
      _ = try other.execute("ROLLBACK")
      #expect(try titles(other) == ["before"])
      #expect(try importer.run([.string(Self.json("after"))]).updated == ["Album": 600])
    }

    @Test(arguments: ["before", "after"]) func whatTheServerRefusesEndsTheImport(_ title: String) throws {
      let server = try server()
      let other = try otherProgram(of: server)
      _ = try other.execute(#"ALTER TABLE "Album" ADD CONSTRAINT no_bad CHECK (title <> 'bad')"#)
      let error = #expect(throws: StoreError.self) { try server.load(Self.json(title, last: "bad")) }
      #expect(error?.description.contains("no_bad") == true, "\(String(describing: error))")
      #expect(try titles(other) == ["before"])
      #expect(try server.load(Self.json("after")).updated == ["Album": 600])
    }
  }
#endif

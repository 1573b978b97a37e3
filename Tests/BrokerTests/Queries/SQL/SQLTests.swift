import Broker
import Foundation
import GRDB
import Testing

@Suite("SQL") struct SQLTests {
  private struct Share: Decodable, Equatable {
    var label: String?
    var bands: Int
  }

  private struct Whole: Decodable {
    var name: String
    var genre: Kind?
    var tags: [String]?
    var rating: Double?
    var formed: UInt64

    enum Kind: String, Decodable {
      case pop, rock
    }
  }

  // MARK: - Reading

  @Test(.onSQLite) func rows() async throws {
    let store = try await bandStore()
    let rows = try await store.sql("SELECT name, rating, formed AS year FROM Band ORDER BY name")
    #expect(rows.map(\.columns) == [["name", "rating", "year"], ["name", "rating", "year"]])
    #expect(rows.first?["name"] == .text("Japan"))
    #expect(try rows.map { try $0.value("year", as: Int.self) } == [1974, 1970])
    #expect(try rows.map { try $0.value("rating", as: Double?.self) } == [8.5, nil])
    #expect(throws: ReadError.self) { _ = try rows[1].value("rating", as: Double.self) }
    #expect(throws: ReadError.self) { _ = try rows[0].value("rated", as: Double?.self) }
    #expect(throws: ReadError.self) { _ = try rows[0].value("name", as: Int.self) }
  }

  @Test(.onSQLite) func valuesAreBound() async throws {
    let store = try await bandStore()
    let name = "x' OR '1' = '1"
    #expect(try await store.sql("SELECT name FROM Band WHERE name = \(name)").isEmpty)
    let names = ["Japan", "x"]
    #expect(
      try await store.sql("SELECT name FROM \(Band.self) WHERE name IN \(names)", as: String.self) == [
        "Japan"
      ])
    let none: [String] = []
    #expect(try await store.sql("SELECT name FROM Band WHERE name IN \(none)").isEmpty)
    let date = try #require(try await store.find(Album.self, "Tin Drum").released)
    #expect(
      try await store.sql("SELECT name FROM Album WHERE released = \(date)", as: String.self) == ["Tin Drum"])
    let link = ToOne<Band>(id: "Japan")
    #expect(try await store.sql("SELECT count(*) FROM Album WHERE band = \(link)", as: Int.self) == [2])
    let genre = Genre.pop
    let missing: Int? = nil
    let condition: SQLStatement = "genre = \(genre) AND \(missing) IS NULL"
    #expect(try await store.sql("SELECT name FROM Band WHERE \(condition)", as: String.self) == ["Japan"])
    await #expect(throws: QueryError.self) { try await store.sql("SELECT \(Double.nan)") }
    await #expect(throws: QueryError.self) { try await store.sql("SELECT 1 FROM \(Fan.self)") }
  }

  @Test(.onSQLite) func decodables() async throws {
    let store = try await bandStore()
    let shares = try await store.sql(
      "SELECT label, count(*) AS bands FROM Band GROUP BY label ORDER BY label DESC", as: Share.self)
    #expect(shares == [Share(label: "Virgin", bands: 1), Share(label: "EMI", bands: 1)])
    let bands = try await store.sql("SELECT * FROM Band ORDER BY name", as: Whole.self)
    #expect(bands.map(\.name) == ["Japan", "Talk Talk"])
    #expect(bands.map(\.genre) == [.pop, .rock])
    #expect(bands.map(\.tags) == [["uk", "80s"], nil])
    #expect(bands.map(\.formed) == [1974, 1970])
    #expect(try await store.sql("SELECT rating FROM Band ORDER BY name", as: Double?.self) == [8.5, nil])
    await #expect(throws: DecodingError.self) { try await store.sql("SELECT name FROM Band", as: Share.self) }
    await #expect(throws: DecodingError.self) { try await store.sql("SELECT name FROM Band", as: Int.self) }
    await #expect(throws: DecodingError.self) {
      try await store.sql("SELECT NULL AS name, 1 AS formed", as: Whole.self)
    }
  }

  @Test(.onSQLite) func objects() async throws {
    let store = try await bandStore()
    let pattern = "T%"
    let bands = try await store.fetch(Band.self, "SELECT * FROM \(Band.self) WHERE name LIKE \(pattern)")
    #expect(bands.map(\.name) == ["Talk Talk"])
    #expect(bands.map(\.formed) == [1970])
    let albums = try await store.fetch(
      Album.self, "SELECT a.name FROM Album a JOIN Band b ON b.name = a.band ORDER BY b.formed, a.year DESC")
    #expect(albums.map(\.name) == ["Spirit of Eden", "Tin Drum", "Quiet Life"])
    #expect(albums.map(\.band.id) == ["Talk Talk", "Japan", "Japan"])
    #expect(try await store.fetch(Band.self, "SELECT 'Nobody' AS name").isEmpty)
    #expect(try await store.fetch(Note.self, "SELECT * FROM Note ORDER BY text").map(\.text) == ["a", "b"])
    await #expect(throws: QueryError.self) { try await store.fetch(Band.self, "SELECT formed FROM Band") }
  }

  @Test(arguments: [
    "DELETE FROM Band", "SELECT 1; DELETE FROM Band", "PRAGMA journal_mode = DELETE", "COMMIT", "BEGIN",
    "ATTACH 'x' AS y",
    "VACUUM", "SELECT ?1", "SELECT 1; SELECT 2", "", "-- nothing", "SELECT nothing FROM nowhere",
    "WITH x AS (SELECT 1) DELETE FROM Band", "CREATE TABLE t (a)", "/* SELECT */ DROP TABLE Band",
    "SELECT 1 \0 FROM x",
  ])
  func refusedWhereItReads(_ text: String) async throws {
    let store = try await bandStore()
    let statement = SQLStatement(stringLiteral: text)
    await #expect(throws: StoreError.self) { try await store.sql(statement) }
    try await store.write { transaction in
      #expect(throws: StoreError.self) { _ = try transaction.sql(statement) }
    }
    #expect(try await store.count(Band.all) == 2)
  }

  // MARK: - Writing

  @Test(.onSQLite) func statementsThatWrite() async throws {
    let store = try await bandStore()
    var albums = store.observe(Album.sorted(by: \.year)).makeAsyncIterator()
    _ = try await albums.next()
    let count = try await store.write { transaction in
      var album = try transaction.find(Album.self, "Tin Drum")
      album.year = 1900
      try transaction.save(album)
      let band = "Japan"
      let count = try transaction.execute("UPDATE \(Album.self) SET year = year + 1 WHERE band = \(band)")
      #expect(try transaction.find(Album.self, "Tin Drum").year == 1901)
      try transaction.save(album)
      #expect(try transaction.find(Album.self, "Tin Drum").year == 1900)
      return count
    }
    #expect(count == 2)
    #expect(try await albums.next()?.map(\.year) == [1900, 1980, 1988])
  }

  @Test(arguments: [
    "DELETE FROM broker_store", "INSERT INTO broker_pending SELECT * FROM broker_pending",
    "UPDATE broker_store SET value = 1",
    "UPDATE Band SET name = 'x'; DELETE FROM Band", "COMMIT", "ROLLBACK", "DROP TABLE Band", "SELECT 1",
    "CREATE TABLE t (a)", "PRAGMA user_version = 7", "UPDATE nothing SET a = 1",
    "WITH x AS (SELECT 1) SELECT * FROM x",
    "DELETE FROM sqlite_schema", "UPDATE Band SET name = 'x' WHERE ?1",
  ])
  func refusedWhereItWrites(_ text: String) async throws {
    let store = try await bandStore()
    let before = try await store.exportAll()
    try await store.write { transaction in
      #expect(throws: StoreError.self) { try transaction.execute(SQLStatement(stringLiteral: text)) }
    }
    #expect(try await store.exportAll() == before)
  }

  @Test(.onSQLite) func aFailureLeavesNothing() async throws {
    let store = try await bandStore()
    try await store.write { transaction in
      #expect(throws: StoreError.self) { try transaction.execute("UPDATE Album SET name = 'one'") }
      #expect(try transaction.count(Album.filter(ids: ["one"])) == 0)
      try transaction.execute("DELETE FROM Album WHERE year > 1980")
    }
    #expect(try await store.fetch(Album.select(\.name)) == ["Quiet Life"])
  }

  @Test func inANewStore() async throws {
    let store = try await Store(at: .memory, for: Band.self)
    try await store.write { transaction in
      try transaction.execute("INSERT INTO Label (name) VALUES ('EMI'), ('Virgin')")
      try transaction.save(Label(name: "EMI", country: "UK", bands: ToMany()))
      try transaction.import(#"[{"name": "Virgin", "country": "UK"}]"#, as: Label.self)
    }
    #expect(try await store.fetch(Label.select(\.country)) == ["UK", "UK"])
  }

  // MARK: - The connection

  @Test(arguments: [false, true])
  func theConnection(isInFile: Bool) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let location = isInFile ? StoreLocation.file(folder.appending(path: "bands.sqlite")) : .memory
    let store = try await Store(at: location, for: Band.self)
    try await store.import(bandsJSON)
    let names = try await store.read { transaction in
      try transaction.withDatabase { try String.fetchAll($0, sql: "SELECT name FROM Band ORDER BY name") }
    }
    #expect(names == ["Japan", "Talk Talk"])
    await #expect(throws: StoreError.self) {
      try await store.read { try $0.withDatabase { try $0.execute(sql: "DELETE FROM Album") } }
    }
    var albums = store.observe(Album.all).makeAsyncIterator()
    _ = try await albums.next()
    try await store.write { transaction in
      try transaction.withDatabase {
        try $0.execute(sql: "DELETE FROM Album WHERE year > ?", arguments: [1980])
      }
    }
    #expect(try await albums.next()?.map(\.name) == ["Quiet Life"])
    // It is not theirs to commit; then all is undone.
    let refused = await #expect(throws: StoreError.self) {
      try await store.write { try $0.withDatabase { try $0.execute(sql: "DELETE FROM Album; COMMIT") } }
    }
    // The code says that the commit was refused, and by whom: SQLITE_CONSTRAINT_COMMITHOOK.
    #expect(refused?.description.contains("code 531") == true, "\(String(describing: refused))")
    #expect(try await store.count(Album.all) == 1)
    try await store.save(Label(name: "Can", country: nil, bands: ToMany()))
  }

  // MARK: - What queries become

  @Test(.onSQLite) func shownStatementsSayWhatTheyNeed() async throws {
    let store = try await bandStore()
    let plain = try await store.sql(of: Band.filter(format: "name == 'broker_fold('").sorted(by: \.formed))
    #expect(!plain.contains("\n"))
    let folded = try await store.sql(of: Band.filter(format: "name ==[c] 'japan'"))
    #expect(folded.hasSuffix("\n-- only in a store's own connections: broker_fold"))
  }
}

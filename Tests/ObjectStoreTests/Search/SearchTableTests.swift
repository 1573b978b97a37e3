import Foundation
import GRDB
import GRDBSQLite
import ObjectModel
import Testing

@testable import ObjectStore

/// The full-text indexes of a store's file.
@Suite(.onSQLite("a server has no full-text search")) struct SearchTableTests {
  private static func attribute(_ name: String, _ type: String = "string", isSearched: Bool = true) -> String
  {
    let info = isSearched ? #", "userInfo": {"broker.search": "true"}"# : ""
    return #"{"name": "\#(name)", "type": "\#(type)", "optional": true\#(info)}"#
  }

  private static func model(_ entities: String...) throws -> Model {
    try Model(json: Data(#"{"entities": [\#(entities.joined(separator: ", "))]}"#.utf8))
  }

  private static func entity(
    _ name: String, _ attributes: String..., identity: String = "string", more: String = ""
  ) -> String {
    let id = #"{"name": "key", "type": "\#(identity)", "userInfo": {"broker.identity": "true"}}"#
    return #"{"name": "\#(name)", "attributes": [\#(([id] + attributes).joined(separator: ", "))]\#(more)}"#
  }

  private func store(_ model: Model, at path: String = ":memory:") throws -> Store {
    let store = try Store(path: path, model: model)
    try store.transaction { _ in ((), .commit) }
    return store
  }

  @Test func withoutSearchedAttributesTablesAreAsTheyWere() throws {
    let plain = try store(Self.model(Self.entity("Band", Self.attribute("bio", isSearched: false))))
    #expect(
      try plain.rows("SELECT sql FROM sqlite_schema WHERE name = 'Band'") == [
        "CREATE TABLE \"Band\" (\n  \"key\" TEXT NOT NULL,\n  \"bio\" TEXT,\n  PRIMARY KEY (\"key\")\n)"
      ])
    #expect(try plain.number("SELECT count(*) FROM sqlite_schema WHERE type IN ('view', 'trigger')") == 0)
  }

  @Test func aKeyThatIsNoRowIDGetsOneBeside() throws {
    let found = try store(Self.model(Self.entity("Band", Self.attribute("bio"))))
    #expect(
      try found.rows("SELECT sql FROM sqlite_schema WHERE name = 'Band'") == [
        "CREATE TABLE \"Band\" (\n  \"_row\" INTEGER PRIMARY KEY,\n  \"key\" TEXT NOT NULL,\n  \"bio\" TEXT,\n"
          + "  UNIQUE (\"key\")\n)"
      ])
    let other = try store(Self.model(Self.entity("Band", Self.attribute("bio"), identity: "integer64")))
    #expect(try other.number("SELECT count(*) FROM pragma_table_info('Band') WHERE name = '_row'") == 0)
  }

  @Test func namesAreKeptApart() throws {
    let nasty = "ra\\\"nk] ' --"
    let store = try store(
      Self.model(
        Self.entity(
          "Band", Self.attribute("rank"), Self.attribute("ROWID"), Self.attribute("Band_search"),
          Self.attribute("_row"), Self.attribute(nasty), Self.attribute("content")),
        Self.entity("Band_search_data", Self.attribute("x")),
        Self.entity("band_SEARCH", Self.attribute("x"))))
    try store.transaction { transaction in
      try transaction.execute(
        #"INSERT INTO "Band" ("key", "rank", "ra""nk] ' --", "content") VALUES ('a', 'one', 'two', 'three')"#)
      return ((), .commit)
    }
    for (path, word) in [("rank", "one"), ("content", "three")] {
      var query = Query("Band")
      query.predicate = try ObjectPredicate(format: "%K MATCHES_TEXT %@", [.init(path), .init(word)])
      #expect(try count(query, store) == 1)
    }
    for (attributes, word, expected) in [
      ([], "two", 1), (["rank"], "two", 0), (["rank", "content"], "one three", 1),
    ] {
      var query = Query("Band")
      query.search = [SearchCondition(word, in: attributes)]
      #expect(try count(query, store) == Int64(expected))
    }
  }

  private func count(_ query: Query, _ store: Store) throws -> Int64 {
    try store.read { Int64(try $0.count(query)) }
  }

  @Test func anotherSearchIsAnotherModel() throws {
    let folder = try TemporaryDirectory()
    let plain = try Self.model(Self.entity("Band", Self.attribute("bio", isSearched: false)))
    let searched = try Self.model(Self.entity("Band", Self.attribute("bio")))
    try store(plain, at: folder.path).close()
    var options = Store.Options()
    options.migration = .refused
    let error = #expect(throws: StoreError.self) {
      try Store(path: folder.path, model: searched, options: options)
    }
    #expect(error?.description.contains("What differs: Band.bio is searched now.") == true)
    let other = try TemporaryDirectory()
    try store(searched, at: other.path).close()
    let back = #expect(throws: StoreError.self) {
      try Store(path: other.path, model: plain, options: options)
    }
    #expect(back?.description.contains("Band.bio is searched no more") == true)
  }

  @Test func aLibraryWithoutFTS5SaysSoWhenAStoreIsMade() throws {
    let queue = try DatabaseQueue()
    try queue.inDatabase { database in
      try FullTextSearch.check(database)
      sqlite3_drop_modules(database.sqliteConnection, nil)
      let error = #expect(throws: StoreError.self) { try FullTextSearch.check(database) }
      #expect(error?.description.contains("FTS5") == true)
    }
    let later = StoreError.sqlite(1, message: "no such module: fts5", sql: "")
    #expect(later.description == FullTextSearch.isMissing)
  }

  @Test func anIndexIsTheStoresOwn() throws {
    let store = try store(Self.model(Self.entity("Band", Self.attribute("bio"))))
    try store.transaction { transaction in
      for sql in [
        "DELETE FROM Band_search", "INSERT INTO Band_search (Band_search) VALUES ('rebuild')",
        "DELETE FROM Band_search_data",
      ] {
        #expect(throws: StoreError.self) { try transaction.execute(rawSQL: sql, []) }
      }
      let count = try transaction.execute(rawSQL: "INSERT INTO Band (key, bio) VALUES ('a', 'rock')", [])
      #expect(count == 1)
      #expect(try transaction.number("SELECT last_insert_rowid()") == 1)
      #expect(try transaction.number("SELECT count(*) FROM Band_search WHERE Band_search MATCH 'rock'") == 1)
      return ((), .commit)
    }
  }

  @Test func tablesAreChangedBesideAndAfterTheIndex() throws {
    let folder = try TemporaryDirectory()
    let store = try store(Self.model(Self.entity("Band", Self.attribute("bio"))), at: folder.path)
    try store.transaction { transaction in
      try transaction.execute("INSERT INTO Band (key, bio) VALUES ('a', 'rock')")
      try transaction.execute("CREATE TABLE other (x)")
      return ((), .commit)
    }
    #expect(try store.number("SELECT count(*) FROM Band_search WHERE Band_search MATCH 'rock'") == 1)
  }
}

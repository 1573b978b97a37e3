import Foundation
import ObjectModel
import ObjectStore
import Testing

/// The tables that a model gets.
@Suite(.onSQLite("about SQLite's tables")) struct TableTests {
  @Test func aTableForEachRootEntity() throws {
    let sql = try tables(
      #"""
      {"entities": [
        {"name": "Band",
         "attributes": [
           {"name": "name", "type": "string", "userInfo": {"broker.identity": "true"}},
           {"name": "formed", "type": "integer16"}, {"name": "rating", "type": "decimal"},
           {"name": "active", "type": "boolean"}, {"name": "seen", "type": "date"},
           {"name": "logo", "type": "binary"}, {"name": "score", "type": "double"},
           {"name": "token", "type": "uuid"}, {"name": "extra", "type": "transformable"},
           {"name": "shade", "type": "string", "transient": true}],
         "relationships": [
           {"name": "albums", "destination": "Album", "toMany": true, "ordered": true, "inverse": "band"},
           {"name": "tags", "destination": "Tag", "toMany": true, "inverse": "bands"}]},
        {"name": "Album", "attributes": [{"name": "id", "type": "integer64"}],
         "relationships": [{"name": "band", "destination": "Band", "inverse": "albums"}]},
        {"name": "Tag", "attributes": [{"name": "label", "type": "string"}],
         "relationships": [{"name": "bands", "destination": "Band", "toMany": true, "inverse": "tags"}]}]}
      """#)
    #expect(
      sql["Band"] == """
        CREATE TABLE "Band" (
          "name" TEXT NOT NULL,
          "formed" INTEGER,
          "rating" TEXT,
          "active" BOOLEAN,
          "seen" TEXT,
          "logo" BLOB,
          "score" REAL,
          "token" TEXT,
          "extra" TEXT,
          PRIMARY KEY ("name")
        )
        """)
    #expect(
      sql["Album"] == """
        CREATE TABLE "Album" (
          "id" INTEGER PRIMARY KEY,
          "band" TEXT,
          "band_order" INTEGER,
          FOREIGN KEY ("band") REFERENCES "Band" ("name")
        )
        """)
    #expect(sql["Tag"]?.contains("\"_id\" INTEGER PRIMARY KEY") == true)
    #expect(sql["Band_tags"]?.contains("PRIMARY KEY (\"bands\", \"tags\")") == true)
    #expect(sql.keys.contains("Album_band_index"))
    #expect(sql.keys.contains("Band_tags_inverse_index"))
  }

  @Test func subEntitiesShareATable() throws {
    let sql = try tables(
      #"""
      {"entities": [
        {"name": "Dog", "parent": "Animal", "attributes": [{"name": "size", "type": "integer16"}],
         "unique": [["size"]]},
        {"name": "Animal", "abstract": true, "attributes": [{"name": "id", "type": "integer64"}]},
        {"name": "Cat", "parent": "Animal", "attributes": [{"name": "size", "type": "string"}]},
        {"name": "Puppy", "parent": "Dog", "attributes": [
          {"name": "age", "type": "integer16", "indexed": true}]}]}
      """#)
    let animal = try #require(sql["Animal"])
    for column in [#""_entity" TEXT NOT NULL"#, #""size" INTEGER"#, #""size_" TEXT"#, #""age" INTEGER"#] {
      #expect(animal.contains(column))
    }
    #expect(sql["Animal_size_index"]?.contains("WHERE \"_entity\" IN ('Dog', 'Puppy')") == true)
    #expect(sql["Animal_age_index"] != nil)
    #expect(sql["Dog"] == nil)
  }

  @Test func everyTableHasRowIDs() throws {
    let store = try store(unusualNames)
    for name in try store.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
      let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
      #expect(throws: Never.self) { try store.rows("SELECT rowid FROM \(quoted)") }
    }
    #expect(try store.rows("SELECT name FROM sqlite_schema WHERE sql LIKE '%WITHOUT ROWID%'") == [])
  }

  private let unusualNames = #"""
    {"entities": [
      {"name": "Order", "attributes": [{"name": "id", "type": "integer64"},
        {"name": "group", "type": "string"},
        {"name": "select", "type": "string"}, {"name": "rowid", "type": "string"}],
       "relationships": [{"name": "from", "destination": "Order", "inverse": "to", "toMany": true},
         {"name": "to", "destination": "Order", "inverse": "from"},
         {"name": "index", "destination": "Group", "toMany": true, "ordered": true}],
       "indexes": [{"name": "both", "elements": ["group", "select"]}]},
      {"name": "Group", "attributes": [{"name": "order", "type": "string", "indexed": true}],
       "unique": [["order"]]},
      {"name": "x\"; DROP TABLE \"Order\"; --", "attributes": [{"name": "a'b", "type": "string"},
        {"name": "c\"d", "type": "string"}, {"name": "e f", "type": "string"},
        {"name": "[g]", "type": "string"}],
       "unique": [["c\"d"]]},
      {"name": "sqlite_sequence", "attributes": [{"name": "id", "type": "integer64"}]},
      {"name": "broker_store", "attributes": [{"name": "id", "type": "integer64"}]},
      {"name": "Order_index", "attributes": [{"name": "_id", "type": "string"},
        {"name": "_entity", "type": "string"}]},
      {"name": "Order_index_sub", "parent": "Order_index", "attributes": [{"name": "x", "type": "string"}]},
      {"name": "Ünïcödé 表", "attributes": [{"name": "id", "type": "integer64"}]}]}
    """#

  @Test func unusualNamesAreQuotedAndKeptApart() throws {
    let store = try store(unusualNames)
    let names = Set(
      try store.rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map { $0.lowercased() })
    #expect(
      names.isSuperset(of: ["order", "group", "x\"; drop table \"order\"; --", "order_index", "broker_store"])
    )
    #expect(try store.rows("SELECT count(*) FROM broker_store WHERE key = 'format'") == ["1"])
    let columns = try store.rows("SELECT name FROM pragma_table_info('x\"; DROP TABLE \"Order\"; --')")
    #expect(Set(columns).isSuperset(of: ["a'b", "c\"d", "e f", "[g]"]))
  }

  @Test func unusualNamesSurviveReopening() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite")
      .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let model = try Model(json: Data(unusualNames.utf8))
    let store = try Store(path: path, model: model)
    try store.transaction { _ in ((), .commit) }
    try store.close()
    #expect(try Store(path: path).model == model)
    try Store(path: path, model: model).close()
  }

  @Test func namesThatDifferByCaseOnlyAreKeptApart() throws {
    let sql = try tables(
      #"""
      {"entities": [
        {"name": "User", "attributes": [{"name": "uid", "type": "string"},
          {"name": "UID", "type": "string"}]},
        {"name": "USER", "attributes": [{"name": "x", "type": "string"}]}]}
      """#)
    #expect(sql["User"]?.contains("\"UID_\"") == true)
    #expect(sql["USER_"] != nil)
  }

  @Test func compositesAreTakenApart() throws {
    let sql = try tables(
      #"""
      {"entities": [{"name": "Shop", "attributes": [{"name": "id", "type": "integer64"},
         {"name": "home", "type": "composite", "composite": "Address"},
         {"name": "home_city", "type": "string"}]}],
       "composites": [{"name": "Address", "attributes": [{"name": "city", "type": "string"}]}]}
      """#)
    #expect(sql["Shop"]?.contains("\"home_city\" TEXT") == true)
    #expect(sql["Shop"]?.contains("\"home_city_\" TEXT") == true)
  }

  @Test func aModelWithoutEntitiesIsAStore() throws {
    #expect(try tables(#"{"entities": []}"#).keys.sorted().first == "broker_pending")
  }
}

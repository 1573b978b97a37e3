import Foundation
import GRDB
import Testing

/// A store file that somebody else has made, or changed.
@Suite("files of others", .onSQLite("about the schema of a file")) struct UntrustedFileTests {
  private let folder: Folder

  private static let endless =
    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT i AS id, '' AS name FROM n"

  init() throws {
    folder = try Folder()
    try folder.write(
      #"{"entities": [{"name": "Shop", "attributes": [{"name": "id", "type": "integer64"}, {"name": "name", "type": "string", "optional": true}]}]}"#,
      to: "model.json")
    try folder.write(#"[{"id": 1, "name": "Rough Trade"}]"#, to: "a.json")
    #expect(
      try broker("import", "a.json", "--model", "model.json", "--store", "store.sqlite", in: folder).status
        == 0)
  }

  private func change(_ sql: String) throws {
    let database = try DatabaseQueue(path: folder.path("store.sqlite"))
    try database.write { try $0.execute(sql: sql) }
    try database.close()
  }

  private static let commands = [
    ["info", "store.sqlite"], ["query", "Shop", "--store", "store.sqlite"],
    ["export", "--store", "store.sqlite"],
    ["import", "a.json", "--store", "store.sqlite"],
  ]

  @Test("a view under the name of a table is refused by its name", arguments: commands)
  func views(_ command: [String]) throws {
    try change("DROP TABLE Shop; CREATE VIEW Shop AS \(Self.endless)")
    let outcome = try broker(command, in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("its view \"Shop\" stands where a table of the store has to be"))
  }

  @Test("so is one under the name of a table that the store keeps for itself", arguments: commands)
  func viewsOfTheStore(_ command: [String]) throws {
    for table in ["broker_pending", "broker_imports"] {
      try change("DROP TABLE \(table); CREATE VIEW \(table) AS \(Self.endless)")
      let outcome = try broker(command, in: folder)
      #expect(outcome.status == 1)
      #expect(outcome.error.contains("its view \"\(table)\" stands where"))
      try change("DROP VIEW \(table); CREATE TABLE \(table) (x)")
    }
  }

  @Test("so is a virtual table")
  func virtualTables() throws {
    try change("DROP TABLE Shop; CREATE VIRTUAL TABLE Shop USING fts5(id, name)")
    let outcome = try broker("query", "Shop", "--store", "store.sqlite", in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("its virtual table \"Shop\" stands where"))
  }

  @Test("more views than any store has are not looked at", arguments: commands)
  func manyViews(_ command: [String]) throws {
    try change(
      """
      PRAGMA writable_schema = ON;
      WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
        INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)
        SELECT 'view', 'v' || i, 'v' || i, 0, 'CREATE VIEW v' || i || ' AS SELECT 1' FROM n;
      PRAGMA writable_schema = RESET;
      """)
    let outcome = try broker(command, in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("The file has more than 50000 views and triggers"), "\(outcome.error)")
  }

  @Test("triggers of others keep imports away, unless they are allowed; info tells of them")
  func triggers() throws {
    try change(
      """
      CREATE TABLE noted (id);
      CREATE TRIGGER own_trigger AFTER INSERT ON Shop BEGIN INSERT INTO noted VALUES (NEW.id); END;
      CREATE VIEW own_view AS \(Self.endless)
      """)
    try folder.write(#"[{"id": 2, "name": "Amoeba"}]"#, to: "b.json")
    let refused = try broker("import", "b.json", "--store", "store.sqlite", in: folder)
    #expect(refused.status == 1)
    #expect(refused.error.contains("triggers that Broker did not make"))
    #expect(refused.error.contains("\"own_trigger\""))
    #expect(try broker("query", "Shop", "--store", "store.sqlite", "--count", in: folder).output == "1\n")
    let info = try broker("info", "store.sqlite", in: folder).output
    #expect(info.contains("trigger own_trigger") && info.contains("view own_view"))
    #expect(
      try broker("import", "b.json", "--store", "store.sqlite", "--allow-triggers", in: folder).status == 0)
    let database = try DatabaseQueue(path: folder.path("store.sqlite"))
    #expect(try database.read { try Int.fetchAll($0, sql: "SELECT id FROM noted") } == [2])
    try database.close()
  }

  @Test("a model without end is refused")
  func longModels() throws {
    try change(
      #"UPDATE broker_store SET value = '{"entities":[]' || replace(hex(zeroblob(34000000)), '00', '  ') || '}' WHERE key = 'model'"#
    )
    let outcome = try broker("info", "store.sqlite", in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("its model is missing, or longer than 64 MB"))
  }
}

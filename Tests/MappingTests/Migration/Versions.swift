import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Testing

#if PostgreSQL
  import PostgreSQLStore
#endif

/// A store that passes through versions of its model, and its twin on a server.
///
/// What is imported through it, and what it is migrated to, has to give the same on both: the same objects, or the same
/// error.
///
/// ```swift
/// let bands = try Versions("Band\n  name: string", #"{"Band": [{"name": "Japan"}]}"#)
/// try bands.migrate(to: "Group | was=Band\n  name: string")
/// #expect(try bands.json() == #"{"Group":[{"name":"Japan"}]}"#)
/// ```
final class Versions {
  let directory: TemporaryDirectory
  let path: String
  #if PostgreSQL
    /// Nil where there is no server, or a model came that it does not take.
    private var server: ServerVersions?
  #endif

  init(_ notation: String, _ json: String..., mapping: JSONMapping? = nil) throws {
    directory = try TemporaryDirectory()
    path = directory.path("store.sqlite")
    let model = try model(notation)
    #if PostgreSQL
      if ServerVersions.takes(model) { server = try ServerVersions() }
    #endif
    let fixture = try fixture(model, mapping: mapping)
    for json in json {
      let report = try fixture.load(json)
      #expect(report.problems == [])
    }
    if json.isEmpty {
      try fixture.store.transaction { _ in ((), .commit) }
      try fixture.twin?.transaction(isCancelled: nil) { _ in ((), .commit) }
    }
    try fixture.store.close()
  }

  /// The store and its twin, to import into both.
  func fixture(_ model: Model? = nil, mapping: JSONMapping? = nil) throws -> Fixture {
    let fixture = Fixture(store: try Store(path: path, model: model, mapping: mapping))
    #if PostgreSQL
      fixture.twin = try server?.store(model, mapping: mapping)
    #endif
    return fixture
  }

  /// Opens the store with another version, and compares its tables with those of a new store.
  @discardableResult
  func migrate(
    to notation: String, _ migration: Store.Migration = .automatic, mapping: JSONMapping? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Store {
    try migrate(to: try model(notation), migration, mapping: mapping, sourceLocation: sourceLocation)
  }

  @discardableResult
  func migrate(
    to model: Model, _ migration: Store.Migration = .automatic, mapping: JSONMapping? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Store {
    var options = Store.Options()
    options.migration = migration
    let migrated = Result { try Store(path: path, model: model, mapping: mapping, options: options) }
    #if PostgreSQL
      try migrateServer(to: model, options, mapping, migrated, sourceLocation)
    #endif
    let store = try migrated.get()
    let fresh = try Store(path: ":memory:", model: model, mapping: mapping)
    try fresh.transaction { _ in ((), .commit) }
    let (found, expected) = (try Shape(store), try Shape(fresh))
    #expect(found.names == expected.names, sourceLocation: sourceLocation)
    #expect(found.columns == expected.columns, sourceLocation: sourceLocation)
    #expect(found.references == expected.references, sourceLocation: sourceLocation)
    #expect(
      try Fixture(store: store).rows("PRAGMA integrity_check") == ["ok"], sourceLocation: sourceLocation)
    return store
  }

  #if PostgreSQL
    /// Migrates the twin, and compares how that ends.
    private func migrateServer(
      to model: Model, _ options: Store.Options, _ mapping: JSONMapping?,
      _ expected: Result<Store, any Error>,
      _ sourceLocation: SourceLocation
    ) throws {
      guard let server else { return }
      guard ServerVersions.takes(model) else {
        self.server = nil
        return
      }
      var options = options
      // It tells of its own rows.
      options.migration.onProgress = nil
      let found = Result { try server.store(model, mapping: mapping, options: options) }
      switch (expected, found) {
      case (.success(let store), .success(let twin)):
        #expect(
          try ServerVersions.contents(twin) == ServerVersions.contents(store.backend),
          sourceLocation: sourceLocation)
        try twin.close()
      case (.failure(let expected), .failure(let found)):
        let messages = (
          "\(expected)".replacing(path, with: "-"), "\(found)".replacing(server.address.shown, with: "-")
        )
        #expect(messages.0 == messages.1, sourceLocation: sourceLocation)
      case (_, .failure(let error)):
        Issue.record("only the server fails: \(error)", sourceLocation: sourceLocation)
      case (.failure(let error), .success):
        Issue.record("the server does not fail: \(error)", sourceLocation: sourceLocation)
      }
    }
  #endif

  /// The message of a migration that is refused. The file is checked to be as it was.
  func refusal(
    of notation: String, _ migration: Store.Migration = .automatic,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let before = try contents()
    let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
      try self.migrate(to: notation, migration)
    }
    #expect(try contents() == before, sourceLocation: sourceLocation)
    return error?.description ?? ""
  }

  func contents() throws -> [String] { try Fixture(store: Store(path: path, access: .readOnly)).contents() }

  /// Everything in the store as JSON.
  func json(as notation: String? = nil) throws -> String {
    let store = try Store(path: path, model: try notation.map { try model($0) }, access: .readOnly)
    return try Self.json(store)
  }

  static func json(_ store: Store) throws -> String {
    var options = ExportOptions()
    options.includesNulls = false
    return try Exporter(store, options).wholeText().replacing("\n", with: "")
  }

  func rows(_ sql: String) throws -> [String] {
    try Fixture(store: Store(path: path, access: .readOnly)).rows(sql)
  }
}

/// What a store's file consists of, whatever the order.
private struct Shape {
  var names: [String]
  var columns: [String]
  var references: [String]

  init(_ store: Store) throws {
    let fixture = Fixture(store: store)
    names = try fixture.rows(
      "SELECT type, name, tbl_name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_autoindex%' AND name NOT IN ('broker_changes', 'broker_imports', 'broker_import_numbers', 'sqlite_sequence') ORDER BY 1, 2"
    )
    columns = try fixture.rows(
      """
      SELECT t.name, c.name, CASE c.type WHEN 'BOOLEAN' THEN 'INTEGER' ELSE c.type END
      FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT IN ('broker_changes', 'broker_imports', 'broker_import_numbers', 'sqlite_sequence') ORDER BY 1, 2
      """)
    references = try fixture.rows(
      """
      SELECT t.name, f."table", f."from", f."to" FROM sqlite_schema t, pragma_foreign_key_list(t.name) f
      WHERE t.type = 'table' ORDER BY 1, 2, 3, 4
      """)
  }
}

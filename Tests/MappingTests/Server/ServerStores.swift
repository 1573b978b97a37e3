#if PostgreSQL
  import Foundation
  import ObjectModel
  import ObjectStore
  import PostgreSQLServer
  import PostgreSQLStore

  /// The same objects in SQLite and in PostgreSQL, whatever the other tests run on.
  struct ServerStores: Sendable {
    let store: Store
    let server: PostgreSQLStore

    private static let database = Result { try ServerShape.database() }

    /// - Parameter server: The store of PostgreSQL's; nil for a new one.
    init(_ notation: String, server: PostgreSQLStore? = nil, _ load: (Fixture) throws -> Void) throws {
      let model = try model(notation)
      let fixture = try Fixture(model: model)
      store = fixture.store
      self.server = try server ?? Self.emptyServer(model)
      fixture.twin = self.server
      try load(fixture)
    }

    /// A store in a schema of its own.
    static func emptyServer(_ model: Model) throws -> PostgreSQLStore {
      try ServerShape.shaped(
        PostgreSQLStore(
          DatabaseAddress(database.get(), schema: "s\(UUID().uuidString.prefix(12))"), model: model))
    }

    static func bands(server: PostgreSQLStore? = nil) throws -> ServerStores {
      try ServerStores(BandCollection.notation, server: server) { fixture in
        try fixture.load(BandCollection.bands, as: "Band")
        try fixture.load(BandCollection.albums, as: "Album")
        try fixture.load(BandCollection.singles, as: "Single")
      }
    }

    /// What both answer: the rows, a text each, or the error.
    func answers(
      _ ask: (any StoreTransaction) throws -> any Cursor,
      _ askServer: (PostgreSQLTransaction) throws -> any Cursor
    ) -> (expected: [String], found: [String]) {
      (
        Self.text { try store.read { try Self.rows(ask($0)) } },
        Self.text { try server.read { try Self.rows(askServer($0)) } }
      )
    }

    func answers(_ query: Query, _ columns: [SelectedColumn]) -> (expected: [String], found: [String]) {
      answers({ try $0.cursor(query, columns) }, { try $0.cursor(query, columns) })
    }

    private static func text(_ rows: () throws -> [String]) -> [String] {
      do { return try rows() } catch { return ["\(error)"] }
    }

    static func rows(_ cursor: any Cursor) throws -> [String] {
      var rows: [String] = []
      while try cursor.step() {
        let values = (0..<cursor.columnCount).map { column in
          switch cursor.value(column) {
          case .null: "-"
          // The sum of no reals is a whole 0 in SQLite.
          case .real(let number): number == 0 ? "0" : "\(number)"
          case .integer(let number): "\(number)"
          case .text(let text): "'\(text)'"
          case .blob(let bytes): "\(bytes)"
          }
        }
        rows.append(values.joined(separator: " "))
      }
      return rows
    }

    func path(_ text: String, of entity: String) throws -> ResolvedPath {
      let layout = store.layout
      return try ResolvedPath(text, from: layout.entity(named: entity), layout)
    }
  }
#endif

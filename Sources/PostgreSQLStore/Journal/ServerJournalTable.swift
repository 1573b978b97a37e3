#if PostgreSQL
  import Foundation
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient

  /// The table of a store's ``Journal`` on the server.
  struct ServerJournalTable: JournalTable {
    let session: ServerSession
    private var connection: PostgreSQLConnection { get throws { try session.idle() } }

    static let name = SQL.quoted(StoreTable.journal)

    /// Gives the numbers of changes. Unlike a row, a sequence makes nobody wait who holds the lock of another entity.
    private static let revisions = "broker_revisions"

    /// The SQL that makes it, where there is none.
    static let definition = """
      CREATE TABLE IF NOT EXISTS \(name) (
        root text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, entity text NOT NULL, kind text NOT NULL,
        properties text NOT NULL, revision bigint NOT NULL, sent boolean NOT NULL, PRIMARY KEY (root, key));
      CREATE SEQUENCE IF NOT EXISTS \(revisions)
      """

    private static let columns = "entity, key, kind, properties, revision, sent"

    /// Whether the store keeps a journal.
    static func isThere(_ connection: PostgreSQLConnection) throws -> Bool {
      try connection.query(prepared: "SELECT to_regclass($1)::text", .text(name)).value { !$0.isNull }
    }

    func entries() throws -> [JournalEntry] { try Self.entries(on: connection) }

    static func entries(on connection: PostgreSQLConnection) throws -> [JournalEntry] {
      try read(connection.query("SELECT \(columns) FROM \(name) ORDER BY revision, root, key"))
    }

    func entry(root: String, key: String) throws -> JournalEntry? {
      try Self.read(
        connection.query(
          prepared: "SELECT \(Self.columns) FROM \(Self.name) WHERE root = $1 AND key = $2", .text(root),
          .text(key))
      ).first
    }

    private static func read(_ rows: PostgreSQLRows) throws -> [JournalEntry] {
      try (0..<rows.count).compactMap { row in
        guard let kind = JournalEntry.Kind(rawValue: try rows.field(row, 2).string()) else { return nil }
        var entry = JournalEntry(
          entity: try rows.field(row, 0).string(), key: try rows.field(row, 1).string(), kind: kind,
          revision: try rows.field(row, 4).int8())
        let properties = Data(try rows.field(row, 3).text())
        entry.properties = (try? JSONDecoder().decode([String: Int64].self, from: properties)) ?? [:]
        entry.isSent = try rows.field(row, 5).bool()
        return entry
      }
    }

    func put(_ entry: JournalEntry, root: String) throws {
      try Self.put(entry, root: root, on: connection)
    }

    static func put(_ entry: JournalEntry, root: String, on connection: PostgreSQLConnection) throws {
      let properties = try JSONEncoder().encode(entry.properties)
      _ = try connection.query(
        prepared: """
          INSERT INTO \(name) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (root, key) DO UPDATE
          SET entity = $3, kind = $4, properties = $5, revision = $6, sent = $7
          """, .text(root), .text(entry.key), .text(entry.entity), .text(entry.kind.rawValue),
        .text(String(decoding: properties, as: UTF8.self)), .int8(entry.revision), .bool(entry.isSent))
    }

    func remove(root: String, key: String) throws {
      _ = try connection.query(
        prepared: "DELETE FROM \(Self.name) WHERE root = $1 AND key = $2", .text(root), .text(key))
    }

    func markSent() throws {
      // Whoever writes an entity writes its entries under the entity's lock.
      _ = try session.lock(Set(session.tables.layout.schema.entities.indices))
      _ = try connection.execute("UPDATE \(Self.name) SET sent = true WHERE kind = 'inserted' AND NOT sent")
    }

    func nextRevision() throws -> Int64 {
      try connection.query(prepared: "SELECT nextval($1::text::regclass)", .text(Self.revisions)).value {
        try $0.int8()
      }
    }
  }
#endif

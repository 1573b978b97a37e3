#if PostgreSQL
  import Foundation
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient

  /// The table and the sequence of a journal, as statements name them.
  struct ServerJournalNames {
    let table: String
    /// Gives the numbers of changes. Unlike a row, a sequence makes nobody wait who holds the lock of another entity.
    let revisions: String
    static let revisionsName = "broker_revisions"

    /// - Parameter names: Those of the store's tables.
    init(_ names: NameRules) {
      (table, revisions) = (names.sqlName(StoreTable.journal), names.sqlName(Self.revisionsName))
    }

    /// The SQL that makes it, where there is none.
    var definition: String {
      """
      CREATE TABLE IF NOT EXISTS \(table) (
        root text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, entity text NOT NULL, kind text NOT NULL,
        properties text NOT NULL, revision bigint NOT NULL, sent boolean NOT NULL, former text COLLATE "C",
        PRIMARY KEY (root, key));
      CREATE SEQUENCE IF NOT EXISTS \(revisions)
      """
    }
  }

  /// The table of a store's ``Journal`` on the server.
  struct ServerJournalTable: JournalTable {
    let session: ServerSession
    /// Whether the table has a column for former keys. In stores of earlier versions it comes with the first rename.
    let hasFormer: Bool
    private var connection: PostgreSQLConnection { get throws { try session.idle() } }

    private var names: ServerJournalNames { session.tables.journal }

    /// Whether the store keeps a journal.
    static func isThere(_ names: ServerJournalNames, _ connection: PostgreSQLConnection) throws -> Bool {
      try hasFormer(names, connection) != nil
    }

    /// Whether the journal's table has a column for former keys; nil if the store keeps no journal.
    static func hasFormer(
      _ names: ServerJournalNames, _ connection: PostgreSQLConnection
    ) throws -> Bool? {
      let rows = try connection.query(
        prepared: """
          SELECT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = journal AND attname = 'former' AND NOT attisdropped)
          FROM to_regclass($1) AS journal WHERE journal IS NOT NULL
          """, .text(names.table))
      return rows.count == 0 ? nil : try rows.field(0, 0).bool()
    }

    private static func selection(_ names: ServerJournalNames, _ hasFormer: Bool) -> String {
      "SELECT entity, key, kind, properties, revision, sent, \(hasFormer ? "former" : "NULL::text") FROM \(names.table)"
    }

    func entries() throws -> [JournalEntry] {
      try Self.read(
        connection.query("\(Self.selection(names, hasFormer)) ORDER BY revision, root, key"))
    }

    /// The entries of a store's journal; none if it keeps none.
    static func entries(
      of names: ServerJournalNames, on connection: PostgreSQLConnection
    ) throws -> [JournalEntry] {
      guard let hasFormer = try hasFormer(names, connection) else { return [] }
      return try read(connection.query("\(selection(names, hasFormer)) ORDER BY revision, root, key"))
    }

    func entries(root: String, formerly key: String) throws -> [JournalEntry] {
      guard hasFormer else { return [] }
      return try Self.read(
        connection.query(
          prepared: "\(Self.selection(names, true)) WHERE root = $1 AND former = $2 ORDER BY revision",
          .text(root),
          .text(key)))
    }

    func entry(root: String, key: String) throws -> JournalEntry? {
      try Self.read(
        connection.query(
          prepared: "\(Self.selection(names, hasFormer)) WHERE root = $1 AND key = $2", .text(root),
          .text(key))
      ).first
    }

    private static func read(_ rows: PostgreSQLRows) throws -> [JournalEntry] {
      try (0..<rows.count).map { row in
        let former = rows.field(row, 6)
        return try JournalEntry(
          entity: try rows.field(row, 0).string(), key: try rows.field(row, 1).string(),
          kind: try rows.field(row, 2).string(), properties: Data(try rows.field(row, 3).text()),
          revision: try rows.field(row, 4).int8(), isSent: try rows.field(row, 5).bool(),
          former: former.isNull ? nil : try former.string())
      }
    }

    func put(_ entry: JournalEntry, root: String) throws {
      if entry.former != nil, !hasFormer {
        _ = try connection.execute(
          "ALTER TABLE \(names.table) ADD COLUMN IF NOT EXISTS former text COLLATE \"C\"")
      }
      try remove(root: root, key: entry.key)
      try Self.put(entry, root: root, into: names, on: connection)
    }

    /// Puts an entry into the table, which has none of the same object.
    static func put(
      _ entry: JournalEntry, root: String, into names: ServerJournalNames, on connection: PostgreSQLConnection
    ) throws {
      let properties = try JSONEncoder().encode(entry.properties)
      // A table of an earlier version has no former keys, so it is named only where there is one.
      if let former = entry.former {
        _ = try connection.query(
          prepared: """
            INSERT INTO \(names.table) (root, key, entity, kind, properties, revision, sent, former)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """, .text(root), .text(entry.key), .text(entry.entity), .text(entry.kind.rawValue),
          .text(String(decoding: properties, as: UTF8.self)), .int8(entry.revision), .bool(entry.isSent),
          .text(former))
      } else {
        _ = try connection.query(
          prepared: """
            INSERT INTO \(names.table) (root, key, entity, kind, properties, revision, sent)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """, .text(root), .text(entry.key), .text(entry.entity), .text(entry.kind.rawValue),
          .text(String(decoding: properties, as: UTF8.self)), .int8(entry.revision), .bool(entry.isSent))
      }
    }

    func remove(root: String, key: String) throws {
      _ = try connection.query(
        prepared: "DELETE FROM \(names.table) WHERE root = $1 AND key = $2", .text(root), .text(key))
    }

    func markSent() throws {
      // Whoever writes an entity writes its entries under the entity's lock.
      _ = try session.lock(Set(session.tables.layout.schema.entities.indices))
      _ = try connection.execute("UPDATE \(names.table) SET sent = true WHERE kind = 'inserted' AND NOT sent")
    }

    func nextRevision() throws -> Int64 {
      try connection.query(prepared: "SELECT nextval($1::text::regclass)", .text(names.revisions)).value {
        try $0.int8()
      }
    }
  }
#endif

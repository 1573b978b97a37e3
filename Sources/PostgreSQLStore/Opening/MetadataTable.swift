#if PostgreSQL
  import Foundation
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient

  /// What a store remembers of itself in its table `broker_metadata`.
  struct MetadataTable {
    let connection: PostgreSQLConnection
    let address: DatabaseAddress
    /// The table as statements have it.
    private var table: String { address.names.sqlName(StoreTable.metadata) }

    /// Runs `body`, and gives what fails in a store's words.
    func described<Result>(_ body: (MetadataTable) throws -> Result) throws -> Result {
      do { return try body(self) } catch { throw ServerFailure(address).described(error) }
    }

    /// The form of the tables. A newer one is not written by a program that does not know it.
    static let format = "2"
    /// The form before the first release, whose join tables had numbers of rows.
    private static let firstFormat = "1"

    /// The model and the mapping of the store; nil if the schema has no store.
    ///
    /// - Throws: ``StoreError`` if there is something else in its place.
    func description() throws -> StoreDescription? {
      guard try isThere() else { return nil }
      guard let format = try value(of: "format"), let model = try value(of: "model") else {
        throw StoreError.notAStore(address.shown, "its format or its model is missing", isFile: false)
      }
      guard format != Self.firstFormat else {
        throw StoreError.notAStore(
          address.shown,
          "its tables have a form from before the first release of Broker; import into a new schema",
          isFile: false)
      }
      guard format == Self.format else { throw StoreError.newerFormat(address.shown, format) }
      return StoreDescription(
        model: try Model(json: Data(model.utf8)),
        mapping: try value(of: "mapping").map { try JSONMapping(remembered: $0) })
    }

    /// Whether the schema has a store.
    ///
    /// - Throws: ``StoreError`` if a table has the name of the store's own, and is another.
    func isThere() throws -> Bool {
      let columns = try connection.query(
        """
        SELECT string_agg(a.attname, ' ' ORDER BY a.attnum), c.relkind IN ('r', 'p') FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE n.nspname = $1 AND c.relname = $2 GROUP BY c.relkind
        """, .text(address.schema), .text(StoreTable.metadata))
      guard columns.count > 0 else { return false }
      // A view runs code of others with the rights of its reader.
      guard try columns.field(0, 0).string() == "key value", try columns.field(0, 1).bool() else {
        throw StoreError.notAStore(
          address.shown,
          "its table \(StoreTable.metadata) is one that Broker did not make; name another schema with ?schema=",
          isFile: false)
      }
      return true
    }

    /// Whether the schema has a table of the name that a store's has.
    func isTableThere() throws -> Bool {
      // The catalog itself is asked: what a session knows of it may be older than the lock that it just got.
      try connection.query(
        prepared: """
          SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relname = $2)
          """, .text(address.schema), .text(StoreTable.metadata)
      ).value { try $0.bool() }
    }

    func isSchemaThere() throws -> Bool {
      try connection.query(
        prepared: "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)", .text(address.schema)
      ).value { try $0.bool() }
    }

    /// Waits for whoever is making the store now.
    ///
    /// - Throws: ``StoreError`` if that takes too long; `CancellationError`.
    func waitUntilMade(_ pending: AccessRequest) throws {
      _ = try connection.execute("BEGIN")
      do {
        try ServerLocks(address: address, pending: pending).takeThatOfTables(connection)
      } catch {
        _ = try? connection.execute("ROLLBACK")
        throw error
      }
      _ = try connection.execute("ROLLBACK")
    }

    /// How a store's memory looks to a transaction.
    struct Look {
      /// What changes when the model or the mapping does; nil if nothing is remembered.
      let fingerprint: String?
      /// Whether the database has the extension that tables can be distributed with.
      let hasCitus: Bool
    }

    /// How the memory looks now. The schema has to have a store.
    func look() throws -> Look {
      let rows = try connection.query(
        """
        SELECT encode(sha256(convert_to(string_agg(key || ' ' || value, ' ' ORDER BY key), 'UTF8')), 'hex'),
          \(CitusCatalog.isThere)
        FROM \(table) WHERE key IN ('format', 'model', 'mapping')
        """)
      let fingerprint = rows.field(0, 0)
      return Look(
        fingerprint: fingerprint.isNull ? nil : try fingerprint.string(),
        hasCitus: try rows.field(0, 1).bool())
    }

    private func value(of key: String) throws -> String? {
      let rows = try connection.query(
        "SELECT value FROM \(table) WHERE key = $1", .text(key))
      return rows.count == 0 ? nil : try rows.field(0, 0).string()
    }

    func remember(_ description: StoreDescription) throws {
      let values = [
        ("format", Self.format), ("model", description.model.json()),
        ("mapping", try description.mapping?.remembered()),
      ]
      for (key, value) in values {
        guard let value else { continue }
        _ = try connection.query(
          """
          INSERT INTO \(table) AS m VALUES ($1, $2)
          ON CONFLICT (key) DO UPDATE SET value = $2 WHERE m.value IS DISTINCT FROM $2
          """, .text(key), .text(value))
      }
    }

    /// - Throws: ``StoreError`` if the schema has tables of others under names that the store's tables would get.
    func checkNamesAreFree(_ layout: Layout) throws {
      let names =
        layout.tables.map(\.name) + layout.joins.map(\.name) + layout.names.reservedTables
        + [StoreTable.pending, StoreTable.metadata, StoreTable.imports, StoreTable.journal]
      let rows = try connection.query(
        """
        SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 ORDER BY 1
        """, .text(address.schema))
      var taken: [String] = []
      for row in 0..<rows.count {
        let name = try rows.field(row, 0).string()
        if names.contains(name) { taken.append(name) }
      }
      guard let first = taken.first else { return }
      let more = taken.count > 1 ? " and \(taken.count - 1) more" : ""
      throw StoreError.notAStore(
        address.shown,
        "its schema has tables that Broker did not make, with names that the store needs: \(first)\(more);"
          + " name another schema with ?schema=", isFile: false)
    }
  }
#endif

#if PostgreSQL
  import Foundation
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient

  /// The knowledge of a store about its tables.
  final class ServerState: Sendable {
    private struct Facts {
      /// The metadata of the store when the model was last compared with it.
      var fingerprint: String?
      var difference = StoreDifference.none
      /// Whether the next transaction may give the store another version of its model: it was found to be of another one
      /// when it was opened, and nothing was committed since. A difference that shows later comes from another program.
      var mayMigrate = false
      var hasCommitted = false
      /// Whether the database has the extension that tables can be distributed with.
      var hasCitus = false
    }

    private let facts = Locked(Facts())

    /// Whether the model was compared with a memory of this look.
    func isCompared(with fingerprint: String) -> Bool {
      facts.withLock { $0.fingerprint == fingerprint }
    }

    func noteComparison(with fingerprint: String, _ difference: StoreDifference) {
      facts.withLock { facts in
        facts.fingerprint = fingerprint
        facts.difference = difference
      }
    }

    /// Notes how the store differs from what it is opened with.
    func noteOpening(_ difference: StoreDifference, mayMigrate: Bool) {
      facts.withLock { facts in
        facts.difference = difference
        facts.mayMigrate = mayMigrate && difference == .version
      }
    }

    /// Whether the store has to remember another mapping, or other words of its model.
    var needsMemory: Bool { facts.withLock { $0.difference == .words } }

    var needsMigration: Bool { facts.withLock { $0.difference == .version } }

    var mayMigrate: Bool { facts.withLock { $0.mayMigrate } }

    /// Notes that something was committed.
    func noteCommit() {
      facts.withLock { facts in
        facts.mayMigrate = false
        facts.hasCommitted = true
      }
    }

    /// Whether this store has committed a transaction.
    var hasCommitted: Bool { facts.withLock { $0.hasCommitted } }

    var hasCitus: Bool { facts.withLock { $0.hasCitus } }

    func noteCitus(_ isThere: Bool) { facts.withLock { $0.hasCitus = isThere } }
  }

  extension DatabaseAddress {
    /// The rules of the server for names, and the schema that the store's tables are in.
    var names: NameRules { .server(in: schema) }
  }

  extension NameRules {
    /// Names have at most 63 bytes, the rest would be cut off; some columns are the server's own.
    ///
    /// - Parameter schema: The schema that the tables are in.
    static func server(in schema: String) -> NameRules {
      var rules = NameRules()
      rules.schema = schema
      rules.reservedTables = [ServerTables.pendingNumbersName, ServerJournalNames.revisionsName]
      rules.longest = 63
      rules.reservedColumns = ["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "oid", "broker_row"]
      return rules
    }
  }

  /// A layout that the server has no room for, said before it says so in its own words.
  extension Layout {
    /// The server has room for 1,600 columns of a table, two of which may be the store's own.
    private static var columns: Int { 1_598 }
    /// A row fits into a page of 8,160 bytes, long texts aside.
    private static var rowLength: Int { 8_000 }

    /// - Throws: ``StoreError`` for an entity that a table has no room for.
    func checkServerLimits() throws(StoreError) {
      for table in tables {
        let name = schema.entities[table.root].name
        let family = schema.family(of: table.root).count > 1 ? " with its sub-entities" : ""
        guard table.columns.count <= Self.columns else {
          throw StoreError.invalid(
            "\(name)\(family) has \(table.columns.count) attributes and to-one relationships. A PostgreSQL server has"
              + " room for \(Self.columns). Split the entity.")
        }
        let length = table.columns.reduce(0) { $0 + Self.length(ColumnForm($1)) }
        guard length <= Self.rowLength else {
          throw StoreError.invalid(
            "An object of \(name)\(family) can need \(length) bytes of numbers, dates and the like. A PostgreSQL server"
              + " has room for \(Self.rowLength). Split the entity.")
        }
      }
    }

    /// The bytes of a value whose length does not change.
    private static func length(_ form: ColumnForm) -> Int {
      switch form {
      case .boolean: 1
      case .integer, .real, .date: 8
      case .uuid: 16
      case .text, .mixed, .decimal, .blob: 0
      }
    }
  }

  /// The metadata of a store, in its table `broker_metadata`.
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
      let values = try values()
      guard let format = values["format"], let model = values["model"] else {
        throw StoreError.notAStore(address.shown, "its format or its model is missing", isFile: false)
      }
      guard format != Self.firstFormat else {
        throw StoreError.notAStore(
          address.shown,
          "its tables have a form from before the first release of Broker; import into a new schema",
          isFile: false)
      }
      guard format == Self.format else {
        guard Int(format) != nil else {
          throw StoreError.notAStore(
            address.shown, "its table \(StoreTable.metadata) has no number as the format: “\(format)”",
            isFile: false)
        }
        throw StoreError.newerFormat(address.shown, format)
      }
      return StoreDescription(
        model: try remembered("model") { try Model(json: Data(model.utf8)) },
        mapping: try values["mapping"].map { text in
          try remembered("mapping") { try JSONMapping(remembered: text) }
        })
    }

    /// Reads what the store remembers, and says whose it is if that is broken.
    private func remembered<Result>(_ key: String, _ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch {
        let words = "\(error)"
        throw StoreError.notAStore(
          address.shown,
          "the \(key) in its table \(StoreTable.metadata) cannot be read: \(words.hasSuffix(".") ? String(words.dropLast()) : words)",
          isFile: false)
      }
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
      /// A mark that changes when the model or the mapping does; nil if nothing is remembered.
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

    /// The version that the store remembers, read by one statement: a model of one version and a mapping of the next one would
    /// not fit.
    private func values() throws -> [String: String] {
      let rows = try connection.query(
        "SELECT key, value FROM \(table) WHERE key IN ('format', 'model', 'mapping')")
      var result: [String: String] = [:]
      for row in 0..<rows.count { result[try rows.field(row, 0).string()] = try rows.field(row, 1).string() }
      return result
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

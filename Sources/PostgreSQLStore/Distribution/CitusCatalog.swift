#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// The catalog of the extension Citus for the tables of a schema.
  struct CitusCatalog {
    let connection: PostgreSQLConnection
    let schema: String

    /// A condition of SQL: whether the database has the extension.
    static let isThere = "to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL"

    /// Whether the database has the extension.
    func isThere() throws -> Bool {
      try connection.query(prepared: "SELECT \(Self.isThere)").value { try $0.bool() }
    }

    /// Where the rows of the schema's tables are. The database must have the extension.
    func distribution() throws -> Distribution {
      // Tables with the replication model t are reference tables, others without a column are local for Broker.
      let rows = try connection.query(
        prepared: """
          SELECT c.relname, CASE WHEN p.partmethod = 'h' THEN column_to_column_name(p.logicalrelid, p.partkey) END
          FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
          JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = $1 AND (p.partmethod = 'h' OR (p.partmethod = 'n' AND p.repmodel = 't'))
          """, .text(schema))
      var distribution = Distribution()
      for row in 0..<rows.count {
        let (name, column) = (try rows.field(row, 0).string(), rows.field(row, 1))
        distribution.placements[name] =
          try column.isNull ? .reference : .distributed(column: column.string())
      }
      return distribution
    }

    /// The version of the extension; nil if the database has none.
    func version() throws -> String? {
      let rows = try connection.query("SELECT extversion FROM pg_extension WHERE extname = 'citus'")
      return rows.count == 0 ? nil : try rows.field(0, 0).string()
    }

    /// How many servers rows can be put on. The database must have the extension.
    func nodeCount() throws -> Int {
      let rows = try connection.query(
        """
        SELECT count(*) FILTER (WHERE isactive AND shouldhaveshards AND noderole = 'primary'), count(*)
        FROM pg_dist_node
        """)
      // Where no server is named, Citus takes the one that it is asked on.
      return try rows.field(0, 1).int8() == 0 ? 1 : Int(rows.field(0, 0).int8())
    }

    /// Features that the server lacks for distributed tables, in sentences.
    func missing() throws -> [String] {
      if try isThere() {
        guard try nodeCount() == 0 else { return [] }
        return [
          "None of the servers may have rows: SELECT citus_add_node('HOST', 5432) names another."
        ]
      }
      var missing: [String] = []
      let isInstalled = try connection.query(
        "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'citus')"
      ).value { try $0.bool() }
      if !isInstalled { missing.append("Citus is not installed: install its packages on all servers.") }
      // Not every role may see the setting.
      let libraries = try connection.query(
        "SELECT setting FROM pg_settings WHERE name = 'shared_preload_libraries'")
      if libraries.count == 0 {
        missing.append("Whether it is loaded (shared_preload_libraries), this role may not see.")
      } else if try !libraries.field(0, 0).string().contains("citus") {
        missing.append(
          "It is not loaded: add citus to shared_preload_libraries in postgresql.conf, and restart the servers."
        )
      }
      missing.append(
        "The database has no extension citus: CREATE EXTENSION citus, in this database on all servers.")
      missing.append(
        "No server is named that rows can be put on: SELECT citus_set_coordinator_host('HOST', 5432), and for each"
          + " other server SELECT citus_add_node('HOST', 5432).")
      return missing
    }
  }

  /// The statements by which tables are distributed.
  enum CitusStatements {
    /// Names from this length on let a distributed deadlock happen where shards are made at the same time.
    static let longName = 56
    /// Whether a statement moves the rows of a table.
    ///
    /// - Parameter table: The name as SQL has it, in quotes.
    static func moves(_ statement: String, _ table: String) -> Bool {
      ["create_distributed_table", "create_reference_table", "undistribute_table"].contains {
        statement.hasPrefix("SELECT \($0)(\(SQL.literal(table))")
      }
    }

    static let sequentially = "SET LOCAL citus.multi_shard_modify_mode = 'sequential'"

    /// - Parameters:
    ///   - table: The name as SQL has it, in quotes.
    ///   - other: The table whose rows with the same value are to be on the same server, as SQL has it.
    static func distribute(_ table: String, by column: String, with other: String? = nil) -> String {
      let colocation = other.map { ", colocate_with => \(SQL.literal($0))" } ?? ""
      return
        "SELECT create_distributed_table(\(SQL.literal(table)), \(SQL.literal(column))\(colocation))"
    }

    static func makeReference(_ table: String) -> String {
      "SELECT create_reference_table(\(SQL.literal(table)))"
    }

    /// Makes a table local again, with all its rows.
    static func undistribute(_ table: String) -> String {
      "SELECT undistribute_table(\(SQL.literal(table)))"
    }

    /// Gives back the room that rows took before they were put on other servers.
    static func removeLocalRows(_ table: String) -> String {
      "SELECT truncate_local_data_after_distributing_table(\(SQL.literal(table)))"
    }

    /// A function that gives the bytes of a table on all servers, with its indexes.
    static let size = "citus_total_relation_size"
  }

  /// Expressions for the bytes of a relation `c` of the catalog.
  enum TableSizes {
    /// With its indexes. Rows on other servers count where the table is.
    static func whole(_ distribution: Distribution) -> String {
      chosen(distribution, CitusStatements.size, "pg_total_relation_size(c.oid)")
    }

    /// Of the table or the index alone. Of a table on several servers, nobody tells the bytes of its indexes one by one: it
    /// has them.
    static func own(_ distribution: Distribution) -> String {
      chosen(distribution, CitusStatements.size, "pg_relation_size(c.oid)")
    }

    private static func chosen(_ distribution: Distribution, _ function: String, _ otherwise: String)
      -> String
    {
      guard distribution.isDistributed else { return otherwise }
      let names = distribution.placements.keys.sorted().map(SQL.literal).joined(separator: ", ")
      return "CASE WHEN c.relname IN (\(names)) THEN \(function)(c.oid) ELSE \(otherwise) END"
    }
  }
#endif

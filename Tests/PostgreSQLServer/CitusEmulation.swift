#if PostgreSQL
  import Foundation
  import PostgreSQLClient

  extension PostgreSQLServer {
    /// Gives a database what Broker asks of the extension Citus: its catalog and its functions. Tables stay where they are,
    /// but what Citus refuses when a table is distributed, and when a row would change its place, is refused.
    ///
    /// It shows that the statements mean the right thing, and which statements these are. Whether Citus takes them, only
    /// Citus can show.
    package static func emulateCitus(in database: String) throws {
      let link = try PostgreSQLConnection.open(database)
      _ = try link.execute("SET allow_system_table_mods = on")
      _ = try link.execute(emulation)
    }

    private static let emulation = """
      CREATE TABLE pg_catalog.pg_dist_partition (
        logicalrelid regclass PRIMARY KEY, partmethod "char" NOT NULL, partkey text, repmodel "char" NOT NULL);
      CREATE TABLE pg_catalog.pg_dist_node (isactive boolean, shouldhaveshards boolean, noderole text);
      INSERT INTO pg_catalog.pg_dist_node VALUES (true, true, 'primary'), (true, true, 'primary');

      CREATE FUNCTION pg_catalog.column_to_column_name(regclass, text) RETURNS text
        LANGUAGE sql IMMUTABLE AS 'SELECT $2';
      CREATE FUNCTION pg_catalog.citus_total_relation_size(regclass) RETURNS bigint
        LANGUAGE sql AS 'SELECT pg_total_relation_size($1)';
      CREATE FUNCTION pg_catalog.truncate_local_data_after_distributing_table(regclass) RETURNS void
        LANGUAGE sql AS '';

      CREATE FUNCTION pg_catalog.emulated_placement(name regclass, method "char", key text, model "char") RETURNS void
        LANGUAGE plpgsql AS $body$
        BEGIN
          IF (SELECT relpersistence = 't' FROM pg_class WHERE oid = name) THEN
            RAISE 'cannot distribute a temporary table';
          END IF;
          IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = name) THEN
            RAISE 'table % is already distributed', name;
          END IF;
          INSERT INTO pg_dist_partition VALUES (name, method, key, model);
        END $body$;

      CREATE FUNCTION pg_catalog.emulated_refusal() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
          RAISE 'modifying the partition value of rows is not allowed';
        END $body$;

      CREATE FUNCTION pg_catalog.emulated_type(name regclass, key text) RETURNS text LANGUAGE sql AS $body$
        SELECT format_type(atttypid, atttypmod) || attcollation FROM pg_attribute WHERE attrelid = name AND attname = key
        $body$;

      CREATE FUNCTION pg_catalog.create_reference_table(name regclass) RETURNS void
        LANGUAGE sql AS $body$ SELECT emulated_placement(name, 'n', NULL, 't') $body$;

      CREATE FUNCTION pg_catalog.create_distributed_table(
        name regclass, distribution_column text, colocate_with text DEFAULT 'default') RETURNS void
        LANGUAGE plpgsql AS $body$
        DECLARE number int;
        BEGIN
          SELECT attnum INTO number FROM pg_attribute WHERE attrelid = name AND attname = distribution_column;
          IF number IS NULL THEN
            RAISE 'column "%" of relation % does not exist', distribution_column, name;
          END IF;
          IF EXISTS (SELECT FROM pg_index WHERE indrelid = name AND indisunique AND NOT number = ANY (indkey)) THEN
            RAISE 'cannot create constraint on %', name;
          END IF;
          IF colocate_with <> 'default' AND emulated_type(name, distribution_column) IS DISTINCT FROM
            (SELECT emulated_type(logicalrelid, partkey) FROM pg_dist_partition
             WHERE logicalrelid = colocate_with::regclass AND partmethod = 'h') THEN
            RAISE 'cannot colocate tables % and %', colocate_with, name;
          END IF;
          PERFORM emulated_placement(name, 'h', distribution_column, 's');
          EXECUTE format('CREATE TRIGGER emulated BEFORE UPDATE OF %I ON %s EXECUTE FUNCTION emulated_refusal()',
            distribution_column, name);
        END $body$;

      -- Tables become local again with what they were, but for their comments: the extension makes them anew.
      CREATE FUNCTION pg_catalog.undistribute_table(name regclass) RETURNS void LANGUAGE plpgsql AS $body$
        BEGIN
          IF NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = name) THEN
            RAISE 'cannot undistribute table because the table is not distributed';
          END IF;
          DELETE FROM pg_dist_partition WHERE logicalrelid = name;
          EXECUTE format('DROP TRIGGER IF EXISTS emulated ON %s', name);
          DELETE FROM pg_description WHERE objoid = name AND classoid = 'pg_class'::regclass;
        END $body$;
      """

    /// The statements of all sessions of a database since it was made, as the log of the server has them.
    ///
    /// - Parameter database: One that ``logStatements(of:)`` was called for, and no other was.
    package func loggedStatements() throws -> [String] {
      let log = try String(contentsOfFile: folder.log, encoding: .utf8)
      var statements: [String] = []
      var isStatement = false
      for line in log.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("\t") {
          if isStatement { statements[statements.count - 1] += "\n" + line.dropFirst() }
        } else if let found = line.firstMatch(of: /LOG:  (?:statement|execute [^:]*): (.*)$/) {
          statements.append(String(found.1))
          isStatement = true
        } else {
          isStatement = false
        }
      }
      return statements
    }

    /// Has the server log the statements of sessions of a database that are opened from now on.
    package static func logStatements(of database: String) throws {
      let link = try PostgreSQLConnection.open(database)
      let name = try link.query("SELECT quote_ident(current_database())").value { try $0.string() }
      _ = try link.execute("ALTER DATABASE \(name) SET log_statement = 'all'")
    }
  }
#endif

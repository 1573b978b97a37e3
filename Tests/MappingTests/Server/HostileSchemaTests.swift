#if PostgreSQL
  import Foundation
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// A role that others want to run their code as: in `public`, in the schema of its own name and in that of the store, there
  /// are functions and operators with the names of the server's own, for types that fit its statements better.
  @Suite("Functions and operators of others", .enabled(if: PostgreSQLServer.isWanted, "no PostgreSQL server"))
  struct HostileSchemaTests {
    private let superuser: PostgreSQLConnection
    private let url: String
    private let role = "victim_\(UUID().uuidString.prefix(8).lowercased())"

    init() throws {
      let database = try PostgreSQLServer.required().makeDatabase()
      superuser = try PostgreSQLConnection.open(database)
      url = database.replacing("broker@", with: "\(role)@")
      _ = try superuser.execute(
        """
        CREATE ROLE \(role) LOGIN; CREATE SCHEMA \(role); CREATE SCHEMA bands;
        GRANT ALL ON SCHEMA public, \(role), bands TO \(role);
        GRANT TEMPORARY ON DATABASE \(try superuser.query("SELECT current_database()").value { try $0.string() }) TO \(role)
        """)
      _ = try superuser.execute(Self.traps(in: ["public", role, "bands"]))
    }

    /// Makes functions and operators that fail with the word `hostile`, wherever the server has none of the same types.
    private static func traps(in schemas: [String]) -> String {
      """
      SET search_path = pg_catalog;
      DO $$
      DECLARE
        place text; one record; arguments text; operator text; made int := 0;
        types text[] := '{text,name,oid,int4,int8,regclass,regnamespace,"\\"char\\"",varchar,bool,text[],oid[],int2}';
      BEGIN
        FOREACH place IN ARRAY '{\(schemas.joined(separator: ","))}'::text[] LOOP
          FOR one IN
            SELECT DISTINCT p.proname, p.pronargs FROM pg_proc p
            WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' AND p.pronargs BETWEEN 0 AND 2
              AND p.proname = ANY ('{
                pg_backend_pid,string_agg,hashtextextended,pg_advisory_xact_lock,string_to_array,unnest,to_regclass,nextval,
                md5,sha256,encode,decode,convert_from,convert_to,quote_ident,pg_get_indexdef,pg_get_triggerdef,pg_get_expr,aclexplode,
                pg_get_userbyid,format,array_to_string,host,pg_notify,starts_with,strpos,length,octet_length,replace,
                lower,upper,trim_scale,round,trunc,abs,to_char,pg_relation_size,pg_total_relation_size,pg_sleep,now,
                regexp_replace,regexp_match,substring,right,coalesce,current_database,rtrim,btrim,has_schema_privilege,
                has_database_privilege,has_table_privilege,obj_description,col_description,pg_wal_lsn_diff,array_position}'::text[])
          LOOP
            FOR arguments IN
              SELECT '' WHERE one.pronargs = 0
              UNION ALL SELECT a FROM unnest(types) a WHERE one.pronargs = 1
              UNION ALL SELECT a || ',' || b FROM unnest(types) a, unnest(types) b WHERE one.pronargs = 2
            LOOP
              EXECUTE format('CREATE OR REPLACE FUNCTION %I.%I(%s) RETURNS text LANGUAGE plpgsql AS
                ''BEGIN RAISE EXCEPTION ''''hostile %s''''; END''', place, one.proname, arguments, one.proname);
              made := made + 1;
            END LOOP;
          END LOOP;
          FOR arguments IN SELECT a || ',' || b FROM unnest(types) a, unnest(types) b LOOP
            EXECUTE format('CREATE FUNCTION %I.trap(%s) RETURNS bool LANGUAGE plpgsql AS
              ''BEGIN RAISE EXCEPTION ''''hostile operator''''; END''', place, arguments);
            FOREACH operator IN ARRAY '{=,<>,<,>,<=,>=,||,~,&,+,-,*,/,<<}'::text[] LOOP
              EXECUTE format('CREATE OPERATOR %I.%s (FUNCTION = %I.trap, LEFTARG = %s, RIGHTARG = %s)', place, operator,
                place, split_part(arguments, ',', 1), split_part(arguments, ',', 2));
            END LOOP;
          END LOOP;
        END LOOP;
        ASSERT made > 1000;
      END $$
      """
    }

    @Test("the traps work on who does not look out")
    func traps() throws {
      let careless = try PostgreSQLConnection.open(url)
      for statement in [
        "SELECT 1 FROM pg_collation WHERE collnamespace = 'pg_catalog'::regnamespace",
        "SELECT starts_with('a'::text, 'b'::varchar)",
      ] {
        #expect(throws: PostgreSQLError.self, "\(statement)") { try careless.query(statement) }
      }
    }

    @Test(
      "are not called by imports, queries, exports, migrations, plans and facts",
      arguments: ["bands", "public"])
    func work(_ schema: String) throws {
      let address = try DatabaseAddress(url, schema: schema)
      let notation = BandCollection.notation
      let store = try PostgreSQLStore(address, model: model(notation), journalsLocalChanges: true)
      for _ in 1...2 {
        for (json, entity) in [
          (BandCollection.bands, "Band"), (BandCollection.albums, "Album"),
          (BandCollection.singles, "Single"),
        ] {
          var options = ImportOptions()
          options.entity = entity
          options.prunes = entity == "Single"
          _ = try Importer(store, options).run([.string(json)])
        }
      }
      #expect(try Exporter(store).wholeText().contains("Japan"))
      for format in [
        "home.country == 'UK'", "albums.@count > 0", "NOT ANY albums.label == 'Virgin'",
        "motto BEGINSWITH[cd] 'á'",
        "motto LIKE '*i*'", "name MATCHES '.*a.*'", "ANY albums.title CONTAINS[c] 'drum'", "parent == nil",
        "albums.@sum.sales > 1 AND name ENDSWITH 'n'", "formed + 1 > 1970 AND rating - 1 < 5", "price > 1.5",
        "likes.parent.@count > 0", "ANY albums.title LIKE 'T*'",
      ] {
        var query = Query("Band")
        query.predicate = try ObjectPredicate(format: format)
        query.sort = [Query.Sort("formed", isAscending: false), Query.Sort("name", isAscending: true)]
        _ = try store.read { try $0.count(query) }
        _ = try store.read { try $0.rows(of: query) }
      }
      _ = try store.read { transaction in
        _ = try transaction.objectCounts()
        _ = try transaction.pendingReferenceCounts()
        _ = try transaction.pageBytes()
        return try transaction.storedParts()
      }
      _ = try store.distribute(DistributionRequest(), isPlanOnly: true)
      try store.close()
      let changed = notation.replacing("formed: integer16", with: "formed: string").replacing(
        "  motto: string\n", with: "")
      var options = Store.Options()
      options.migration = .automatic.allowing(.removals)
      let migrated = try PostgreSQLStore(address, model: model(changed), options: options)
      #expect(try migrated.read { try $0.count(Query("Band")) } > 0)
      #expect(try Exporter(migrated).wholeText().contains(#""1974""#))
    }

    @Test("a view in place of the store's own table is no store")
    func views() throws {
      _ = try superuser.execute(
        "CREATE VIEW bands.broker_store AS SELECT 'format'::text AS key, '2'::text AS value; GRANT SELECT ON bands.broker_store TO \(role)"
      )
      #expect(throws: StoreError.self) {
        try PostgreSQLStore(DatabaseAddress(url, schema: "bands"), model: nil, access: .readOnly)
      }
    }
  }
#endif

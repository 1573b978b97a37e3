#if PostgreSQL
  import Testing

  /// The check of statements finds what it is there for.
  @Suite("What Citus refuses is found in statements") struct StatementCheckTests {
    private static let tables: Set<String> = ["Band", "Album"]

    @Test(arguments: [
      (#"SELECT t0."a" FROM "Band" t0 FOR UPDATE"#, "FOR UPDATE"),
      (#"MERGE INTO "Band" t USING s ON TRUE WHEN MATCHED THEN DELETE"#, "MERGE"),
      ("CREATE TEMP TABLE broker_stage_1 (p bigint)", "TEMP"),
      (#"SELECT 1 FROM "Album" t0 JOIN "Band" t1 ON t1."name" = t0."band""#, "joins Album, Band"),
      (
        #"SELECT 1 FROM "Band" t0 WHERE EXISTS (SELECT 1 FROM "Album" p1 WHERE p1."band" = t0."name")"#,
        "looks into Album from the rows of t0"
      ),
      (
        #"SELECT 1 FROM "Band" t0 WHERE t0."a" IN (SELECT p1."b" FROM "Album" p1 WHERE (1 = (2 + t0."c")))"#,
        "looks into Album from the rows of t0"
      ),
      (
        #"SELECT (SELECT count(*) FROM "Album" p1) FROM "Band" t0"#,
        "a query of Album among what is selected"
      ),
      (
        #"WITH broker_part_1 AS MATERIALIZED (SELECT 1) SELECT 1 FROM broker_part_1 o LEFT JOIN "Band" t ON TRUE"#,
        "LEFT JOIN Band"
      ),
      (#"UPDATE "Band" t SET a = s.a FROM "Album" s WHERE t.a = s.a"#, "joins Band, Album"),
    ])
    func found(_ statement: String, _ problem: String) {
      #expect(StatementCheck(statement, tables: Self.tables).problems.contains(problem), "\(statement)")
    }

    @Test(arguments: [
      #"SELECT t0."a" FROM "Band" t0 WHERE t0."a" IN (SELECT p1."band" FROM "Album" p1 WHERE p1."x" = 'a FOR UPDATE')"#,
      #"WITH broker_part_1 AS MATERIALIZED (SELECT p1."band" AS k0 FROM "Album" p1) SELECT 1 FROM "Band" t0 WHERE NOT EXISTS (SELECT 1 FROM broker_part_1 g1 WHERE g1.k0 = t0."name")"#,
      #"WITH broker_part_1 AS MATERIALIZED (SELECT 1) SELECT 1 FROM "Band" t0 LEFT JOIN broker_part_1 t1 ON TRUE"#,
      #"SELECT s.r FROM "broker_stage_1_1" s LEFT JOIN "Band" t ON t."name" = s.c0"#,
      #"INSERT INTO "Band" ("a") SELECT c0 FROM "broker_stage_1_1" s"#,
      #"DELETE FROM "Band" WHERE "a" = ANY ($1)"#,
    ])
    func notFound(_ statement: String) {
      #expect(StatementCheck(statement, tables: Self.tables).problems == [], "\(statement)")
    }
  }
#endif

#if PostgreSQL
  import Foundation
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import PostgreSQLServer
  import PostgreSQLStore
  import Synchronization
  import Testing

  /// Which tables go where, and what is done for it.
  @Suite(.enabled(if: PostgreSQLServer.isWanted)) struct DistributionTests {
    private static let notation = """
      Band
        id: integer64
        name: string
        tags: [Tag] <- bands
        label: Label
      Tag
        word: string! | broker.identity=true
        bands: [Band] <- tags
      Label | identityAttributes=country,code
        country: string
        code: integer16
      """

    private let url: String
    private let store: PostgreSQLStore

    init() throws {
      url = try PostgreSQLServer.required().makeDatabase()
      store = try PostgreSQLStore(DatabaseAddress(url, schema: "bands"), model: model(Self.notation))
      var options = ImportOptions()
      options.entity = "Band"
      let bands = (1...20).map {
        #"{"id": \#($0), "name": "B\#($0)", "tags": [{"word": "w\#($0 % 3)"}], "label": {"country": "x", "code": 1}}"#
      }
      _ = try Importer(store, options).run([.string("[\(bands.joined(separator: ","))]")])
    }

    private func plan(_ adjust: (inout DistributionRequest) -> Void = { _ in }) throws -> DistributionPlan {
      var request = DistributionRequest()
      adjust(&request)
      return try store.distribute(request, isPlanOnly: true)
    }

    private static func lines(_ plan: DistributionPlan) -> [String] {
      plan.tables.map { table in
        [
          table.name, table.kind.rawValue, table.column ?? "-", table.colocatedWith ?? "-", "\(table.rows)",
        ].joined(separator: " ")
      }
    }

    // MARK: - Decisions

    @Test func smallEntitiesBecomeReferenceTables() throws {
      let plan = try plan()
      #expect(
        Self.lines(plan) == [
          "Band reference - - 20", "Tag reference - - 3", "Label reference - - 1",
          "Band_tags reference - - 20",
          "broker_store local - - 2", "broker_pending local - - 0", "broker_imports local - - 1",
        ])
      #expect(plan.tables[0].reason == "it has at most 10000 rows")
      #expect(plan.tables.allSatisfy { $0.bytes > 0 })
      #expect(plan.statements.first == #"SELECT create_reference_table('"bands"."Band"')"#)
      #expect(plan.limits == [])
    }

    @Test func largeEntitiesAreDistributedByTheirIdentityAndListsWithTheirOwners() throws {
      let plan = try plan { $0.referenceRows = 5 }
      #expect(
        Self.lines(plan).prefix(4) == [
          "Band distributed id - 20", "Tag reference - - 3", "Label reference - - 1",
          "Band_tags distributed bands Band 20",
        ])
      #expect(
        plan.statements == [
          #"SELECT create_distributed_table('"bands"."Band"', 'id')"#,
          #"SELECT create_reference_table('"bands"."Tag"')"#,
          #"SELECT create_reference_table('"bands"."Label"')"#,
          #"SELECT create_distributed_table('"bands"."Band_tags"', 'bands', colocate_with => '"bands"."Band"')"#,
        ])
      #expect(!plan.limits.contains { $0.what.contains("broker_row") })
    }

    @Test func whatIsAskedForGoesBeforeNumbers() throws {
      let plan = try plan {
        $0.referenceRows = 0
        $0.reference = ["Band"]
        $0.distributed = ["Label"]
      }
      #expect(
        Self.lines(plan).prefix(4) == [
          "Band reference - - 20", "Tag distributed word - 3", "Label distributed country - 1",
          "Band_tags distributed bands - 20",
        ])
      #expect(plan.tables[0].reason == "it was asked for")
      #expect(
        plan.statements.dropFirst().prefix(2) == [
          #"ALTER TABLE "bands"."Tag" DROP CONSTRAINT "Tag_broker_row_key""#,
          #"CREATE INDEX ON "bands"."Tag" (broker_row)"#,
        ])
      #expect(plan.limits.first?.what.contains("broker_row) are unique in Tag, Label.") == true)
      #expect(throws: StoreError.self) { try self.plan { $0.reference = ["Nobody"] } }
      #expect(throws: StoreError.self) {
        try self.plan {
          $0.reference = ["Band"]
          $0.distributed = ["Band"]
        }
      }
    }

    @Test func longNamesAreDistributedOneAfterAnother() throws {
      let name = "Band" + String(repeating: "x", count: 60)
      let store = try PostgreSQLStore(
        DatabaseAddress(url, schema: "long"), model: model("\(name)\n  id: integer64"))
      try store.transaction(isCancelled: nil) { _ in ((), .commit) }
      let plan = try store.distribute(DistributionRequest(), isPlanOnly: true)
      #expect(plan.statements.first == "SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
    }

    // MARK: - Without the extension

    @Test func withoutTheExtensionThePlanSaysWhatIsMissing() throws {
      let plan = try plan()
      #expect(plan.missing.contains { $0.contains("CREATE EXTENSION citus") })
      #expect(plan.missing.contains { $0.contains("shared_preload_libraries") })
      let error = #expect(throws: StoreError.self) {
        try store.distribute(DistributionRequest(), isPlanOnly: false)
      }
      #expect(error?.description.contains("citus_add_node") == true, "\(String(describing: error))")
      #expect(try placements() == [])
    }

    @Test func aStoreThatIsNotThereYetHasNoTables() throws {
      let empty = try PostgreSQLStore(
        DatabaseAddress(url, schema: "empty"), model: model("Band\n  id: integer64"))
      #expect(throws: StoreError.self) { try empty.distribute(DistributionRequest(), isPlanOnly: true) }
    }

    // MARK: - With what Broker asks of the extension

    private func placements() throws -> [String] {
      let link = try PostgreSQLConnection.open(url)
      guard try CitusThere.isThere(link) else { return [] }
      let rows = try link.query(
        "SELECT logicalrelid::text || ' ' || coalesce(partkey, '-') FROM pg_dist_partition ORDER BY 1")
      return try (0..<rows.count).map { try rows.field($0, 0).string() }
    }

    private enum CitusThere {
      static func isThere(_ link: PostgreSQLConnection) throws -> Bool {
        try link.query("SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL").value {
          try $0.bool()
        }
      }
    }

    @Test func whatIsDistributedStays() throws {
      try PostgreSQLServer.emulateCitus(in: url)
      var request = DistributionRequest()
      request.referenceRows = 5
      let done = try store.distribute(request, isPlanOnly: false)
      #expect(done.isExecuted && done.tables.allSatisfy(\.isDone))
      #expect(
        try placements() == [
          "bands.\"Band\" id", "bands.\"Band_tags\" bands", "bands.\"Label\" -", "bands.\"Tag\" -",
        ])
      let again = try store.distribute(DistributionRequest(), isPlanOnly: false)
      #expect(again.statements == [])
      #expect(again.tables[0].reason == "it is already")
      let asked = try plan { $0.reference = ["Band"] }
      #expect(asked.tables[0].kind == .distributed)
      #expect(asked.tables[0].reason.contains("undistribute_table"))
    }

    // MARK: - Local again

    private static func uniqueColumns(_ url: String) throws -> [String] {
      let rows = try PostgreSQLConnection.open(url).query(
        """
        SELECT c.conrelid::regclass::text || ' ' || c.contype::text || ' ' || string_agg(a.attname, ',' ORDER BY a.attname)
        FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
        WHERE c.connamespace = 'bands'::regnamespace AND c.conrelid::regclass::text NOT LIKE '%broker%'
        GROUP BY c.oid ORDER BY 1
        """)
      return try (0..<rows.count).map { try rows.field($0, 0).string() }
    }

    private static func indexes(_ url: String) throws -> [String] {
      let rows = try PostgreSQLConnection.open(url).query(
        "SELECT indexdef FROM pg_indexes WHERE schemaname = 'bands' ORDER BY 1")
      return try (0..<rows.count).map { try rows.field($0, 0).string() }
    }

    @Test func allTablesBecomeLocalAgainWithWhatTheyWere() throws {
      try PostgreSQLServer.emulateCitus(in: url)
      let (constraints, indexes) = (try Self.uniqueColumns(url), try Self.indexes(url))
      let whole = try Exporter(store).wholeText()
      var request = DistributionRequest()
      request.referenceRows = 0
      _ = try store.distribute(request, isPlanOnly: false)
      #expect(try Self.uniqueColumns(url) != constraints)

      let told = Told()
      request = DistributionRequest()
      request.isUndo = true
      request.onProgress = { told.add($0) }
      let planned = try store.distribute(request, isPlanOnly: true)
      #expect(!planned.isExecuted && told.all == [])
      #expect(
        planned.tables.map { "\($0.name) \($0.kind.rawValue) \($0.reason)" }.prefix(4) == [
          "Band local it is distributed by id", "Tag local it is distributed by word",
          "Label local it is distributed by country", "Band_tags local it is distributed by bands",
        ])
      let done = try store.distribute(request, isPlanOnly: false)
      #expect(done.statements == planned.statements && done.isExecuted)
      #expect(done.tables.allSatisfy { $0.isDone && $0.kind == .local })
      #expect(
        told.all.map { "\($0.number)/\($0.count) \($0.table) \($0.rows)" } == [
          "1/4 Band 20", "2/4 Tag 3", "3/4 Label 1", "4/4 Band_tags 20",
        ])
      #expect(try placements() == [])
      #expect(try Self.uniqueColumns(url) == constraints)
      #expect(try Self.indexes(url) == indexes)
      #expect(try Exporter(store).wholeText() == whole)
      #expect(try store.distribute(request, isPlanOnly: false).statements == [])
      // Rows whose key changes are rows of one server again.
      var options = ImportOptions()
      options.entity = "Band"
      let report = try Importer(store, options).run([.string(#"[{"id": 1, "tags": ["w5"], "label": "y,2"}]"#)]
      )
      #expect(report.updated == ["Band": 1])
    }

    @Test func withoutTheExtensionAllIsLocalAlready() throws {
      var request = DistributionRequest()
      request.isUndo = true
      let done = try store.distribute(request, isPlanOnly: false)
      #expect(done.statements == [] && done.missing == [] && done.tables.allSatisfy(\.isDone))
    }

    @Test func numbersOfRowsThatAnotherProgramGaveTwiceAreTold() throws {
      try PostgreSQLServer.emulateCitus(in: url)
      var request = DistributionRequest()
      request.referenceRows = 0
      _ = try store.distribute(request, isPlanOnly: false)
      let link = try PostgreSQLConnection.open(url)
      _ = try link.execute(
        #"INSERT INTO bands."Tag" (broker_row, word) SELECT broker_row, 'twin' FROM bands."Tag" WHERE word = 'w0'"#
      )
      request = DistributionRequest()
      request.isUndo = true
      let error = #expect(throws: StoreError.self) { try store.distribute(request, isPlanOnly: false) }
      #expect(
        error?.description.contains("have the same number (broker_row)") == true,
        "\(String(describing: error))")
      #expect(try placements().count == 4)
    }

    @Test func whatTheDistributionKeepsFromBeingDoneIsInThePlanOfAMigration() throws {
      try PostgreSQLServer.emulateCitus(in: url)
      var request = DistributionRequest()
      request.referenceRows = 5
      _ = try store.distribute(request, isPlanOnly: false)
      for (changed, word) in [
        (Self.notation.replacing("id: integer64", with: "id: string"), "whose type cannot be changed then"),
        (Self.notation.replacing("name: string", with: "name: integer64"), "would have to be written anew"),
      ] {
        let plan = try store.plan(
          for: model(changed), mapping: nil, migration: .automatic.allowing(.removals))
        #expect(!plan.canRun)
        #expect(plan.description.contains(word), "\(plan)")
        #expect(plan.description.contains("broker distribute --undo"), "\(plan)")
      }
      // What changes in place is done, and so is a table that goes.
      let more = Self.notation.replacing("name: string", with: "name: string\n  formed: integer16")
      #expect(try store.plan(for: model(more), mapping: nil, migration: .automatic).canRun)
      var lessTags = Self.notation.split(separator: "\n").filter {
        !$0.contains("tags") && !$0.contains("word")
      }
      lessTags.removeAll { $0 == "Tag" }
      let fewer = try model(lessTags.joined(separator: "\n"))
      var options = Store.Options()
      options.migration = .automatic.allowing(.removals)
      let later = try PostgreSQLStore(DatabaseAddress(url, schema: "bands"), model: fewer, options: options)
      // The emulation does not notice that tables are dropped.
      #expect(
        try placements().filter { $0.hasPrefix("bands.") } == ["bands.\"Band\" id", "bands.\"Label\" -"])
      // Local again, the key may get another type.
      request = DistributionRequest()
      request.isUndo = true
      _ = try later.distribute(request, isPlanOnly: false)
      let text = try model(lessTags.joined(separator: "\n").replacing("id: integer64", with: "id: string"))
      let last = try PostgreSQLStore(DatabaseAddress(url, schema: "bands"), model: text, options: options)
      #expect(try last.read { try $0.count(Query("Band")) } == 20)
    }

    // MARK: - What can go wrong

    @Test func aSessionThatEndsInTheMiddleLeavesAllAsItWas() throws {
      try PostgreSQLServer.emulateCitus(in: url)
      var request = DistributionRequest()
      request.referenceRows = 0
      _ = try store.distribute(request, isPlanOnly: false)
      let (before, whole) = (try placements(), try Exporter(store).wholeText())
      let (link, address) = (try PostgreSQLConnection.open(url), url)
      request = DistributionRequest()
      request.isUndo = true
      request.onProgress = { progress in
        guard progress.number == 3, let link = try? PostgreSQLConnection.open(address) else { return }
        _ = try? link.query(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle in transaction'
          """)
      }
      let error = #expect(throws: StoreError.self) { try store.distribute(request, isPlanOnly: false) }
      #expect(error?.description.contains("Nothing was changed") == true, "\(String(describing: error))")
      #expect(try placements() == before)
      #expect(try Exporter(store).wholeText() == whole)
      // The next one does it.
      request.onProgress = nil
      #expect(try store.distribute(request, isPlanOnly: false).isExecuted)
      #expect(try placements() == [])
      #expect(try Exporter(store).wholeText() == whole)
      withExtendedLifetime(link) {}
    }

    @Test func whoeverDoesNotOwnTheTablesChangesNothing() throws {
      try PostgreSQLServer.emulateCitus(in: url)
      var request = DistributionRequest()
      request.referenceRows = 0
      _ = try store.distribute(request, isPlanOnly: false)
      let before = try placements()
      let role = "reader_\(UUID().uuidString.prefix(8).lowercased())"
      let link = try PostgreSQLConnection.open(url)
      _ = try link.execute(
        """
        CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA bands TO \(role);
        GRANT SELECT ON ALL TABLES IN SCHEMA bands TO \(role);
        GRANT SELECT, DELETE ON pg_catalog.pg_dist_partition TO \(role);
        GRANT SELECT ON pg_catalog.pg_dist_node TO \(role)
        """)
      defer { _ = try? link.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
      let other = try PostgreSQLStore(
        DatabaseAddress(url.replacing("broker@", with: "\(role)@"), schema: "bands"), model: nil)
      request = DistributionRequest()
      request.isUndo = true
      #expect(try other.distribute(request, isPlanOnly: true).statements.count > 4)
      let error = #expect(throws: StoreError.self) { try other.distribute(request, isPlanOnly: false) }
      #expect(error?.description.contains("may not do this") == true, "\(String(describing: error))")
      #expect(error?.description.contains("Nothing was changed") == true)
      #expect(try placements() == before)
    }

    @Test func anotherStoreOfTheDatabaseStaysAsItIs() throws {
      try PostgreSQLServer.emulateCitus(in: url)
      let other = try PostgreSQLStore(DatabaseAddress(url, schema: "other"), model: model(Self.notation))
      var options = ImportOptions()
      options.entity = "Band"
      _ = try Importer(other, options).run([.string(#"[{"id": 1, "name": "x", "tags": ["a"]}]"#)])
      try ServerShape.distribute(store)
      try ServerShape.distribute(other)
      let link = try PostgreSQLConnection.open(url)
      _ = try link.execute(#"COMMENT ON TABLE other."Band" IS 'theirs'"#)
      var request = DistributionRequest()
      request.isUndo = true
      _ = try store.distribute(request, isPlanOnly: false)
      #expect(try placements().count == 4)
      #expect(try placements().allSatisfy { $0.hasPrefix("other.") })
      let comment = try link.query(#"SELECT obj_description('other."Band"'::regclass)"#)
      #expect(try comment.field(0, 0).string() == "theirs")
      #expect(try Exporter(other).wholeText().contains("\"x\""))
    }

    /// Collects what a store tells of its progress.
    private final class Told: Sendable {
      private let progress = Mutex<[DistributionProgress]>([])
      var all: [DistributionProgress] { progress.withLock { $0 } }
      func add(_ next: DistributionProgress) { progress.withLock { $0.append(next) } }
    }

    @Test func aStoreThatOthersDistributeIsNoticed() throws {
      let other = try PostgreSQLStore(DatabaseAddress(url, schema: "bands"), model: nil)
      func sql() throws -> String {
        var query = Query("Band")
        query.predicate = try ObjectPredicate(format: "tags.@count > 3")
        return try other.read { try $0.sql(of: query, [.key]) }
      }
      #expect(try !sql().contains("MATERIALIZED"))
      try PostgreSQLServer.emulateCitus(in: url)
      _ = try store.distribute(DistributionRequest(), isPlanOnly: false)
      #expect(try sql().contains("AS MATERIALIZED (SELECT p1_link."))
    }

    @Test func whoeverWaitedForTheLocksIsToldToTryAgain() throws {
      try PostgreSQLServer.emulateCitus(in: url)
      let other = try PostgreSQLStore(DatabaseAddress(url, schema: "bands"), model: nil)
      // It has looked at the tables, and locks none of them before they are distributed.
      _ = try other.read { try $0.count(Query("Band")) }
      let error = #expect(throws: StoreError.self) {
        try other.transaction(isCancelled: nil) { transaction in
          _ = try store.distribute(DistributionRequest(), isPlanOnly: false)
          try transaction.lock([0])
          return ((), .commit)
        }
      }
      #expect(error?.description.contains("distributed meanwhile") == true, "\(String(describing: error))")
    }

    @Test func aTableThatIsDistributedByAnotherColumnIsRefused() throws {
      try PostgreSQLServer.emulateCitus(in: url)
      let link = try PostgreSQLConnection.open(url)
      _ = try link.execute(
        #"ALTER TABLE bands."Band" DROP CONSTRAINT "Band_pkey"; SELECT create_distributed_table('bands."Band"', 'name')"#
      )
      let error = #expect(throws: StoreError.self) { try store.read { try $0.count(Query("Band")) } }
      #expect(error?.description.contains("distributed by name") == true, "\(String(describing: error))")
    }

    @Test func anotherIdentityOfADistributedEntityIsRefusedWithItsReason() throws {
      try PostgreSQLServer.emulateCitus(in: url)
      _ = try store.distribute(DistributionRequest(), isPlanOnly: false)
      let changed = Self.notation.replacing("id: integer64", with: "id: string")
      // So that its rows stay on all servers, a reference table is changed in place only.
      let anew = #expect(throws: StoreError.self) {
        try PostgreSQLStore(DatabaseAddress(url, schema: "bands"), model: model(changed))
      }
      #expect(
        anew?.description.contains("would have to be written anew") == true, "\(String(describing: anew))")
      let link = try PostgreSQLConnection.open(url)
      _ = try link.execute(
        #"SELECT undistribute_table('bands."Band"'); SELECT create_distributed_table('bands."Band"', 'id')"#)
      let error = #expect(throws: StoreError.self) {
        try PostgreSQLStore(DatabaseAddress(url, schema: "bands"), model: model(changed))
      }
      #expect(error?.description.contains("distributed by id") == true, "\(String(describing: error))")
    }
  }
#endif

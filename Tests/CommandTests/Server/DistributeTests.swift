#if PostgreSQL
  import Foundation
  import PostgreSQLClient
  import PostgreSQLServer
  import Testing

  /// `broker distribute`
  @Suite(.enabled(if: PostgreSQLServer.isWanted, "no PostgreSQL server"))
  struct DistributeTests {
    private let folder: Folder
    private let url: String
    private var store: String { url + "&schema=bands" }

    init() throws {
      folder = try Folder()
      url = try PostgreSQLServer.required().makeDatabase()
      try folder.write(
        #"[{"id": 1, "name": "Japan", "tags": ["a", "b"]}, {"id": 2, "name": "Talk Talk", "tags": []}]"#,
        to: "bands.json")
    }

    private func importBands() throws {
      let outcome = try broker("import", "bands.json", "--entity", "Band", "--store", store, in: folder)
      #expect(outcome.status == 0, "\(outcome.error)")
    }

    @Test("the plan says which table goes where and by which statements, without the extension too")
    func plan() throws {
      try importBands()
      let outcome = try broker(
        "distribute", "--store", store, "--plan", "--distributed", "Band", in: folder)
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(outcome.output.contains("the extension Citus is not there"), "\(outcome.output)")
      #expect(outcome.output.contains("by id"), "\(outcome.output)")
      #expect(outcome.output.contains(#"SELECT create_distributed_table('"bands"."Band"', 'id');"#))
      #expect(outcome.output.contains("CREATE EXTENSION citus"))
      let json = try broker("distribute", "--store", store, "--plan", "--format", "json", in: folder)
      #expect(json.output.contains(#""kind" : "reference""#), "\(json.output)")
      #expect(json.output.contains(#""isExecuted" : false"#))
    }

    @Test("without the extension nothing is done, and it is said what is needed")
    func withoutExtension() throws {
      try importBands()
      let outcome = try broker("distribute", "--store", store, in: folder)
      #expect(outcome.status == 1)
      #expect(outcome.error.contains("shared_preload_libraries"), "\(outcome.error)")
    }

    @Test("distributes, twice without harm, and imports and exports go on")
    func distributes() throws {
      try importBands()
      let before = try broker("export", "--store", store, in: folder).output
      try PostgreSQLServer.emulateCitus(in: url)
      let first = try broker("distribute", "--store", store, "--reference-rows", "0", in: folder)
      #expect(first.status == 0 && first.output.contains(": distributed (Citus, 2 servers)"), "\(first)")
      let second = try broker("distribute", "--store", store, in: folder)
      #expect(second.output.contains("nothing to do"), "\(second)")
      #expect(try broker("export", "--store", store, in: folder).output == before)
      let again = try broker("import", "bands.json", "--entity", "Band", "--store", store, in: folder)
      #expect(again.output.contains("unchanged"), "\(again)")
    }

    @Test("--undo makes the tables local again, and goes with no choice of tables")
    func undo() throws {
      try importBands()
      let before = try broker("export", "--store", store, in: folder).output
      try PostgreSQLServer.emulateCitus(in: url)
      _ = try broker("distribute", "--store", store, "--reference-rows", "0", in: folder)
      let plan = try broker("distribute", "--store", store, "--undo", "--plan", in: folder)
      #expect(plan.output.contains("would make "), "\(plan)")
      #expect(plan.output.contains(#"SELECT undistribute_table('"bands"."Band"');"#), "\(plan)")
      let done = try broker("distribute", "--store", store, "--undo", in: folder)
      #expect(done.status == 0 && done.output.contains("all tables are local again"), "\(done)")
      let again = try broker("distribute", "--store", store, "--undo", "--format", "json", in: folder)
      #expect(again.output.contains(#""isUndo" : true"#) && !again.output.contains("SELECT"), "\(again)")
      #expect(try broker("export", "--store", store, in: folder).output == before)
      let wrong = try broker("distribute", "--store", store, "--undo", "--reference", "Band", in: folder)
      #expect(wrong.status == 64, "\(wrong)")
    }

    @Test("a store in a file cannot be distributed, one that is missing neither", .onSQLite("about a file"))
    func others() throws {
      try folder.makeStore()
      let file = try broker("distribute", "--store", "store.sqlite", "--plan", in: folder)
      #expect(file.status == 1 && file.error.contains("broker copy"), "\(file.error)")
      let missing = try broker("distribute", "--store", store, "--plan", in: folder)
      #expect(missing.status == 1, "\(missing.output)")
      let wrong = try broker("distribute", "--store", store, "--reference-rows", "-1", in: folder)
      #expect(wrong.status == 64)
    }
  }
#endif

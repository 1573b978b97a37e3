#if PostgreSQL
  import Foundation
  import PostgreSQLClient
  import PostgreSQLServer
  import Testing

  /// The command with a store in a PostgreSQL database.
  @Suite(.enabled(if: PostgreSQLServer.isWanted, "no PostgreSQL server"))
  struct ServerStoreTests {
    private let folder: Folder
    private let url: String

    init() throws {
      folder = try Folder()
      url = try PostgreSQLServer.required().makeDatabase()
      for name in ["bands.json", "albums.jsonl", "ramones.json"] {
        try folder.write(Data(contentsOf: URL(fileURLWithPath: "\(Folder.bands)/\(name)")), to: name)
      }
    }

    private var model: String { "\(Folder.bands)/Bands.xcdatamodeld" }
    private var store: String { url + "&schema=bands" }

    private func importBands(into store: String) throws -> Outcome {
      try broker(
        "import", "bands.json", "albums.jsonl", "ramones.json", "--model", model, "--store", store,
        "--format", "json", in: folder)
    }

    @Test("imports, queries and exports as one in a file does")
    func sameAsAFile() throws {
      let (inFile, onServer) = (try importBands(into: "bands.sqlite"), try importBands(into: store))
      #expect(onServer.status == inFile.status, "\(onServer.error)")
      let questions = [
        ["query", "Album", "--where", "band.name == 'Japan'", "--select", "title,year", "--format", "csv"],
        ["query", "Band", "--where", "ANY albums.year > 1985", "--sort", "-formed", "--count"],
        [
          "query", "Album", "--where", "title MATCHES '(?i).*drum.*'", "--select", "title", "--format", "csv",
        ],
        ["export", "Band", "--id", "Japan", "--relationships", "nested", "--pretty"],
        ["export"],
      ]
      for question in questions {
        let expected = try broker(question + ["--store", "bands.sqlite"], in: folder)
        let found = try broker(question + ["--store", store], in: folder)
        #expect(found.output == expected.output, "\(question): \(found.error)")
        #expect(!found.output.isEmpty)
      }
    }

    @Test("the same again changes nothing")
    func again() throws {
      _ = try importBands(into: store)
      let again = try broker("import", "bands.json", "--store", store, in: folder)
      #expect(again.output.contains("unchanged"), "\(again.output)")
      #expect(!again.output.contains("inserted"))
      #expect(!again.output.contains("updated"))
      let info = try broker("info", store, in: folder)
      #expect(info.output.contains("Last imports"), "\(info.error)")
    }

    @Test("without a model, one is taken from the JSON, and widened later")
    func inferred() throws {
      try folder.write(#"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#, to: "shops.json")
      let first = try broker("import", "shops.json", "--store", store, in: folder)
      #expect(first.error.contains("Took a model from the JSON: Shop"), "\(first.error)")
      let count = try broker("query", "Shop", "--count", "--store", store, in: folder)
      #expect(count.output == "2\n")
    }

    @Test("a dry run leaves no schema")
    func dryRun() throws {
      let tried = try broker(
        "import", "bands.json", "--model", model, "--store", store, "--dry-run", in: folder)
      #expect(tried.output.contains("Band"), "\(tried.error)")
      let schemas = try PostgreSQLConnection.open(url).query(
        "SELECT count(*) FROM pg_namespace WHERE nspname = 'bands'")
      #expect(try schemas.field(0, 0).anyInteger() == 0)
    }

    @Test("copies from a file and back hold the same")
    func copy() throws {
      _ = try importBands(into: "bands.sqlite")
      let there = try broker("copy", "--from", "bands.sqlite", "--to", store, in: folder)
      #expect(there.status == 0, "\(there.output)\(there.error)")
      let back = try broker("copy", "--from", store, "--to", "copy.sqlite", "--format", "json", in: folder)
      #expect(back.status == 0, "\(back.output)\(back.error)")
      #expect(back.output.contains(#""isWhole" : true"#), "\(back.output)")
      for entity in ["Band", "Album", "Label"] {
        let expected = try broker("export", entity, "--store", "bands.sqlite", in: folder)
        let found = try broker("export", entity, "--store", "copy.sqlite", in: folder)
        #expect(found.output == expected.output)
      }
      let twice = try broker("copy", "--from", "bands.sqlite", "--to", store, in: folder)
      #expect(twice.status == 64)
      #expect(twice.error.contains("objects already"), "\(twice.error)")
      let more = try broker("copy", "--from", "bands.sqlite", "--to", store, "--continue", in: folder)
      #expect(more.status == 0, "\(more.output)\(more.error)")
    }

    // MARK: - What can be wrong

    @Test("a server that is away is named, and no password is shown")
    func away() throws {
      let outcome = try broker(
        "info", "postgresql://me:hunter2@127.0.0.1:9/bands?password=hunter3", in: folder)
      #expect(outcome.status == 1)
      #expect(
        outcome.error.contains("There is no connection to postgresql://me@127.0.0.1:9/bands"),
        "\(outcome.error)")
      #expect(!(outcome.error + outcome.output).contains("hunter"))
    }

    @Test("an address in pairs is no file, and no password of it is shown")
    func pairs() throws {
      let pairs = "host=127.0.0.1 port=9 user=me dbname=bands password=hunter2"
      for arguments in [["info", pairs], ["import", "bands.json", "--model", model, "--store", pairs]] {
        let outcome = try broker(arguments, in: folder)
        #expect(outcome.status == 1)
        #expect(
          outcome.error.contains("There is no connection to postgresql://me@127.0.0.1:9/bands"),
          "\(outcome.error)")
        #expect(!(outcome.error + outcome.output).contains("hunter"))
      }
      #expect(
        try !FileManager.default.contentsOfDirectory(atPath: folder.url.path).contains {
          $0.hasPrefix("host")
        })
      for wrong in [
        "postgresql://me:hun/ter2@db/bands", "postgresql://me:12?hunter2@db/bands",
        "host=db password=a hunter2",
      ] {
        let outcome = try broker("info", wrong, in: folder)
        #expect(outcome.status != 0)
        #expect(!(outcome.error + outcome.output).contains("ter2"), "\(outcome.error)")
      }
      let unquoted = try broker("info", "host=db", "password=hunter2", in: folder)
      #expect(!(unquoted.error + unquoted.output).contains("hunter"), "\(unquoted.error)")
    }

    @Test(
      "a server that stops answering is left: after silence_timeout, and at once when the import is interrupted",
      arguments: [true, false])
    func silence(_ isInterrupted: Bool) throws {
      _ = try importBands(into: store)
      let running = try RunningBroker(
        ["import", "-", "--entity", "Band", "--store", store + (isInterrupted ? "" : "&silence_timeout=2")],
        in: folder, input: .pipe)
      running.input.fileHandleForWriting.write(Data(#"[{"name": "New", "formed": 1999},"#.utf8))
      let link = try PostgreSQLConnection.open(url)
      // The import waits for JSON once its transaction has been idle for a while. Short transactions come before it.
      var processes: [Int32] = []
      for _ in 0..<1_200 where processes.isEmpty {
        let rows = try link.query(
          """
          SELECT pid::bigint FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'broker%'
            AND pid <> pg_backend_pid() AND EXISTS (
              SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'broker%'
                AND state = 'idle in transaction' AND clock_timestamp() - state_change > '1 second')
          """)
        processes = try (0..<rows.count).map { Int32(try rows.field($0, 0).int8()) }
        Thread.sleep(forTimeInterval: 0.05)
      }
      try #require(!processes.isEmpty)
      for process in processes { kill(process, SIGSTOP) }
      defer { for process in processes { kill(process, SIGCONT) } }
      try running.input.fileHandleForWriting.write(contentsOf: Data(#"{"name": "Newer"}]"#.utf8))
      try running.input.fileHandleForWriting.close()
      Thread.sleep(forTimeInterval: 0.5)
      let start = ContinuousClock.now
      if isInterrupted { running.interrupt() }
      let outcome = try running.finish(within: 60)
      #expect(ContinuousClock.now - start < .seconds(30))
      #expect(outcome.status == (isInterrupted ? 130 : 1), "\(outcome.error)")
      if !isInterrupted { #expect(outcome.error.contains("has sent nothing for"), "\(outcome.error)") }
    }

    @Test(
      "a server that says nothing after the login is left by every command, and an interruption is heard",
      arguments: [
        "query Band --count", "import bands.json --entity Band", "export", "info STORE", "doctor STORE",
        "copy --to copy.sqlite --from STORE", "migrate --dry-run --model Bands.yaml", "distribute --plan",
      ])
    func silenceAfterLogin(_ command: String) throws {
      try folder.write(#"[{"name": "Japan"}]"#, to: "bands.json")
      try folder.write("Band:\n  $identity: name\n  name: string\n", to: "Bands.yaml")
      let server = try SilentServer()
      func run(_ place: String) throws -> RunningBroker {
        let words = command.split(separator: " ").map(String.init)
        let arguments = words.contains("STORE") ? words : words + ["--store", "STORE"]
        return try RunningBroker(arguments.map { $0 == "STORE" ? place : $0 }, in: folder, input: .file(""))
      }
      let limited = try run(server.url + "&silence_timeout=1").finish(within: 60)
      #expect(limited.status == 1, "\(limited.error)")
      #expect(limited.error.contains("which is as long as silence_timeout"), "\(limited.error)")
      let connecting = try run(server.url + "&connect_timeout=2").finish(within: 60)
      #expect(connecting.status == 1, "\(connecting.error)")
      #expect(connecting.error.contains("has not answered for 2 seconds"), "\(connecting.error)")
      let interrupted = try run(server.url + "&connect_timeout=100")
      Thread.sleep(forTimeInterval: 1)
      interrupted.interrupt()
      #expect(try interrupted.finish(within: 30).status == 130)
    }

    @Test("the roles of the documentation may do what it says, and no more")
    func documentedRoles() throws {
      let path = "\(Folder.bands)/../../docs/POSTGRESQL.md"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let sql = try #require(
        text.firstMatch(of: /```sql\n(CREATE ROLE.*?)```/.dotMatchesNewlines())?.output.1)
      let link = try PostgreSQLConnection.open(url)
      let database = try link.query("SELECT current_database()").value { try $0.string() }
      _ = try link.execute("REVOKE TEMPORARY ON DATABASE \(database) FROM PUBLIC")
      _ = try link.execute(String(sql).replacing("DATABASE music", with: "DATABASE \(database)"))
      func address(_ role: String) -> String { store.replacing("broker@", with: "\(role)@") }
      let made = try importBands(into: address("bands_owner"))
      #expect(made.output.contains("\"Band\""), "\(made.error)")
      try folder.write(
        #"[{"name": "Japan", "formed": 1975}, {"name": "Newer", "formed": 2001}]"#, to: "more.json")
      let more = try broker(
        "import", "more.json", "--entity", "Band", "--store", address("bands_writer"), in: folder)
      #expect(more.status == 0, "\(more.output)\(more.error)")
      let count = try broker("query", "Band", "--count", "--store", address("bands_reader"), in: folder)
      #expect(count.status == 0 && Int(count.output.dropLast()) ?? 0 > 1, "\(count.output)\(count.error)")
      let refused = try broker(
        "import", "bands.json", "--entity", "Band", "--store", address("bands_reader"), in: folder)
      #expect(refused.status == 1)
      #expect(refused.error.contains("The role may not do this"), "\(refused.error)")
    }

    @Test("a database that is missing, or keeps texts in another encoding")
    func databases() throws {
      let server = try PostgreSQLServer.required()
      let missing = try broker("info", server.url(database: "nowhere"), in: folder)
      #expect(missing.error.contains("create it with createdb"), "\(missing.error)")
      let latin = try server.makeDatabase(encoding: "LATIN1")
      let refused = try broker("import", "bands.json", "--model", model, "--store", latin, in: folder)
      #expect(refused.error.contains("ENCODING 'UTF8'"), "\(refused.error)")
    }

    @Test("tables of others in the schema stay as they are")
    func tablesOfOthers() throws {
      let link = try PostgreSQLConnection.open(url)
      _ = try link.execute(
        #"CREATE SCHEMA bands; CREATE TABLE bands."Band" (id int); CREATE TABLE bands.other (id int)"#)
      let refused = try broker("import", "bands.json", "--model", model, "--store", store, in: folder)
      #expect(refused.status == 1)
      #expect(refused.error.contains("tables that Broker did not make"), "\(refused.error)")
      _ = try link.execute(#"DROP TABLE bands."Band"; CREATE TABLE bands.broker_store (a int)"#)
      let other = try broker("import", "bands.json", "--model", model, "--store", store, in: folder)
      #expect(other.error.contains("broker_store is one that Broker did not make"), "\(other.error)")
      #expect(!other.error.contains("Broker creates it"), "\(other.error)")
      _ = try link.execute("DROP TABLE bands.broker_store; CREATE VIEW bands.broker_imports AS SELECT 1")
      let history = try broker("import", "bands.json", "--model", model, "--store", store, in: folder)
      #expect(history.error.contains("names that the store needs: broker_imports"), "\(history.error)")
    }

    @Test("a role without rights is told which it lacks")
    func rights() throws {
      let link = try PostgreSQLConnection.open(url)
      _ = try link.execute("CREATE ROLE \"weak_\(folder.url.lastPathComponent)\" LOGIN")
      let weak = store.replacing("broker@", with: "weak_\(folder.url.lastPathComponent)@")
      let refused = try broker("import", "bands.json", "--model", model, "--store", weak, in: folder)
      #expect(refused.status == 1)
      #expect(refused.error.contains("The role may not do this"), "\(refused.error)")
      #expect(
        refused.error.contains("It needs CREATE on the database to make the schema"), "\(refused.error)")
      #expect(refused.error.contains("Nothing was changed"), "\(refused.error)")
    }

    @Test("a schema that cannot be one's name is refused", arguments: ["pg_temp", "", "information_schema"])
    func schemas(_ name: String) throws {
      let refused = try broker(
        "import", "bands.json", "--model", model, "--store", "\(url)&schema=\(name)", in: folder)
      #expect(refused.error.contains("cannot be the schema of a store"), "\(refused.error)")
    }

    @Test("another version of the model that removes something is refused with what that is")
    func versions() throws {
      try folder.write(
        #"{"entities": [{"name": "Shop", "attributes": [{"name": "id", "type": "integer64"}]}]}"#,
        to: "a.json")
      _ = try importBands(into: store)
      let refused = try broker("import", "bands.json", "--model", "a.json", "--store", store, in: folder)
      #expect(refused.status == 1)
      #expect(refused.error.contains("Band is removed; "), "\(refused.error)")
      #expect(refused.error.contains("broker migrate --help"), "\(refused.error)")
    }

    @Test("when the server ends the session, nothing is changed, and the next import works")
    func endedSession() throws {
      _ = try importBands(into: store)
      let before = try broker("export", "--store", store, in: folder).output
      let running = try RunningBroker(
        ["import", "-", "--entity", "Band", "--store", store], in: folder, input: .pipe)
      running.input.fileHandleForWriting.write(Data(#"[{"name": "New", "formed": 1999},"#.utf8))
      let link = try PostgreSQLConnection.open(url)
      var ended = false
      for _ in 0..<200 where !ended {
        let rows = try link.query(
          """
          SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name LIKE 'broker%' AND pid <> pg_backend_pid()
          """)
        ended = try rows.field(0, 0).anyInteger() > 0
        if !ended { Thread.sleep(forTimeInterval: 0.05) }
      }
      try? running.input.fileHandleForWriting.write(
        contentsOf: Data(#"{"name": "Newer", "formed": 1998}]"#.utf8))
      try? running.input.fileHandleForWriting.close()
      let outcome = try running.finish()
      // A session that was ended before anything was begun in it is made anew.
      if outcome.status != 0 {
        #expect(outcome.error.contains("Nothing was changed"), "\(outcome.error)")
        #expect(try broker("export", "--store", store, in: folder).output == before)
      }
      let next = try broker("import", "bands.json", "--store", store, in: folder)
      #expect(next.output.contains("unchanged"), "\(next.error)")
    }
  }
#endif

#if PostgreSQL
  import Foundation
  import PostgreSQLClient
  import PostgreSQLServer
  import Testing

  /// What a server refuses by its settings, its limits and its rules of who may do what.
  @Suite(.enabled(if: PostgreSQLServer.isWanted, "no PostgreSQL server"))
  struct ServerLimitTests {
    private let folder: Folder
    private let url: String
    private let store: String
    private let link: PostgreSQLConnection

    init() throws {
      folder = try Folder()
      url = try PostgreSQLServer.required().makeDatabase()
      store = url + "&schema=bands"
      link = try PostgreSQLConnection.open(url)
      try folder.write(#"[{"name": "Japan", "formed": 1974}]"#, to: "bands.json")
    }

    private func model(_ formed: String = "integer16", _ more: String = "") throws {
      try folder.write(
        "Band:\n  $identity: name\n  name: string\n  formed: \(formed)?\n\(more)", to: "bands.yaml")
    }

    private func importBands(
      _ file: String = "bands.json", _ arguments: [String] = [], by role: String? = nil
    ) throws
      -> Outcome
    {
      let place = role.map { store.replacing("broker@", with: "\($0)@") } ?? store
      return try broker(["import", file, "--entity", "Band", "--store", place] + arguments, in: folder)
    }

    /// A role that may write the tables and owns none.
    private func writer() throws -> String {
      let role = "writer_\(UUID().uuidString.prefix(8).lowercased())"
      _ = try link.execute(
        """
        CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA bands TO \(role);
        GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA bands TO \(role);
        GRANT USAGE ON ALL SEQUENCES IN SCHEMA bands TO \(role)
        """)
      return role
    }

    @Test("a session that was idle for too long is told with the setting and what to do")
    func idle() throws {
      try model()
      #expect(try importBands("bands.json", ["--model", "bands.yaml"]).status == 0)
      let running = try RunningBroker(
        [
          "import", "-", "--entity", "Band", "--store",
          store + "&options=-cidle_in_transaction_session_timeout%3D300ms",
        ], in: folder, input: .pipe)
      running.input.fileHandleForWriting.write(Data(#"[{"name": "New", "formed": 1999},"#.utf8))
      Thread.sleep(forTimeInterval: 3)
      // A process that has ended reads no more.
      try? running.input.fileHandleForWriting.write(contentsOf: Data(#"{"name": "Newer"}]"#.utf8))
      try running.input.fileHandleForWriting.close()
      let outcome = try running.finish(within: 60)
      #expect(outcome.status == 1, "\(outcome.output)")
      #expect(
        outcome.error.contains("Its setting idle_in_transaction_session_timeout limits"), "\(outcome.error)")
      #expect(outcome.error.contains("--receive-first"), "\(outcome.error)")
    }

    @Test("an object that a row has no room for is told with what to do")
    func largeRow() throws {
      let names = (0..<900).map { "t\($0)" }
      try model("integer16", names.map { "  \($0): string?\n" }.joined())
      let text = String(repeating: "long text", count: 30)
      let values = names.map { #""\#($0)": "\#(text)""# }.joined(separator: ", ")
      try folder.write(#"[{"name": "Japan", \#(values)}]"#, to: "wide.json")
      let outcome = try importBands("wide.json", ["--model", "bands.yaml"])
      #expect(outcome.status == 1, "\(outcome.output)")
      #expect(
        outcome.error.contains(#"more values than a row of the table "bands"."Band" has room for"#),
        "\(outcome.error)")
    }

    @Test("row-level security is no right that lacks")
    func policies() throws {
      try model()
      #expect(try importBands("bands.json", ["--model", "bands.yaml"]).status == 0)
      let role = try writer()
      _ = try link.execute(
        "ALTER TABLE bands.\"Band\" ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON bands.\"Band\" USING (formed < 1990)"
      )
      try folder.write(#"[{"name": "New", "formed": 1999}]"#, to: "new.json")
      let outcome = try importBands("new.json", by: role)
      #expect(outcome.status == 1, "\(outcome.output)")
      #expect(outcome.error.contains("That is row-level security, not a right"), "\(outcome.error)")
    }

    @Test("whole numbers become larger without an owner; what else would change is told to who is none")
    func owners() throws {
      try folder.write(
        #"[{"name": "Japan", "formed": 1974}, {"name": "Can", "formed": 1968}]"#, to: "first.json")
      try model()
      #expect(try importBands("first.json", ["--model", "bands.yaml"]).status == 0)
      let role = try writer()
      try model("integer64")
      try folder.write(#"[{"name": "New", "formed": 99999999999}]"#, to: "new.json")
      let wider = try importBands("new.json", ["--model", "bands.yaml"], by: role)
      #expect(wider.status == 0, "\(wider.output)\(wider.error)")
      #expect(try broker("query", "Band", "--store", store, in: folder).output.contains("99999999999"))
      try model("integer64", "  city: string?\n")
      let more = try importBands("new.json", ["--model", "bands.yaml"], by: role)
      #expect(more.status == 1, "\(more.output)")
      #expect(more.error.contains("Only their owner may do that"), "\(more.error)")
      #expect(more.error.contains("city"), "\(more.error)")
    }

    @Test("a model that was taken from JSON becomes wider without an owner")
    func takenModel() throws {
      let bands = (1...300).map { #"{"id": "b\#($0)", "formed": \#($0)}"# }
      try folder.write("[\(bands.joined(separator: ","))]", to: "first.json")
      #expect(try importBands("first.json").status == 0)
      let role = try writer()
      try folder.write(#"[{"id": "new", "formed": 99999999999}]"#, to: "second.json")
      let wider = try importBands("second.json", by: role)
      #expect(wider.status == 0, "\(wider.output)\(wider.error)")
      #expect(try broker("query", "Band", "--store", store, in: folder).output.contains("99999999999"))
    }
  }
#endif

#if PostgreSQL
  import Foundation
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// Imports and programs that write the same rows with other means.
  @Suite("Conflicts with other programs", .enabled(if: PostgreSQLServer.isWanted))
  struct ConflictTests {
    private static func json(_ name: String) -> String {
      "[\((0..<20).map { #"{"id": "c\#($0)", "name": "\#(name)"}"# }.joined(separator: ","))]"
    }

    /// The server ends the import's statement, which stands in a circle with the other program's, and the import runs it
    /// again.
    @Test(arguments: [2, 1000]) func circlesOfWaitsAreResolved(changesTogether: Int) throws {
      let server = try ServerFixture(
        SeveralWriterTests.notation, entity: "City", changesTogether: changesTogether,
        // A session looks for circles once in each wait: when the other program waits too, and before that one looks.
        settings: "application_name=import\(changesTogether)&options=-c%20deadlock_timeout%3D2s")
      _ = try server.load(Self.json("before"))
      let other = try otherProgram(of: server)
      let deadlocks = try count(
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()", other)
      _ = try other.execute(
        "SET deadlock_timeout = '60s'; BEGIN; UPDATE \"City\" SET name = 'other' WHERE id = 'c15'")
      let waits = """
        SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name LIKE 'import\(changesTogether)%'
        """
      let (store, json) = (server.store, Self.json("after"))
      let updated = Locked(0)
      let failures = Locked<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 2) { part in
        if part == 0 {
          var options = ImportOptions()
          options.entity = "City"
          do {
            let report = try Importer(store, options).run([.string(json)])
            updated.withLock { $0 = report.updated["City"] ?? 0 }
          } catch { failures.withLock { $0.append("import: \(error)") } }
        } else {
          do {
            try waitUntil { try count(waits, other) == 1 }
            _ = try other.execute("UPDATE \"City\" SET name = 'other' WHERE id = 'c2'; COMMIT")
          } catch { failures.withLock { $0.append("other: \(error)") } }
        }
      }
      #expect(failures.withLock { $0 } == [])
      #expect(updated.withLock { $0 } == 20)
      #expect(try count("SELECT count(*) FROM \"City\" WHERE name = 'after'", other) == 20)
      try waitUntil {
        try count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()", other)
          > deadlocks
      }
    }

    /// The import has read the rows before the other program's change is there, and writes them after it.
    @Test(arguments: [2, 1000]) func whatTheImportDoesNotChangeIsNotWritten(changesTogether: Int) throws {
      let name = "columns\(changesTogether)"
      let notation = """
        City | unique=code
          id: string | broker.identity=true
          code: string
          name: string
          people: integer64
        """
      let server = try ServerFixture(
        notation, entity: "City", changesTogether: changesTogether, settings: "application_name=\(name)")
      func json(_ name: String, _ code: String, _ more: String = "") -> String {
        "[\((0..<20).map { #"{"id": "c\#($0)", "name": "\#(name)", "code": "\#(code)\#($0)"\#(more)}"# }.joined(separator: ","))]"
      }
      _ = try server.load(json("before", "a", #", "people": 1"#))
      let other = try otherProgram(of: server)
      _ = try other.execute("BEGIN; UPDATE \"City\" SET people = people + 1")
      let waits =
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name LIKE '\(name)%'"
      let failures = Locked<[String]>([])
      let (store, options, after) = (server.store, server.fixture.options, json("after", "b"))
      DispatchQueue.concurrentPerform(iterations: 2) { part in
        do {
          if part == 0 {
            #expect(try Importer(store, options).run([.string(after)]).updated == ["City": 20])
          } else {
            try waitUntil { try count(waits, other) == 1 }
            _ = try other.execute("COMMIT")
          }
        } catch { failures.withLock { $0.append("\(part): \(error)") } }
      }
      #expect(failures.withLock { $0 } == [])
      #expect(try count("SELECT count(*) FROM \"City\" WHERE name = 'after' AND people = 2", other) == 20)
    }

    private func otherProgram(of server: ServerFixture) throws -> PostgreSQLConnection {
      let connection = try PostgreSQLConnection.open(ServerFixture.database.get())
      _ = try connection.execute("SET search_path = \(SQL.quoted(server.schema))")
      return connection
    }

    private func count(_ sql: String, _ connection: PostgreSQLConnection) throws -> Int64 {
      try connection.query(sql).field(0, 0).int8()
    }

    private func waitUntil(_ condition: () throws -> Bool) throws {
      for _ in 0..<3000 {
        if try condition() { return }
        Thread.sleep(forTimeInterval: 0.01)
      }
      Issue.record("It did not come to that.")
    }
  }
#endif

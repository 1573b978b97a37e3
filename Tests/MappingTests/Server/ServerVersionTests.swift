import TestSettings

#if PostgreSQL
  import Foundation
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLServer
  import PostgreSQLStore
  import Synchronization
  import Testing

  /// Versions of a model on a server that several stores use at once.
  @Suite("Versions on a server", .enabled(if: PostgreSQLServer.isWanted))
  struct ServerVersionTests {
    private let versions: ServerVersions
    private static let old =
      "Person | unique=id\n  id: integer64\n  first: string\n  last: string\n  born: date"
    private static let new = old.replacing("born: date", with: "born: string\n  note: string")

    init() throws {
      versions = try ServerVersions()
      let store = try versions.store(model(Self.old))
      try Self.load(
        #"[{"id": 1, "first": "Mick", "last": "Karn", "born": "1958-07-24"}, {"id": 2, "first": "Holger", "last": "Czukay"}]"#,
        into: store)
      try store.close()
    }

    private static func load(_ json: String, into store: PostgreSQLStore) throws {
      var options = ImportOptions()
      options.entity = "Person"
      _ = try Importer(store, options).run([.string(json)])
    }

    private func names(_ store: PostgreSQLStore) throws -> [String] {
      try Exporter(store).wholeText().split(separator: "\"").filter { $0 == "Karn" || $0 == "Czukay" }.map(
        String.init)
    }

    // MARK: - Others

    @Test("the older of two programs is told at its next transaction, and writes nothing")
    func olderProgram() throws {
      let older = try versions.store(model(Self.old))
      #expect(try names(older) == ["Karn", "Czukay"])
      let newer = try versions.store(model(Self.new))
      for _ in 0..<2 {
        let reading = #expect(throws: StoreError.self) { _ = try names(older) }
        #expect(reading?.description.contains("Another program has given the store") == true)
        let writing = #expect(throws: StoreError.self) {
          try Self.load(#"[{"id": 3, "last": "x"}]"#, into: older)
        }
        #expect(writing?.description.contains("The model differs") == true)
      }
      #expect(try names(newer) == ["Karn", "Czukay"])
      try Self.load(#"[{"id": 3, "last": "Karn", "note": "x"}]"#, into: newer)
      #expect(try names(newer).count == 3)
    }

    @Test("a program without a model of its own is told too, and opens it again")
    func withoutModel() throws {
      let older = try versions.store()
      #expect(try names(older).count == 2)
      _ = try versions.store(model(Self.new))
      let reading = #expect(throws: StoreError.self) { _ = try names(older) }
      #expect(reading?.description.contains("Open it again") == true)
      #expect(try names(versions.store()).count == 2)
    }

    @Test("statements that were prepared for tables that have changed twice since are made anew")
    func preparedStatements() throws {
      let older = try versions.store(model(Self.old))
      for _ in 0..<3 { try Self.load(#"[{"id": 1, "first": "Michael"}]"#, into: older) }
      _ = try versions.store(model(Self.new))
      var options = Store.Options()
      options.migration = .automatic.allowing(.removals)
      _ = try versions.store(model(Self.old), options: options)
      try Self.load(#"[{"id": 1, "first": "Mick"}, {"id": 4, "last": "Karn"}]"#, into: older)
      #expect(try names(older) == ["Karn", "Czukay", "Karn"])
    }

    @Test("several programs that open a store with a new version at once migrate it once")
    func atOnce() throws {
      let failures = Mutex<[String]>([])
      let new = try model(Self.new)
      DispatchQueue.concurrentPerform(iterations: 6) { _ in
        do { try versions.store(new).close() } catch { failures.withLock { $0.append("\(error)") } }
      }
      #expect(failures.withLock { $0 } == [])
      #expect(try names(versions.store(new)) == ["Karn", "Czukay"])
    }

    @Test("programs that bring different models at once: each finds the store whole")
    func differentModels() throws {
      let failures = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        do {
          let more = (0..<number).map { "\n  n\($0): integer16" }.joined()
          try versions.store(model(Self.old + more)).close()
        } catch { failures.withLock { $0.append("\(error)") } }
      }
      for failure in failures.withLock({ $0 }) {
        #expect(
          failure.contains("without being told more") || failure.contains("Another program")
            || failure.contains("The model differs"))
      }
      #expect(try names(versions.store()) == ["Karn", "Czukay"])
    }

    @Test("whoever reads sees one version to the end, and a migration waits for him")
    func readers() throws {
      let older = try versions.store(model(Self.old))
      let isRead = DispatchSemaphore(value: 0)
      let group = DispatchGroup()
      let failures = Mutex<[String]>([])
      let moments = Mutex<[String]>([])
      try older.read { transaction in
        _ = try transaction.objectCounts()
        DispatchQueue.global().async(group: group) {
          do {
            isRead.signal()
            _ = try versions.store(model(Self.new))
            moments.withLock { $0.append("migrated") }
          } catch { failures.withLock { $0.append("\(error)") } }
        }
        isRead.wait()
        Thread.sleep(forTimeInterval: 0.5)
        // While the migration waits, others read on.
        let other = try versions.store(model(Self.old))
        #expect(try names(other).count == 2)
        #expect(try transaction.objectCounts() == ["Person": 2])
        moments.withLock { $0.append("read") }
      }
      group.wait()
      #expect(failures.withLock { $0 } == [])
      #expect(moments.withLock { $0 } == ["read", "migrated"])
    }

    @Test("who keeps a migration waiting for too long is named")
    func longestWait() throws {
      let older = try versions.store(model(Self.old))
      try older.read { transaction in
        _ = try transaction.objectCounts()
        let error = #expect(throws: StoreError.self) {
          _ = try versions.store(model(Self.new), options: Store.Options(timeout: .milliseconds(300)))
        }
        #expect(error?.isTimeout == true)
        #expect(error?.description.contains("process ") == true, "\(error?.description ?? "")")
      }
      #expect(try names(older).count == 2)
    }

    @Test("a transaction that migrates and is undone leaves the store as it was")
    func undone() throws {
      let older = try versions.store(model(Self.old))
      var options = Store.Options()
      options.migration.isDelayed = true
      let newer = try versions.store(model(Self.new), options: options)
      try newer.transaction(isCancelled: nil) { transaction in
        let counts = try transaction.objectCounts()
        #expect(counts == ["Person": 2])
        return ((), .rollback)
      }
      #expect(try names(older).count == 2)
      let reading = #expect(throws: StoreError.self) { _ = try names(newer) }
      #expect(reading?.description.contains("The model differs") == true)
      try newer.transaction(isCancelled: nil) { _ in ((), .commit) }
      #expect(try names(newer).count == 2)
    }

    @Test("a store that is only read is refused with what differs")
    func onlyRead() throws {
      let error = #expect(throws: StoreError.self) {
        _ = try PostgreSQLStore(versions.address, model: model(Self.new), access: .readOnly)
      }
      #expect(error?.description.contains("Person.note is new") == true, "\(error?.description ?? "")")
    }

    @Test("a backup is the server's own matter")
    func backup() throws {
      var options = Store.Options()
      options.migration.backupPath = "copy.sqlite"
      let error = #expect(throws: StoreError.self) {
        _ = try versions.store(model(Self.new), options: options)
      }
      #expect(error?.description.contains("pg_dump --schema=") == true)
    }

    // MARK: - What a server keeps less of

    @Test("values that a server does not keep are counted as lost; dates are cut to microseconds")
    func limits() throws {
      let old = "Person | unique=id\n  id: integer64\n  note: transformable\n  born: string"
      let versions = try ServerVersions()
      try Self.load(
        #"""
        [{"id": 1, "note": "a\u0000b", "born": "1958-07-24T00:00:00.123456789Z"}, {"id": 2, "note": "c", "born": "1958-07-24"}]
        """#, into: versions.store(model(old)))
      let dated = old.replacing("born: string", with: "born: date")
      let text = try Exporter(versions.store(model(dated))).wholeText()
      #expect(text.contains("1958-07-24T00:00:00.123456Z"), "\(text)")
      let noted = dated.replacing("note: transformable", with: "note: string")
      let error = #expect(throws: StoreError.self) { _ = try versions.store(model(noted)) }
      #expect(error?.description.contains("1 without a place") == true, "\(error?.description ?? "")")
      var options = Store.Options()
      options.migration = .automatic.allowing(.removals)
      let allowed = try Exporter(versions.store(model(noted), options: options)).wholeText()
      #expect(allowed.contains(#""note":null"#) && allowed.contains(#""note":"c""#), "\(allowed)")
    }

    @Test("a value that is too long for an index cannot become an identity")
    func longIdentity() throws {
      let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
      var random = Seeded(state: 1)
      let long = String((0..<6_000).map { _ in letters[random.below(letters.count)] })
      let store = try versions.store(model(Self.old))
      try Self.load(#"[{"id": 1, "last": "\#(long)"}, {"id": 2, "last": "x"}]"#, into: store)
      let new = Self.old.replacing("unique=id", with: "unique=last")
      let error = #expect(throws: StoreError.self) { _ = try versions.store(model(new)) }
      #expect(error?.description.contains("longer than a PostgreSQL server takes") == true)
      #expect(try store.read { try $0.objectCounts() } == ["Person": 2])
    }

    @Test("names that are longer than the server takes", arguments: [60, 63, 80])
    func longNames(_ length: Int) throws {
      let name = String(repeating: "n", count: length)
      let file = try Versions(
        "A\(name) | unique=id\n  id: integer64\n  x\(name): integer16 | indexed\n  l\(name): [B]\nB | unique=id\n  id: integer64",
        #"{"A\#(name)": [{"id": 1, "x\#(name)": 5, "l\#(name)": [1, 2]}], "B": [{"id": 1}]}"#)
      for type in ["string", "decimal"] {
        try file.migrate(
          to:
            "C\(name) | unique=id | was=A\(name)\n  id: integer64\n  y\(name): \(type) | indexed | was=x\(name)\n  l\(name): [B]\nB | unique=id\n  id: integer64",
          .automatic.allowing(.removals))
        try file.migrate(
          to:
            "A\(name) | unique=id | was=C\(name)\n  id: integer64\n  x\(name): \(type) | indexed | was=y\(name)\n  l\(name): [B]\nB | unique=id\n  id: integer64"
        )
      }
    }

    // MARK: - Plans

    @Test("a plan says what is written anew, and counts as in a file")
    func plan() throws {
      let file = try Versions(
        Self.old,
        #"{"Person": [{"id": 1, "first": "Mick", "born": "1958-07-24"}, {"id": 2, "first": "Holger"}]}"#)
      for new in [Self.new, Self.old + "\n  note: string", Self.old.replacing("\n  first: string", with: "")]
      {
        let plan = try versions.store().plan(for: model(new), mapping: nil, migration: .automatic)
        let expected = try Store(path: file.path).plan(for: model(new))
        #expect(plan.steps == expected.steps)
        #expect(expected.rewrittenTables == nil)
        #expect(plan.rewrittenTables?.map(\.name) == (new == Self.new ? ["Person"] : []))
      }
      #expect(try names(versions.store()) == ["Karn", "Czukay"])
    }

    // MARK: - Stages

    private func stages(
      _ body: @escaping @Sendable (any StoreTransaction, any StoreTransaction) throws -> Void
    ) throws -> Store.Options {
      var options = Store.Options()
      options.migration.stages = [
        MigrationStage(model: try model(Self.old), body: nil),
        MigrationStage(model: try model(Self.new), body: nil),
        MigrationStage(model: try model(Self.last), body: body),
      ]
      return options
    }

    private static let last = "Person | unique=id\n  id: integer64\n  name: string!"

    @Test("stages: code reads the old objects while it writes the new ones")
    func staged() throws {
      let options = try stages { old, new in
        let entity = try old.layout.entity(named: "Person")
        let columns = try ["id", "first", "last"].map {
          SelectedColumn.value(try ResolvedPath($0, from: entity, old.layout))
        }
        let memory = try Store(path: ":memory:", model: model(Self.last))
        var importing = ImportOptions()
        importing.entity = "Person"
        let people = try old.cursor(Query("Person"), columns, isOrdered: true)
        while try people.step() {
          let json = #"{"id": \#(people.integer(0)), "name": "\#(people.string(1)) \#(people.string(2))"}"#
          _ = try Importer(memory.backend, importing).execute([.string(json)], in: new)
        }
      }
      let store = try versions.store(model(Self.last), options: options)
      let text = try Exporter(store).wholeText()
      #expect(text.contains("Mick Karn") && text.contains("Holger Czukay"), "\(text)")
      // It is of the last version now, and there is nothing to do.
      #expect(
        try versions.store(model(Self.last), options: options).read { try $0.objectCounts() } == ["Person": 2]
      )
    }

    @Test("code that throws, or leaves something required empty, changes nothing")
    func failingStage() throws {
      struct Failure: Error {}
      let before = try ServerVersions.contents(versions.store())
      let throwing = try stages { _, _ in throw Failure() }
      #expect(throws: Failure.self) { _ = try versions.store(model(Self.last), options: throwing) }
      #expect(try ServerVersions.contents(versions.store(model(Self.old))) == before)
      let idle = try stages { _, _ in }
      let error = #expect(throws: StoreError.self) { _ = try versions.store(model(Self.last), options: idle) }
      let message = "leaves 2 objects of Person without name, which is required"
      #expect(error?.description.contains(message) == true, "\(String(describing: error))")
      #expect(try ServerVersions.contents(versions.store(model(Self.old))) == before)
    }

    @Test("a migration that is cancelled leaves the store as it was")
    func cancelled() throws {
      let before = try ServerVersions.contents(versions.store())
      let flag = Flag()
      var options = Store.Options()
      options.migration.onProgress = { _ in flag.set() }
      options.isCancelled = { flag.isSet }
      #expect(throws: CancellationError.self) { _ = try versions.store(model(Self.new), options: options) }
      #expect(flag.isSet)
      #expect(try ServerVersions.contents(versions.store(model(Self.old))) == before)
    }

    private final class Flag: Sendable {
      private let value = Mutex(false)
      func set() { value.withLock { $0 = true } }
      var isSet: Bool { value.withLock { $0 } }
    }
  }
#endif

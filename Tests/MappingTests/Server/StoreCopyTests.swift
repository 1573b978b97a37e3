#if PostgreSQL
  import Foundation
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLServer
  import PostgreSQLStore
  import TestSettings
  import Testing

  /// Copies take along what the server of the JSON was not told of.
  @Suite("Copies of stores", .enabled(if: PostgreSQLServer.isWanted))
  struct StoreCopyTests {
    private func journal(_ store: Store) throws -> [String] {
      try store.read { transaction in
        try transaction.journal()?.entries().sorted { $0.revision < $1.revision }.map {
          "\($0.entity) \($0.key) \($0.kind) \($0.properties.keys.sorted())"
        } ?? []
      }
    }

    @Test("local changes, from a file to a server and back")
    func localChanges() throws {
      let model = try model("Band\n  id: string\n  name: string\n  formed: integer16")
      func file() throws -> Store {
        Store(try SQLiteStore(path: ":memory:", model: model, journalsLocalChanges: true))
      }
      let source = try file()
      var options = ImportOptions()
      options.entity = "Band"
      _ = try Importer(source, options).run([.string(#"[{"id": "a", "name": "Japan"}, {"id": "b"}]"#)])
      try source.transaction { transaction in
        let journal = try #require(try transaction.journal())
        let band = try transaction.layout.entity(named: "Band")
        try journal.noteUpdated(band, key: "a", ["formed", "name"])
        try journal.noteInserted(band, key: "b")
        try journal.noteDeleted(band, key: "c")
        return ((), .commit)
      }
      let expected = try journal(source)
      #expect(expected.count == 3)

      let server = Store(
        try PostgreSQLStore(
          DatabaseAddress(PostgreSQLServer.required().makeDatabase(), schema: "s"), model: model,
          journalsLocalChanges: true))
      let (back, never) = (try file(), { @Sendable in false })
      #expect(try StoreCopy(from: source, to: server).run(isCancelled: never).isWhole)
      #expect(try journal(server) == expected)
      #expect(try StoreCopy(from: server, to: back).run(isCancelled: never).isWhole)
      #expect(try journal(back) == expected)
      #expect(try Exporter(back).wholeText() == Exporter(source).wholeText())
    }

    /// A value that is the same on all engines, which write very small and very large numbers in different ways. A server keeps
    /// microseconds of a date.
    private static func plain(_ text: String) -> String {
      if text.contains("e-") || text.contains("e+"), let number = Double(text) { return "\(number)" }
      return text.replacing(/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6})\d+$/) { $0.output.1 }
    }

    /// The whole store as JSON, with the microseconds of dates, which are what a server keeps.
    private static func exported(_ store: Store) throws -> String {
      try Exporter(store).wholeText().replacing(/(T\d\d:\d\d:\d\d\.\d{6})\d+Z/) { "\($0.output.1)Z" }
    }

    /// All rows of all entities in the order of their keys, with the keys that the store makes up, and what waits.
    private static func rows(_ store: Store) throws -> [String] {
      try store.read { transaction in
        var lines: [String] = []
        for entity in transaction.layout.schema.entities {
          let cursor = try transaction.cursor(Query(entity.name), [.row, .kind, .stored])
          while try cursor.step() {
            let values = (1..<cursor.columnCount).map { column in
              Self.plain(KeyText.ofColumns(column..<column + 1, cursor))
            }
            let row = entity.hasIdentity ? "" : "\(cursor.integer(0))"
            lines.append("\(entity.name) \(row) \(values.joined(separator: "|"))")
          }
        }
        let waiting = try transaction.pendingTargets()
        while try waiting.step() { lines.append("waits \(waiting.string(0))") }
        return lines
      }
    }

    @Test(
      "objects without identity have one order in copies, whichever engines these are of",
      arguments: Seeds.first(6, long: 60))
    func orderOfObjectsWithoutIdentity(_ seed: UInt64) throws {
      var random = Seeded(state: seed &* 5_000_011)
      let drawn = RandomModel(&random, [.noAbstractTargets])
      let model = try model(drawn.notation).withoutJSONForms
      func file() throws -> Store {
        Store(try SQLiteStore(path: ":memory:", model: model, mapping: JSONMapping()))
      }
      func server() throws -> Store {
        Store(
          try ServerShape.shaped(
            PostgreSQLStore(
              DatabaseAddress(ServerFixture.database.get(), schema: "s\(UUID().uuidString.prefix(12))"),
              model: model,
              mapping: JSONMapping(), sizes: WriteSizes(changes: Bool.random() ? 4 : 200))))
      }
      func copy(_ source: Store, _ target: Store, chunk: Int? = nil) throws -> Store {
        var copy = StoreCopy(from: source, to: target)
        copy.chunk = chunk
        _ = try copy.run(isCancelled: { false })
        return target
      }
      let (one, other) = (try file(), try server())
      for store in [one, other] {
        _ = try Importer(store, ImportOptions()).run([.string(drawn.json)])
        // The numbers of rows get gaps.
        for entity in store.layout.schema.entities where !entity.hasIdentity {
          try store.transaction { transaction in
            let rows = try transaction.rows(of: Query(entity.name))
            let gone = rows.enumerated().filter { $0.offset % 3 == 1 }.map(\.element)
            let writer = try transaction.localWriter(WritePolicy(), equality: nil)
            _ = try writer.deleteObjects(gone, ofTable: store.layout.entities[entity.index].table)
            return ((), .commit)
          }
        }
      }
      let told = "seed \(seed)\n\(drawn.notation)\n\(drawn.json)"
      let chunk = Bool.random() ? 3 : nil
      let expected = try Self.rows(copy(one, file(), chunk: chunk))
      try #require(Self.rows(copy(one, server(), chunk: chunk)) == expected, "\(told)")
      try #require(Self.rows(copy(other, file(), chunk: chunk)) == expected, "\(told)")
      try #require(Self.rows(copy(other, server(), chunk: chunk)) == expected, "\(told)")
      // A copy of a copy is the same again.
      let again = try copy(copy(one, server()), file())
      #expect(try Self.exported(again) == Self.exported(copy(one, file())), "\(told)")
    }
  }
#endif

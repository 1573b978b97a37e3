#if PostgreSQL
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// A server whose disk is full: an import says so and changes nothing, and the store goes on once there is room.
  @Suite("A full disk of the server", .enabled(if: PostgreSQLServer.isWanted))
  struct FullDiskTests {
    private static let text = String(repeating: "0123456789abcdef", count: 40)

    private static func json(_ ids: Range<Int>) -> String {
      "[\(ids.map { #"{"id": \#($0), "name": "\#(text)"}"# }.joined(separator: ","))]"
    }

    private static func load(_ json: String, _ store: PostgreSQLStore) throws -> Report {
      var options = ImportOptions()
      options.entity = "Band"
      return try Importer(store, options).run([.string(json)])
    }

    /// - Parameter model: Of plain rows, and of some that are written by the rules.
    @Test(arguments: [
      "Band\n  id: integer64\n  name: string", "Band\n  id: integer64\n  name: string\n  rivals: [Band]",
    ])
    func nothingIsChanged(_ notation: String) async throws {
      let server = try PostgreSQLServer.started()
      guard let disk = SmallDisk(of: server, megabytes: 16) else {
        return print("A file system of the tests' own cannot be mounted here, so no disk is full.")
      }
      let address = try DatabaseAddress(disk.makeDatabase(of: server), schema: "s")
      let store = try PostgreSQLStore(address, model: model(notation))
      #expect(try Self.load(Self.json(0..<100), store).inserted == ["Band": 100])
      for first in [0, 100] {
        let error = #expect(throws: StoreError.self) { try Self.load(Self.json(first..<40_000), store) }
        let message = error?.description ?? ""
        #expect(message.contains("has no room") && message.contains("No space left"), "\(message)")
        #expect(message.contains("Nothing was changed."), "\(message)")
        #expect(try store.read { try $0.objectCounts() } == ["Band": 100])
      }
      // What was written in vain goes with the next cleaning.
      try await store.vacuum()
      #expect(try Self.load(Self.json(100..<200), store).inserted == ["Band": 100])
      withExtendedLifetime((disk, server)) {}
    }
  }
#endif

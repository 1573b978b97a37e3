#if PostgreSQL
  import Foundation
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// Reads that go to a server which follows the one that is written to.
  @Suite("Replicas", .enabled(if: PostgreSQLServer.isWanted))
  struct ReplicaTests {
    private static func json(_ count: Int) -> String {
      "[\((0..<count).map { #"{"id": "c\#($0)", "name": "x"}"# }.joined(separator: ","))]"
    }

    private func load(_ json: String, _ store: PostgreSQLStore) throws {
      var options = ImportOptions()
      options.entity = "City"
      _ = try Importer(store, options).run([.string(json)])
    }

    private func count(_ store: PostgreSQLStore) throws -> Int {
      try store.read { try $0.count(Query("City")) }
    }

    private func waitUntil(_ condition: () throws -> Bool) throws {
      for _ in 0..<1000 {
        if try condition() { return }
        Thread.sleep(forTimeInterval: 0.02)
      }
      Issue.record("It did not come to that.")
    }

    @Test func readsGoToTheReplicaAsSoonAsItHasWhatWasWritten() throws {
      let primary = try PostgreSQLServer.started()
      let url = try primary.makeDatabase()
      let database = try #require(
        url.split(separator: "?").first?.split(separator: "/").last.map(String.init))
      let model = try model(SeveralWriterTests.notation)
      let address = try DatabaseAddress(url, schema: "s")
      // The store is there before the replica is.
      try load(Self.json(3), PostgreSQLStore(address, model: model))
      var standby: PostgreSQLServer? = try primary.standby()
      let replica = try DatabaseAddress(try #require(standby).url(database: database), schema: "s")
      let store = try PostgreSQLStore(address, reads: replica, model: model)
      let other = try PostgreSQLStore(address, reads: replica, model: model)
      #expect(try count(store) == 3)

      // What the replica has not got yet is read from the server itself, by whoever wrote it.
      let link = try PostgreSQLConnection.open(try #require(standby).url(database: database))
      _ = try link.execute("SELECT pg_wal_replay_pause()")
      try load(Self.json(5), store)
      #expect(try count(store) == 5)
      #expect(try count(other) == 3)
      let seen = try store.transaction(isCancelled: nil) { (try $0.count(Query("City")), .rollback) }
      #expect(seen == 5)

      _ = try link.execute("SELECT pg_wal_replay_resume()")
      try waitUntil { try count(other) == 5 }
      #expect(try count(store) == 5)

      // A replica by itself can be read, and is refused politely for the rest.
      let lone = try PostgreSQLStore(replica, model: nil, access: .readOnly)
      #expect(try count(lone) == 5)
      let writing = try PostgreSQLStore(replica, model: model)
      let error = #expect(throws: StoreError.self) { try load(Self.json(9), writing) }
      #expect(error?.description.contains("can only be read") == true, "\(String(describing: error))")

      // While it is away, the server itself is read.
      link.close()
      standby = nil
      try load(Self.json(7), store)
      #expect(try count(store) == 7)
      #expect(try count(other) == 7)
    }
  }
#endif

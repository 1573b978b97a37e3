import Broker

// POSTGRESQL.md

func openingAStoreOnAServer() async throws -> Store {
  let place = StoreLocation.postgreSQL("postgresql://db.example.com/music", schema: "bands")
  let store = try await Store(at: place, for: Band.self)
  return store
}

func replicas(_ primary: String, _ replica: String) async throws {
  let place = StoreLocation.postgreSQL(primary, schema: "bands", reads: replica)
  _ = place
}

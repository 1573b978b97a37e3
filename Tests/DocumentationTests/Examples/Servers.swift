import Broker

// POSTGRESQL.md

func openingAStoreOnAServer() async throws -> Store {
  let place = StoreLocation.postgreSQL("postgresql://db.example.com/music", schema: "bands")
  let store = try await Store(at: place, for: Band.self)
  return store
}

import Broker

// POSTGRESQL.md

func openingAStoreOnAServer() async throws -> Store {
  let store = try await Store(at: .postgreSQL("postgresql://db.example.com/music", schema: "bands"), for: Band.self)
  return store
}

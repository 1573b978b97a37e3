import Broker

private enum InFile {
  @Entity struct Band {
    @Identity var name: String
  }
}

private typealias Band = InFile.Band

private func server() async throws {
  let store = try await Store(
    at: .postgreSQL("postgresql://db.example.com/music", schema: "bands"), for: Band.self)
  _ = store
}

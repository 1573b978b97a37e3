import ObjectStore

/// Bands with whole numbers as identities, on each engine.
extension StoreTransaction {
  func add(_ ids: Int...) throws {
    try write { rows in for id in ids { rows.add("Band", ["id": .integer(Int64(id))]) } }
  }

  /// How many there are.
  func bands() throws -> Int { try count(Query("Band")) }
}

extension Store {
  func add(_ id: Int) throws { try transaction { (try $0.add(id), .commit) } }

  func asyncAdd(_ id: Int) async throws { try await asyncTransaction { (try $0.add(id), .commit) } }

  func bands() throws -> Int { try read { try $0.bands() } }

  func asyncBands() async throws -> Int { try await asyncRead { try $0.bands() } }
}

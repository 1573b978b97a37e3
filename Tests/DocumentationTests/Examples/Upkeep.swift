import Broker

// Upkeep.md

func backingUp(_ store: Store) async throws {
  try await store.backup(to: "bands-backup.sqlite") { print("\(Int($0 * 100)) %") }
}

func givingSpaceBack(_ store: Store) async throws {
  let size = try await store.size()
  if size.free > size.pages / 2 { try await store.vacuum() }
}

func leavingNothing(of store: Store, at location: StoreLocation) async throws {
  try await store.removeAll()
  try store.close()
  try Store.remove(at: location)
}

func tellingOfSlowStatements(at location: StoreLocation) async throws -> Store {
  var options = Store.Options()
  options.readerCount = 8
  options.onStatement = { statement in
    if statement.duration > .milliseconds(100) { print(statement.duration, statement.sql) }
  }
  let store = try await Store(at: location, for: Band.self, options: options)
  return store
}

import Broker
import Foundation

func like(_ title: String, in store: Store) async throws -> Double {
  try await store.write { transaction in
    let album = try transaction.find(Album.self, title)
    let band = try transaction.update(Band.self, album.band.id) { $0.rating = min(10, ($0.rating ?? 0) + 1) }
    return band.rating ?? 0
  }
}

func openingWithATimeout() async throws -> Store {
  let store = try await Store(
    at: .file("bands.sqlite"), for: Band.self, options: Store.Options(timeout: .seconds(10)))
  return store
}

func receive<Body: AsyncSequence & Sendable>(_ body: Body, into store: Store) async throws -> Report
where Body.Element: Sequence<UInt8> {
  var options = ImportOptions()
  options.chunks = .objects(1_000)
  return try await store.import(pieces: body, as: Band.self, options: options)
}

func sendingEvents(_ response: Response, from store: Store) async throws {
  for try await count in store.observeCount(of: Album.all) {
    try await response.write(Data("data: \(count)\n\n".utf8))
  }
}

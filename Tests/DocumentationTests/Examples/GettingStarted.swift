import Broker
import Foundation

// GettingStarted.md

func openingAStore() async throws -> Store {
  let store = try await Store(at: .file("bands.sqlite"), for: Band.self)
  return store
}

func importing(into store: Store) async throws -> Report {
  let report = try await store.import(bandsJSON, as: Band.self)
  return report
}

func asking(_ store: Store) async throws -> (Band, [Album], [Band]) {
  let japan = try await store.find(Band.self, "Japan")
  let albums = try await store.fetch(japan.albums.sorted(by: \.year))
  let bands = try await store.fetch(Band.sorted(by: \.formed).prefetching(\.albums))
  return (japan, albums, bands)
}

func askingWithAPredicate(_ store: Store) async throws -> [Band] {
  let query = Band.filter(#Predicate { $0.formed < 1980 }).sorted(by: \.name).limit(10)
  let early = try await store.fetch(query)
  return early
}

func changing(_ store: Store) async throws {
  try await store.write { transaction in
    var japan = try transaction.find(Band.self, "Japan")
    japan.formed = 1975
    japan.label = ToOne(id: "Hansa")
    try transaction.save(japan)
    try transaction.delete(Album.self, "Quiet Life")
  }
  try await store.update(Band.self, "Japan") { $0.rating = 9 }
}

func exporting(_ japan: Band, from store: Store) async throws -> Data {
  let json = try await store.export(japan, relationships: .nested(depth: 1))
  return json
}

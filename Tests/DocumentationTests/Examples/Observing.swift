import Broker
import Foundation

// Observing.md

func observingAnObject(_ store: Store) async throws {
  for try await band in store.observe(Band.self, "Japan") { show(band) }
}

func observingAQuery(_ store: Store) async throws {
  for try await bands in store.observe(Band.filter(#Predicate { $0.formed < 1980 })) { show(bands) }
}

func observingWithAlbums(_ store: Store) async throws {
  for try await bands in store.observe(Band.sorted(by: \.name).prefetching(\.albums)) {
    for band in bands { print(band.name, band.albums.count) }
  }
}

func observingACount(_ store: Store) async throws {
  for try await count in store.observeCount(of: Album.all) { print(count) }
}

func observingAnything(_ store: Store) async throws {
  let figures = store.observe { transaction in
    [try transaction.count(Band.all), try transaction.count(Album.all)]
  }
  for try await counts in figures { print(counts) }
}

@MainActor final class BandList {
  private(set) var bands: [Band] = []

  func follow(_ store: Store) async throws {
    for try await bands in store.observe(Band.sorted(by: \.name)) { self.bands = bands }
  }
}

func observingCommits(_ store: Store) async {
  for await changes in store.changes() {
    for name in changes.updated(Band.self) { print(name) }
  }
}

func observingOthers(_ store: Store) async {
  for await changes in store.changes() where changes.isByOthers {
    print("somebody else wrote; anything may have changed")
  }
}

func observingWhatIsDoneHere(_ store: Store) async {
  for await changes in store.changes() where !changes.isImport {
    for object in changes.inserted + changes.updated { print("here:", object.entity, object.identity) }
  }
}

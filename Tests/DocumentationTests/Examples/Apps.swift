import Broker
import BrokerSwiftUI
import Foundation
import Observation

#if canImport(SwiftUI)
  import SwiftUI
#endif

// Apps.md. scripts/typecheck-apple checks the parts for Apple's platforms where these are not there.

enum Stores {
  #if canImport(ObjectiveC)
    static func sharedStore() async throws -> Store {
      let group = "group.com.example.bands"
      guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) else {
        throw CocoaError(.fileNoSuchFile)
      }
      var options = Store.Options()
      options.suspendsInBackground = true
      options.timeout = .seconds(10)
      let file = folder.appending(path: "bands.sqlite")
      return try await Store(at: .file(file), for: Band.self, options: options)
    }
  #endif

  static func protectedStore(in folder: URL) async throws -> Store {
    var options = Store.Options()
    options.fileProtection = .completeUnlessOpen
    let file = folder.appending(path: "bands.sqlite")
    return try await Store(at: .file(file), for: Band.self, options: options)
  }
}

#if canImport(SwiftUI)
  struct BandsApp: App {
    @State private var store: Store?

    var body: some Scene {
      WindowGroup {
        BandsView()
          .brokerStore(store)
          .task {
            do { store = try await Stores.sharedStore() } catch { print(error) }
          }
      }
    }
  }

  struct BandsView: View {
    @StoreQuery(Band.filter(#Predicate { $0.formed < 1980 }).sorted(by: \.name)) var bands

    var body: some View {
      List(bands) { band in Text(band.name) }
    }
  }

  struct BandView: View {
    @StoreQuery(Band.self, "Japan") var band
    @StoreQuery(count: Album.all) var albumCount
    @StoreQuery(initial: [], read: { [try $0.count(Band.all), try $0.count(Album.all)] }) var counts

    var body: some View {
      Text("\(band?.name ?? "none"), \(albumCount) albums, \(counts.count)")
    }
  }

  struct SearchView: View {
    @StoreQuery<[Band]> private var bands: [Band]

    init(year: Int) {
      _bands = StoreQuery(Band.filter(#Predicate { $0.formed == year }), animation: .default)
    }

    var body: some View {
      if let error = $bands.error {
        Text("\(error)")
      } else {
        List(bands) { band in Text(band.name) }
      }
    }
  }
#endif

@MainActor @Observable final class BandsModel {
  let bands: ObservedValue<[Band]>

  init(_ store: Store) {
    bands = ObservedValue([], following: store.observe(Band.sorted(by: \.name)))
  }
}

func workingInTheBackground(_ store: Store, _ download: @Sendable () async throws -> Data) async throws {
  store.resume()
  defer { store.suspend() }
  try await store.import(try await download(), as: Band.self)
}

func retrying(_ store: Store, _ data: Data) async throws {
  do {
    try await store.import(data, as: Band.self)
  } catch let error as StoreError where error.isSuspended {
    print("the app went to the background; the next start imports again")
  }
}

func countingInATool(_ store: Store) throws {
  let count = try store.read { try $0.count(Band.all) }
  try store.write { transaction in
    try transaction.delete(Band.filter(#Predicate { $0.formed < 1970 }))
  }
  print(count)
}

// ObservedValue.swift
@MainActor func following(_ store: Store) -> ObservedValue<[Band]> {
  let bands = ObservedValue([], following: store.observe(Band.sorted(by: \.name)))
  return bands
}

// Store+Transactions.swift
func withoutTasks(_ store: Store) throws -> Int {
  let count = try store.read { try $0.count(Band.all) }
  try store.write { try $0.update(Band.self, "Japan") { $0.formed = 1974 } }
  return count
}

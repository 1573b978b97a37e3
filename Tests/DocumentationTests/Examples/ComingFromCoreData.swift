import Broker
import Foundation

// ComingFromCoreData.md

func importingIntoAModel(_ response: Data) async throws {
  let model = try Model(contentsOf: URL(filePath: "Bands.xcdatamodeld"))
  let store = try await Store(at: .file("bands.sqlite"), model: model, for: Band.self)
  var options = ImportOptions()
  options.toMany = .prune
  try await store.import(response, as: Band.self, options: options)
}

func fetchingLikeCoreData(_ store: Store) async throws -> [Band] {
  let request = try Band.filter(format: "formed < %d AND ANY albums.year > %d", 1980, 1985)
    .sorted(by: \.name)
    .prefetching(\.albums)
  let bands = try await store.fetch(request)
  return bands
}

func changingLikeCoreData(_ store: Store) async throws {
  try await store.write { transaction in
    var japan = try transaction.find(Band.self, "Japan")
    japan.rating = 9
    try transaction.save(japan)
    try transaction.delete(try Album.filter(format: "band.name == %@ AND year < %d", "Japan", 1980))
  }
}

// LeavingCoreData.md

func leavingCoreData() async throws {
  let file = URL(filePath: "App.sqlite")
  let store = try Store(path: "app.broker.sqlite", model: Model(coreDataStore: file))
  let report = try await store.import(coreDataStore: file)
  for note in report.notes { print(note) }
}

func modelOfCoreDataStore() throws -> Model {
  let model = try Model(coreDataStore: URL(filePath: "App.sqlite"))
  return model
}

func importingACoreDataStore(_ store: Store) async throws -> Report {
  let report = try await store.import(coreDataStore: URL(filePath: "App.sqlite"))
  return report
}

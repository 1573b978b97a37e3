import Broker
import Foundation

// UpdatingAndPruning.md

func saving(_ store: Store) async throws -> Band {
  var japan = try await store.find(Band.self, "Japan")
  japan.formed = 1975
  japan = try await store.save(japan)
  return japan
}

func updating(_ store: Store) async throws -> Band {
  let japan = try await store.update(Band.self, "Japan") { $0.rating = 9 }
  return japan
}

func insertingInATransaction(_ store: Store) async throws {
  try await store.write { transaction in
    let rush = try transaction.insert(
      Band(name: "Rush", formed: 1968, albums: ToMany(), members: ToMany()))
    try transaction.save(Album(title: "2112", released: nil, year: 1976, band: ToOne(rush)))
  }
}

func deleting(_ store: Store) async throws -> Int {
  try await store.delete(Album.self, "Quiet Life")
  let count = try await store.delete(try Album.filter(format: "year < %d", 1980))
  return count
}

func pruning(_ bandsOfToday: String, in store: Store) async throws -> Report {
  var options = ImportOptions()
  options.prunes = true
  options.maximumDeletions = .percent(10)
  let report = try await store.import(bandsOfToday, as: Band.self, options: options)
  for object in report.deletedObjects { print(object.entity, object.identity) }
  return report
}

func pruningSome(_ json: String, in store: Store) async throws -> Report {
  var options = ImportOptions()
  options.pruneCondition = try ObjectPredicate(format: "formed < %d", [1980])
  return try await store.import(json, as: Band.self, options: options)
}

func pruningAList(of japan: Band, in store: Store) async throws -> Report {
  let report = try await store.import(#"[{"title": "Tin Drum"}]"#, into: japan.albums, prune: true)
  return report
}

func changingMany(_ store: Store) async throws -> Int {
  try await store.write { transaction in
    try transaction.update(Band.filter(#Predicate { $0.formed < 1980 }), set: \.rating, to: 5)
    try transaction.update(Band.all, .set(\.rating, to: nil), .set(\.label, to: ToOne(id: "EMI")))
    return try transaction.delete(Musician.filter(format: "bands.@count == 0"))
  }
}

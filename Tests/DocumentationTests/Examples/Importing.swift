import Broker
import Foundation

// Importing.md

func importingForms(_ data: Data, into store: Store) async throws {
  try await store.import(data, as: Band.self)
  try await store.import(URL(filePath: "bands.json"), as: Band.self)
  try await store.import(#"{"bands": [{"name": "Rush"}], "albums": [{"title": "2112", "band": "Rush"}]}"#)
}

func importingTables(_ store: Store) async throws {
  try await store.import(ImportSource.file("bands.txt").formatted(as: .csv), as: Band.self)
  try await store.import(ImportSource.files("data"))
}

func importingPages(_ firstPage: Data, _ secondPage: Data, into store: Store) async throws -> Report {
  let report = try await store.import([firstPage, secondPage], as: Band.self)
  return report
}

func importingAResponse(from url: URL, into store: Store) async throws -> Report {
  let (bytes, _) = try await URLSession.shared.bytes(from: url)
  let report = try await store.import(bytes: bytes, as: Band.self)
  return report
}

struct NewBand: Encodable, Sendable {
  var name: String
  var formed: Int
}

func importingValues(_ store: Store) async throws {
  try await store.import(encoding: [NewBand(name: "Rush", formed: 1968)], as: Band.self)
}

func reading(_ data: Data, into store: Store) async throws {
  let report = try await store.import(data, as: Band.self)
  print(report.inserted["Band"] ?? 0, "new,", report.unchanged["Band"] ?? 0, "as they were")
  for issue in report.issues { print(issue.path, issue.expected, issue.found, issue.action) }
  for (entity, keys) in report.unmatchedKeys { print(entity, keys) }
}

func importingObjects(_ data: Data, into store: Store) async throws -> ([Band], Report) {
  let (bands, report) = try await store.importObjects(data, as: Band.self)
  return (bands, report)
}

func importingWithOptions(_ data: Data, into store: Store) async throws -> Report {
  var options = ImportOptions()
  options.root = "response.items"  // where in the JSON
  options.isStrict = true  // the first issue ends it
  options.toMany = .merge  // lists add to the links that are there
  options.operations = [.insert, .update]  // nothing is deleted
  options.references = .stub  // objects that are not there are made
  let report = try await store.import(data, as: Band.self, options: options)
  return report
}

func catching(_ data: Data, into store: Store) async throws {
  do {
    try await store.import(data, as: Band.self)
  } catch let error as ImportError {
    print(error, error.place?.line ?? 0)
  }
}

func lookingBack(_ store: Store, _ data: Data) async throws {
  for record in try await store.importHistory().prefix(3) {
    print(record.date, record.sources.joined(separator: ", "), record.inserted, record.issueCount)
  }
  try await store.import(ImportSource.bytes(data).named("GET /bands"), as: Band.self)
}

func importingOntoAndInto(_ japan: Band, in store: Store) async throws -> Band {
  let (changed, _) = try await store.import(#"{"rating": 7}"#, onto: japan)
  try await store.import(#"[{"title": "Tin Drum"}]"#, into: japan.albums)
  return changed
}

func importingWithProgress(_ store: Store) async throws -> Report {
  let running = store.startImport(URL(filePath: "big.json"), as: Band.self)
  for await progress in running.progress { print(progress.objects) }
  let report = try await running.report
  return report
}

func importingInATransaction(_ store: Store) async throws {
  try await store.write { transaction in
    try transaction.import(#"[{"title": "Oil on Canvas", "band": "Japan"}]"#, as: Album.self)
    try transaction.update(Band.self, "Japan") { $0.rating = 9 }
  }
}

func dryRun(_ data: Data, into store: Store) async throws -> Report {
  var options = ImportOptions()
  options.isDryRun = true
  let report = try await store.import(data, as: Band.self, options: options)
  return report
}

func importingInChunks(_ store: Store) async throws -> Report {
  var options = ImportOptions()
  options.chunks = .objects(1_000)
  do {
    return try await store.import(URL(filePath: "big.json"), as: Band.self, options: options)
  } catch let error as PartialImportError {
    print(error.objects, "objects came in before:", error.cause)
    return error.report
  }
}

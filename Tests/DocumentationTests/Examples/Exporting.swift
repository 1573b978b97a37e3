import Broker
import Foundation

// Exporting.md

func exportingOneAndSome(_ japan: Band, from store: Store) async throws -> (Data, Data) {
  let body = try await store.export(japan)
  let list = try await store.export(try Band.filter(format: "formed < 1980"))
  return (body, list)
}

func nesting(_ japan: Band, from store: Store) async throws -> Data {
  let nested = try await store.export(japan, relationships: .nested(depth: 1))
  return nested
}

func nestingByName(_ japan: Band, from store: Store) async throws -> Data {
  var options = ExportOptions()
  options.relationships = .keys
  options.nested = ["albums", "label"]
  let body = try await store.export(japan, options: options)
  return body
}

func choosingAForm(_ store: Store) async throws -> Data {
  var options = ExportOptions()
  options.keys = .snake  // list_image_url; unless given, as the JSON came
  options.includesNulls = false
  options.form = .lines  // an object a line
  options.isPretty = false
  let lines = try await store.export(Album.all, options: options)
  return lines
}

func exportingIntoAFile(_ store: Store) async throws {
  try await store.export(Band.all, to: URL(filePath: "bands.json"))
}

func answering(_ response: Response, from store: Store) async throws {
  for try await piece in store.exportStream(Band.all) { try await response.write(piece) }
}

func exportingAtOneMoment(_ store: Store) async throws -> (Data, Data) {
  let (bands, albums) = try await store.read { transaction in
    (try transaction.export(Band.all), try transaction.export(Album.all))
  }
  return (bands, albums)
}

func encoding() throws -> String {
  let json = try Exporter.text(of: NewBand(name: "Rush", formed: 1968), keys: .snake)
  return json
}

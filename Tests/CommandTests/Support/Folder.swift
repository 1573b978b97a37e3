import Foundation

/// A new folder for a test, which is deleted with this object, with the files of Examples/Bands at hand.
final class Folder: Sendable {
  let url: URL

  /// The example's files.
  static let bands: String = {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    return package.appendingPathComponent("Examples/Bands").path
  }()

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("broker-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func url(_ name: String) -> URL { url.appendingPathComponent(name) }

  func path(_ name: String) -> String { url(name).path }

  func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

  func write(_ data: Data, to name: String) throws { try data.write(to: url(name)) }

  func read(_ name: String) throws -> String { try String(contentsOf: url(name), encoding: .utf8) }

  func data(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// The files whose names begin with a text.
  func names(like prefix: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasPrefix(prefix) }.sorted()
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(at: url(name), withIntermediateDirectories: true)
  }

  /// Makes a store with two shops, and the file of its model.
  func makeStore() throws { try copy(try Self.prepared.get()) }

  /// A folder with the store of ``makeStore()``, from which others are copied.
  private static let prepared = Result {
    let folder = try Folder()
    try folder.fillStore()
    return folder
  }

  /// Copies all files and stores of a folder, and replaces those that are here already.
  func copy(_ other: Folder) throws {
    for name in try other.names(like: "") where !name.hasPrefix(".") { try write(other.data(name), to: name) }
    try storesElsewhere?.copy(from: other)
  }

  private func fillStore() throws {
    try write(Self.model, to: "model.json")
    let outcome = try broker(
      "import", "-", "--store", "store.sqlite", "--model", "model.json", "--entity", "Shop",
      input: #"[{"id": 1, "name": "Rough Trade", "floors": 2}, {"id": 2, "name": "Amoeba", "floors": 1}]"#,
      in: self)
    guard outcome.status == 0 else { throw SetUpFailure(outcome: outcome) }
  }

  struct SetUpFailure: Error {
    let outcome: Outcome
  }

  /// Shops and their records.
  static let model = """
    {"entities": [
      {"name": "Shop",
       "attributes": [
         {"name": "id", "type": "integer64"},
         {"name": "name", "type": "string"},
         {"name": "floors", "type": "integer16", "optional": true},
         {"name": "opened", "type": "date", "optional": true},
         {"name": "rating", "type": "double", "optional": true}
       ],
       "relationships": [
         {"name": "records", "destination": "Record", "toMany": true, "inverse": "shop"}
       ]},
      {"name": "Record",
       "attributes": [
         {"name": "id", "type": "integer64"},
         {"name": "title", "type": "string", "optional": true}
       ],
       "relationships": [{"name": "shop", "destination": "Shop", "inverse": "records"}]}
    ]}
    """
}

import Foundation
import ObjectModel
import ObjectStore

/// A new directory, which is deleted with this object.
final class TemporaryDirectory: Sendable {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "store-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  var path: String { url.appendingPathComponent("store.sqlite").path }

  /// The names of the files in it.
  var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

  /// A store in a file, with the tables of a model in the JSON form made.
  func store(_ json: String) throws -> Store {
    let store = try open(model: Model(json: Data(json.utf8)))
    try store.transaction { _ in ((), .commit) }
    return store
  }

  /// Opens the store, with its own model unless one is given.
  func open(
    model: Model? = nil, access: Store.Access = .readWrite, options: Store.Options = Store.Options()
  ) throws -> Store {
    try Place.open(path, model, access, options)
  }
}

import CoreDataMaker
import Foundation
import JSONStream
import Mapping
import ObjectModel
import ObjectStore

/// A Core Data store that the maker wrote, and a store of ours that takes over its objects.
final class CoreDataFixture {
  let folder: TemporaryFolder
  let path: String
  private var store: Store?

  init(_ contents: StoreContents) throws {
    folder = try TemporaryFolder()
    path = folder.path("App.sqlite")
    try StoreMaker.make(contents, at: path)
  }

  func open(_ versions: [ModelVersion] = [], _ options: CoreDataStore.Options = .init()) throws
    -> CoreDataStore
  {
    try CoreDataStore(path: path, model: versions, options: options)
  }

  /// Imports the objects into a new store, or into the one that it made before.
  @discardableResult
  func run(
    _ source: CoreDataStore, _ options: ImportOptions = ImportOptions()
  ) throws -> Report {
    let store = try store ?? Store(path: folder.path("out.sqlite"), model: source.model)
    self.store = store
    return try Importer(store, options).run([.rows(source)])
  }

  /// Goes on with a copy of the store.
  func copy() throws {
    guard let store else { return }
    let other = try Store(path: folder.path("copy.sqlite"), model: store.model)
    _ = try StoreCopy(from: store, to: other).run { false }
    self.store = other
  }

  /// All objects of the store, as an export has them: by entity, and by their identity.
  func exported(identity: String = "objectID") throws -> [String: [String: [String: JSONValue]]] {
    guard let store else { return [:] }
    return try Self.exported(store, identity: identity)
  }

  static func exported(
    _ store: Store, identity: String = "objectID"
  ) throws -> [String: [String: [String: JSONValue]]] {
    var options = ExportOptions()
    options.keys = .camel
    let sink = MemorySink()
    _ = try Exporter(store, options).runAll(to: sink)
    guard case .object(let document)? = JSONValue(text: String(decoding: sink.bytes, as: UTF8.self)) else {
      return [:]
    }
    return document.mapValues { list in
      guard case .array(let objects) = list else { return [:] }
      var found: [String: [String: JSONValue]] = [:]
      for case .object(let object) in objects {
        guard case .string(let key)? = object[identity] else { continue }
        found[key] = object
      }
      return found
    }
  }
}

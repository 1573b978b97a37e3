import Foundation
import ObjectModel
import ObjectStore

extension Model {
  /// Reads a model that a command is to work with.
  ///
  /// It may be a file of the model, a store of ours, which remembers its model, or a Core Data store, most of which do.
  ///
  /// - Throws: ``ModelError`` if it cannot be read, ``StoreError`` if it is a database without a model,
  ///   ``UnusableModel`` if `broker model check` finds errors in it.
  init(usableAt path: String) throws {
    if CoreDataFile.isDatabase(path) {
      self = try Self.model(ofStore: path)
    } else {
      try self.init(contentsOf: URL(fileURLWithPath: path))
    }
    try validate()
  }

  private static func model(ofStore path: String) throws -> Model {
    do {
      let store = try Store(path: path, access: .readOnly)
      defer { try? store.close() }
      return store.model
    } catch let error as StoreError where error.remedy == .otherFile {
      return try CoreDataStore(path: path).declaredModel
    }
  }
}

import Foundation
import ObjectModel
import ObjectStore
import Stores

extension LoadedModel {
  /// Reads the model that a command's argument names. All commands that take a model come here.
  ///
  /// It may be a file of the model, a store of ours, which remembers its model, or a Core Data store, most of which do.
  ///
  /// - Throws: ``ModelError`` if it cannot be read, ``StoreError`` if it is a database without a model.
  init(argument path: String) throws {
    guard CoreDataFile.isDatabase(path) || !StorePlace(path).isFile else {
      try self.init(contentsOf: URL(fileURLWithPath: path))
      return
    }
    guard !CoreDataStore.isThere(at: path) else {
      self.init(try CoreDataStore(path: path).declaredModel)
      return
    }
    let store = try Store(readingAt: path)
    defer { try? store.close() }
    self.init(store.model)
  }
}

import ObjectStore
import Stores

extension WriteTransaction {
  /// Empties the store: deletes all objects and links, pending references, and local changes that the server was not
  /// told of.
  ///
  /// Delete rules are not followed, since nothing is left that one could protect. Observers are told of each object.
  /// The file keeps its size until ``Store/vacuum()``.
  public func removeAll() throws {
    try transaction.atomically { try transaction.removeAll() }
    forgetAll()
  }
}

extension Store {
  /// Empties the store: deletes all objects and links, pending references, and local changes that the server was not
  /// told of.
  ///
  /// Observers are told of each object. The file keeps its size until ``vacuum()``.
  public func removeAll() async throws { try await write { try $0.removeAll() } }

  /// Removes the store at a place: its file, and the files that SQLite keeps beside it.
  ///
  /// - Throws: ``StoreError`` if it is no store, or if it is still open.
  public static func remove(at location: StoreLocation) throws { try remove(at: location.place.path()) }
}

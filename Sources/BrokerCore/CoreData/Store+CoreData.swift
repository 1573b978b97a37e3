import Dispatch
public import Foundation
public import Mapping
public import ObjectModel
public import ObjectStore

extension Model {
  /// The model of a Core Data store, with an identity for each entity, for a store that is to take over its objects.
  ///
  /// ```swift
  /// let model = try Model(coreDataStore: URL(filePath: "App.sqlite"))
  /// ```
  ///
  /// - Throws: ``StoreError`` if the file cannot be read or is no Core Data store; ``SchemaError`` if its model cannot be
  ///   used.
  public init(coreDataStore url: URL) throws {
    self = try CoreDataStore(path: url.path).model
  }
}

extension ImportSource {
  /// The objects of a Core Data store. They are rows already, so options that say how JSON is to be read do not concern
  /// them.
  public static func coreData(_ store: CoreDataStore) -> ImportSource { .rows(store) }
}

extension Store {
  /// Imports the objects of a Core Data store in a transaction of its own.
  ///
  /// ```swift
  /// let report = try await store.import(coreDataStore: URL(filePath: "App.sqlite"))
  /// ```
  ///
  /// Each object is found by the identity that its entity has in this store. Where that is an attribute the file does not
  /// have, as `objectID`, it is Core Data's own key: `Band/p12`. So a newer copy of the file updates, and prunes if the
  /// options ask for it.
  ///
  /// - Parameters:
  ///   - url: The file. Nothing is written to it or beside it.
  ///   - versions: The versions of its model, if the file has none: ``ModelVersion/all(contentsOf:)``.
  ///   - addsAnotherFile: Whether the objects of a file that is none of those imported before are added beside theirs. By
  ///     default such a file is an error where Core Data's own keys are identities, since each file numbers its objects
  ///     from 1.
  ///   - options: How to go about it.
  ///   - progress: Told now and then how far the import has come.
  /// - Throws: ``StoreError`` if the file is no Core Data store, is damaged, fits no version, or is another file than the
  ///   one whose objects the store has; what `import(_:as:options:progress:)` throws.
  @discardableResult
  public func `import`(
    coreDataStore url: URL, model versions: [ModelVersion] = [], addsAnotherFile: Bool = false,
    options: ImportOptions = ImportOptions(), progress: (@Sendable (Importer.Progress) -> Void)? = nil
  ) async throws -> Report {
    var reading = CoreDataStore.Options()
    reading.target = model
    reading.knownFiles = try await read { try TakenSources.all($0.transaction) }
    reading.addsAnotherFile = addsAnotherFile
    let source = try await CoreDataStore.open(path: url.path, versions, reading)
    return try await `import`(ImportSource.coreData(source), options: options, progress: progress)
  }
}

extension CoreDataStore {
  /// Opens a store where no task waits for it: a large file takes a while to look through.
  fileprivate static func open(
    path: String, _ versions: [ModelVersion], _ options: Options
  ) async throws -> CoreDataStore {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result { try CoreDataStore(path: path, model: versions, options: options) })
      }
    }
  }
}

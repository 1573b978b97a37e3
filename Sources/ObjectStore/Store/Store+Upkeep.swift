public import ObjectModel

extension Store {
  /// How large a store is, in bytes.
  public struct Size: Sendable, Hashable {
    /// The pages of the database.
    public var pages: Int
    /// Those of them that nothing is in, which ``Store/vacuum()`` gives back.
    public var free: Int
    /// The log beside the file, which SQLite moves into it now and then.
    public var log: Int

    package init(pages: Int, free: Int, log: Int) {
      (self.pages, self.free, self.log) = (pages, free, log)
    }
  }

  /// How large the store is.
  public func size() async throws -> Size { try await backend.size() }

  /// Gives back the space that nothing is in any more, and puts what lies apart together.
  ///
  /// The whole file is written anew, which takes as much space beside it meanwhile. Others may read, and wait to write.
  ///
  /// - Throws: ``StoreError`` if the store cannot be written; `CancellationError` if the task was cancelled. Then it is as
  ///   it was.
  public func vacuum() async throws { try await backend.vacuum() }

  /// Copies the store to a new file, while it is used: what it holds at one moment, whatever others write meanwhile.
  ///
  /// ```swift
  /// try await store.backup(to: "bands-backup.sqlite") { print("\(Int($0 * 100)) %") }
  /// ```
  ///
  /// The copy is a store like any other. It is there when it is whole: a backup that fails or is cancelled leaves no file.
  /// Nobody waits for it but those who use a store in memory, which has one connection only.
  ///
  /// - Parameters:
  ///   - path: Where the copy is to be. There must be no file.
  ///   - progress: Called now and then with the part that is done, from 0 to 1, on any thread.
  /// - Throws: ``StoreError`` if there is a file, or it cannot be written; `CancellationError` if the task was cancelled.
  public func backup(
    to path: String, progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    try await backend.backup(to: path, progress: progress)
  }

  /// Removes a store: its file, and those that SQLite keeps beside it.
  ///
  /// ```swift
  /// try Store.remove(at: "bands.sqlite")
  /// ```
  ///
  /// Where there is none, nothing happens.
  ///
  /// - Throws: ``StoreError`` if the file is no store, or anybody has it open, in this process or another one: close it
  ///   first.
  public static func remove(at path: String) throws { try SQLiteStore.remove(at: path) }

  /// What it would take to give the store another version of its model. Nothing is changed.
  ///
  /// ```swift
  /// let store = try Store(path: "bands.sqlite", access: .readOnly)
  /// print(try store.plan(for: model))
  /// ```
  ///
  /// - Parameters:
  ///   - model: The version.
  ///   - mapping: What is said of the JSON beyond the model's annotations; nil for what the store remembers.
  ///   - migration: What may be done, and what was decided.
  /// - Throws: ``StoreError``, ``SchemaError`` if the model cannot be used, ``MappingError`` if the mapping does not fit it.
  /// - Complexity: Counts objects, values and links, each of which goes through a table.
  public func plan(
    for model: Model, mapping: JSONMapping? = nil, migration: Migration = .automatic
  ) throws -> MigrationPlan {
    try backend.plan(for: model, mapping: mapping, migration: migration)
  }

  /// The model and the mapping as they were given, the mapping not yet written into the model.
  package var declared: (model: Model, mapping: JSONMapping) {
    (backend.description.model, backend.description.mapping ?? JSONMapping())
  }

  /// The bytes of the log beside the data.
  package var logBytes: Int { backend.logBytes }
}

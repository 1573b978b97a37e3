public import Foundation
public import ObjectModel
public import ObjectStore

/// Where a store is.
public struct StoreLocation: Sendable, Hashable {
  let path: String
  /// The address, if it is not that of a file.
  let remote: String?

  private init(path: String, remote: String? = nil) {
    self.path = path
    self.remote = remote
  }

  /// - Throws: ``StoreError`` if it is no file.
  func checkedPath() throws -> String {
    if let remote { throw StoreError.invalid("\(remote) is no file. A store is in a file, or in memory.") }
    return path
  }

  /// A file.
  public static func file(_ path: String) -> StoreLocation { StoreLocation(path: path) }

  /// A file.
  public static func file(_ url: URL) -> StoreLocation {
    StoreLocation(path: url.path, remote: url.isFileURL ? nil : url.absoluteString)
  }

  /// In memory, for as long as the store exists.
  public static var memory: StoreLocation { StoreLocation(path: ":memory:") }
}

extension Store {
  /// Opens a store for objects of types, or makes a new one.
  ///
  /// ```swift
  /// let store = try await Store(at: .file("bands.sqlite"), for: Band.self, Album.self)
  /// ```
  ///
  /// Types that they have relationships to need not be named.
  ///
  /// - Parameters:
  ///   - location: Where it is.
  ///   - types: The types; none for the model that the store remembers.
  ///   - mapping: What is said of the JSON beyond what the types say.
  ///   - access: Whether the store may be written.
  ///   - options: How it is used: how long to wait for others, how much memory to take.
  ///   - tracksLocalChanges: Whether the store notes what is saved and deleted, rather than imported, until the
  ///     server is told; see ``localChanges()``. Once it does, it goes on.
  /// - Throws: ``TypeError`` if the types do not fit together; ``StoreError`` if the file cannot be opened, is no
  ///   store, or has another model.
  public convenience init(
    at location: StoreLocation, for types: any Storable.Type..., mapping: JSONMapping? = nil,
    access: Access = .readWrite, options: Options = Options(), tracksLocalChanges: Bool = false
  ) async throws {
    let all = Model.reachable(from: types)
    try self.init(
      path: try location.checkedPath(), model: types.isEmpty ? nil : try Model(describing: types),
      mapping: mapping, access: access, options: options,
      checks: Self.checks(of: all),
      journalsLocalChanges: tracksLocalChanges)
  }

  /// Opens a store with a model that does not come from types, for example one of Core Data, or makes a new store.
  ///
  /// ```swift
  /// let model = try Model(contentsOf: URL(filePath: "Bands.xcdatamodeld"))
  /// let store = try await Store(at: .file("bands.sqlite"), model: model, for: Band.self)
  /// ```
  ///
  /// - Parameters:
  ///   - location: Where it is.
  ///   - model: The model; nil for the one that the store remembers.
  ///   - types: The types that its objects are to be used as. They are checked against the model.
  ///   - mapping: What is said of the JSON beyond the model's annotations.
  ///   - access: Whether the store may be written.
  ///   - options: How it is used: how long to wait for others, how much memory to take.
  ///   - tracksLocalChanges: Whether the store notes what is saved and deleted, rather than imported, until the
  ///     server is told; see ``localChanges()``. Once it does, it goes on.
  /// - Throws: ``TypeError`` with each difference, if the types do not fit the model; ``StoreError`` if the file
  ///   cannot be opened, is no store, has another model, or does not exist while there is no model.
  public convenience init(
    at location: StoreLocation, model: Model?, for types: any Storable.Type..., mapping: JSONMapping? = nil,
    access: Access = .readWrite, options: Options = Options(), tracksLocalChanges: Bool = false
  ) async throws {
    let all = Model.reachable(from: types)
    try self.init(
      path: try location.checkedPath(), model: model, mapping: mapping, access: access, options: options,
      checks: Self.checks(of: all),
      journalsLocalChanges: tracksLocalChanges)
    let differences = ModelComparison(layout.schema, all).differences
    guard differences.isEmpty else {
      try? close()
      throw TypeError(differences)
    }
  }

  private static func checks(of types: [any Storable.Type]) -> [ValueCheck.Place: ValueCheck] {
    types.reduce(into: [:]) { checks, type in
      checks.merge(type.valueChecks(), uniquingKeysWith: { first, _ in first })
    }
  }
}

public import Foundation
public import ObjectModel
public import ObjectStore
import Stores

/// Where a store is.
public struct StoreLocation: Sendable, Hashable {
  let place: StorePlace

  /// A file.
  public static func file(_ path: String) -> StoreLocation { StoreLocation(place: .file(path)) }

  /// A file.
  public static func file(_ url: URL) -> StoreLocation {
    StoreLocation(place: url.isFileURL ? .file(url.path) : .noFile(url.absoluteString))
  }

  /// In memory, for as long as the store exists.
  public static var memory: StoreLocation { StoreLocation(place: .file(":memory:")) }

  /// A schema of a PostgreSQL database. It needs the package's trait `PostgreSQL`.
  ///
  /// ```swift
  /// let place = StoreLocation.postgreSQL("postgresql://db.example.com/music", schema: "bands")
  /// let store = try await Store(at: place, for: Band.self)
  /// ```
  ///
  /// - Parameters:
  ///   - url: Where the database is, as libpq takes it: a URL or `key=value` pairs. Passwords had better stand in the
  ///     password file, a service file or the environment, as [libpq](https://www.postgresql.org/docs/current/libpq-pgpass.html)
  ///     reads them.
  ///   - schema: The schema; `broker` unless the URL names another by `?schema=`. It is made if it is not there.
  ///   - reads: The URL of a replica of the server, which reads go to. A store object sees its own commits, and those that
  ///     its observations told of: where the replica has not got them yet, or cannot be reached, it reads from the server
  ///     itself. What other programs commit may be seen later.
  public static func postgreSQL(
    _ url: String, schema: String? = nil, reads: String? = nil
  ) -> StoreLocation {
    StoreLocation(place: .postgreSQL(url, schema: schema, reads: reads))
  }
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
    let request = StoreRequest(
      model: types.isEmpty ? nil : try Model(describing: types), mapping: mapping, access: access,
      options: options, checks: Self.checks(of: all), journalsLocalChanges: tracksLocalChanges)
    self.init(try location.place.open(request))
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
    let request = StoreRequest(
      model: model, mapping: mapping, access: access, options: options, checks: Self.checks(of: all),
      journalsLocalChanges: tracksLocalChanges)
    self.init(try location.place.open(request))
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

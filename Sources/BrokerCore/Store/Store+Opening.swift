public import Foundation
public import ObjectModel
public import ObjectStore
import Stores

/// The location of a store.
public struct StoreLocation: Sendable, Hashable {
  let place: StorePlace

  /// A file.
  public static func file(_ path: String) -> StoreLocation { StoreLocation(place: .file(path)) }

  /// A file.
  public static func file(_ url: URL) -> StoreLocation {
    StoreLocation(place: url.isFileURL ? .file(url.path) : .noFile(StorePlace.shown(url.absoluteString)))
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

extension Store.Migration {
  /// The same, with the next of the versions that a store passes through, and code for what does not follow from the models.
  ///
  /// ```swift
  /// try Store.Migration.automatic
  ///   .stage(Model(contentsOf: URL(filePath: "first.json")))
  ///   .stage(Model(contentsOf: URL(filePath: "second.json"))) { old, new in
  ///     try old.forEach(ObjectQuery("Person")) { person in
  ///       guard case .string(let first)? = person["first"], case .string(let last)? = person["last"] else {
  ///         return
  ///       }
  ///       try new.save(Object("Person", ["id": person["id"] ?? .null, "name": .string("\(first) \(last)")]))
  ///     }
  ///   }
  /// ```
  ///
  /// A store of one of the versions goes through those that follow, all in one transaction. What the models say by
  /// themselves is done before the code runs; what the code has to do with is read from `old`, where all is as it was. What
  /// has no place in the version goes, since the code can see it. Changes that the server was not told of do not: where such
  /// a change has no place, what the code saves of the object is told in its place. If it saves nothing of it, the
  /// migration is refused without consent to removals.
  ///
  /// - Parameters:
  ///   - model: The version. The first stage is the oldest version, and needs no code.
  ///   - body: Is given the objects as they were, and a transaction that writes them as they become. What it throws ends
  ///     the migration, and the store is as it was. It is called on the thread that opens the store.
  public func stage(
    _ model: Model,
    _ body: (@Sendable (_ old: ReadTransaction, _ new: WriteTransaction) throws -> Void)? = nil
  ) -> Store.Migration {
    var migration = self
    guard let body else {
      migration.stages.append(MigrationStage(model: model, body: nil))
      return migration
    }
    migration.stages.append(
      MigrationStage(model: model) { old, new in
        // Transactions ask a store for what it knows of its model.
        let stores = (
          try Store(path: ":memory:", model: old.layout.schema.model),
          try Store(path: ":memory:", model: new.layout.schema.model)
        )
        let writing = try WriteTransaction(writing: new, stores.1, isMigration: true)
        try body(ReadTransaction(old, stores.0), writing)
        try writing.runDeferredChecks()
      })
    return migration
  }
}

// Calls with a value of the wrong kind. They are never compiled: each exists for the message that the compiler gives in
// place of "no exact matches in call".

extension Store {
  @available(*, unavailable, message: "the identity is of another type than the property id of this entity")
  public func find<Root: Storable, Other>(_ type: Root.Type, _ id: Other) async throws -> Root {
    throw StoreError.invalid("This call is never compiled.")
  }

  @available(*, unavailable, message: "the identity is of another type than the property id of this entity")
  public func delete<Root: Storable, Other>(_ type: Root.Type, _ id: Other) async throws {}

  @available(*, unavailable, message: "the identity is of another type than the property id of this entity")
  public func exists<Root: Storable, Other>(_ type: Root.Type, _ id: Other) async throws -> Bool { false }
}

extension ReadTransaction {
  @available(*, unavailable, message: "the identity is of another type than the property id of this entity")
  public func find<Root: Storable, Other>(_ type: Root.Type, _ id: Other) throws -> Root {
    throw StoreError.invalid("This call is never compiled.")
  }

  @available(*, unavailable, message: "the identity is of another type than the property id of this entity")
  public func exists<Root: Storable, Other>(_ type: Root.Type, _ id: Other) throws -> Bool { false }
}

extension WriteTransaction {
  @available(*, unavailable, message: "the identity is of another type than the property id of this entity")
  public func delete<Root: Storable, Other>(_ type: Root.Type, _ id: Other) throws {}
}

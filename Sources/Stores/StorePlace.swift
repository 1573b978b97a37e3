import Foundation
package import ObjectModel
package import ObjectStore
import PostgreSQLStore

/// Where a store is: it says which engine keeps it.
package enum StorePlace: Sendable, Hashable {
  /// A file; `:memory:` for memory, nothing for a temporary file.
  case file(String)
  /// A schema of a PostgreSQL database; nil for the one that the URL names, or the usual one.
  /// Reads may go to a replica of its server.
  case postgreSQL(String, schema: String?, reads: String? = nil)
  /// An address that is neither a file's nor a database's, as messages show it.
  case noFile(String)

  /// The place of a store as people write it: the path of a file, or the address of a database.
  package init(_ text: String) {
    if DatabaseAddress.isAddress(text) {
      self = .postgreSQL(text, schema: nil, reads: nil)
    } else {
      self = Self.otherAddress(text).map(Self.noFile) ?? .file(text)
    }
  }

  /// How messages show a text that may be an address.
  package static func shown(_ text: String) -> String { StorePlace(text).shown }

  /// How messages show an address of something else, or one that is written wrongly; nil if a text is a path.
  ///
  /// No more than the scheme is shown: the rest may hold a password.
  private static func otherAddress(_ text: String) -> String? {
    let text = text.drop { $0.isWhitespace || "\"'".contains($0) }
    guard let first = text.first, !"./~".contains(first) else { return nil }
    // Also `jdbc:postgresql://`, `postgresql:user` and `postgres//`.
    let url = #/([a-z][a-z0-9+.-]*):(?:[a-z0-9+.:-]*:)?//|(postgres(?:ql)?)(?::|//)/#.ignoresCase()
    if let found = text.prefixMatch(of: url), let scheme = found.1 ?? found.2, scheme.lowercased() != "file" {
      return "\(scheme):…"
    }
    let secret = #/passw(?:or)?d\s*=|^[^/@:]+:[^@]*@/#.ignoresCase()
    return text.firstMatch(of: secret) == nil ? nil : "an address with a password"
  }

  /// How messages name it: without a password.
  package var shown: String {
    switch self {
    case .file(let path): path
    case .noFile(let address): address
    case .postgreSQL(let url, _, _): DatabaseAddress.shown(url)
    }
  }

  package var isFile: Bool { if case .file = self { true } else { false } }

  /// The path of the file.
  ///
  /// - Throws: ``StoreError`` if it is no file.
  package func path() throws -> String {
    switch self {
    case .file(let path): return path
    case .postgreSQL(let url, _, _): throw StoreError.invalid("\(DatabaseAddress.shown(url)) is no file.")
    case .noFile(let address):
      throw StoreError.invalid(
        "\(address) is no place for a store. A store is in a file, in memory or in a PostgreSQL database, whose address is"
          + " postgresql://HOST/DATABASE. The name of a file that looks like an address is written with ./ before it."
      )
    }
  }

  /// Whether there is a store, or anything else in its place.
  ///
  /// - Throws: ``StoreError`` if the server cannot be asked.
  package func isThere() throws -> Bool {
    switch self {
    case .file(let path): return FileManager.default.fileExists(atPath: HomeFolder.expanding(path))
    case .noFile: return false
    case .postgreSQL(let url, let schema, _):
      let address = try DatabaseAddress(url, schema: schema)
      #if PostgreSQL
        return try PostgreSQLStore.isThere(address)
      #else
        throw Self.notBuilt(address)
      #endif
    }
  }

  /// Opens the store there, or makes a new one.
  ///
  /// - Throws: ``StoreError`` if that is not possible, ``MappingError`` if the mapping does not fit the model,
  ///   ``SchemaError`` if the model cannot be used.
  package func open(_ request: StoreRequest) throws -> any StoreBackend {
    guard case .postgreSQL(let url, let schema, let reads) = self else {
      return try SQLiteStore(
        path: path(), model: request.model, mapping: request.mapping, access: request.access,
        options: request.options, checks: request.checks,
        journalsLocalChanges: request.journalsLocalChanges)
    }
    let address = try DatabaseAddress(url, schema: schema)
    #if PostgreSQL
      return try PostgreSQLStore(
        address, reads: reads.map { try DatabaseAddress($0, schema: address.schema) }, model: request.model,
        mapping: request.mapping, access: request.access,
        options: request.options, checks: request.checks,
        journalsLocalChanges: request.journalsLocalChanges)
    #else
      throw Self.notBuilt(address)
    #endif
  }

  /// Tries what the server there offers of what a store needs.
  ///
  /// - Throws: ``StoreError`` if it is no database's address, or the server cannot be reached; `CancellationError`.
  package func examined(isCancelled: @escaping @Sendable () -> Bool) throws -> ServerReport {
    guard case .postgreSQL(let url, let schema, _) = self else {
      throw StoreError.invalid("\(shown) is no address of a database: write postgresql://HOST/DATABASE.")
    }
    let address = try DatabaseAddress(url, schema: schema)
    #if PostgreSQL
      return try ServerDoctor(address, isCancelled: isCancelled).run()
    #else
      throw Self.notBuilt(address)
    #endif
  }

  private static func notBuilt(_ address: DatabaseAddress) -> StoreError {
    StoreError.invalid(
      "\(address.shown) is in PostgreSQL, which this program was built without: build it with the trait PostgreSQL"
        + " of the package Broker (swift build --traits PostgreSQL).")
  }
}

extension Store {
  /// Opens the store at a place, or makes a new one.
  package convenience init(at place: StorePlace, _ request: StoreRequest = StoreRequest()) throws {
    self.init(try place.open(request))
  }

  /// Opens a store that must be there, for reading.
  package convenience init(readingAt place: String, _ options: Options = Options()) throws {
    try self.init(at: StorePlace(place), StoreRequest(access: .readOnly, options: options))
  }
}

/// The options that open a store, wherever it is.
package struct StoreRequest: Sendable {
  /// Nil for the one that the store remembers.
  package var model: Model?
  package var mapping: JSONMapping?
  package var access = Store.Access.readWrite
  package var options = Store.Options()
  /// Rules of attributes for their values beyond what the model says.
  package var checks: [ValueCheck.Place: ValueCheck] = [:]
  package var journalsLocalChanges = false

  package init(
    model: Model? = nil, mapping: JSONMapping? = nil, access: Store.Access = .readWrite,
    options: Store.Options = Store.Options(), checks: [ValueCheck.Place: ValueCheck] = [:],
    journalsLocalChanges: Bool = false
  ) {
    (self.model, self.mapping, self.access, self.options) = (model, mapping, access, options)
    (self.checks, self.journalsLocalChanges) = (checks, journalsLocalChanges)
  }
}

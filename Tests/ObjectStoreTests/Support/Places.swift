import Foundation
import ObjectModel
import ObjectStore
import TestSettings

#if PostgreSQL
  import PostgreSQLServer
  import PostgreSQLStore
#endif

/// Where the stores of tests are: files, or with BROKER_ENGINE=postgresql schemas of a database.
enum Place {
  #if PostgreSQL
    static let database = Result { try PostgreSQLServer.required().makeDatabase() }
  #endif

  /// Opens a store at a path, or in a schema of that name.
  static func open(
    _ path: String, _ model: Model?, _ access: Store.Access = .readWrite,
    _ options: Store.Options = Store.Options()
  ) throws -> Store {
    #if PostgreSQL
      if Engine.isServer {
        return Store(
          try PostgreSQLStore(
            DatabaseAddress(database.get(), schema: schema(path)), model: model, access: access,
            options: options))
      }
    #endif
    return try Store(path: path, model: model, access: access, options: options)
  }

  /// The schema in the place of a file; for a store in memory, one of its own.
  private static func schema(_ path: String) -> String {
    let name =
      path == ":memory:"
      ? UUID().uuidString : URL(fileURLWithPath: path).deletingLastPathComponent().lastPathComponent
    return "s" + name
  }
}

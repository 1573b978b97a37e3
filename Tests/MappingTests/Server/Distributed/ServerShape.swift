#if PostgreSQL
  import Foundation
  import ObjectModel
  import ObjectStore
  import PostgreSQLServer
  import PostgreSQLStore

  /// Whether the stores of the tests have tables as any, or such as lie on several servers.
  ///
  /// With `BROKER_TWIN=distributed` all have tables on several servers, as far as an emulation goes.
  enum ServerShape {
    static let isDistributed = ProcessInfo.processInfo.environment["BROKER_TWIN"] == "distributed"

    /// A database for stores of the tests.
    static func database() throws -> String {
      let url = try PostgreSQLServer.required().makeDatabase()
      if isDistributed {
        try PostgreSQLServer.emulateCitus(in: url)
        try PostgreSQLServer.logStatements(of: url)
      }
      return url
    }

    /// Distributes a store's tables if all stores of the tests have such.
    static func shaped(_ store: PostgreSQLStore) throws -> PostgreSQLStore {
      if isDistributed { try distribute(store, reference: Bool.random() ? 4 : 0) }
      return store
    }

    /// Makes the tables of a store, and distributes them. A few entities become reference tables.
    ///
    /// - Parameter part: Each so many-th entity; 0 for none.
    static func distribute(_ store: PostgreSQLStore, reference part: Int = 0) throws {
      try store.transaction(isCancelled: nil) { _ in ((), .commit) }
      var request = DistributionRequest()
      request.referenceRows = -1
      for (index, table) in store.layout.tables.enumerated() where part > 0 && index % part == part - 1 {
        request.reference.append(store.layout.schema.entities[table.root].name)
      }
      // Whoever has the store open already may have locked it.
      guard try !store.distribute(request, isPlanOnly: true).statements.isEmpty else { return }
      _ = try store.distribute(request, isPlanOnly: false)
    }
  }
#endif

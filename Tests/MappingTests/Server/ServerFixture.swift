#if PostgreSQL
  import Foundation
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLServer
  import PostgreSQLStore

  extension WriteSizes {
    /// Few changes are written as many are.
    init(changes: Int, batch: BatchSize? = nil) {
      self.init()
      (changesTogether, changesBeside) = (changes, changes)
      if let batch { (self.batch, ruledBatch) = (batch, batch) }
    }
  }

  /// A store on the tests' server, with the same imports into a store of SQLite beside it.
  struct ServerFixture {
    static let database = Result { try ServerShape.database() }

    let store: PostgreSQLStore
    let schema: String
    let fixture: Fixture

    /// - Parameters:
    ///   - changesTogether: From how many changes on a batch is written by a statement for each table, and by another thread.
    ///   - settings: Further parameters of the store's URL.
    init(
      _ notation: String, entity: String, batchSize: BatchSize? = nil, changesTogether: Int = 4,
      longestWait: Duration? = nil, settings: String? = nil,
      schema: String = "s\(UUID().uuidString.prefix(12))"
    ) throws {
      let model = try model(notation)
      self.schema = schema
      store = try ServerShape.shaped(
        PostgreSQLStore(
          DatabaseAddress(Self.database.get() + (settings.map { "&\($0)" } ?? ""), schema: schema),
          model: model,
          options: Store.Options(timeout: longestWait),
          sizes: WriteSizes(changes: changesTogether, batch: batchSize)))
      fixture = Fixture(store: try Store(path: ":memory:", model: model, mapping: nil), twin: store)
      fixture.options.entity = entity
    }

    /// Imports into the server's store alone.
    func load(_ json: String, _ adjust: (inout ImportOptions) -> Void = { _ in }) throws -> Report {
      var options = fixture.options
      adjust(&options)
      return try Importer(store, options).run([.string(json)])
    }

    /// The objects of the server's store, an object a line.
    func exported(_ entity: String) throws -> [String] {
      var options = ExportOptions()
      options.form = .lines
      return try Exporter(store, options).text(of: entity).split(separator: "\n").map(String.init)
    }
  }
#endif

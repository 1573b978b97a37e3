import Foundation
import Mapping
import MemoryEngine
import ObjectModel
import ObjectStore

#if PostgreSQL
  import PostgreSQLServer
  import PostgreSQLStore
#endif

/// Compares what the two engines make of the same import.
enum Twin {
  #if PostgreSQL
    private static let database = Result { try ServerShape.database() }
  #endif

  /// How the engine in memory differs from SQLite.
  struct Difference: Error, CustomStringConvertible {
    var description: String
  }

  /// A store of the second engine; nil for a model that it does not take. Its batches are small, so that the report
  /// depends on no batch's end.
  static func store(_ model: Model, _ mapping: JSONMapping?) throws -> (any StoreEngine)? {
    let size = BatchSize(bytes: 1 << 18, cells: 512)
    let isSearched = model.entities.contains { $0.attributes.contains(where: \.isSearched) }
    guard !isSearched else { return nil }
    #if PostgreSQL
      let twin = ProcessInfo.processInfo.environment["BROKER_TWIN"]
      if twin == "postgresql" || ServerShape.isDistributed, PostgreSQLServer.shared != nil {
        // A schema for each store: making a database takes long.
        // Some stores write a few changes together, as others do with many.
        do {
          let address = try DatabaseAddress(
            Self.database.get(), schema: "s\(UUID().uuidString.prefix(12))")
          return try ServerShape.shaped(
            PostgreSQLStore(
              address, model: model, mapping: mapping,
              sizes: WriteSizes(changes: Bool.random() ? 4 : 200, batch: size)))
        } catch let error as StoreError where "\(error)".contains("A PostgreSQL server") {
          return nil
        }
      }
    #endif
    return try MemoryStore(model: model, mapping: mapping, batchSize: size)
  }

  /// Compares the reports, or errors, of two imports, and all that the stores hold after them.
  static func compare(
    _ expected: Result<Report, any Error>, _ store: Store, _ found: Result<Report, any Error>,
    _ twin: any StoreEngine
  ) throws {
    switch (expected, found) {
    case (.success(let expected), .success(let found)): try compare(expected, found)
    case (.failure(let expected), .failure(let found)): try compare("\(expected)", "\(found)", "error")
    case (.success, .failure(let error)):
      throw Difference(description: "only the engine in memory fails: \(error)")
    case (.failure(let error), .success):
      throw Difference(description: "the engine in memory does not fail: \(error)")
    }
    try compare(store, twin)
  }

  /// Compares all that two stores hold.
  static func compare(_ store: Store, _ twin: any StoreEngine) throws {
    try compare(
      text { try Exporter(store).wholeText() }, text { try Exporter(twin).wholeText() },
      "export of all objects")
  }

  /// A text, or the error that comes instead of it.
  private static func text(_ make: () throws -> String) -> String {
    do { return try make() } catch { return "\(error)" }
  }

  static func compare(_ expected: String, _ found: String, _ what: String) throws {
    guard expected != found else { return }
    throw Difference(description: "\(what) differs:\n  SQLite: \(expected)\n  memory: \(found)")
  }

  /// Whether an import told that the server does not keep a value as it is. Then the stores differ.
  static func hasLimitedValues(_ result: Result<Report, any Error>) -> Bool {
    let issues = (try? result.get().issues) ?? []
    return issues.contains {
      $0.expected.hasSuffix("which the server does not keep")
        || $0.expected.hasSuffix("which the server keeps")
    }
  }

  static func compare(_ expected: Report, _ found: Report) throws {
    var (expected, found) = (expected, found)
    (expected.seconds, found.seconds) = (0, 0)
    (expected.chunks, found.chunks) = (nil, nil)
    guard expected != found else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try compare(
      String(decoding: encoder.encode(expected), as: UTF8.self),
      String(decoding: encoder.encode(found), as: UTF8.self), "report")
  }
}

#if PostgreSQL
  import Foundation
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// The same versions of the same objects on a server. Each migration has to end as that of the file does.
  final class ServerVersions: Sendable {
    private static let database = Result { try PostgreSQLServer.required().makeDatabase() }

    let address: DatabaseAddress

    init() throws {
      address = try DatabaseAddress(Self.database.get(), schema: "v\(UUID().uuidString.prefix(12))")
    }

    /// Whether there is a server, and a model that it takes.
    static func takes(_ model: Model?) -> Bool {
      PostgreSQLServer.isWanted
        && !(model?.entities.contains { $0.attributes.contains(where: \.isSearched) } ?? false)
    }

    func store(
      _ model: Model? = nil, mapping: JSONMapping? = nil, options: Store.Options = Store.Options()
    ) throws -> PostgreSQLStore {
      try PostgreSQLStore(address, model: model, mapping: mapping, options: options)
    }

    /// What is compared of two stores: the objects, and the links that wait.
    static func contents(_ store: some StoreEngine) throws -> [String] {
      let waiting = try store.read { transaction in
        let cursor = try transaction.pendingTargets()
        var lines: [String] = []
        while try cursor.step() {
          lines.append((0..<cursor.columnCount).map { cursor.string($0) }.joined(separator: " "))
        }
        return lines.sorted()
      }
      return try [sortedJSON(Exporter(store).wholeText())] + waiting
    }
  }
#endif

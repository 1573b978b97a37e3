#if PostgreSQL
  /// A statement that the server has parsed. It belongs to its connection.
  package final class PostgreSQLStatement {
    let name: String
    let key: StatementCache.Key
    /// When it was last used, counted in uses of the cache.
    var lastUse = 0

    init(name: String, key: StatementCache.Key) {
      self.name = name
      self.key = key
    }

    package var sql: String { key.sql }
  }

  /// The prepared statements of a connection by their text and the types of their parameters.
  final class StatementCache {
    struct Key: Hashable {
      var sql: String
      var types: [PostgreSQLType]
    }

    /// The server keeps memory for each, so there are not more than this many.
    static let limit = 256
    private var statements: [Key: PostgreSQLStatement] = [:]
    private var uses = 0
    private var made = 0
    /// The names of statements that are in the cache no more, but still on the server.
    var outdatedNames: [String] = []

    var count: Int { statements.count }

    func statement(_ key: Key) -> PostgreSQLStatement? {
      guard let statement = statements[key] else { return nil }
      uses += 1
      statement.lastUse = uses
      return statement
    }

    /// A statement with a new name, which is not in the cache yet.
    func makeStatement(_ key: Key) -> PostgreSQLStatement {
      made += 1
      return PostgreSQLStatement(name: "broker_\(made)", key: key)
    }

    func insert(_ statement: PostgreSQLStatement) {
      if statements.count >= Self.limit, let oldest = statements.values.min(by: { $0.lastUse < $1.lastUse }) {
        remove(oldest)
      }
      uses += 1
      statement.lastUse = uses
      statements[statement.key] = statement
    }

    func remove(_ statement: PostgreSQLStatement) {
      guard statements[statement.key] === statement else { return }
      statements[statement.key] = nil
      outdatedNames.append(statement.name)
    }

    func removeAll() {
      statements = [:]
      outdatedNames = []
    }
  }
#endif

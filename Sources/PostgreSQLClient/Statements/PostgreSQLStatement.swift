#if PostgreSQL
  import CLibPQ

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

  extension PostgreSQLConnection {
    /// Executes one or more statements, separated by semicolons, without parameters and without their rows.
    ///
    /// Several statements are one transaction, unless they contain COMMIT or ROLLBACK: a BEGIN behind others
    /// takes these into its transaction.
    /// - Returns: The number of rows that the last statement changed.
    @discardableResult
    package func execute(_ sql: String) throws -> Int {
      try timed(sql) { try perform { PQsendQuery($0, sql) }.affectedRows }
    }

    /// Executes one statement with binary parameters `$1`, `$2`…, and returns its rows in binary.
    @discardableResult
    package func query(_ sql: String, _ parameters: PostgreSQLParameters) throws -> PostgreSQLRows {
      try timed(sql) {
        try perform { handle in
          try parameters.withArrays {
            PQsendQueryParams(handle, sql, $0.count, $0.types, $0.values, $0.lengths, $0.formats, 1)
          }
        }
      }
    }

    /// Executes one statement with values for `$1`, `$2`…
    @discardableResult
    package func query(_ sql: String, _ values: PostgreSQLValue...) throws -> PostgreSQLRows {
      try query(sql, filled(values))
    }

    func filled(_ values: [PostgreSQLValue]) throws -> PostgreSQLParameters {
      parameters.removeAll()
      for value in values { try parameters.append(value) }
      return parameters
    }

    // MARK: - Sending

    /// libpq's connection, when a statement can begin on it.
    func idle() throws -> OpaquePointer {
      let handle = try open()
      guard activity == .none else {
        throw PostgreSQLError.misuse("another statement of this connection has not ended")
      }
      if isCancelled() { throw CancellationError() }
      return handle
    }

    /// Sends something and waits for its last result.
    /// - Throws: The first error of the server, when all results were read.
    func perform(_ send: (OpaquePointer) throws -> Int32) throws -> PostgreSQLRows {
      let handle = try idle()
      guard try send(handle) == 1 else { throw callError() }
      return try cancellable { try lastResult() }
    }

    private func lastResult() throws -> PostgreSQLRows {
      var rows: PostgreSQLRows?
      var failure: PostgreSQLError?
      while let result = try nextResult() {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
          rows = PostgreSQLRows(result: result)
        case let status
        where status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH:
          PQclear(result)
          failure = failure ?? .misuse("COPY from or to the client has functions of its own")
          try endCopy(status)
        default:
          failure = failure ?? error(of: result)
          PQclear(result)
        }
      }
      if let failure { throw failure }
      guard let rows else { throw callError() }
      return rows
    }
  }

  extension PostgreSQLConnection {
    /// Prepares a statement, or returns the one that was prepared before from the same text and types.
    ///
    /// The least recently used is released when there are more than 256.
    /// - Parameter types: Those of `$1`, `$2`…; the server infers the types of those behind the last. Values of
    ///   other types than these are refused by the server.
    package func prepare(_ sql: String, _ types: [PostgreSQLType] = []) throws -> PostgreSQLStatement {
      let key = StatementCache.Key(sql: sql, types: types)
      if let known = statements.statement(key) { return known }
      try releaseOutdatedStatements()
      let statement = statements.makeStatement(key)
      let oids = types.map(\.rawValue)
      _ = try perform { PQsendPrepare($0, statement.name, sql, Int32(oids.count), oids) }
      statements.insert(statement)
      return statement
    }

    /// Executes a prepared statement and returns its rows in binary.
    @discardableResult
    package func query(_ statement: PostgreSQLStatement, _ parameters: PostgreSQLParameters) throws
      -> PostgreSQLRows
    {
      do {
        return try timed(statement.sql) {
          try perform { handle in
            try parameters.withArrays {
              PQsendQueryPrepared(handle, statement.name, $0.count, $0.values, $0.lengths, $0.formats, 1)
            }
          }
        }
      } catch let error as PostgreSQLError where error.isStatementOutdated {
        // The next call prepares it anew: the table has changed, or DISCARD has removed the statement.
        statements.remove(statement)
        throw error
      }
    }

    /// Executes a statement that is prepared once and kept.
    @discardableResult
    package func query(prepared sql: String, _ values: PostgreSQLValue...) throws -> PostgreSQLRows {
      let parameters = try filled(values)
      return try query(prepare(sql, parameters.types.map(PostgreSQLType.init)), parameters)
    }

    /// Forgets all prepared statements, here and on the server: after changes of tables.
    package func releaseStatements() throws {
      try execute("DEALLOCATE ALL")
      statements.removeAll()
    }

    private func releaseOutdatedStatements() throws {
      // In a failed transaction the server refuses this: it can wait.
      guard !statements.outdatedNames.isEmpty, transactionStatus == .idle else { return }
      for name in statements.outdatedNames {
        do {
          try execute("DEALLOCATE \(name)")
        } catch let error as PostgreSQLError where error.sqlState == "26000" {
          continue
        }
      }
      statements.outdatedNames = []
    }
  }
#endif

#if PostgreSQL
  import CLibPQ

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
        return try perform { handle in
          try parameters.withArrays {
            PQsendQueryPrepared(handle, statement.name, $0.count, $0.values, $0.lengths, $0.formats, 1)
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

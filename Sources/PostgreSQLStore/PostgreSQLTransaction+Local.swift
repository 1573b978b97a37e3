#if PostgreSQL
  import ObjectModel
  package import ObjectStore
  import PostgreSQLClient
  import WorkingCopy

  /// What programs need of a transaction beside imports and exports.
  extension PostgreSQLTransaction: StoreTransaction {
    package func localWriter(
      _ policy: WritePolicy, equality: (any ValueEquality)?
    ) throws -> any LocalWriter {
      try checkWriting()
      return WorkingWriter(self, policy, equality: equality)
    }

    /// There is none: the writer does not spare what a program has changed.
    package func journal() throws -> Journal? { nil }

    package func removeAll() throws {
      try checkWriting()
      try recordsWereWritten()
      let names = layout.joins.map(\.name) + layout.tables.map(\.name) + [StoreTable.pending]
      for name in names { _ = try connection.execute("DELETE FROM \(SQL.quoted(name))") }
      _ = try connection.execute("DELETE FROM \(ServerTables.imports)")
      changeCount += 1
    }

    package func snippets(of query: Query, _ style: SnippetStyle) throws -> SnippetReader {
      throw StoreError.invalid(
        "Stores in PostgreSQL offer no full-text search, so there is no place to show.")
    }
  }
#endif

#if PostgreSQL
  import ObjectModel
  package import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// What programs need of a transaction beside imports and exports.
  extension PostgreSQLTransaction: StoreTransaction {
    package func localWriter(
      _ policy: WritePolicy, equality: (any ValueEquality)?
    ) throws -> any LocalWriter {
      try checkWriting()
      return WorkingWriter(self, policy, equality: equality)
    }

    package func journal() throws -> Journal? {
      guard let hasFormer = try ServerJournalTable.hasFormer(session.tables.journal, connection) else {
        return nil
      }
      return Journal(layout.schema, ServerJournalTable(session: session, hasFormer: hasFormer))
    }

    package func unsyncedChanges(isProtective: Bool) throws -> UnsyncedChanges? {
      guard let entries = try journal()?.entries(), !entries.isEmpty else { return nil }
      var needed = PrefetchRequest(layout, stored)
      func key(_ entity: SchemaEntity, _ text: String) -> RowKey? {
        RowKey(text: text, of: layout.table(of: entity.index))
      }
      for entry in entries {
        guard let entity = layout.schema.entity(entry.entity), let key = key(entity, entry.key) else {
          continue
        }
        needed.add(key, to: layout.entities[entity.index].table)
      }
      fetch(needed)
      try checkReading()
      return UnsyncedChanges(entries, layout, isProtective: isProtective) { entity, text in
        key(entity, text).flatMap { state.tables[layout.entities[entity.index].table].find($0) }
      }
    }

    package func keepOthersFromWriting() throws { try lock(Set(layout.entities.indices)) }

    package func removeAll() throws {
      try checkWriting()
      try recordsWereWritten()
      try noteAllDeleted()
      var names = layout.joins.map(\.name) + layout.tables.map(\.name) + [StoreTable.pending]
      if try ServerJournalTable.isThere(session.tables.journal, connection) {
        names.append(StoreTable.journal)
      }
      for name in names { _ = try connection.execute("DELETE FROM \(layout.names.sqlName(name))") }
      try forgetImports()
    }

    /// Notes for observers that all objects go.
    private func noteAllDeleted() throws {
      guard session.changes.keepsAll else { return session.changes.addAnything() }
      for (number, table) in layout.tables.enumerated() {
        let query = Query(layout.schema.entities[table.root].name)
        let cursor = try self.cursor(query, [.kind, .key], isOrdered: false)
        while try cursor.step() {
          let entity = cursor.isNull(0) ? nil : layout.schema.index(of: cursor.string(0))
          session.changes.add(
            .delete, ObjectKey(cursor, 1..<table.key.count + 1), entity: entity ?? table.root, table: number)
        }
      }
    }

    package func snippets(of query: Query, _ style: SnippetStyle) throws -> SnippetReader {
      throw StoreError.invalid(
        "Stores in PostgreSQL offer no full-text search, so there is no place to show.")
    }
  }
#endif

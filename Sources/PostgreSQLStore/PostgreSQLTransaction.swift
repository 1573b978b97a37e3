#if PostgreSQL
  import Foundation
  import ObjectModel
  package import ObjectStore
  import PostgreSQLClient
  package import UnitOfWork

  /// A transaction on a server, with a working copy of the rows that it needs.
  package final class PostgreSQLTransaction: WorkingTransaction {
    package let layout: Layout
    package var isImport = false
    package let state: IdentityMap
    let session: ServerSession
    let portals: ServerPortals
    let upcoming: ReadAhead
    /// How many times anything was written or undone.
    private(set) var writeCount = 0
    /// Another number once a row was written.
    package var changeCount: Int64 { otherChanges + session.changes.total }
    /// How many times something was written that is no object.
    private var otherChanges: Int64 = 0
    /// The values of layers above; they go with the transaction.
    package var keptObjects: [ObjectIdentifier: AnyObject] = [:]
    let stored: ServerRows
    private let bulk: ServerBulkRows?
    private var isOver = false
    private let isReadOnly: Bool
    /// The connection, for what does not look for objects.
    var connection: PostgreSQLConnection { get throws { try session.idle() } }
    private var savepoints = 0
    /// The name of the session in other transactions.
    private var ownName: String?

    init(_ session: ServerSession, isReadOnly: Bool) {
      layout = session.tables.layout
      self.isReadOnly = isReadOnly
      self.session = session
      portals = ServerPortals(session)
      upcoming = ReadAhead(ReadSizes(isDistributed: session.tables.distribution.isDistributed))
      let stored = ServerRows(session)
      self.stored = stored
      bulk = isReadOnly ? nil : ServerBulkRows(session, stored)
      state = IdentityMap(layout, stored)
    }

    package func checkIsOngoing() throws {
      if isOver {
        throw StoreError.invalid("The transaction has ended; it is there for its closure only.")
      }
    }

    /// Has the session's name say it until the transaction ends.
    package func note(activity: String) throws {
      guard !isReadOnly else { return }
      // Several imports may be in one transaction.
      let own = try ownName ?? connection.parameter("application_name") ?? ""
      ownName = own
      var name = own.isEmpty ? activity : "\(own): \(activity)"
      // The server cuts names off in the middle of a letter.
      while name.utf8.count > 63 { name.removeLast() }
      _ = try connection.query(
        prepared: "SELECT set_config('application_name', $1, true)", .text(name.filter { $0 != "\0" }))
    }

    func checkReading() throws { if let failure = stored.failure { throw failure } }

    // MARK: - Fetching and writing

    package var bulkRows: (any BulkRows)? { bulk }
    package var ruledBatchSize: BatchSize? { session.sizes.ruledBatch }

    /// Writes what was changed.
    package func recordsWereWritten() throws {
      try checkReading()
      if state.hasChanges {
        writeCount += 1
        otherChanges += 1
        do {
          try ServerChanges(session: session, stored: stored).write(state)
        } catch {
          state.forgetAnswers()
          throw error
        }
      }
      state.noteWritten()
    }

    func finish() throws {
      try bulk?.settle(checksReferences: false)
      try recordsWereWritten()
      // Tables that were made get their keys.
      _ = try session.lookingUp()
      try session.dropStaging()
    }

    /// Writes what was changed, so that statements find it.
    func writeChanges() throws {
      try checkReading()
      try bulk?.settle(checksReferences: false)
      if state.hasChanges { try recordsWereWritten() }
      _ = try session.lookingUp()
    }

    /// Ends what holds the connection. Who kept the transaction can do nothing more with it.
    func end() {
      session.end()
      isOver = true
      keptObjects = [:]
    }

    package func noteObjects() throws -> ObjectSetSnapshot { try ServerObjectSetSnapshot(session).contains }

    package var hasValueLimits: Bool { true }

    package func lock(_ entities: Set<Int>) throws {
      let locked = try session.lock(entities)
      guard !locked.isEmpty else { return }
      // Rows that were read before may have been changed by others until the lock was there. Changes made here are
      // based on rows that were read, so they are written first.
      if state.hasChanges { try recordsWereWritten() }
      state.forgetAnswers()
      stored.forgetNumbers(of: locked)
    }

    // MARK: - What is remembered

    package func remembered(under key: String) throws -> String? {
      let rows = try connection.query(
        prepared: "SELECT value FROM \(session.tables.metadata) WHERE key = $1", .text(key))
      return rows.count == 0 ? nil : try rows.field(0, 0).string()
    }

    package func remember(_ text: String, under key: String) throws {
      try checkWriting()
      try session.lockHistory()
      _ = try connection.query(
        prepared:
          "INSERT INTO \(session.tables.metadata) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2",
        .text(key), .text(text))
    }

    package func remember(_ record: ImportRecord, number: Int64?) throws -> Int64 {
      try checkWriting()
      try session.lockHistory()
      let last = try connection.query("SELECT max(number) FROM \(session.tables.imports)").value {
        $0.isNull ? 0 : try $0.int8()
      }
      let written = number ?? last + 1
      let text = try JSONEncoder().encode(record)
      _ = try connection.query(
        prepared:
          "INSERT INTO \(session.tables.imports) VALUES ($1, $2) ON CONFLICT (number) DO UPDATE SET record = $2",
        .int8(written), .text(String(decoding: text, as: UTF8.self)))
      _ = try connection.query(
        prepared: "DELETE FROM \(session.tables.imports) WHERE number <= $1",
        .int8(written - Int64(ImportRecord.most)))
      return written
    }

    package func importHistory() throws -> [ImportRecord] {
      let rows = try connection.query("SELECT record FROM \(session.tables.imports) ORDER BY number DESC")
      return try (0..<rows.count).map { row in
        try JSONDecoder().decode(ImportRecord.self, from: Data(try rows.field(row, 0).text()))
      }
    }

    package func forgetImports() throws {
      try checkWriting()
      try session.lockHistory()
      _ = try connection.execute("DELETE FROM \(session.tables.imports)")
    }

    // MARK: - Writing

    package func atomically<Result>(_ body: () throws -> Result) throws -> Result {
      savepoints += 1
      let name = "broker_\(savepoints)"
      try bulk?.settle(checksReferences: false)
      try recordsWereWritten()
      _ = try session.idle()
      let (known, lastPortal) = (session.savedState, portals.last)
      _ = try connection.execute("SAVEPOINT \(name)")
      do {
        let result = try body()
        try bulk?.settle(checksReferences: false)
        _ = try connection.execute("RELEASE SAVEPOINT \(name)")
        return result
      } catch {
        session.abandonCopy()
        _ = try connection.execute("ROLLBACK TO SAVEPOINT \(name)")
        state.forgetAll()
        session.restore(known)
        bulk?.forgetStaging()
        portals.forget(after: lastPortal)
        writeCount += 1
        throw error
      }
    }

    package func batchWriter(
      _ policy: WritePolicy, continuing former: (any ChunkState)?
    ) throws -> any BatchWriter {
      try checkWriting()
      try bulk?.settle(checksReferences: false)
      try recordsWereWritten()
      bulk?.begin()
      return WorkingWriter(self, policy, continuing: former as? WorkingWriterState)
    }

    func checkWriting() throws {
      if isReadOnly { throw StoreError.readOnlyTransaction }
    }
  }

  /// A transaction of programs, beside imports and exports.
  extension PostgreSQLTransaction: StoreTransaction {
    package func localWriter(
      _ policy: WritePolicy, equality: ValueEquality?
    ) throws -> any BatchWriter {
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
      var needed = PrefetchRequest(state)
      func key(_ entity: SchemaEntity, _ text: String) -> RowKey? {
        RowKey(text: text, of: layout.table(of: entity.index))
      }
      for entry in entries {
        guard let entity = layout.schema.entity(entry.entity), let key = key(entity, entry.key) else {
          continue
        }
        needed.add(key, to: layout.entities[entity.index].table)
      }
      state.fetch(needed)
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
      state.forgetAnswers()
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

  /// The contents of a store in figures, for people who look at it.
  extension PostgreSQLTransaction {
    package func objectCounts() throws -> [String: Int] {
      try writeChanges()
      var counts: [String: Int] = [:]
      for (index, table) in layout.tables.enumerated() {
        let root = layout.schema.entities[table.root].name
        let kind = table.kindColumn.map(SQL.quoted)
        let rows = try connection.query(
          "SELECT count(*)\(kind.map { ", " + $0 } ?? "") FROM \(session.tables.name(index))"
            + (kind.map { " GROUP BY " + $0 } ?? ""))
        for row in 0..<rows.count {
          let count = Int(try rows.field(row, 0).int8())
          if count > 0 { counts[kind == nil ? root : try rows.field(row, 1).string()] = count }
        }
      }
      return counts
    }

    package func pendingReferenceCounts() throws -> [String: Int] {
      try writeChanges()
      var counts: [String: Int] = [:]
      for relationship in layout.schema.relationships {
        let rows = try connection.query(MissingTargets(relationship, session.tables).count)
        let count = try rows.field(0, 0).int8()
        guard count > 0 else { continue }
        counts[layout.schema.entities[relationship.destination].name, default: 0] += Int(count)
      }
      return counts
    }

    /// A server knows no free pages without an extension of its own.
    package func pageBytes() throws -> (all: Int, free: Int) {
      let schema = SQL.literal(layout.names.schema ?? "")
      let rows = try connection.query(
        """
        SELECT coalesce(sum(\(TableSizes.whole(session.tables.distribution))), 0)::bigint FROM pg_class c
        WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = \(schema)) AND c.relkind IN ('r', 'p')
        """)
      return (Int(try rows.field(0, 0).int8()), 0)
    }

    package func storedParts() throws -> [DatabaseObject] {
      let schema = SQL.literal(layout.names.schema ?? "")
      let rows = try connection.query(
        """
        SELECT c.relname, coalesce(t.relname, c.relname), c.relkind IN ('i', 'I'), coalesce(i.indisunique, false),
          (SELECT string_agg(a.attname, E'\\x1F' ORDER BY k.place) FROM unnest(i.indkey::int2[]) WITH ORDINALITY k (number, place)
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number),
          \(TableSizes.own(session.tables.distribution))
        FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid LEFT JOIN pg_class t ON t.oid = i.indrelid
        WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = \(schema)) AND c.relkind IN ('r', 'p', 'i', 'I')
        ORDER BY 2, 3, 1
        """)
      return try (0..<rows.count).map { row in
        let isIndex = try rows.field(row, 2).bool()
        let columns = rows.field(row, 4)
        return DatabaseObject(
          name: try rows.field(row, 0).string(),
          kind: try !isIndex ? .table : rows.field(row, 3).bool() ? .uniqueIndex : .index,
          table: try rows.field(row, 1).string(),
          columns: try columns.isNull
            ? [] : columns.string().split(separator: "\u{1F}").map(String.init),
          bytes: Int(try rows.field(row, 5).int8()))
      }
    }
  }

  /// The statement that counts the references of a relationship whose targets are not there.
  struct MissingTargets {
    let count: String

    init(_ relationship: SchemaRelationship, _ tables: ServerTables) {
      let layout = tables.layout
      let target = layout.table(of: relationship.destination)
      let (table, reference): (String, [String])
      switch layout.relationships[relationship.index] {
      case .inverse:
        let name = "\(layout.schema.entities[relationship.owner].name).\(relationship.name)"
        count = "SELECT count(*) FROM \(tables.pending) WHERE relationship = \(SQL.literal(name))"
        return
      case .foreignKey(let columns):
        let owner = layout.table(of: relationship.owner)
        (table, reference) = (owner.sqlName, columns.map { owner.columns[$0].name })
      case .join(let index, let isForward):
        let join = layout.joins[index]
        let columns = isForward ? join.targetColumns : join.ownerColumns
        (table, reference) = (join.sqlName, columns.map(\.name))
      }
      let references = reference.map { "t.\(SQL.quoted($0))" }
      let given = references.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
      let missing = MissingReferences(
        selecting: "count(*)", from: "\(table) t WHERE \(given)", references: references,
        target: target.sqlName, keys: target.key.map { "o.\(SQL.quoted(target.columns[$0].name))" },
        kind: layout.kindCondition(of: relationship.destination, alias: "o"))
      count = missing.statement(isDistributed: tables.distribution.isDistributed)
    }
  }
#endif

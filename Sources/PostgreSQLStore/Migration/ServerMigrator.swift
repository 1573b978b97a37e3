#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient

  /// Makes the tables of one version of a model those of another one, within a transaction that has the store alone.
  ///
  /// Tables that only get, lose or rename columns are changed in place, which takes no longer for many rows than for few.
  /// Others are set aside under another name, made anew and filled from those, and what was set aside is removed.
  struct ServerMigrator {
    let sources: MigrationSources
    let engine: ServerMigration
    let journal: JournalMigration
    /// The old tables as they are called while they are set aside.
    let asideLayout: Layout
    let tables: ServerTables
    let moves: [TableMove]
    let joinMoves: [JoinMove]
    private let onProgress: (@Sendable (Double) -> Void)?

    /// The beginning of the names of tables that are set aside.
    private static let oldPrefix = "broker_old_"
    /// So many rows are moved by one statement, so that progress can be told.
    private static let portion = 100_000

    var oldLayout: Layout { sources.oldLayout }
    var newLayout: Layout { sources.newLayout }

    /// - Parameters:
    ///   - tables: Those of the new layout.
    ///   - keepsOld: Whether every table is made anew, so that the old ones can be read meanwhile.
    init(
      from oldLayout: Layout, to newLayout: Layout, _ options: Store.Migration,
      _ connection: PostgreSQLConnection, tables: ServerTables, keepsOld: Bool
    ) throws {
      engine = ServerMigration(connection, newLayout.names)
      sources = MigrationSources(oldLayout, newLayout, options, engine)
      journal = JournalMigration(sources)
      asideLayout = Layout(oldLayout.schema, tablePrefix: Self.oldPrefix, names: oldLayout.names)
      self.tables = tables
      onProgress = options.onProgress
      guard !keepsOld else {
        moves = newLayout.tables.indices.map { [sources] in .rebuild(sources.parts(ofNewTable: $0)) }
        joinMoves = newLayout.joins.map { _ in .rebuild }
        return
      }
      moves = sources.moves()
      joinMoves = sources.joinMoves(moves)
      if let failure = engine.failure { throw failure }
    }

    // MARK: - Running

    /// - Parameter body: What is done while the old tables are still there, if there is anything.
    func run(_ body: (() throws -> Void)?) throws {
      do {
        let others = try foreignGrants()
        for statement in sources.droppingStatements() { try engine.execute(statement) }
        try setAside()
        try fill()
        try carryPendingLinks()
        try journal.run(waits: body != nil)
        if let body {
          try body()
          // Cursors that the code has left open read from the old tables.
          try engine.execute("CLOSE ALL")
        }
        try changeInPlace()
        try removeOld()
        try others.restore()
        try analyze()
        if body != nil { try RequiredValues(newLayout, engine).check() }
      } catch {
        throw engine.failure ?? error
      }
    }

    private func carryPendingLinks() throws {
      let column = "ALTER TABLE \(tables.pending) ALTER COLUMN \(ServerTables.rowName)"
      try engine.execute("\(column) SET DEFAULT nextval(\(SQL.literal(tables.pendingNumbers)))")
      try PendingMigration(sources).run()
      try engine.execute("\(column) DROP DEFAULT")
    }

    /// So that the next statements know how many rows there are.
    private func analyze() throws {
      for (index, move) in moves.enumerated() {
        if case .rebuild = move { try engine.execute("ANALYZE \(tables.name(index))") }
      }
    }

    // MARK: - What is changed in place

    /// The new tables by the old ones that are changed in place.
    var keptTables: [Int: Int] {
      var result: [Int: Int] = [:]
      for (index, move) in moves.enumerated() {
        if case .alter(let alteration) = move { result[alteration.oldTable] = index }
      }
      return result
    }

    var keptJoins: [Int: Int] {
      var result: [Int: Int] = [:]
      for (index, move) in joinMoves.enumerated() {
        if case .alter(let former, _) = move { result[former] = index }
      }
      return result
    }

    // MARK: - Setting aside

    /// Moves old tables and their indexes out of the way, and has the sources know.
    private func setAside() throws {
      let (kept, joins) = (keptTables, keptJoins)
      for (index, table) in oldLayout.tables.enumerated() {
        let aside = asideLayout.tables[index]
        let name = kept[index].map { keptName(table.name, newLayout.tables[$0].name, index) } ?? aside.name
        try rename(table.name, name)
        sources.tableNames[index] = engine.tableName(name)
        for (own, other) in zip(table.indexes, aside.indexes) { try renameIndex(own.name, other.name) }
      }
      for (index, join) in oldLayout.joins.enumerated() {
        let name =
          joins[index].map { keptName(join.name, newLayout.joins[$0].name, oldLayout.tables.count + index) }
          ?? asideLayout.joins[index].name
        try rename(join.name, name)
        sources.joinNames[index] = engine.tableName(name)
      }
    }

    /// The name of a table that stays, meanwhile: tables may take each other's names.
    private func keptName(_ old: String, _ new: String, _ number: Int) -> String {
      old == new ? old : "broker_kept_\(number)"
    }

    private func rename(_ name: String, _ other: String) throws {
      try rename(sql: engine.tableName(name), other)
    }

    /// - Parameter name: What the table is called now, as SQL.
    func rename(sql name: String, _ other: String) throws {
      guard name != engine.tableName(other) else { return }
      try engine.execute("ALTER TABLE \(name) RENAME TO \(SQL.quoted(other))")
    }

    func renameIndex(_ name: String, _ other: String) throws {
      guard name != other else { return }
      try engine.execute("ALTER INDEX IF EXISTS \(engine.tableName(name)) RENAME TO \(SQL.quoted(other))")
    }

    private func removeOld() throws {
      let (kept, joins) = (keptTables, keptJoins)
      for index in oldLayout.joins.indices where joins[index] == nil {
        try engine.execute("DROP TABLE \(sources.joinNames[index])")
      }
      for index in oldLayout.tables.indices where kept[index] == nil {
        try engine.execute("DROP TABLE \(sources.tableNames[index])")
      }
    }

    // MARK: - Making anew

    private func fill() throws {
      let progress = MigrationProgress(try rowsToMove(), onProgress)
      for (index, move) in moves.enumerated() {
        if case .rebuild(let parts) = move { try rebuild(index, parts, progress) }
      }
      for (index, move) in joinMoves.enumerated() {
        if case .rebuild = move { try rebuildJoin(index) }
      }
    }

    private func rebuild(_ index: Int, _ parts: [TablePart], _ progress: MigrationProgress) throws {
      try engine.execute(tables.definition(index))
      for part in parts.map(sources.part) {
        let names = sources.columnNames(part).map(SQL.quoted).joined(separator: ", ")
        let number = engine.rowNumber("o", of: oldLayout.tables[part.oldTable])
        try inPortions(of: part.oldTable, progress) { first, last in
          var range = "\(number) >= \(Self.number(first))"
          if let last { range += " AND \(number) <= \(Self.number(last))" }
          try engine.execute(
            "INSERT INTO \(tables.name(index)) (\(names)) \(sources.rows(part, where: range))")
        }
      }
      try addKeys(index)
    }

    private func addKeys(_ index: Int) throws {
      do {
        try engine.execute(tables.keyStatement(index))
        try newLayout.tables[index].indexes.forEach { try makeIndex($0, index) }
      } catch let error as PostgreSQLError where error.isTooLong {
        throw StoreError.invalid(
          "An identity of \(newLayout.schema.entities[newLayout.tables[index].root].name)"
            + " is longer than a PostgreSQL server takes into an index, about 2,600 bytes. Nothing was changed."
        )
      }
    }

    func makeIndex(_ index: TableIndex, _ table: Int) throws {
      try ServerIndexes(tables: tables, connection: engine.connection).make(index, of: table)
    }

    /// A number in SQL: the least of 64 bits has no literal of its own.
    private static func number(_ number: Int64) -> String { "CAST('\(number)' AS bigint)" }

    /// Goes through the rows of an old table by their numbers.
    private func inPortions(
      of table: Int, _ progress: MigrationProgress, _ body: (_ first: Int64, _ last: Int64?) throws -> Void
    ) throws {
      let number = engine.rowNumber("o", of: oldLayout.tables[table])
      let from = "FROM \(sources.tableNames[table]) o"
      var first = Int64.min
      while true {
        var last: Int64?
        try engine.forEach(
          "SELECT \(number) \(from) WHERE \(number) >= \(Self.number(first)) ORDER BY 1 LIMIT 1"
            + " OFFSET \(Self.portion - 1)", columns: 1
        ) { last = $0.integer(0) }
        try body(first, last)
        guard let end = last, end < .max else {
          progress.add(upTo: try engine.number("SELECT coalesce(max(\(number)), 0) \(from)"))
          return progress.endTable()
        }
        progress.add(upTo: end)
        first = end + 1
      }
    }

    /// The numbers of rows that are gone through, at most.
    private func rowsToMove() throws -> Int64 {
      var count: Int64 = 0
      for case .rebuild(let parts) in moves {
        for part in parts {
          let number = engine.rowNumber("o", of: oldLayout.tables[part.oldTable])
          let rows = try engine.number(
            "SELECT coalesce(max(\(number)), 0) FROM \(sources.tableNames[part.oldTable]) o")
          count = count.addingReportingOverflow(max(0, rows)).overflow ? .max : count + max(0, rows)
        }
      }
      return count
    }

    private func rebuildJoin(_ index: Int) throws {
      let join = newLayout.joins[index]
      let definitions = [tables.joinDefinition(index)] + tables.joinKeyStatements(index)
      guard let links = sources.links(of: join) else { return try definitions.forEach(engine.execute) }
      try engine.execute(definitions[0])
      let keys = join.ownerColumns.indices.map { "o\($0)" } + join.targetColumns.indices.map { "t\($0)" }
      let places = [join.targetOrder.map { _ in "place" }, join.ownerOrder.map { _ in "owner_place" }]
      let values = (keys + places.compactMap(\.self)).joined(separator: ", ")
      let names =
        join.keyColumns.map(\.name)
        + [join.targetOrder, join.ownerOrder].compactMap(\.self)
      let key = keys.joined(separator: ", ")
      // A link that was there in two ways is one.
      try engine.execute(
        """
        INSERT INTO \(join.sqlName) (\(names.map(SQL.quoted).joined(separator: ", "))) SELECT \(values)
        FROM (SELECT DISTINCT ON (\(key)) * FROM (\(links)) AS links ORDER BY \(key), number) AS kept
        ORDER BY number, \(key)
        """)
      for statement in definitions.dropFirst() { try engine.execute(statement) }
    }
  }

  /// Tables that stay, with other columns and names.
  extension ServerMigrator {
    func changeInPlace() throws {
      for (index, move) in moves.enumerated() {
        guard case .alter(let alteration) = move else { continue }
        let name = newLayout.tables[index].name
        try rename(sql: sources.tableNames[alteration.oldTable], name)
        for column in alteration.removedColumns {
          try engine.execute("ALTER TABLE \(engine.tableName(name)) DROP COLUMN \(SQL.quoted(column))")
        }
        try renameColumns(alteration.renamedColumns, of: name)
        try addColumns(alteration, index)
        for statement in alteration.updates { try engine.execute(statement) }
        try changeIndexes(alteration, index)
      }
      for (index, move) in joinMoves.enumerated() {
        guard case .alter(let former, let renamed) = move else { continue }
        let name = newLayout.joins[index].name
        try rename(sql: sources.joinNames[former], name)
        try renameColumns(renamed, of: name)
      }
    }

    /// By names that are nobody's, since columns may take each other's.
    private func renameColumns(_ columns: [(old: String, new: String)], of table: String) throws {
      func rename(_ old: String, _ new: String) throws {
        try engine.execute(
          "ALTER TABLE \(engine.tableName(table)) RENAME COLUMN \(SQL.quoted(old)) TO \(SQL.quoted(new))")
      }
      for (index, column) in columns.enumerated() { try rename(column.old, "broker_kept_\(index)") }
      for (index, column) in columns.enumerated() { try rename("broker_kept_\(index)", column.new) }
    }

    /// The rows get the values as a default of the column, which the server keeps once and not in each row.
    private func addColumns(_ alteration: TableAlteration, _ index: Int) throws {
      let table = newLayout.tables[index]
      var added = alteration.addedColumns.map { column, value in
        (name: table.columns[column].name, type: tables.forms[index][column].declaration, value: value)
      }
      if let name = alteration.addsKind, let kind = table.kindColumn {
        added.append((kind, "text COLLATE \"C\" NOT NULL", SQL.literal(name)))
      }
      for column in added {
        let (alter, name) = ("ALTER TABLE \(tables.name(index))", SQL.quoted(column.name))
        guard column.value != "NULL" else {
          try engine.execute("\(alter) ADD COLUMN \(name) \(column.type)")
          continue
        }
        try engine.execute("\(alter) ADD COLUMN \(name) \(column.type) DEFAULT \(column.value)")
        try engine.execute("\(alter) ALTER COLUMN \(name) DROP DEFAULT")
      }
    }

    /// Keeps the indexes of the same columns under their new names, removes the others and makes those that are missing.
    private func changeIndexes(_ alteration: TableAlteration, _ index: Int) throws {
      let (old, new) = (oldLayout.tables[alteration.oldTable], newLayout.tables[index])
      let aside = asideLayout.tables[alteration.oldTable].indexes
      var rest = Array(old.indexes.indices)
      var missing: [TableIndex] = []
      for wanted in new.indexes {
        let found = rest.firstIndex { index in
          let columns = old.indexes[index].columns
          return columns.count == wanted.columns.count
            && zip(columns, wanted.columns).allSatisfy {
              $0.column == alteration.sources[$1.column] && $0.isAscending == $1.isAscending
            }
        }
        guard let found else {
          missing.append(wanted)
          continue
        }
        try renameIndex(aside[rest.remove(at: found)].name, wanted.name)
      }
      for index in rest { try engine.execute("DROP INDEX IF EXISTS \(engine.tableName(aside[index].name))") }
      for wanted in missing { try makeIndex(wanted, index) }
    }

    // MARK: - What people have added

    /// Properties that are lost with tables that are made anew, unless the new ones get them.
    func foreignGrants() throws -> ForeignGrants {
      var result = ForeignGrants(engine.connection, newLayout.names)
      let kept = (keptTables, keptJoins)
      for (index, move) in moves.enumerated() {
        guard case .rebuild(let parts) = move, let former = parts.first?.oldTable, kept.0[former] == nil
        else { continue }
        let old = oldLayout.tables[former]
        try result.add(
          old.name, replacedBy: newLayout.tables[index].name, ownIndexes: old.indexes.map(\.name))
      }
      for (index, move) in joinMoves.enumerated() {
        guard case .rebuild = move else { continue }
        let name = newLayout.joins[index].name
        guard let former = oldLayout.joins.firstIndex(where: { $0.name == name }), kept.1[former] == nil
        else { continue }
        try result.add(name, replacedBy: name, ownIndexes: nil)
      }
      return result
    }
  }

  /// The tables that a migration writes anew, as long as the server has an idea how large they are.
  struct RewrittenTables {
    private let sources: MigrationSources
    private let connection: PostgreSQLConnection

    init(_ sources: MigrationSources, _ connection: PostgreSQLConnection) {
      (self.sources, self.connection) = (sources, connection)
    }

    func all() throws -> [MigrationPlan.RewrittenTable] { try names().map(described) }

    /// Their names as they are now.
    func names() -> [String] {
      let moves = sources.moves()
      return names(moves, sources.joinMoves(moves))
    }

    func names(_ moves: [TableMove], _ joinMoves: [JoinMove]) -> [String] {
      var names: [String] = []
      for case .rebuild(let parts) in moves {
        for part in parts { names.append(sources.oldLayout.tables[part.oldTable].name) }
      }
      for (index, move) in joinMoves.enumerated() {
        guard case .rebuild = move else { continue }
        let name = sources.newLayout.joins[index].name
        if sources.oldLayout.joins.contains(where: { $0.name == name }) { names.append(name) }
      }
      var seen: Set<String> = []
      return names.filter { seen.insert($0).inserted }
    }

    private func described(_ name: String) throws -> MigrationPlan.RewrittenTable {
      // Before the first ANALYZE the server has no idea of the rows.
      let rows = try connection.query(
        """
        SELECT CASE WHEN reltuples < 0 THEN (SELECT count(*) FROM \(sources.oldLayout.names.sqlName(name))) ELSE reltuples::bigint END,
          pg_total_relation_size(oid) FROM pg_class WHERE oid = $1::regclass
        """, .text(sources.oldLayout.names.sqlName(name)))
      return MigrationPlan.RewrittenTable(
        name: name, rows: Int(try rows.field(0, 0).int8()), bytes: Int(try rows.field(0, 1).int8()))
    }
  }
#endif

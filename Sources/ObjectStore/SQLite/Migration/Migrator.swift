import Foundation
import GRDB
import GRDBSQLite
import ObjectModel

/// Makes the tables of one version of a model those of another one, within a transaction.
///
/// Tables that only get columns or names are changed in place. Others are set aside under another name, made anew,
/// filled from those, and what was set aside is removed.
struct Migrator {
  let sources: MigrationSources
  let connection: OpaquePointer
  let options: Store.Migration
  let journal: JournalMigration
  /// Whether every table is made anew, so that the old ones can be read meanwhile.
  private let keepsOld: Bool
  private let moves: [TableMove]
  private let joinMoves: [JoinMove]

  /// The beginning of the names of tables that are set aside.
  static let oldPrefix = "broker_old_"
  private static let keptPrefix = "broker_kept_"

  var oldLayout: Layout { sources.oldLayout }
  var newLayout: Layout { sources.newLayout }

  init(
    from oldLayout: Layout, to newLayout: Layout, _ options: Store.Migration, on connection: OpaquePointer,
    keepsOld: Bool = false
  ) throws {
    sources = MigrationSources(oldLayout, newLayout, options, try SQLiteMigration(connection))
    journal = JournalMigration(sources)
    self.connection = connection
    self.options = options
    self.keepsOld = keepsOld
    moves =
      keepsOld
      ? newLayout.tables.indices.map { [sources] in .rebuild(sources.parts(ofNewTable: $0)) }
      : sources.moves()
    joinMoves = keepsOld ? newLayout.joins.map { _ in .rebuild } : sources.joinMoves(moves)
  }

  /// Whether the tables stay as they are, indexes aside.
  var keepsTables: Bool {
    let isKept = moves.enumerated().allSatisfy { index, move in
      guard case .alter(let alteration) = move else { return false }
      return alteration.isNothing
        && oldLayout.tables[alteration.oldTable].name == newLayout.tables[index].name
    }
    guard isKept, oldLayout.tables.count == newLayout.tables.count,
      oldLayout.joins.count == newLayout.joins.count
    else { return false }
    return joinMoves.enumerated().allSatisfy { index, move in
      guard case .alter(let former, let renamed) = move else { return false }
      return renamed.isEmpty && oldLayout.joins[former].name == newLayout.joins[index].name
    }
  }

  /// Whether any table is made anew.
  var rebuildsAny: Bool {
    moves.contains { if case .rebuild(let parts) = $0 { !parts.isEmpty } else { false } }
  }

  /// The names of the tables of both versions that are made anew.
  var rebuiltTables: [String] {
    let names = Set(newLayout.tables.map(\.name) + newLayout.joins.map(\.name))
    let kept = keptNames()
    return (oldLayout.tables.map(\.name) + oldLayout.joins.map(\.name)).filter {
      kept[$0] == nil && names.contains($0)
    }
  }

  // MARK: - Running

  /// - Parameter body: What is done while the old tables are still there.
  func run(_ body: () throws -> Void = {}) throws {
    let auxiliaries = AuxiliaryChanges(oldLayout, newLayout, keptNames())
    do {
      let others = try objectsOfOthers()
      for statement in auxiliaries.removals { try execute(statement) }
      for statement in sources.droppingStatements() { try execute(statement) }
      try setAside()
      let progress = MigrationProgress(try rowsToMove(), options.onProgress)
      for (index, move) in moves.enumerated() {
        if case .rebuild(let parts) = move { try rebuild(index, parts, progress) }
      }
      for (index, move) in joinMoves.enumerated() {
        if case .rebuild = move { try rebuildJoin(newLayout.joins[index]) }
      }
      try PendingMigration(sources).run()
      try journal.run(waits: keepsOld)
      if keepsOld {
        try renameOldIndexes()
        for statement in auxiliaries.additions { try execute(statement) }
        try body()
        try dropOld()
        try RequiredValues(newLayout, sources.engine).check()
      } else {
        try changeInPlace()
        try dropOld()
        for statement in auxiliaries.additions { try execute(statement) }
      }
      // An index or trigger that refers to a column that is gone cannot come back.
      for statement in others {
        do {
          try execute(statement)
        } catch let error as StoreError where error.sqliteCode == SQLITE_ERROR {}
      }
    } catch {
      throw sources.engine.failure ?? error
    }
  }

  func execute(_ sql: String) throws { try PreparedStatement(sql, on: connection).run() }

  // MARK: - Setting aside

  /// The old tables that are changed in place, by their new ones.
  private func keptTables() -> [Int: Int] {
    var result: [Int: Int] = [:]
    for (index, move) in moves.enumerated() {
      if case .alter(let alteration) = move { result[alteration.oldTable] = index }
    }
    return result
  }

  private func keptJoins() -> [Int: Int] {
    var result: [Int: Int] = [:]
    for (index, move) in joinMoves.enumerated() {
      if case .alter(let former, _) = move { result[former] = index }
    }
    return result
  }

  /// The new names of tables and columns that are renamed in place, by the old ones.
  private func keptNames() -> [String: String] {
    var result: [String: String] = [:]
    for (old, new) in keptTables() { result[oldLayout.tables[old].name] = newLayout.tables[new].name }
    for (old, new) in keptJoins() { result[oldLayout.joins[old].name] = newLayout.joins[new].name }
    return result
  }

  /// Moves old tables out of the way, and has the sources know.
  ///
  /// First those that are changed in place: SQLite looks through all views and foreign keys then, and wants every table
  /// to be there.
  private func setAside() throws {
    let (tables, joins) = (keptTables(), keptJoins())
    for isKept in [true, false] {
      for (index, table) in oldLayout.tables.enumerated() where (tables[index] != nil) == isKept {
        let newName = tables[index].map { newLayout.tables[$0].name }
        sources.tableNames[index] = try setAside(table.name, as: newName)
      }
      for (index, join) in oldLayout.joins.enumerated() where (joins[index] != nil) == isKept {
        let newName = joins[index].map { newLayout.joins[$0].name }
        sources.joinNames[index] = try setAside(join.name, as: newName)
      }
    }
  }

  /// - Returns: What the table is called now, as SQL.
  private func setAside(_ name: String, as newName: String?) throws -> String {
    if name == newName { return "main." + SQL.quoted(name) }
    let other = (newName == nil ? Self.oldPrefix : Self.keptPrefix) + name
    // Foreign keys of other tables follow a table that is kept. Those to a table that is made anew keep its name.
    try rename(name, other, others: newName != nil)
    return "main." + SQL.quoted(other)
  }

  private func rename(_ name: String, _ other: String, others: Bool) throws {
    try execute("PRAGMA legacy_alter_table = \(others ? "OFF" : "ON")")
    defer { try? execute("PRAGMA legacy_alter_table = OFF") }
    try execute("ALTER TABLE \(SQL.quoted(name)) RENAME TO \(SQL.quoted(other))")
  }

  private func dropOld() throws {
    let (tables, joins) = (keptTables(), keptJoins())
    for index in oldLayout.joins.indices where joins[index] == nil {
      try execute("DROP TABLE \(sources.joinNames[index])")
    }
    for index in oldLayout.tables.indices where tables[index] == nil {
      try execute("DROP TABLE \(sources.tableNames[index])")
    }
  }

  // MARK: - Making anew

  /// The ids of rows that are gone through, at most.
  private func rowsToMove() throws -> Int64 {
    var count: Int64 = 0
    for move in moves {
      guard case .rebuild(let parts) = move else { continue }
      for part in parts {
        let rows = try number("SELECT max(rowid) FROM \(sources.tableNames[part.oldTable])")
        count = count.addingReportingOverflow(max(0, rows)).overflow ? .max : count + max(0, rows)
      }
    }
    return count
  }

  private func number(_ sql: String) throws -> Int64 {
    let statement = try PreparedStatement(sql, on: connection)
    return try statement.step() ? statement.integer(0) : 0
  }

  private func rebuild(_ index: Int, _ parts: [TablePart], _ progress: MigrationProgress) throws {
    try execute(TableDefinitions(layout: newLayout).table(newLayout.tables[index]))
    for part in parts {
      let part = sources.part(part)
      let insertion =
        "INSERT INTO \(SQL.quoted(newLayout.tables[index].name)) (\(SQL.list(sources.columnNames(part))))"
      let statement = try PreparedStatement(
        "\(insertion) \(sources.rows(part, where: "o.rowid >= ?1 AND o.rowid <= ?2"))", on: connection)
      try inPortions(of: sources.tableNames[part.oldTable], progress) { first, last in
        statement.bind(first, at: 1)
        statement.bind(last, at: 2)
        try statement.run()
      }
    }
  }

  /// Goes through the row ids of a table in portions, so that progress can be told.
  private func inPortions(
    of table: String, _ progress: MigrationProgress, _ body: (_ first: Int64, _ last: Int64) throws -> Void
  ) throws {
    let end = try PreparedStatement(
      "SELECT rowid FROM \(table) WHERE rowid >= ?1 ORDER BY rowid LIMIT 1 OFFSET 49999", on: connection)
    var first = Int64.min
    while true {
      end.bind(first, at: 1)
      let last = try end.step() ? end.integer(0) : Int64.max
      end.reset()
      try body(first, last)
      let isLast = last == .max
      progress.add(upTo: isLast ? try number("SELECT max(rowid) FROM \(table)") : last)
      if isLast { return progress.endTable() }
      first = last + 1
    }
  }

  private func rebuildJoin(_ join: JoinTable) throws {
    try execute(TableDefinitions(layout: newLayout).join(join))
    guard let links = sources.links(of: join) else { return }
    // A link that was there in two ways is one.
    try execute("INSERT OR IGNORE INTO \(SQL.quoted(join.name)) \(sources.joinRows(join, links))")
  }

  // MARK: - In place

  private func changeInPlace() throws {
    for (index, move) in moves.enumerated() {
      guard case .alter(let alteration) = move else { continue }
      let table = newLayout.tables[index]
      let former = oldLayout.tables[alteration.oldTable].name
      if former != table.name { try rename(Self.keptPrefix + former, table.name, others: true) }
      try renameColumns(alteration.renamedColumns, of: table.name)
      try addColumns(alteration, table)
      for statement in alteration.updates { try execute(statement) }
    }
    for (index, move) in joinMoves.enumerated() {
      guard case .alter(let formerIndex, let renamed) = move else { continue }
      let name = newLayout.joins[index].name
      let former = oldLayout.joins[formerIndex].name
      if former != name { try rename(Self.keptPrefix + former, name, others: true) }
      try renameColumns(renamed, of: name)
    }
  }

  /// By names that are nobody's, since columns may take each other's.
  private func renameColumns(_ columns: [(old: String, new: String)], of table: String) throws {
    func rename(_ old: String, _ new: String) throws {
      try execute("ALTER TABLE \(SQL.quoted(table)) RENAME COLUMN \(SQL.quoted(old)) TO \(SQL.quoted(new))")
    }
    for (index, column) in columns.enumerated() { try rename(column.old, "\(Self.keptPrefix)\(index)") }
    for (index, column) in columns.enumerated() { try rename("\(Self.keptPrefix)\(index)", column.new) }
  }

  private func addColumns(_ alteration: TableAlteration, _ table: Table) throws {
    let definitions = TableDefinitions(layout: newLayout)
    if let name = alteration.addsKind, let kind = table.kindColumn {
      try execute(
        "ALTER TABLE \(SQL.quoted(table.name)) ADD COLUMN \(SQL.quoted(kind)) TEXT NOT NULL DEFAULT \(SQL.literal(name))"
      )
    }
    for (index, value) in alteration.addedColumns {
      let target = newLayout.schema.relationships.first { relationship in
        guard newLayout.tables[newLayout.entities[relationship.owner].table].name == table.name,
          case .foreignKey(let columns) = newLayout.relationships[relationship.index]
        else { return false }
        return columns == [index]
      }
      try execute(
        definitions.addition(
          table.columns[index], to: table.name, value: value, reference: target?.destination))
    }
  }
}

extension Migrator {
  // MARK: - What others have added

  /// The SQL of indexes and triggers that somebody else has given to tables that are made anew, with which they go.
  func objectsOfOthers() throws -> [String] {
    let definitions = TableDefinitions(layout: oldLayout)
    let own = Set(definitions.indexNames + definitions.triggerNames)
    let statement = try PreparedStatement(
      "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL",
      on: connection)
    let rebuilt = Set(rebuiltTables.map { $0.lowercased() })
    var result: [String] = []
    while try statement.step() {
      guard !own.contains(statement.string(0)), rebuilt.contains(statement.string(1).lowercased()) else {
        continue
      }
      result.append(statement.string(2))
    }
    return result
  }

  // MARK: - Stages

  /// Makes way for the indexes of the new tables, with others for the old ones, which code is about to read.
  func renameOldIndexes() throws {
    let definitions = TableDefinitions(layout: oldLayout)
    for index in definitions.indexNames { try execute("DROP INDEX IF EXISTS \(SQL.quoted(index))") }
    let prefixed = Layout(oldLayout.schema, tablePrefix: Self.oldPrefix)
    for statement in TableDefinitions(layout: prefixed).indexes { try execute(statement) }
  }

  // MARK: - Space

  /// - Throws: ``StoreError`` if there is no room for tables that are made anew, beside the old ones.
  func checkSpace(file: StoreFile?, _ database: Database) throws {
    guard let file, !keepsTables else { return }
    let needed =
      Int64(try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0)
      * Int64(try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
    var status = statvfs()
    guard rebuildsAny, statvfs(file.folder, &status) == 0 else { return }
    let free = Int64(clamping: UInt64(status.f_bavail)) * Int64(clamping: UInt64(status.f_frsize))
    guard free < needed else { return }
    throw StoreError.invalid(
      "The migration needs up to \(needed >> 20) MB beside the store \(file.path), and there are \(free >> 20) MB. Nothing"
        + " was changed.")
  }
}

/// The indexes, full-text indexes and element indexes that have to go before tables are changed, and those that have to
/// be made afterwards. What is the same before and after, on a table that stays, stays too.
struct AuxiliaryChanges {
  private(set) var removals: [String] = []
  private(set) var additions: [String] = []

  /// The statements that make and remove a table's indexes and triggers.
  private struct Part {
    var table: String
    var making: [String]
    var filling: [String] = []
    var removing: [String]
    var isIndex = false

    var identity: [String] { [table] + making }
  }

  /// - Parameter kept: The names of the old tables that are changed in place, with those that they get.
  init(_ old: Layout, _ new: Layout, _ kept: [String: String]) {
    let stay = Set(kept.filter { $0.key == $0.value }.keys)
    let (before, after) = (Self.parts(old), Self.parts(new))
    let known = Set(before.map(\.identity))
    let wanted = Set(after.map(\.identity))
    for part in before where !stay.contains(part.table) || !wanted.contains(part.identity) {
      // The indexes of a table that is set aside serve until it goes, and go with it.
      if part.isIndex, kept[part.table] == nil { continue }
      removals += part.removing
    }
    for part in after where !stay.contains(part.table) || !known.contains(part.identity) {
      additions += part.making + part.filling
    }
  }

  private static func parts(_ layout: Layout) -> [Part] {
    let definitions = TableDefinitions(layout: layout)
    var parts: [Part] = []
    for table in layout.tables {
      for index in table.indexes {
        parts.append(
          Part(
            table: table.name, making: [definitions.definition(of: index, table)],
            removing: ["DROP INDEX IF EXISTS \(SQL.quoted(index.name))"], isIndex: true))
      }
      for index in table.elementIndexes {
        let sql = ElementIndexSQL(table: table, index: index)
        parts.append(
          Part(
            table: table.name, making: [sql.definition(definitions.definition)],
            filling: [sql.filling] + sql.triggers,
            removing: IndexTriggers(index: index.name, table: table.name).removals
              + ["DROP TABLE IF EXISTS \(SQL.quoted(index.name))"]))
      }
      if let search = table.search, let sql = SearchSQL(table) {
        parts.append(
          Part(
            table: table.name, making: sql.tables, filling: sql.triggers + [sql.filling],
            removing: sql.removals
              + [
                "DROP TABLE IF EXISTS \(SQL.quoted(search.name))",
                "DROP VIEW IF EXISTS \(SQL.quoted(search.content))",
              ]))
      }
    }
    for join in layout.joins {
      parts.append(
        Part(
          table: join.name, making: [definitions.inverseIndex(join)],
          removing: ["DROP INDEX IF EXISTS \(SQL.quoted(join.inverseIndex))"], isIndex: true))
    }
    return parts
  }
}

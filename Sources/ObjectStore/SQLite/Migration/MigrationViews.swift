import GRDB
import ObjectModel

/// Temporary views through which a store of one version of a model is read as one of another version, without being
/// changed. They have the names of the new tables, and take their place.
struct MigrationViews: Sendable {
  private let oldLayout: Layout
  private let newLayout: Layout

  init(from oldLayout: Layout, to newLayout: Layout) {
    self.oldLayout = oldLayout
    self.newLayout = newLayout
  }

  func make(on database: Database) throws {
    guard let connection = database.sqliteConnection else { return }
    let sources = MigrationSources(oldLayout, newLayout, .automatic, try SQLiteMigration(connection))
    let moves = sources.moves()
    for (index, move) in moves.enumerated() {
      if case .alter(let alteration) = move, alteration.isNothing,
        oldLayout.tables[alteration.oldTable].name == newLayout.tables[index].name
      {
        continue
      }
      try database.execute(sql: view(ofTable: index, sources))
    }
    for (index, move) in sources.joinMoves(moves).enumerated() {
      let join = newLayout.joins[index]
      if case .alter(let former, let renamed) = move, renamed.isEmpty,
        oldLayout.joins[former].name == join.name
      {
        continue
      }
      try database.execute(sql: view(of: join, sources))
    }
    if let view = try PendingMigration(sources).view() { try database.execute(sql: view) }
    try makeIndexes(on: database)
  }

  /// Stands in for the indexes that queries ask and the store does not have: of lists, what they would have; of words,
  /// nothing, since those would have to be looked for in all texts.
  private func makeIndexes(on database: Database) throws {
    let known = Set(TableDefinitions(layout: oldLayout).statements)
    let definitions = TableDefinitions(layout: newLayout)
    for table in newLayout.tables {
      for index in table.elementIndexes {
        let sql = ElementIndexSQL(table: table, index: index)
        if !known.contains(sql.definition(definitions.definition)) { try database.execute(sql: sql.view) }
      }
      if let sql = SearchSQL(table), !Set(sql.tables).isSubset(of: known) {
        try database.execute(sql: sql.emptyIndex)
      }
    }
  }

  private func view(ofTable index: Int, _ sources: MigrationSources) -> String {
    let table = newLayout.tables[index]
    let parts = sources.parts(ofNewTable: index).map(sources.part)
    // A view has no row ids of its own.
    let key = table.keyIsRowID ? table.key.first.map { [$0] } ?? [] : []
    let names =
      ["rowid"] + (table.keyIsRowID ? [] : [table.rowIDColumn].compactMap(\.self))
      + [table.kindColumn].compactMap(\.self) + table.columns.map(\.name)
    let queries = parts.map { part -> String in
      let number = key.first.map { part.columns[$0].sql("o", oldLayout.tables[part.oldTable]) } ?? part.rowID
      return sources.rows(part, numberedBy: number)
    }
    let nothing = "SELECT \(names.map { _ in "NULL" }.joined(separator: ", ")) WHERE 0"
    return "CREATE TEMP VIEW \(SQL.quoted(table.name)) (\(SQL.list(names))) AS "
      + (queries.isEmpty ? nothing : queries.joined(separator: " UNION ALL "))
  }

  private func view(of join: JoinTable, _ sources: MigrationSources) -> String {
    let names =
      join.keyColumns.map(\.name)
      + [join.targetOrder, join.ownerOrder].compactMap(\.self)
    let links = sources.links(of: join).map { "SELECT DISTINCT * FROM (\(sources.joinRows(join, $0)))" }
    let nothing = "SELECT \(names.map { _ in "NULL" }.joined(separator: ", ")) WHERE 0"
    return
      "CREATE TEMP VIEW \(SQL.quoted(join.name)) (\(SQL.list(["rowid"] + names))) AS SELECT 0, * FROM (\(links ?? nothing))"
  }
}

extension PendingMigration {
  /// The remembered links under their new names, as a view for who only reads; nil if they have these already. Links whose
  /// keys are others now are left out.
  func view() throws -> String? {
    if try isUnchanged() { return nil }
    var (names, entities, all): ([String], [String], [String]) = ([], [], [])
    for former in old.relationships {
      guard let successor = successor(of: former), case .inverse = layout.relationships[successor.index],
        keys.isSame(former.owner, in: successor.owner),
        keys.isSame(former.destination, in: successor.destination)
      else { continue }
      let before = SQL.literal(Self.name(former, old))
      all.append(before)
      names.append("WHEN \(before) THEN \(SQL.literal(Self.name(successor, new)))")
      entities.append("WHEN \(before) THEN \(SQL.literal(rootName(of: successor)))")
    }
    guard !all.isEmpty else { return nil }
    return """
      CREATE TEMP VIEW \(SQL.quoted(StoreTable.pending)) ("entity", "relationship", "owner", "target", "position") AS
      SELECT CASE "relationship" \(entities.joined(separator: " ")) END,
        CASE "relationship" \(names.joined(separator: " ")) END, "owner", "target", "position"
      FROM \(name) WHERE "relationship" IN (\(all.joined(separator: ", ")))
      """
  }
}

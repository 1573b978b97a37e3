/// The indexes, full-text indexes and element indexes that have to go before tables are changed, and those that have to
/// be made afterwards. What is the same before and after, on a table that stays, stays too.
struct AuxiliaryChanges {
  private(set) var removals: [String] = []
  private(set) var additions: [String] = []

  /// What belongs to a table: the statements that make it, and those that remove it.
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

import ObjectModel

/// The rows of new tables as queries on the old ones.
extension MigrationSources {
  /// The columns of a new table in the order in which ``rows(_:where:)`` gives them.
  package func columnNames(_ part: TablePart) -> [String] {
    let table = newLayout.tables[part.newTable]
    return rowIDNames(table) + [table.kindColumn].compactMap(\.self) + table.columns.map(\.name)
  }

  /// What keeps the number of a row, where that is not the key.
  private func rowIDNames(_ table: Table) -> [String] {
    table.keyIsRowID ? [] : [engine.numberColumn(of: table)]
  }

  /// A query for the rows of a new table that come from an old one.
  ///
  /// - Parameter number: SQL for the number of a row, if the query is to give that as a first column.
  package func rows(_ part: TablePart, where range: String? = nil, numberedBy number: String? = nil) -> String
  {
    let (old, new) = (oldLayout.tables[part.oldTable], newLayout.tables[part.newTable])
    var values = number.map { [$0] } ?? []
    if number == nil ? !new.keyIsRowID : new.rowIDColumn != nil { values.append(part.rowID) }
    if new.kindColumn != nil { values.append(kind(part)) }
    values += part.columns.map { $0.sql("o", old) }
    var sql = "SELECT \(values.joined(separator: ", ")) FROM \(tableNames[part.oldTable]) o"
    let conditions = [range, condition("o", part.members.map(\.old), ofOldTable: part.oldTable)]
      .compactMap(\.self)
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    return sql
  }

  /// SQL for the name of the entity of a row.
  private func kind(_ part: TablePart) -> String {
    let names = part.members.map { SQL.literal(new.entities[$0.new].name) }
    guard let kind = oldLayout.tables[part.oldTable].kindColumn else { return names.first ?? "NULL" }
    let cases = zip(part.members, names).map { "WHEN \(SQL.literal(old.entities[$0.old].name)) THEN \($1)" }
    return "CASE o.\(SQL.quoted(kind)) \(cases.joined(separator: " ")) END"
  }

  /// A query for the rows of a new join table.
  package func joinRows(_ join: JoinTable, _ links: String) -> String {
    let keys = join.ownerColumns.indices.map { "o\($0)" } + join.targetColumns.indices.map { "t\($0)" }
    let places = [join.targetOrder.map { _ in "place" }, join.ownerOrder.map { _ in "owner_place" }]
    return "SELECT \((keys + places.compactMap(\.self)).joined(separator: ", ")) FROM (\(links)) AS links"
  }
}

package import ObjectModel

/// The SQL that creates the tables of a layout.
struct TableDefinitions {
  let layout: Layout
  /// The relationships that are kept in columns of their owner's table, by its root entity.
  private let foreignKeys: [Int: [SchemaRelationship]]

  init(layout: Layout) {
    self.layout = layout
    let relationships = layout.schema.relationships.filter { relationship in
      if case .foreignKey = layout.relationships[relationship.index] { true } else { false }
    }
    foreignKeys = Dictionary(grouping: relationships) { layout.schema.entities[$0.owner].root }
  }

  /// All statements, tables before indexes.
  var statements: [String] { tables + indexes + elementIndexes.flatMap(\.triggers) + searchTriggers }

  /// The tables, with the indexes that keep rows apart.
  var tables: [String] {
    [metadata] + Self.pendingTable + layout.tables.map(table) + layout.joins.map(join)
      + layout.tables.flatMap { indexes(of: $0, unique: true) }
      + elementIndexes.map { $0.definition(definition) } + searches.flatMap(\.tables)
  }

  /// The indexes that only serve to find rows.
  var indexes: [String] {
    layout.joins.map(inverseIndex) + layout.tables.flatMap { indexes(of: $0, unique: false) }
  }

  /// The names of all indexes of tables.
  var indexNames: [String] {
    layout.tables.flatMap { $0.indexes.map(\.name) } + layout.joins.map(\.inverseIndex)
  }

  /// The names of everything that the store reads or writes as a table.
  var tableNames: [String] {
    let searches = layout.tables.compactMap(\.search)
    return [
      StoreTable.metadata, StoreTable.pending, StoreTable.journal, StoreTable.imports,
      StoreTable.importNumbers,
    ] + layout.tables.map(\.name) + layout.joins.map(\.name)
      + layout.tables.flatMap { $0.elementIndexes.map(\.name) } + searches.map(\.name)
      + searches.map(\.content)
  }

  /// The names of all triggers.
  var triggerNames: [String] {
    let indexes = layout.tables.flatMap {
      $0.elementIndexes.map(\.name) + [$0.search?.name].compactMap(\.self)
    }
    return indexes.flatMap { name in IndexTriggers.suffixes.map { name + $0 } }
  }

  /// The statements that fill the indexes of elements and then keep them up to date.
  var elementFillings: [String] { elementIndexes.flatMap { [$0.filling] + $0.triggers } }

  private var elementIndexes: [ElementIndexSQL] {
    layout.tables.flatMap { table in table.elementIndexes.map { ElementIndexSQL(table: table, index: $0) } }
  }

  /// The triggers that keep the full-text indexes up to date.
  var searchTriggers: [String] { searches.flatMap(\.triggers) }

  /// The statements that fill full-text indexes from tables that were filled without triggers.
  var searchFillings: [String] { searches.map(\.filling) }

  private var searches: [SearchSQL] { layout.tables.compactMap(SearchSQL.init) }

  private var metadata: String {
    """
    CREATE TABLE \(SQL.quoted(StoreTable.metadata)) (
      "key" TEXT NOT NULL PRIMARY KEY,
      "value" TEXT NOT NULL
    )
    """
  }

  /// The table of links that wait, with its index.
  static var pendingTable: [String] { [pending, pendingIndex] }

  private static var pending: String {
    """
    CREATE TABLE \(SQL.quoted(StoreTable.pending)) (
      "entity" TEXT NOT NULL,
      "relationship" TEXT NOT NULL,
      "owner" TEXT NOT NULL,
      "target" TEXT NOT NULL,
      "position" INTEGER,
      PRIMARY KEY ("entity", "target", "relationship", "owner")
    )
    """
  }

  private static var pendingIndex: String {
    """
    CREATE INDEX \(SQL.quoted(StoreTable.pending + "_owner_index"))
    ON \(SQL.quoted(StoreTable.pending)) ("relationship", "owner")
    """
  }

  func table(_ table: Table) -> String {
    var lines: [String] = []
    // The row id is all that identifies an object without identity, so it must stay when SQLite copies the table.
    if let row = table.rowIDColumn { lines.append("\(SQL.quoted(row)) INTEGER PRIMARY KEY") }
    if let kind = table.kindColumn { lines.append("\(SQL.quoted(kind)) TEXT NOT NULL") }
    for column in table.columns {
      var line = definition(of: column)
      if column.isKey { line += table.keyIsRowID ? " PRIMARY KEY" : " NOT NULL" }
      lines.append(line)
    }
    if !table.keyIsRowID {
      let constraint = table.rowIDColumn == nil ? "PRIMARY KEY" : "UNIQUE"
      lines.append("\(constraint) (\(SQL.list(table.key.map { table.columns[$0].name })))")
    }
    lines += foreignKeys(of: table)
    return "CREATE TABLE \(SQL.quoted(table.name)) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  /// Declared for people and tools. The store does not enforce them: a pending reference dangles.
  private func foreignKeys(of table: Table) -> [String] {
    (foreignKeys[table.root] ?? []).compactMap { relationship in
      guard case .foreignKey(let columns) = layout.relationships[relationship.index] else { return nil }
      return reference(columns.map { table.columns[$0].name }, to: relationship.destination)
    }
  }

  private func reference(_ columns: [String], to entity: Int) -> String {
    "FOREIGN KEY (\(SQL.list(columns))) \(reference(to: entity))"
  }

  private func reference(to entity: Int) -> String {
    let target = layout.table(of: entity)
    return "REFERENCES \(SQL.quoted(target.name)) (\(SQL.list(target.key.map { target.columns[$0].name })))"
  }

  /// A column as it is added to a table that has rows.
  ///
  /// - Parameters:
  ///   - value: What the rows get, as a literal.
  ///   - reference: The entity that it refers to.
  func addition(_ column: Column, to table: String, value: String, reference entity: Int?) -> String {
    var sql = "ALTER TABLE \(SQL.quoted(table)) ADD COLUMN \(definition(of: column))"
    if value != "NULL" { sql += " DEFAULT \(value)" }
    if let entity { sql += " " + reference(to: entity) }
    return sql
  }

  func join(_ join: JoinTable) -> String {
    let relationship = layout.schema.relationships[join.relationship]
    let owner = join.ownerColumns.map(\.name)
    let target = join.targetColumns.map(\.name)
    var lines = join.keyColumns.map {
      "\(definition(of: $0)) NOT NULL"
    }
    lines += [join.targetOrder, join.ownerOrder].compactMap { $0.map { "\(SQL.quoted($0)) INTEGER" } }
    lines.append("PRIMARY KEY (\(SQL.list(owner + target)))")
    lines.append(reference(owner, to: relationship.owner))
    lines.append(reference(target, to: relationship.destination))
    return "CREATE TABLE \(SQL.quoted(join.name)) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  func inverseIndex(_ join: JoinTable) -> String {
    "CREATE INDEX \(SQL.quoted(join.inverseIndex)) ON \(SQL.quoted(join.name))"
      + " (\(SQL.list((join.targetColumns + join.ownerColumns).map(\.name))))"
  }

  private func indexes(of table: Table, unique: Bool) -> [String] {
    table.indexes.filter { ($0.uniqueFor != nil) == unique }.map { definition(of: $0, table) }
  }

  func definition(of index: TableIndex, _ table: Table) -> String {
    let columns = index.columns.map { element in
      SQL.quoted(table.columns[element.column].name) + (element.isAscending ? "" : " DESC")
    }
    var sql = "CREATE \(index.uniqueFor == nil ? "" : "UNIQUE ")INDEX \(SQL.quoted(index.name))"
    sql += " ON \(SQL.quoted(table.name)) (\(columns.joined(separator: ", ")))"
    if let entities = index.uniqueFor, let kind = table.kindColumn {
      let names = entities.map { SQL.literal(layout.schema.entities[$0].name) }
      sql += " WHERE \(SQL.quoted(kind)) IN (\(names.joined(separator: ", ")))"
    }
    return sql
  }

  func definition(of column: Column) -> String {
    "\(SQL.quoted(column.name)) \(declaredType(column))"
  }

  /// A type's name that says what is kept and gives the column the right affinity. `DECIMAL` or `DATE` would
  /// make SQLite turn the text into a number.
  private func declaredType(_ column: Column) -> String {
    // A column that makes numbers of texts that are some, and leaves others.
    if column.holdsMixedKeys { return "NUMERIC" }
    switch column.storage {
    case .integer: return column.type == .boolean ? "BOOLEAN" : "INTEGER"
    case .real: return "REAL"
    case .text: return "TEXT"
    case .blob: return "BLOB"
    }
  }
}

/// The SQL of a model's tables, as a new store has them.
package enum TableSQL {
  /// The statements that make the tables of entities, with their indexes and triggers; without the tables that a store
  /// keeps for itself.
  package static func statements(of schema: Schema) -> [String] {
    let definitions = TableDefinitions(layout: Layout(schema))
    let own = [StoreTable.metadata, StoreTable.pending].map(SQL.quoted)
    return definitions.statements.filter { statement in
      // Names stand before the first parenthesis.
      let head = statement.prefix { $0 != "(" }
      return !own.contains { head.hasPrefix("CREATE TABLE \($0)") || head.hasSuffix("ON \($0) ") }
    }
  }
}

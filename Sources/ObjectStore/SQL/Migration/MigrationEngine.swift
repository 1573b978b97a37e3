package import ObjectModel

/// The database of a migration: it runs statements, and says in its own SQL where dialects differ.
package protocol MigrationEngine: AnyObject {
  // MARK: - Words of SQL

  /// A table of the store, not one of the same name that hides it.
  func tableName(_ name: String) -> String
  /// The number of a row.
  func rowNumber(_ alias: String, of table: Table) -> String
  /// The number of a link in a join table.
  func linkNumber(_ alias: String) -> String
  /// The name of what keeps the number of a row, where that is not the key.
  func numberColumn(of table: Table) -> String
  /// A value of an attribute in SQL.
  func literal(_ value: SQLValue, _ type: AttributeType) -> String
  /// A part of a key, as key texts have it, in SQL; nil if the column cannot hold it.
  func literal(ofKeyPart text: String, in column: Column) -> String?
  /// No value, for a place where the database has to know of which type that is.
  func null(in column: Column) -> String
  /// The key that is made of the number of a row.
  func rowKey(_ number: String, in table: Table) -> String
  /// The parts of a key as one text, see ``KeyText``. Null if a part is.
  func joinedKey(_ parts: [KeyPart]) -> String

  // MARK: - Values

  /// Whether the database keeps values of both types alike, so that they stay as they are.
  func keeps(_ conversion: ValueConversion) -> Bool
  /// SQL for what becomes of the value of a column; nil if it stays as it is.
  func converted(_ column: StoredColumn, _ conversion: ValueConversion) -> String?
  /// SQL for what a function makes of the value of a column, or of no value where there is no column.
  ///
  /// - Parameters:
  ///   - name: The attribute that it is about.
  ///   - table: What the rows are called that it is for.
  func called(
    _ function: @escaping Store.Migration.Conversion, _ name: String, on column: StoredColumn?,
    rowsOf table: String, giving type: AttributeType
  ) -> String
  /// The elements of the JSON lists in a column, as a further source of a query: its SQL with the name `e`, an element as
  /// another column keeps it, and its place.
  func elements(of column: StoredColumn, in key: Column) -> (source: String, value: String, place: String)
  /// The condition that a column has something else than a list of values that another column may keep.
  func isOther(_ column: StoredColumn, thanListsFor key: Column) -> String
  /// A key, of which a text is all that there is, as a column keeps it.
  func key(ofText text: String, in column: Column) -> String
  /// The JSON list of the keys that a query gives as `k`, in the order of its `p`, nulls last, and of its `n`; null if there are none.
  func list(ofKeys query: String, of type: AttributeType) -> String
  /// The error of a function, which databases do not pass on.
  var failure: (any Error)? { get }

  // MARK: - Changes in place

  /// Whether tables say which others their columns lead to.
  var declaresForeignKeys: Bool { get }
  /// Whether columns are removed without a look at the rows.
  var dropsColumns: Bool { get }
  /// Whether a column may stay as it is declared.
  func fits(_ old: Column, _ new: Column) -> Bool
  /// Whether a table has room for more columns.
  func hasRoom(in table: Table, forColumns count: Int) -> Bool

  // MARK: - Local changes

  /// The local changes; nothing if the store keeps no journal.
  func journalEntries() throws -> [JournalEntry]
  /// Puts entries in place of all that there are, each under the name of its root entity.
  func replaceJournal(with entries: [(entry: JournalEntry, root: String)]) throws

  // MARK: - Running

  func execute(_ sql: String) throws
  /// Calls `body` with each row of a query, in constant memory. `body` may execute statements.
  func forEach(_ sql: String, columns: Int, _ body: (any Cursor) throws -> Void) throws
  /// Puts the links that wait into another table, so that the store's own is empty, and returns what that is called.
  func setPendingLinksAside() throws -> String
  func removePendingLinksAside() throws
  /// Puts a link into a join table, unless it is there.
  ///
  /// - Parameter values: Those of the columns with the names, in SQL.
  func insertLink(_ values: [String], into join: JoinTable, _ names: [String]) throws
}

extension MigrationEngine {
  /// The only value of a query.
  package func number(_ sql: String) throws -> Int64 {
    var result: Int64 = 0
    do {
      try forEach(sql, columns: 1) { result = $0.integer(0) }
    } catch {
      throw failure ?? error
    }
    return result
  }
}

/// A column of an old table, as a row of it is read.
package struct StoredColumn {
  /// The name of the row.
  package let alias: String
  /// The present name of its table, as SQL.
  package let table: String
  package let column: Column
  /// A key of the column that does not depend on the name of its table.
  package let origin: String

  /// The column behind the alias of its row.
  package var sql: String { "\(alias).\(name)" }

  /// The column without an alias.
  package var name: String { SQL.quoted(column.name) }
}

/// A part of a key that is about to become text.
package struct KeyPart {
  package let sql: String
  package let type: AttributeType
  package let isMixed: Bool

  package init(_ sql: String, _ type: AttributeType, isMixed: Bool = false) {
    (self.sql, self.type, self.isMixed) = (sql, type, isMixed)
  }

  init(_ sql: String, _ column: Column) { self.init(sql, column.type, isMixed: column.holdsMixedKeys) }
}

/// The move of a table of the old layout that makes it one of the new one.
package enum TableMove {
  /// The table stays, under the new name, with some columns renamed or added.
  case alter(TableAlteration)
  /// The table is made anew from some old tables.
  case rebuild([TablePart])
}

/// Changes that a database makes in place: none of them touches a row, but for values in place of none.
package struct TableAlteration {
  package var oldTable: Int
  package var renamedColumns: [(old: String, new: String)] = []
  package var addedColumns: [(column: Int, value: String)] = []
  /// The old columns that go, where the database removes columns in place.
  package var removedColumns: [String] = []
  /// Values in place of none, and new names of entities.
  package var updates: [String] = []
  package var addsKind: String?
  /// The old column of each new column that is kept.
  package var sources: [Int: Int] = [:]

  package var isNothing: Bool {
    renamedColumns.isEmpty && addedColumns.isEmpty && removedColumns.isEmpty && updates.isEmpty
      && addsKind == nil
  }
}

extension MigrationSources {
  /// The moves, one for each new table.
  package func moves() -> [TableMove] {
    var moves = newLayout.tables.indices.map { table in
      let parts = parts(ofNewTable: table).map(part)
      return alteration(parts, table).map(TableMove.alter) ?? .rebuild(parts)
    }
    // A table that is made anew takes none of the foreign keys with it that name its old columns. So the tables that have
    // these may have to be made anew too, and then those that have foreign keys to them.
    var isSettled = false
    while !isSettled {
      isSettled = true
      for (index, move) in moves.enumerated() {
        guard case .alter(let alteration) = move, !keepsForeignKeys(alteration, index, moves) else {
          continue
        }
        moves[index] = .rebuild(parts(ofNewTable: index).map(part))
        isSettled = false
      }
    }
    return moves
  }

  /// The changes in place that make a new table of an old one; nil if it takes more.
  private func alteration(_ parts: [TablePart], _ index: Int) -> TableAlteration? {
    guard parts.count == 1, let part = parts.first,
      part.members.count == members(ofOldTable: part.oldTable).count
    else { return nil }
    let (old, new) = (oldLayout.tables[part.oldTable], newLayout.tables[index])
    guard old.keyIsRowID == new.keyIsRowID, old.rowIDColumn == new.rowIDColumn,
      old.holdsMixedKeys == new.holdsMixedKeys, old.kindColumn == nil || new.kindColumn == old.kindColumn,
      part.columns.indices.filter({ new.columns[$0].isKey }).count == old.key.count
    else { return nil }
    var result = TableAlteration(oldTable: part.oldTable)
    guard addColumns(&result, part, old, new) else { return nil }
    let added = result.addedColumns.count + (old.kindColumn == new.kindColumn ? 0 : 1)
    guard engine.hasRoom(in: old, forColumns: added) else { return nil }
    for (source, key) in zip(old.key, new.key) where part.columns[key] != .column(source, ifNull: nil) {
      return nil
    }
    renameEntities(&result, part, old, new)
    return result
  }

  private func addColumns(
    _ result: inout TableAlteration, _ part: TablePart, _ old: Table, _ new: Table
  ) -> Bool {
    var taken: Set<Int> = []
    for (index, source) in part.columns.enumerated() {
      let column = new.columns[index]
      switch source {
      case .column(let former, let value):
        guard taken.insert(former).inserted, engine.fits(old.columns[former], column) else { return false }
        result.sources[index] = former
        if old.columns[former].name != column.name {
          result.renamedColumns.append((old.columns[former].name, column.name))
        }
        if let value { result.updates.append(fill(column, value, part, new)) }
      case .constant(let value):
        // A foreign key of several columns cannot be added.
        guard !column.isKey else { return false }
        result.addedColumns.append((index, value))
      case .expression: return false
      }
    }
    result.removedColumns = old.columns.indices.filter { !taken.contains($0) }.map { old.columns[$0].name }
    return result.removedColumns.isEmpty || engine.dropsColumns
  }

  /// SQL that puts a value where there is none.
  private func fill(_ column: Column, _ value: String, _ part: TablePart, _ table: Table) -> String {
    let name = SQL.quoted(column.name)
    var sql = "UPDATE \(table.sqlName) SET \(name) = \(value) WHERE \(name) IS NULL"
    if let kind = table.kindColumn {
      let owners = part.members.filter { member in
        let layout = newLayout.entities[member.new]
        return layout.entity.attributes.indices.contains { index in
          table.columns[layout.slots[layout.attributeSlots[index]]].name == column.name
            && !layout.entity.attributes[index].isOptional
        }
      }
      let names = owners.map { SQL.literal(new.entities[$0.new].name) }
      sql += " AND \(SQL.quoted(kind)) IN (\(names.joined(separator: ", ")))"
    }
    return sql
  }

  private func renameEntities(
    _ result: inout TableAlteration, _ part: TablePart, _ old: Table, _ new: Table
  ) {
    guard let kind = new.kindColumn else { return }
    guard old.kindColumn != nil else {
      result.addsKind = part.members.first.map { self.new.entities[$0.new].name }
      return
    }
    let renamed = part.members.filter { self.old.entities[$0.old].name != self.new.entities[$0.new].name }
    guard !renamed.isEmpty else { return }
    let cases = renamed.map {
      "WHEN \(SQL.literal(self.old.entities[$0.old].name)) THEN \(SQL.literal(self.new.entities[$0.new].name))"
    }
    let names = renamed.map { SQL.literal(self.old.entities[$0.old].name) }
    // Before other updates, which go by the new names.
    result.updates.insert(
      "UPDATE \(new.sqlName) SET \(SQL.quoted(kind)) = CASE \(SQL.quoted(kind))"
        + " \(cases.joined(separator: " ")) END WHERE \(SQL.quoted(kind)) IN (\(names.joined(separator: ", ")))",
      at: 0)
  }

  // MARK: - Foreign keys

  /// Whether the foreign keys that a table declares are right after changes in place.
  private func keepsForeignKeys(_ alteration: TableAlteration, _ index: Int, _ moves: [TableMove]) -> Bool {
    guard engine.declaresForeignKeys else { return true }
    // A column that is an attribute now would go on to refer to the objects that it led to.
    let hasLinks = new.entities.contains { entity in
      newLayout.entities[entity.index].table == index
        && pairs.oldLinks[entity.index].values.contains { link in
          if case .foreignKey = oldLayout.relationships[link] { true } else { false }
        }
    }
    if hasLinks { return false }
    for relationship in new.relationships where newLayout.entities[relationship.owner].table == index {
      guard case .foreignKey(let columns) = newLayout.relationships[relationship.index] else { continue }
      guard let former = alteration.sources[columns[0]] else {
        // SQLite adds a column with what it refers to, and not several with one.
        if columns.count == 1 { continue }
        return false
      }
      let target = newLayout.entities[relationship.destination].table
      guard let before = referred(former, alteration.oldTable), keepsReferences(to: before, target, moves)
      else {
        return false
      }
    }
    return true
  }

  /// The old table that a column of an old table refers to.
  private func referred(_ column: Int, _ table: Int) -> Int? {
    let relationship = old.relationships.first { relationship in
      guard oldLayout.entities[relationship.owner].table == table,
        case .foreignKey(let columns) = oldLayout.relationships[relationship.index]
      else { return false }
      return columns.contains(column)
    }
    return relationship.map { oldLayout.entities[$0.destination].table }
  }

  /// Whether what refers to an old table refers to a new one afterwards: SQLite sees to that where it is changed in
  /// place, and otherwise the names have to be the same.
  func keepsReferences(to oldTable: Int, _ newTable: Int, _ moves: [TableMove]) -> Bool {
    if case .alter(let alteration) = moves[newTable] { return alteration.oldTable == oldTable }
    let (before, after) = (oldLayout.tables[oldTable], newLayout.tables[newTable])
    return before.name == after.name
      && before.key.map { before.columns[$0].name } == after.key.map { after.columns[$0].name }
  }

  // MARK: - Join tables

  /// The moves, one for each new join table.
  package func joinMoves(_ moves: [TableMove]) -> [JoinMove] {
    newLayout.joins.map { join in kept(join, moves) ?? .rebuild }
  }

  private func kept(_ join: JoinTable, _ moves: [TableMove]) -> JoinMove? {
    let relationship = new.relationships[join.relationship]
    let sources = sources(of: join.relationship)
    guard sources.count == 1, let source = sources.keys.first,
      case .join(let index, let isForward) = oldLayout.relationships[source.relationship],
      isForward != source.isReversed, oldLayout.joins[index].isSymmetric == join.isSymmetric
    else { return nil }
    let before = oldLayout.joins[index]
    let (owner, target) = (
      old.relationships[before.relationship].owner, old.relationships[before.relationship].destination
    )
    guard (before.targetOrder == nil) == (join.targetOrder == nil),
      (before.ownerOrder == nil) == (join.ownerOrder == nil),
      keepsKeys(owner, relationship.owner, moves), keepsKeys(target, relationship.destination, moves)
    else { return nil }
    let names =
      before.keyColumns.map(\.name)
      + [before.targetOrder, before.ownerOrder].compactMap(\.self)
    let newNames =
      join.keyColumns.map(\.name)
      + [join.targetOrder, join.ownerOrder].compactMap(\.self)
    guard names.count == newNames.count else { return nil }
    return .alter(
      oldJoin: index, renamedColumns: zip(names, newNames).filter { $0 != $1 }.map { (old: $0, new: $1) })
  }

  /// Whether all objects of an old entity are of the new one, under the same keys.
  private func keepsKeys(_ oldEntity: Int, _ newEntity: Int, _ moves: [TableMove]) -> Bool {
    let members = concrete(oldEntity)
    let family = new.family(of: newEntity)
    guard members.allSatisfy({ member in successor(of: member).map(family.contains) ?? false }),
      let direct = directKey(members),
      direct.enumerated().allSatisfy({ $1.position == $0 && isKept($1) })
    else { return false }
    guard engine.declaresForeignKeys else { return true }
    return keepsReferences(
      to: oldLayout.entities[oldEntity].table, newLayout.entities[newEntity].table, moves)
  }
}

/// The move of a join table of the new layout.
package enum JoinMove {
  case alter(oldJoin: Int, renamedColumns: [(old: String, new: String)])
  case rebuild
}

#if PostgreSQL
  import ObjectModel
  import ObjectStore

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

    /// What is lost with tables that are made anew, unless it is given to the new ones.
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
#endif

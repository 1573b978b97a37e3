import Foundation
import GRDB
import ObjectModel

extension Migrator {
  // MARK: - Objects that go

  /// Removes the objects that have no value of an attribute that needs one, where that was asked for.
  func dropObjects() throws {
    for name in options.dropped.sorted() {
      for entity in newLayout.schema.entities {
        guard let former = sources.pairs.oldEntity[entity.index],
          sources.successor(of: former) == entity.index
        else {
          continue
        }
        for (index, attribute) in entity.attributes.enumerated()
        where "\(newLayout.schema.entities[attribute.owner].name).\(attribute.name)" == name {
          try drop(former, withoutAttribute: index, of: entity.index)
        }
      }
    }
  }

  private func drop(_ former: Int, withoutAttribute attribute: Int, of entity: Int) throws {
    let index = oldLayout.entities[former].table
    let table = oldLayout.tables[index]
    let value = sources.attribute(attribute, of: entity, former, "o").sql("o", table)
    let conditions = ["\(value) IS NULL", sources.condition("o", [former], ofOldTable: index)].compactMap(
      \.self)
    let condition = conditions.joined(separator: " AND ")
    let key = table.key.map { "o.\(SQL.quoted(table.columns[$0].name))" }
    let gone = "SELECT \(key.joined(separator: ", ")) FROM \(sources.tableNames[index]) o WHERE \(condition)"
    for relationship in oldLayout.schema.relationships
    where oldLayout.entities[relationship.destination].table == index && !relationship.isIdentity {
      guard case .foreignKey(let columns) = oldLayout.relationships[relationship.index] else { continue }
      let holder = oldLayout.tables[oldLayout.entities[relationship.owner].table]
      let names = columns.map { SQL.quoted(holder.columns[$0].name) }
      try execute(
        "UPDATE \(SQL.quoted(holder.name)) SET \(names.map { "\($0) = NULL" }.joined(separator: ", "))"
          + " WHERE (\(names.joined(separator: ", "))) IN (\(gone))")
    }
    for join in oldLayout.joins {
      let relationship = oldLayout.schema.relationships[join.relationship]
      for (end, columns) in [
        (relationship.owner, join.ownerColumns), (relationship.destination, join.targetColumns),
      ]
      where oldLayout.entities[end].table == index {
        let names = columns.map { SQL.quoted($0.name) }.joined(separator: ", ")
        try execute("DELETE FROM \(SQL.quoted(join.name)) WHERE (\(names)) IN (\(gone))")
      }
    }
    try execute("DELETE FROM \(sources.tableNames[index]) AS o WHERE \(condition)")
  }

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

  /// - Throws: ``StoreError`` if the code of a stage has left something empty that the new version requires.
  func checkRequired() throws {
    for entity in newLayout.schema.entities where !entity.isAbstract {
      let layout = newLayout.entities[entity.index]
      let table = newLayout.tables[layout.table]
      for (index, attribute) in entity.attributes.enumerated() where !attribute.isOptional {
        let name = SQL.quoted(table.columns[layout.slots[layout.attributeSlots[index]]].name)
        var sql = "SELECT count(*) FROM \(SQL.quoted(table.name)) WHERE \(name) IS NULL"
        if let kind = table.kindColumn { sql += " AND \(SQL.quoted(kind)) = \(SQL.literal(entity.name))" }
        let statement = try PreparedStatement(sql, on: connection)
        guard try statement.step(), statement.integer(0) > 0 else { continue }
        throw StoreError.invalid(
          "The migration leaves \(statement.integer(0)) objects of \(entity.name) without \(attribute.name), which is"
            + " required. Nothing was changed.")
      }
    }
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

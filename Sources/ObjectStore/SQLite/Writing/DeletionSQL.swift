import ObjectModel

/// The statements that take away the row with row id `?1` of a table, and the links to it.
struct DeletionSQL {
  let layout: Layout
  let table: Table

  var removal: String { "DELETE FROM \(SQL.quoted(table.name)) WHERE rowid = ?1" }

  var key: String {
    let names = SQL.list(table.key.map { table.columns[$0].name })
    return "SELECT \(names) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1"
  }

  /// The name of the row's entity, if rows of the table have one.
  var kind: String {
    "SELECT \(table.kindColumn.map(SQL.quoted) ?? "1") FROM \(SQL.quoted(table.name)) WHERE rowid = ?1"
  }

  func targets(of relationship: SchemaRelationship) -> String {
    RelationshipSQL(layout: layout, relationship: relationship, SQLiteDialect())
      .targetRows(from: table, to: layout.table(of: relationship.destination))
  }

  /// Take away all links that lead to the row or start at it, but for those that a rule says to leave.
  func unlinking(_ entity: SchemaEntity) -> [String] {
    var result: [String] = []
    for relationship in layout.schema.relationships {
      let leadsHere = entity.ancestry.contains(relationship.destination)
      let startsHere = entity.relationships.contains(relationship.index)
      let rule = relationship.inverse.map { layout.schema.relationships[$0].relationship.deleteRule }
      // An object whose identity contains it goes as well, or keeps it.
      if leadsHere, rule != .noAction, !relationship.isIdentity,
        case .foreignKey(let columns) = layout.relationships[relationship.index]
      {
        result.append(clearing(columns, of: layout.table(of: relationship.owner)))
      }
      if leadsHere { result += removingLinks(of: relationship, fromOwner: false) }
      if startsHere { result += removingLinks(of: relationship, fromOwner: true) }
    }
    return result
  }

  /// The row ids of foreign keys, or of links in a join table, that lead to the row; nil if they are kept in it.
  func linksFromOwners(of relationship: SchemaRelationship) -> String? {
    switch layout.relationships[relationship.index] {
    case .inverse: return nil
    case .foreignKey(let columns):
      let owner = layout.table(of: relationship.owner)
      return
        "SELECT rowid FROM \(SQL.quoted(owner.name)) WHERE \(leading(columns.map { owner.columns[$0].name }))"
    case .join(let index, let isForward):
      let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
      return "SELECT rowid FROM \(SQL.quoted(layout.joins[index].name)) WHERE \(leading(sql.target))"
    }
  }

  /// The row ids of the objects that lead to the row by a relationship.
  func owners(by relationship: SchemaRelationship) -> String {
    if let inverse = relationship.inverse, !relationship.isItsOwnInverse {
      return targets(of: layout.schema.relationships[inverse])
    }
    guard case .join(let index, let isForward) = layout.relationships[relationship.index] else {
      return linksFromOwners(of: relationship) ?? ""
    }
    let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
    let owner = layout.table(of: relationship.owner)
    let pairs = zip(owner.key, sql.owner).map {
      "o.\(SQL.quoted(owner.columns[$0].name)) = j.\(SQL.quoted($1))"
    }
    return "SELECT o.rowid FROM \(SQL.quoted(layout.joins[index].name)) j JOIN \(SQL.quoted(owner.name)) o"
      + " ON \(pairs.joined(separator: " AND ")) WHERE \(leading(sql.target))"
  }

  /// The row ids of the objects that a relationship of the row with row id `?1` leads to, in no order.
  func unorderedTargets(of relationship: SchemaRelationship) -> String {
    let joins = RelationshipSQL(layout: layout, relationship: relationship, SQLiteDialect()).joins(
      owner: "o", target: "t")
    return "SELECT t.rowid FROM \(SQL.quoted(table.name)) o \(joins) WHERE o.rowid = ?1"
  }

  /// Clears foreign keys that lead to the row.
  func clearing(_ columns: [Int], of owner: Table) -> String {
    let names = columns.map { owner.columns[$0].name }
    let settings = names.map { "\(SQL.quoted($0)) = NULL" }
    return "UPDATE \(SQL.quoted(owner.name)) SET \(settings.joined(separator: ", ")) WHERE \(leading(names))"
  }

  /// Removes the row's links from a join table, as their owner or as their target; nothing for other
  /// relationships.
  func removingLinks(of relationship: SchemaRelationship, fromOwner: Bool) -> [String] {
    guard case .join(let index, let isForward) = layout.relationships[relationship.index] else { return [] }
    let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
    let columns = fromOwner ? sql.owner : sql.target
    return ["DELETE FROM \(SQL.quoted(layout.joins[index].name)) WHERE \(leading(columns))"]
  }

  /// `"band" = (SELECT "name" FROM "Band" WHERE rowid = ?1)`
  func leading(_ columns: [String]) -> String {
    if table.keyIsRowID { return "\(SQL.list(columns)) = ?1" }
    return zip(columns, table.key).map { column, key in
      "\(SQL.quoted(column)) = (SELECT \(SQL.quoted(table.columns[key].name))"
        + " FROM \(SQL.quoted(table.name)) WHERE rowid = ?1)"
    }.joined(separator: " AND ")
  }
}

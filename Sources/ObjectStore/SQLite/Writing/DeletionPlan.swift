import ObjectModel

/// What it takes to delete an object of an entity: compiled once, run for each. All statements take a row id.
final class DeletionPlan {
  /// A relationship of the entity, and the statement that gives its targets' row ids.
  struct Link {
    let relationship: SchemaRelationship
    /// The table of the targets.
    let table: Int
    let targets: PreparedStatement
  }

  let entity: SchemaEntity
  let table: Int
  /// The relationships whose targets go with the object: by the rule, or since they are its parts.
  let cascading: [Link]
  /// The relationships whose targets stand against a deletion.
  let denying: [Link]
  /// The owners by relationships that are to one and required, which stand against a deletion since they would be
  /// left without it. The relationship of each is the owner's.
  let requiring: [Link]
  /// The same of relationships to many, which may not be left empty.
  let requiringSome: [Link]
  /// Whether others may require it.
  var isRequired: Bool { !requiring.isEmpty || !requiringSome.isEmpty }
  /// Take away the links that lead to the object or start at it.
  let unlinking: [PreparedStatement]
  /// Gives the parts of the key.
  let key: PreparedStatement
  let removal: PreparedStatement

  init(_ entity: SchemaEntity, _ transaction: SQLiteTransaction) throws {
    let layout = transaction.layout
    self.entity = entity
    table = layout.entities[entity.index].table
    let sql = DeletionSQL(layout: layout, table: layout.tables[table])
    let relationships = entity.relationships.map { layout.schema.relationships[$0] }
    func links(_ isMeant: (SchemaRelationship) -> Bool) throws -> [Link] {
      try relationships.filter(isMeant).map { relationship in
        Link(
          relationship: relationship, table: layout.entities[relationship.destination].table,
          targets: try transaction.cached(sql.targets(of: relationship)))
      }
    }
    cascading = try links { relationship in
      relationship.relationship.deleteRule == .cascade || layout.leadsToParts(relationship)
    }
    denying = try links { $0.relationship.deleteRule == .deny }
    let required = layout.schema.relationships.filter { layout.isRequired($0, of: entity) }
    func owners(_ relationships: [SchemaRelationship]) throws -> [Link] {
      try relationships.map { relationship in
        Link(
          relationship: relationship, table: layout.entities[relationship.owner].table,
          targets: try transaction.cached(sql.owners(by: relationship)))
      }
    }
    requiring = try owners(required.filter { !$0.isToMany })
    requiringSome = try owners(required.filter(\.isToMany))
    unlinking = try sql.unlinking(entity).map(transaction.prepare)
    key = try transaction.cached(sql.key)
    removal = try transaction.cached(sql.removal)
  }
}

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
    RelationshipSQL(layout: layout, relationship: relationship)
      .targetRows(from: table, to: layout.table(of: relationship.destination))
  }

  /// Take away all links that lead to the row or start at it, but for those that a rule says to leave.
  func unlinking(_ entity: SchemaEntity) -> [String] {
    var result: [String] = []
    for relationship in layout.schema.relationships {
      let leadsHere = entity.ancestry.contains(relationship.destination)
      let startsHere = entity.relationships.contains(relationship.index)
      let rule = relationship.inverse.map { layout.schema.relationships[$0].relationship.deleteRule }
      // What it is a part of the identity of goes as well, or keeps it.
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
    if let inverse = relationship.inverse { return targets(of: layout.schema.relationships[inverse]) }
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
    let joins = RelationshipSQL(layout: layout, relationship: relationship).joins(owner: "o", target: "t")
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

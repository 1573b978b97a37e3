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

package import ObjectModel

extension Layout {
  /// Whether a relationship leads to an entity and may not be left without a target.
  package func isRequired(_ relationship: SchemaRelationship, of entity: SchemaEntity) -> Bool {
    guard relationship.requiresTarget, entity.ancestry.contains(relationship.destination) else {
      return false
    }
    // The rule to do nothing leaves the links as they are.
    return relationship.inverse.map { schema.relationships[$0].relationship.deleteRule } != .noAction
  }

  /// Whether the targets of a relationship live and go with its owner.
  package func leadsToParts(_ relationship: SchemaRelationship) -> Bool {
    !schema.entities[relationship.destination].hasIdentity && isPart(relationship)
  }
}

package import ObjectModel

extension Layout {
  /// Of a list of parts, the foreign keys of the relationships to owners that come before the list's own owner: a
  /// part that several objects have belongs to one of them first. An ordered list comes before one without order,
  /// an owner that the part requires before one that it does not, then the order of the model counts.
  package func precedingOwners(of relationship: SchemaRelationship) -> [[Int]] {
    precedingOwnerColumns[relationship.index]
  }

  /// By relationship, the columns of ``precedingOwners(of:)``.
  static func precedingOwnerColumns(
    _ schema: Schema, _ storage: [RelationshipStorage]
  ) -> [[[Int]]] {
    var result = [[[Int]]](repeating: [], count: schema.relationships.count)
    var byRoot: [Int: [SchemaRelationship]] = [:]
    for relationship in schema.relationships where !schema.entities[relationship.destination].hasIdentity {
      guard case .inverse = storage[relationship.index], relationship.isToMany,
        isPart(relationship, schema)
      else {
        continue
      }
      byRoot[schema.entities[relationship.destination].root, default: []].append(relationship)
    }
    for lists in byRoot.values where lists.count > 1 {
      let ranked = lists.sorted { rank($0, schema) < rank($1, schema) }
      for (place, list) in ranked.enumerated() {
        result[list.index] = ranked.prefix(place).compactMap { other in
          guard case .inverse(let columns, _) = storage[other.index] else { return nil }
          return columns
        }
      }
    }
    return result
  }

  private static func rank(_ list: SchemaRelationship, _ schema: Schema) -> (Int, Int, Int) {
    let isRequired = list.inverse.map { schema.relationships[$0].requiresTarget } ?? false
    return (list.isOrdered ? 0 : 1, isRequired ? 0 : 1, list.index)
  }
}

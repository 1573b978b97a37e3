/// Who inherits from whom, for a model that may be wrong: unknown parents and cycles end the search.
package struct EntityHierarchy {
  private let entities: [String: Entity]

  package init(_ model: Model) {
    entities = Dictionary(model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package subscript(name: String) -> Entity? { entities[name] }

  /// The entities that it inherits from, its parent first, its root last.
  package func ancestors(of entity: Entity) -> [Entity] {
    var result: [Entity] = []
    var seen: Set = [entity.name]
    var next = entity.parent
    while let name = next, let ancestor = entities[name], seen.insert(name).inserted {
      result.append(ancestor)
      next = ancestor.parent
    }
    return result
  }

  /// The entity at the top of the hierarchy that it belongs to: itself, if it has no parent.
  package func root(of entity: Entity) -> Entity {
    ancestors(of: entity).last ?? entity
  }

  /// Its attributes, those of its root first.
  package func attributes(of entity: Entity) -> [Attribute] {
    ancestors(of: entity).reversed().flatMap(\.attributes) + entity.attributes
  }

  /// Its relationships, those of its root first.
  package func relationships(of entity: Entity) -> [Relationship] {
    ancestors(of: entity).reversed().flatMap(\.relationships) + entity.relationships
  }

  /// Whether an object of the entity called `name` is an object of the one called `other` too.
  package func entity(_ name: String, is other: String) -> Bool {
    if name == other { return true }
    guard let entity = entities[name] else { return false }
    return ancestors(of: entity).contains { $0.name == other }
  }
}

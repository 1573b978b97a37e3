/// The lines of inheritance of a model that may be wrong: unknown parents, circles and the greatest depth end the search.
package struct EntityHierarchy {
  private let entities: [String: Entity]
  /// The entities that inherit from themselves, by the first of each circle: each followed by its parent.
  let circles: [String: [String]]
  /// The first entity of each line that has more ancestors than a model may have.
  let tooDeep: Set<String>
  /// The entities whose line has no end, or more ancestors than a model may have. None is looked at for them, so that the
  /// time to check a wrong model grows with its size only.
  private let withoutEnd: Set<String>

  /// An entity may have so many ancestors. Core Data's models have up to ten or so, and what is inherited is looked at for
  /// each entity.
  static let deepest = 500

  package init(_ model: Model) {
    entities = Dictionary(model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    (circles, tooDeep, withoutEnd) = Self.faults(model, entities)
  }

  /// Goes up from each entity to one that is known already.
  private static func faults(
    _ model: Model, _ entities: [String: Entity]
  ) -> (circles: [String: [String]], tooDeep: Set<String>, withoutEnd: Set<String>) {
    var circles: [String: [String]] = [:]
    var tooDeep: Set<String> = []
    // The number of ancestors; nil where the line ends in a circle.
    var depths: [String: Int?] = [:]
    for entity in model.entities where depths[entity.name] == nil {
      var line: [String] = []
      var places: [String: Int] = [:]
      var next: String? = entity.name
      while let name = next, let found = entities[name], depths[name] == nil, places[name] == nil {
        places[name] = line.count
        line.append(name)
        next = found.parent
      }
      if let name = next, let start = places[name] {
        circles[name] = Array(line[start...])
        for name in line { depths.updateValue(nil, forKey: name) }
        continue
      }
      var depth = next.flatMap { depths[$0] } ?? -1
      for name in line.reversed() {
        depth = depth.map { $0 + 1 }
        depths.updateValue(depth, forKey: name)
        if depth == deepest + 1 { tooDeep.insert(name) }
      }
    }
    let withoutEnd = depths.filter { $0.value ?? .max > deepest }.keys
    return (circles, tooDeep, Set(withoutEnd))
  }

  package subscript(name: String) -> Entity? { entities[name] }

  /// The entities that it inherits from, its parent first, its root last; none where they have no end.
  package func ancestors(of entity: Entity) -> [Entity] {
    guard !withoutEnd.contains(entity.name) else { return [] }
    var result: [Entity] = []
    var next = entity.parent
    while let name = next, let ancestor = entities[name] {
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

extension ModelChecker {
  mutating func checkInheritance(of entity: Entity) {
    guard let parent = entity.parent else { return }
    guard hierarchy[parent] != nil else {
      error(
        "its parent \(Self.quoted(parent)) is no entity of this model", entity: entity.name,
        advice: Self.suggestion(parent, in: model.entities.map(\.name)))
      return
    }
    let line = hierarchy.ancestors(of: entity)
    // A line that ends at an entity whose parent is known goes on in a circle.
    guard let last = line.last ?? hierarchy[entity.name], last.parent == entity.name else { return }
    let names = [entity.name] + line.map(\.name) + [entity.name]
    error(
      "it inherits from itself: \(names.prefix(10).map(Self.quoted).joined(separator: " → "))",
      entity: entity.name, advice: "give one of them no parent")
  }
}

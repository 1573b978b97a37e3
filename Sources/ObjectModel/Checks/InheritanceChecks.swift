extension ModelChecker {
  mutating func checkInheritance(of entity: Entity) {
    guard let parent = entity.parent else { return }
    guard hierarchy[parent] != nil else {
      error(
        "its parent \(Self.quoted(parent)) is no entity of this model", entity: entity.name,
        advice: Self.suggestion(parent, in: model.entities.map(\.name)))
      return
    }
    if let circle = hierarchy.circles[entity.name] {
      let names = circle + [entity.name]
      error(
        "it inherits from itself: \(names.prefix(10).map(Self.quoted).joined(separator: " → "))"
          + (names.count > 10 ? " → …" : ""),
        entity: entity.name, advice: "give one of them no parent")
    }
    if hierarchy.tooDeep.contains(entity.name) {
      error(
        "it \(SchemaError.tooDeep)", entity: entity.name,
        advice: "give it, or one of its ancestors, no parent")
    }
  }
}

extension ModelChecker {
  mutating func check(_ composite: Composite) {
    checkAttributeNames(of: composite)
    for attribute in composite.attributes { check(attribute, of: composite.name) }
    if let cycle = cycle(from: composite.name) {
      error(
        "it contains itself: \(cycle.map(Self.quoted).joined(separator: " → "))", entity: composite.name,
        advice: "remove the attribute that leads back")
    }
  }

  mutating func checkComposite(of attribute: Attribute, of entity: String) {
    guard case .composite(let name) = attribute.type else { return }
    guard !model.composites.contains(where: { $0.name == name }) else { return }
    error(
      "there is no composite \(Self.quoted(name))", entity: entity, property: attribute.name,
      advice: Self.suggestion(name, in: model.composites.map(\.name)))
  }

  /// The composites on the shortest way from this one to itself.
  private func cycle(from start: String) -> [String]? {
    var previous: [String: String] = [:]
    var queue = [start]
    var index = 0
    while index < queue.count {
      let name = queue[index]
      index += 1
      guard let composite = model.composites.first(where: { $0.name == name }) else { continue }
      for attribute in composite.attributes {
        guard case .composite(let next) = attribute.type else { continue }
        if next == start {
          var way = [name]
          while let last = way.last, last != start, let before = previous[last] { way.append(before) }
          return way.reversed() + [start]
        }
        if previous[next] == nil {
          previous[next] = name
          queue.append(next)
        }
      }
    }
    return nil
  }
}

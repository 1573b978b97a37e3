extension ModelChecker {
  /// Properties that annotations give the same key in JSON.
  mutating func checkKeys(of entity: Entity) {
    var claimants: [String: String] = [:]
    for ancestor in hierarchy.ancestors(of: entity).reversed() {
      for (name, keys) in Self.annotatedKeys(of: ancestor) {
        for key in keys { claimants[key] = name }
      }
    }
    for (name, keys) in Self.annotatedKeys(of: entity) {
      for key in keys {
        guard let other = claimants.updateValue(name, forKey: key), other != name else { continue }
        error(
          "\(Self.quoted(other)) and \(Self.quoted(name)) both claim the JSON key \(Self.quoted(key))",
          entity: entity.name, property: name, advice: "give each its own key")
      }
    }
  }

  private static func annotatedKeys(of entity: Entity) -> [(name: String, keys: [String])] {
    entity.attributes.map { ($0.name, $0.annotations.keys) }
      + entity.relationships.map { ($0.name, $0.annotations.keys) }
  }
}

/// Where a relationship is among the properties of a type and of those that it inherits from.
struct RelationshipPlace: Hashable {
  /// How many objects of inherited entities are passed on the way.
  let depth: Int
  /// The place among the properties there.
  let index: Int
}

extension Properties {
  /// The relationship that a key path is that of, be it the type's own or inherited: `\.band`, `\.track.artist`.
  func relationship(at path: AnyKeyPath) -> (place: RelationshipPlace, name: String, form: RelationshipForm)?
  {
    Root.relationship(at: path, depth: 0) { $0.path.path }
  }
}

extension Storable {
  /// - Parameter place: The key path of a property from where the search began.
  fileprivate static func relationship(
    at path: AnyKeyPath, depth: Int, _ place: (Property<Self>) -> AnyKeyPath?
  ) -> (place: RelationshipPlace, name: String, form: RelationshipForm)? {
    for (index, property) in properties.all.enumerated() {
      guard let own = place(property) else { continue }
      switch property.form {
      case .relationship(let form) where own == path:
        return (RelationshipPlace(depth: depth, index: index), property.name, form)
      case .inherited(let parent):
        if let found = parent.relationship(at: path, inside: own, depth: depth + 1) { return found }
      default: break
      }
    }
    return nil
  }

  fileprivate static func relationship(
    at path: AnyKeyPath, inside object: AnyKeyPath, depth: Int
  ) -> (place: RelationshipPlace, name: String, form: RelationshipForm)? {
    relationship(at: path, depth: depth) { object.appending(path: $0.path.path) }
  }
}

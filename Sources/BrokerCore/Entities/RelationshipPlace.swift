/// The place of a relationship among the properties of a type and of the types that it inherits from.
struct RelationshipPlace: Hashable {
  /// How many levels of inheritance the path goes up.
  let depth: Int
  /// The place among the properties there.
  let index: Int
}

extension Properties {
  /// The relationship that has a key path. It may be the type's own or inherited: `\.band`, `\.track.artist`.
  func relationship(at path: AnyKeyPath) -> (place: RelationshipPlace, name: String, form: RelationshipForm)?
  {
    Root.relationship(at: path, depth: 0) { $0.path.path }
  }
}

extension Storable {
  /// - Parameter place: The key path from where the search began to this type.
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

/// Turns key paths of Swift into key paths of the model.
extension Properties {
  /// The names in the model for a key path: `formed`, `band.name`, `band.label.name`; nil if it does not lead through
  /// stored properties. A path may lead through up to three relationships to one object, and end with the identity of
  /// the last object.
  func name(of path: AnyKeyPath) -> String? {
    if let property = property(at: path) { return property.name }
    if isID(path) { return identityName }
    for property in all {
      if let name = property.name(of: path, behind: property.path.path, PathSearch()) { return name }
    }
    return nil
  }

  /// Whether a key path is `\.id` as generic code writes it.
  ///
  /// If `id` is computed, Swift does not see the `\.id` of a concrete type as equal to this one. If it is a stored
  /// property, it is found as a property.
  func isID(_ path: AnyKeyPath) -> Bool { path == \Root.id }

  /// The name of the property that is the whole identity.
  var identityName: String? {
    let names = identityNames
    return names.count == 1 ? names[0] : parent?.identityName
  }

  /// The names of the properties that the type declares as its identity, in their order.
  var identityNames: [String] { all.filter(\.isIdentity).map(\.name) }

  /// Whether the objects that relationships lead to are parts of the declared identity.
  var isIdentifiedByOthers: Bool {
    all.contains { property in
      if case .relationship(let form) = property.form { form.options.isIdentity } else { false }
    }
  }
}

/// How far a search has come. Key paths can be compared, but not taken apart, so the search tries all that are
/// possible.
private struct PathSearch {
  /// How many relationships the path may still pass. There is a limit, since models have cycles.
  var relationships = 3
  /// Whether the path so far gives an optional.
  var isOptional = false

  /// The search behind a relationship. From there on every value is an optional.
  var next: PathSearch { PathSearch(relationships: relationships - 1, isOptional: true) }
}

extension Property {
  /// Whether it is the identity, or a part of it.
  fileprivate var isIdentity: Bool {
    switch form {
    case .attribute(let form): form.options.isIdentity
    case .relationship(let form): form.options.isIdentity
    case .inherited: false
    }
  }

  /// The names in the model for the rest of a key path.
  ///
  /// - Parameter place: The key path so far.
  fileprivate func name(of path: AnyKeyPath, behind place: AnyKeyPath, _ search: PathSearch) -> String? {
    switch form {
    case .attribute: return nil
    case .inherited(let parent): return search.isOptional ? nil : parent.name(of: path, inside: place, search)
    case .relationship(let form):
      guard !form.isToMany, search.relationships > 0 else { return nil }
      var search = search
      search.isOptional = search.isOptional || form.isOptional
      if form.target.isID(path, of: place, search) { return name }
      return form.target.name(of: path, behindLink: place, search).map { "\(name).\($0)" }
    }
  }
}

extension Storable {
  static var identityName: String? { properties.identityName }

  /// The name of the property that a key path from this type leads to.
  fileprivate static func name(
    of path: AnyKeyPath, inside place: AnyKeyPath, _ search: PathSearch
  ) -> String? {
    name(of: path, search) { place.appending(path: $0.path.path) }
  }

  /// The name of the property that a key path from a relationship to this type leads to.
  fileprivate static func name(
    of path: AnyKeyPath, behindLink link: AnyKeyPath, _ search: PathSearch
  ) -> String? {
    name(of: path, search.next) { property in
      let paths = property.throughToOne
      return link.appending(path: search.isOptional ? paths.optional.path : paths.required.path)
    }
  }

  private static func name(
    of path: AnyKeyPath, _ search: PathSearch, _ place: (Property<Self>) -> AnyKeyPath?
  ) -> String? {
    let places = properties.all.map { ($0, place($0)) }
    // The type's own properties come before what lies behind them.
    if let found = places.first(where: { $0.1 == path }) { return found.0.name }
    for case let (property, place?) in places {
      if let name = property.name(of: path, behind: place, search) { return name }
    }
    return nil
  }

  /// Whether a key path is that of the identity of the object that a relationship leads to.
  fileprivate static func isID(_ path: AnyKeyPath, of link: AnyKeyPath, _ search: PathSearch) -> Bool {
    link.appending(path: search.isOptional ? \ToOne<Self>?.?.id as AnyKeyPath : \ToOne<Self>.id) == path
  }
}

/// The key paths of a property behind a ``ToOne``, as the compiler makes them of `\.band.name` and `\.band?.name`.
struct ToOnePaths: Sendable {
  /// From a `ToOne`.
  let required: PathKey
  /// From a `ToOne?`.
  let optional: PathKey

  init<Target: Storable, Value>(_ path: any KeyPath<Target, Value> & Sendable) {
    required = PathKey(\ToOne<Target>.[dynamicMember: path])
    optional = PathKey(\ToOne<Target>?.?[dynamicMember: path])
  }

  init<Target: Storable, Value>(_ path: any KeyPath<Target, Value?> & Sendable) {
    required = PathKey(\ToOne<Target>.[dynamicMember: path])
    optional = PathKey(\ToOne<Target>?.?[dynamicMember: path])
  }
}

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

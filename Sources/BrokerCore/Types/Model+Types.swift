public import ObjectModel

extension Model {
  /// The model of types, and of the types that their relationships lead to.
  ///
  /// ```swift
  /// let model = try Model(describing: Band.self, Album.self)
  /// ```
  ///
  /// If a relationship does not name its inverse and only one is possible, it is that one.
  ///
  /// - Throws: ``TypeError`` with all mistakes: inverses that contradict each other or of which several are possible,
  /// and names that are used twice.
  public init(describing types: any Storable.Type...) throws(TypeError) {
    try self.init(describing: types)
  }

  init(describing types: [any Storable.Type]) throws(TypeError) {
    let all = Self.reachable(from: types)
    var problems = Self.repeatedNames(among: all) + all.flatMap { $0.mistakes() + $0.identityMistakes() }
    self.init(entities: all.map { $0.entityDescription() })
    var inverses = Inverses(all)
    inverses.pair()
    for (key, inverse) in inverses.paired {
      guard let entity = entities.firstIndex(where: { $0.name == key.entity }),
        let place = entities[entity].relationships.firstIndex(where: { $0.name == key.name })
      else { continue }
      entities[entity].relationships[place].inverse = inverse.name
      entities[entity].relationships[place].inverseEntity = inverse.entity
    }
    problems += inverses.problems
    guard problems.isEmpty else { throw TypeError(problems) }
  }

  /// The types, and all types that they lead to, each once.
  static func reachable(from types: [any Storable.Type]) -> [any Storable.Type] {
    var result: [any Storable.Type] = []
    var known: Set<ObjectIdentifier> = []
    var next = types[...]
    while let type = next.popFirst() {
      guard known.insert(ObjectIdentifier(type)).inserted else { continue }
      result.append(type)
      next += type.neighbours()
    }
    return result
  }

  private static func repeatedNames(among types: [any Storable.Type]) -> [String] {
    Dictionary(grouping: types, by: { $0.entityName }).filter { $1.count > 1 }.sorted { $0.key < $1.key }.map
    {
      "\($1.map { "\($0)" }.joined(separator: " and ")) both call their entity \($0)"
    }
  }
}

extension Storable {
  /// The attributes whose types cannot be stored.
  fileprivate static func mistakes() -> [String] {
    properties.all.compactMap { property in
      guard case .attribute(let form) = property.form else { return nil }
      let mistake = form.mistake ?? form.searchMistake
      return mistake.map { "\(entityName).\(property.name): \($0)" }
    }
  }

  /// The mistakes in the identity of an entity that inherits.
  fileprivate static func identityMistakes() -> [String] {
    guard properties.parent != nil else { return [] }
    let own = identityNames()
    var passed: Set<String> = [entityName]
    var parent = properties.parent
    while let ancestor = parent, passed.insert(ancestor.entityName).inserted {
      let inherited = ancestor.identityNames()
      if !own.isEmpty, !inherited.isEmpty {
        return [
          "\(entityName) marks \(own.joined(separator: ", ")) with @Identity, but inherits the identity"
            + " \(inherited.joined(separator: ", ")) of \(ancestor.entityName): take @Identity away from"
            + " \(entityName), or write @Entity(identified: false) before \(ancestor.entityName)"
        ]
      }
      parent = ancestor.parentType()
    }
    return []
  }

  /// The properties that it declares as its identity.
  private static func identityNames() -> [String] { properties.identityNames }

  /// The types that its relationships lead to, and the type that it inherits from.
  fileprivate static func neighbours() -> [any Storable.Type] {
    let related = properties.all.compactMap { property -> (any Storable.Type)? in
      switch property.form {
      case .attribute: nil
      case .relationship(let form): form.target
      case .inherited(let parent): parent
      }
    }
    return related + [properties.kinds.unknown?.type].compactMap(\.self)
  }
}

extension AttributeForm {
  /// Why the attribute cannot be searched; nil if it can, or if that is not asked for.
  fileprivate var searchMistake: String? {
    guard options.isSearched, !type.hasWords else { return nil }
    return "\(swiftType) has no words to search: take “search: true” away"
  }
}

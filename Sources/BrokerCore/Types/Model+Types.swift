public import ObjectModel

extension Model {
  /// The model that types describe, with those that their relationships lead to.
  ///
  /// ```swift
  /// let model = try Model(describing: Band.self, Album.self)
  /// ```
  ///
  /// Where a relationship does not name its inverse and there is exactly one that it can be, that is it.
  ///
  /// - Throws: ``TypeError`` with everything that does not fit: inverses that contradict each other or could be
  ///   several, names that are used twice.
  public init(describing types: any Storable.Type...) throws(TypeError) {
    try self.init(describing: types)
  }

  init(describing types: [any Storable.Type]) throws(TypeError) {
    let all = Self.reachable(from: types)
    var problems = Self.namesakes(among: all) + all.flatMap { $0.mistakes() + $0.identityMistakes() }
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

  /// The types, and all that they lead to, each once.
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

  private static func namesakes(among types: [any Storable.Type]) -> [String] {
    Dictionary(grouping: types, by: { $0.entityName }).filter { $1.count > 1 }.sorted { $0.key < $1.key }.map
    {
      "\($1.map { "\($0)" }.joined(separator: " and ")) both call their entity \($0)"
    }
  }
}

extension Storable {
  /// What cannot be an attribute.
  fileprivate static func mistakes() -> [String] {
    properties.all.compactMap { property in
      guard case .attribute(let form) = property.form else { return nil }
      let mistake = form.mistake ?? form.searchMistake
      return mistake.map { "\(entityName).\(property.name): \($0)" }
    }
  }

  /// What is wrong with the identity of an entity that inherits.
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

  /// The attributes that it says are its identity.
  private static func identityNames() -> [String] {
    properties.all.compactMap { property in
      guard case .attribute(let form) = property.form, form.options.isIdentity else { return nil }
      return property.name
    }
  }

  /// The types that its relationships lead to, and the one that it inherits from.
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
  /// Why the attribute cannot be searched; nil if it can, or need not.
  fileprivate var searchMistake: String? {
    guard options.isSearched, !type.hasWords else { return nil }
    return "\(swiftType) has no words to search: take “search: true” away"
  }
}

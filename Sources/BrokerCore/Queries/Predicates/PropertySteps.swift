import ObjectStore

/// Steps from an object, or from a relationship to one, to a property of it.
extension Storable {
  /// The target of a key path from an object of this type.
  static func step(
    _ keyPath: AnyKeyPath, from object: PredicatePath, _ translator: inout PredicateTranslator
  ) -> Translation? {
    if let property = properties.property(at: keyPath) { return property.step(from: object, &translator) }
    return properties.isID(keyPath) ? .value(StoreExpression(.path(object))) : nil
  }

  /// The target of a key path from a ``ToOne`` to this type.
  static func step(
    _ keyPath: AnyKeyPath, fromLink link: PredicatePath, _ translator: inout PredicateTranslator
  ) -> Translation? {
    if keyPath == \ToOne<Self>.id { return .value(StoreExpression(.path(link))) }
    var object = link
    object.countsPending = false
    if keyPath == \ToOne<Self>.object { return .object(object, Self.self) }
    let property = properties.all.first { $0.throughToOne.required.path == keyPath }
    return property?.step(from: object, &translator)
  }

  /// The key paths of such a list that give its count or its first or last element.
  static var listPaths: (count: AnyKeyPath, isEmpty: AnyKeyPath, first: AnyKeyPath, last: AnyKeyPath) {
    (\ToMany<Self>.count, \ToMany<Self>.isEmpty, \ToMany<Self>.first, \ToMany<Self>.last)
  }
}

extension Property {
  fileprivate func step(from object: PredicatePath, _ translator: inout PredicateTranslator) -> Translation {
    switch form {
    case .attribute: return .value(StoreExpression(.path(object.appending(name))))
    case .inherited(let parent): return .object(object, parent)
    case .relationship(let form) where form.isToMany:
      return .list(translator.list(object.appending(name), of: form.target))
    case .relationship(let form):
      var link = object.appending(name)
      // A required relationship has its identity even before its object is there.
      link.countsPending = !form.isOptional
      return .link(link, form.target)
    }
  }
}

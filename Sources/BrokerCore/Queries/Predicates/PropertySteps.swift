import ObjectStore

/// From an object, or a relationship to one, to a property of it.
extension Storable {
  /// What a key path of this type leads to from an object.
  static func step(
    _ keyPath: AnyKeyPath, from object: PredicatePath, _ translator: inout PredicateTranslator
  ) -> Translation? {
    if let property = properties.property(at: keyPath) { return property.step(from: object, &translator) }
    return properties.isID(keyPath) ? .value(StoreExpression(.path(object))) : nil
  }

  /// What a key path of a ``ToOne`` to this type leads to.
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

  /// The key paths of a list of these that say how many there are, and of those at its ends.
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
      // One that is required is there before its object is.
      link.countsPending = !form.isOptional
      return .link(link, form.target)
    }
  }
}

/// From key paths of Swift to key paths of the model.
extension Properties {
  /// The names of the model that a key path stands for: `formed`, `band.name`; nil if it is none of stored
  /// properties. Paths may lead through one relationship to one object.
  func name(of path: AnyKeyPath) -> String? {
    if let property = property(at: path) { return property.name }
    if isID(path) { return identityName }
    for property in all {
      if let name = property.name(of: path) { return name }
    }
    return nil
  }

  /// Whether a key path is that of the identity, as generic code has it.
  ///
  /// Swift does not take the `\.id` of a certain type, where that is computed, for the one here; that of a stored
  /// property is found as such.
  func isID(_ path: AnyKeyPath) -> Bool { path == \Root.id }

  /// The name of the property that is the whole identity.
  var identityName: String? {
    let names = all.compactMap { property in
      if case .attribute(let form) = property.form, form.options.isIdentity { property.name } else { nil }
    }
    return names.count == 1 ? names[0] : parent?.identityName
  }
}

extension Property {
  /// The names of the model that a key path from here on stands for.
  fileprivate func name(of path: AnyKeyPath) -> String? {
    switch form {
    case .attribute: nil
    case .inherited(let parent): parent.name(of: path, behind: self.path.path)
    case .relationship(let form) where form.isToMany: nil
    case .relationship(let form):
      form.target.name(of: path, behind: self.path.path, isOptional: form.isOptional).map { "\(name).\($0)" }
    }
  }
}

extension Storable {
  static var identityName: String? { properties.identityName }

  /// The name of the property that a key path leads to, from a property of this type.
  fileprivate static func name(of path: AnyKeyPath, behind prefix: AnyKeyPath) -> String? {
    properties.all.first { prefix.appending(path: $0.path.path) == path }?.name
  }

  /// The name of the property that a key path leads to, from a relationship to this type.
  fileprivate static func name(
    of path: AnyKeyPath, behind prefix: AnyKeyPath, isOptional: Bool
  ) -> String? {
    properties.all.first { property in
      let rest = isOptional ? property.throughToOne.optional : property.throughToOne.required
      return prefix.appending(path: rest.path) == path
    }?.name
  }
}

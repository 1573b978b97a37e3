/// The identity that a model declares for an entity, before any mapping is asked.
package struct DeclaredIdentity: Sendable, Hashable {
  /// The reason; the first that applies.
  package enum Source: Sendable, Hashable {
    case annotation
    case uniquenessConstraint
    case convention
  }

  /// The names of attributes and to-one relationships.
  package var properties: [String]
  package var source: Source
}

extension Entity {
  /// The identity that the entity itself declares, by annotation, by its only uniqueness constraint, or by an
  /// attribute called `id`, `remoteID` or the entity's name followed by `ID`.
  ///
  /// The names are as declared: they need not exist. Sub-entities share their root's identity: ask the root.
  package var declaredIdentity: DeclaredIdentity? {
    if saysNoIdentity { return nil }
    if let names = annotatedIdentity {
      return DeclaredIdentity(properties: names, source: .annotation)
    }
    if uniquenessConstraints.count == 1, let names = uniquenessConstraints.first, !names.isEmpty {
      return DeclaredIdentity(properties: names, source: .uniquenessConstraint)
    }
    for wanted in ["id", "remoteid", name.lowercased() + "id"] {
      if let attribute = attributes.first(where: {
        $0.canIdentify && $0.name.lowercased().filter { $0 != "_" } == wanted.filter { $0 != "_" }
      }) {
        return DeclaredIdentity(properties: [attribute.name], source: .convention)
      }
    }
    return nil
  }

  /// Whether its annotation says that nothing identifies its objects: `none`.
  var saysNoIdentity: Bool {
    annotations.identityAttributes == ["none"] && !attributes.contains { $0.name == "none" }
  }

  /// Checks of annotations: the entity's own first, then those of its relationships and attributes.
  var annotatedIdentity: [String]? {
    if let names = annotations.identityAttributes(among: attributes.map(\.name)) { return names }
    let names =
      relationships.filter(\.annotations.isIdentity).map(\.name)
      + attributes.filter(\.annotations.isIdentity).map(\.name)
    return names.isEmpty ? nil : names
  }
}

extension Attribute {
  /// Whether its values can tell objects apart: they are stored, come from JSON and compare exactly.
  var canIdentify: Bool {
    guard !isTransient, derivation == nil else { return false }
    switch type {
    case .composite, .transformable, .undefined, .binary: return false
    default: return true
    }
  }
}

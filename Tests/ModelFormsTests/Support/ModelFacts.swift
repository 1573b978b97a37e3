import ObjectModel
import ObjectStore

/// What a model means to a store, a line a fact, whatever words it uses: for comparing two forms of a model.
struct ModelFacts {
  static func of(_ model: Model) throws -> [String] {
    let schema = try Schema(model)
    return schema.entities.flatMap { entity -> [String] in
      guard let own = model[entity: entity.name] else { return [] }
      let identity = entity.declaredIdentity?.properties ?? []
      let constraints = own.uniquenessConstraints.filter { $0 != identity }
      let indexed = Set(
        own.attributes.filter(\.isIndexed).map(\.name)
          + own.indexes.filter { $0.elements.count == 1 }.flatMap { $0.elements.map(\.property) })
      let annotations = own.annotations
      let head =
        "\(own.name): \(own.parent ?? "") \(own.renamingIdentifier ?? "") identity \(identity) unique \(constraints)"
        + " kinds \(annotations.discriminatorKey ?? "") \(annotations.unknown ?? "") \(annotations.kinds)"
        + " version \(annotations.versionAttribute ?? "")"
      return [head]
        + own.attributes.map {
          "\(own.name).\($0.name): " + facts(of: $0, indexed.contains($0.name), identity.contains($0.name))
        }
        + own.relationships.map { relationship in
          let inverse = schema.relationships.first {
            $0.name == relationship.name && $0.owner == entity.index
          }?.inverse
          return "\(own.name).\(relationship.name): "
            + facts(
              of: relationship, inverse.map { schema.relationships[$0].name },
              identity.contains(relationship.name))
        }
    }.sorted()
  }

  private static func facts(of attribute: Attribute, _ isIndexed: Bool, _ isIdentity: Bool) -> String {
    let annotations = attribute.annotations
    return """
      \(attribute.type) \(attribute.isOptional && !isIdentity) \(attribute.storedDefault.map { "\($0)" } ?? "") \
      \(attribute.minimum ?? "")...\(attribute.maximum ?? "") \(attribute.pattern ?? "") \(isIndexed) \
      \(annotations.isSearched) \(annotations.isExported) \(annotations.keys) \(annotations.transformers) \
      \(annotations.dateFormat ?? "") \(annotations.values.map { "\($0)" } ?? "") \(annotations.unknown ?? "") \
      \(attribute.renamingIdentifier ?? "")
      """
  }

  private static func facts(of relationship: Relationship, _ inverse: String?, _ isIdentity: Bool) -> String {
    let counts =
      relationship.isToMany ? "\(relationship.minimumCount ?? 0) \(relationship.maximumCount ?? 0)" : ""
    return """
      \(relationship.destination) \(relationship.isToMany) \(relationship.isToMany && relationship.isOrdered) \
      \(relationship.isOptional && !isIdentity) \(relationship.deleteRule) \(inverse ?? "") \(counts) \
      \(relationship.annotations.keys) \(relationship.annotations.transformers) \
      \(relationship.renamingIdentifier ?? "")
      """
  }
}

extension JSONMapping {
  /// The mapping of an earlier version of a model for a later one: under the new names, without what is gone.
  package func migrated(_ pairs: ModelCorrespondence) -> JSONMapping {
    var result = self
    result.entities = [:]
    for (name, mapping) in entities {
      guard let former = pairs.old.entity(name), let successor = pairs.newEntity[former.index] else {
        continue
      }
      let entity = pairs.new.entities[successor]
      result.entities[entity.name] = mapping.renamed(pairs.names(former, entity))
    }
    return result
  }
}

extension ModelCorrespondence {
  /// What the properties of an entity are called, by what they were called.
  package func names(_ former: SchemaEntity, _ entity: SchemaEntity) -> [String: String] {
    var names: [String: String] = [:]
    for case (let index, let other?) in oldAttributes[entity.index].enumerated() {
      names[former.attributes[other].name] = entity.attributes[index].name
    }
    for (index, other) in oldRelationships[entity.index] {
      names[old.relationships[other].name] = new.relationships[index].name
    }
    return names
  }
}

extension EntityMapping {
  /// The same for properties that are called otherwise; what is said of others goes.
  fileprivate func renamed(_ names: [String: String]) -> EntityMapping {
    func renamed<Value>(_ values: [String: Value]) -> [String: Value] {
      Dictionary(
        values.compactMap { name, value in names[name].map { ($0, value) } },
        uniquingKeysWith: { first, _ in first })
    }
    var result = self
    result.identity = identity.map { $0.compactMap { names[$0] } }
    if result.identity?.count != identity?.count { result.identity = nil }
    result.keys = renamed(keys)
    result.dates = renamed(dates)
    result.transformers = renamed(transformers)
    result.ignored = ignored.compactMap { names[$0] }
    result.notExported = notExported.compactMap { names[$0] }
    result.unknownValues = unknownValues.map(renamed)
    result.toMany = renamed(toMany)
    result.references = renamed(references)
    result.version = version.flatMap { names[$0] }
    result.values = values.compactMapValues { names[$0] }
    result.dictionaries = renamed(dictionaries)
    result.only = renamed(only)
    result.exportedKeys = renamed(exportedKeys)
    result.polymorphic = polymorphic.compactMapValues { $0.renamed(names) }
    return result
  }
}

extension PolymorphicRule {
  /// The same for relationships that are called otherwise; nil if fewer than two are left.
  fileprivate func renamed(_ names: [String: String]) -> PolymorphicRule? {
    var result = self
    result.relationships = relationships.compactMap { names[$0] }
    result.values = [:]
    for (value, relationship) in values.pairs { result.values[value] = names[relationship] }
    return result.relationships.count > 1 ? result : nil
  }
}

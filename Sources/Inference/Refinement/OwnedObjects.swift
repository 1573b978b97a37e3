import Mapping
import ObjectModel

/// To what objects belong that nothing identifies: to their source, or to an object around them.
struct OwnedObjects {
  private enum Belonging { case itself, source, object }
  private let inferred: [String: Belonging]
  private let known: [String: Belonging]

  init(_ model: Model, _ mapping: JSONMapping, _ inferred: InferredModel) {
    self.inferred = Self.belonging(of: inferred.model, inferred.mapping)
    known = Self.belonging(of: model, mapping)
  }

  private static func belonging(of model: Model, _ mapping: JSONMapping) -> [String: Belonging] {
    var result: [String: Belonging] = [:]
    for entity in model.entities {
      let rules = mapping[entity.name]
      let identity = rules.identity ?? entity.declaredIdentity?.properties ?? []
      let isOfSource = identity.contains { property in
        let path = rules.keys[property]?.first ?? property
        return mapping.document.added.keys.contains { SourceIdentity.isKey(path, $0) }
      }
      let isOfObject = identity.isEmpty && hasOwner(entity, model, mapping)
      result[entity.name] = isOfSource ? .source : isOfObject ? .object : .itself
    }
    return result
  }

  /// Whether JSON has objects of an entity inside of others.
  private static func hasOwner(_ entity: Entity, _ model: Model, _ mapping: JSONMapping) -> Bool {
    model.entities.contains { owner in
      owner.relationships.contains {
        $0.destination == entity.name && !mapping[owner.name].notExported.contains($0.name)
      }
    }
  }

  /// Whether only their source identifies the objects of an inferred entity and of one of the model.
  func areOfSources(_ entity: String, _ other: String) -> Bool {
    inferred[entity] == .source && known[other] == .source
  }

  /// Whether nothing but their source identifies the objects of an inferred entity.
  func isInferredOfSource(_ entity: String) -> Bool { inferred[entity] == .source }

  /// Whether nothing but their source identifies the objects of an entity of the model.
  func isOfSource(_ entity: String) -> Bool { known[entity] == .source }

  /// Whether the objects of an entity of the model are parts of others, and nothing identifies them.
  func isOwned(_ entity: String) -> Bool { known[entity] == .object }

  /// Whether objects of an inferred entity can be of one of the model: those of a source and those of an object cannot.
  func belongAlike(_ entity: String, _ other: String) -> Bool {
    switch (inferred[entity], known[other]) {
    case (.source, .object), (.object, .source): false
    default: true
    }
  }
}

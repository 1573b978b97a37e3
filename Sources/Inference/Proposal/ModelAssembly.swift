import JSONStream
import Mapping
import ObjectModel

/// Makes a model and a mapping of what was proposed.
struct ModelAssembly {
  private(set) var model = Model()
  private(set) var mapping = JSONMapping()

  init(_ drafts: [EntityDraft]) {
    for draft in drafts {
      model.entities.append(Self.entity(draft))
      let rules = MappingRules(draft).rules
      if rules != EntityMapping() { mapping[draft.name] = rules }
    }
  }

  private static func entity(_ draft: EntityDraft) -> Entity {
    var entity = Entity(name: draft.name)
    entity.parent = draft.parent?.name
    entity.isAbstract = draft.kindKey != nil
    entity.attributes = draft.attributes.map { attribute(of: $0) }
    entity.relationships = draft.relationships.map { relationship(of: $0) }
    return entity
  }

  private static func attribute(of draft: AttributeDraft) -> Attribute {
    var attribute = Attribute(name: draft.name, type: draft.type.type, isOptional: draft.isOptional)
    if draft.type.isUnknown { attribute.userInfo[Annotations.untypedKey] = "true" }
    if let cases = draft.type.cases {
      attribute.userInfo["broker.values"] = JSONValue.array(cases.map(JSONValue.string)).text
    }
    return attribute
  }

  private static func relationship(of draft: RelationshipDraft) -> Relationship {
    Relationship(
      name: draft.name, destination: draft.target.name, inverse: draft.inverse?.name,
      inverseEntity: draft.inverse == nil ? nil : draft.target.name,
      isToMany: draft.isToMany,
      isOrdered: draft.isToMany && draft.isOrdered, isOptional: draft.isOptional, deleteRule: draft.deleteRule
    )
  }
}

/// What has to be said of an entity's JSON beyond the names of the model.
struct MappingRules {
  private(set) var rules = EntityMapping()
  private let draft: EntityDraft
  /// Whether exports write its keys in snake case, since those that came were.
  private let isSnake: Bool

  init(_ draft: EntityDraft) {
    self.draft = draft
    isSnake = Self.isSnake(draft)
    sayIdentity()
    for attribute in draft.attributes { say(attribute) }
    for relationship in draft.relationships { say(relationship) }
    for key in draft.documentKeys + draft.fileNames where !names(key, draft.name) && draft.values[key] == nil
    {
      if !rules.names.contains(key) { rules.names.append(key) }
    }
    rules.values = draft.values
    if let key = draft.kindKey {
      var values: KindValues = [:]
      for kind in draft.kinds { values[kind.value] = kind.draft.name }
      rules.discriminator = .key(key, values: values)
    }
  }

  /// Whether a key of a document or a file names an entity by itself.
  private func names(_ key: String, _ entity: String) -> Bool {
    Names.singulars(Names.folded(key)).contains(Names.folded(entity))
  }

  private mutating func sayIdentity() {
    guard draft.parent == nil else { return }
    let declared = ModelAssemblyIdentity.declared(draft)
    if draft.identity.isEmpty {
      if declared != nil { rules.identity = [] }
    } else if declared != draft.identity {
      rules.identity = draft.identity
    }
  }

  private mutating func say(_ attribute: AttributeDraft) {
    if let key = key(attribute.path, attribute.name) { rules.keys[attribute.name] = [key] }
    rules.dates[attribute.name] = attribute.type.dates
    if !attribute.type.transformers.isEmpty {
      rules.transformers[attribute.name] = attribute.type.transformers
    }
  }

  private mutating func say(_ relationship: RelationshipDraft) {
    if let key = key(relationship.path, relationship.name) { rules.keys[relationship.name] = [key] }
    if !relationship.transformers.isEmpty {
      rules.transformers[relationship.name] = relationship.transformers
    }
    // JSON does not tell of it, so exports, which are to be like it, do not either.
    if relationship.path.isEmpty, relationship.isToMany || !draft.isPart,
      !draft.values.values.contains(relationship.name)
    {
      rules.notExported.append(relationship.name)
    }
    if let dictionary = relationship.dictionary { rules.dictionaries[relationship.name] = dictionary }
  }

  /// The key or path that has to be said; nil where the property's name says it.
  private func key(_ path: [JSONKeyPath.Step], _ name: String) -> String? {
    guard !path.isEmpty else { return nil }
    let text = JSONKeyPath.text(of: path[...])
    if path.count == 1, case .key(let key) = path[0], key == (isSnake ? Names.snakeCase(name) : name) {
      return nil
    }
    return text
  }

  /// Whether most keys of several words that match names by themselves are in snake case.
  private static func isSnake(_ draft: EntityDraft) -> Bool {
    var (snake, camel) = (0, 0)
    let named =
      draft.attributes.map { ($0.path, $0.name) } + draft.relationships.map { ($0.path, $0.name) }
    for (path, name) in named {
      guard path.count == 1, case .key(let key) = path[0], Names.words(key).count > 1 else { continue }
      if key.contains("_"), key == Names.snakeCase(name) { snake += 1 }
      if key == name, Names.snakeCase(name) != name { camel += 1 }
    }
    return snake > camel
  }
}

/// What a model says of an identity by its names alone.
enum ModelAssemblyIdentity {
  static func declared(_ draft: EntityDraft) -> [String]? {
    var entity = Entity(name: draft.name)
    entity.attributes = draft.attributes.map { Attribute(name: $0.name, type: $0.type.type) }
    return entity.declaredIdentity?.properties
  }
}

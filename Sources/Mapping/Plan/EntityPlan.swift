import ObjectModel
import ObjectStore

/// How JSON objects become rows of one entity, and rows become JSON objects. It is compiled once and used for each
/// object.
final class EntityPlan {
  let entity: SchemaEntity
  let layout: EntityLayout
  // Values that are asked for each object, kept here since the properties of other modules' classes are calls.
  let hasIdentity: Bool
  let isAbstract: Bool
  let isIdentifiedBelowRoot: Bool
  let identitySlots: [Int]
  let attributes: [AttributePlan]
  /// The values of new objects that say nothing of an attribute; nil where there is none.
  let defaults: [SQLValue?]
  /// Holds what the plans of the properties refer to.
  let forms: ValueForms
  let relationships: [RelationshipPlan]
  /// The keys of the entity's own objects.
  let keys: KeyNode
  /// The nodes of all steps of key paths, the entity's own first.
  private(set) var nodes: [KeyNode] = []
  /// For each node, the places of a list that paths lead to; nil if they lead to keys only.
  private(set) var lists: [ListNode?] = []
  /// For each node but the first, the properties that a null at that node clears.
  private(set) var propertiesBelow: [[KeyMatch]] = []

  /// The keys that lead to objects of any of several entities.
  let polymorphic: [PolymorphicPlan]

  /// How objects tell which sub-entity they are of; nil if there are none.
  let kinds: KindPlan?
  /// Whether an object that does not tell its kind may be of a sub-entity, if it is in the store.
  let mayBeOtherKind: Bool
  /// The value that usually tells that an object is of the entity.
  let kindValue: String

  /// Whether objects may be given as lists, since key paths begin with places in one.
  var isReadFromLists: Bool { lists[0] != nil }

  /// Whether nulls among its objects name nothing.
  let omitsNulls: Bool

  /// The objects that its identity names.
  let owners: [Owner]
  let namesOthers: Bool
  /// Whether the identity of others names its objects.
  let isOwner: Bool

  /// Whether the identity is all that its objects can say.
  let isOnlyIdentity: Bool
  /// In a dictionary keyed by identity, the property that a value fills if it is no object, by the dictionary's key. The
  /// one without a key is also filled where a scalar stands for an object without identity.
  let valueProperty: [String: KeyMatch.Target]
  let defaultValueProperty: KeyMatch.Target?

  init(
    _ entity: SchemaEntity, in store: Layout, forms: ValueForms, functions: MappingFunctions,
    conventions: Conventions
  ) throws(PlanError) {
    self.entity = entity
    self.forms = forms
    layout = store.entities[entity.index]
    let layout = layout
    (hasIdentity, isAbstract) = (entity.hasIdentity, entity.isAbstract)
    (isIdentifiedBelowRoot, identitySlots) = (entity.isIdentifiedBelowRoot, layout.identitySlots)
    attributes = entity.attributes.indices.map { AttributePlan($0, of: entity, layout, forms) }
    defaults = entity.attributes.map { attribute in
      switch attribute.attribute.storedDefault {
      case .null?, .blob?, nil: nil
      case let value?: value
      }
    }
    let relationships = entity.relationships.map { RelationshipPlan($0, layout, store, forms) }
    self.relationships = relationships
    owners = entity.identityRelationships.map { index in
      Owner(relationships.first { $0.relationship.index == index }, store.schema.relationships[index])
    }
    namesOthers = entity.isIdentifiedByOthers
    isOnlyIdentity = entity.hasOnlyIdentity
    isOwner = store.schema.entities.contains { other in
      other.identityRelationships.contains { index in
        store.schema.entities[store.schema.relationships[index].destination].root == entity.root
      }
    }
    kinds = try KindPlan(entity, store.schema, functions)
    mayBeOtherKind =
      entity.hasIdentity && (kinds.map { !$0.isAlone && $0.defaultKind == nil } ?? false)
    kindValue = ExportKind.value(of: entity, store.schema)
    omitsNulls = store.schema.model.entities[entity.index].omitsNulls
    let annotations = store.schema.model.entities[entity.index].annotations
    polymorphic = forms.polymorphic[entity.index]
    let matcher = KeyMatcher(entity, store.schema, conventions, forms)
    valueProperty = annotations.valueProperties.compactMapValues { name in
      Self.target(named: name, entity, relationships)
    }
    defaultValueProperty = annotations.valueAttribute.flatMap {
      Self.target(named: $0, entity, relationships)
    }
    let paths = try KeyPaths(entity, store.schema)
    let builder = NodeBuilder(matcher: matcher, paths: paths)
    nodes = builder.nodes
    lists = builder.lists
    propertiesBelow = builder.propertiesBelow
    keys = nodes[0]
  }

  /// The properties that no key has come for.
  var unfilled: [KeyMatch.Target] {
    var filled = Set(nodes.flatMap(\.filled))
    for case .polymorphic(let place) in filled {
      filled.formUnion(polymorphic[place].members.map(KeyMatch.Target.relationship))
    }
    let attributes = attributes.indices.map(KeyMatch.Target.attribute)
    let links = relationships.indices.map(KeyMatch.Target.relationship)
    return (attributes + links).filter { !filled.contains($0) }
  }

  /// The nodes of key paths that lead into the targets of relationships, with these.
  var nodesInLinks: [(node: KeyNode, relationship: RelationshipPlan)] {
    nodes.flatMap(\.used).compactMap { _, entry in
      guard case .relationship = entry.action, entry.node >= 0 else { return nil }
      return (nodes[Int(entry.node)], relationships[Int(entry.index)])
    }
  }

  func name(of target: KeyMatch.Target) -> String? {
    switch target {
    case .attribute(let index): entity.attributes[index].name
    case .relationship(let place): relationships[place].relationship.name
    case .polymorphic(let place): polymorphic[place].name
    case .linkKind(let attribute): attribute.map { entity.attributes[$0].name }
    case .none, .wrapper: nil
    }
  }

  /// The key of an attribute in JSON: its first key, or its name.
  func keyName(ofAttribute index: Int) -> String {
    entity.attributes[index].attribute.annotations.keys.first ?? entity.attributes[index].name
  }

  func target(named name: String) -> KeyMatch.Target? { Self.target(named: name, entity, relationships) }

  /// The keys in JSON of the properties that are the identity.
  var identityKeyNames: String {
    entity.identity.filter { $0.place == 0 }.map { part in
      if let attribute = part.attribute { return keyName(ofAttribute: attribute) }
      return owners.first { $0.relationship == part.relationship }?.key ?? part.name
    }.joined(separator: ",")
  }

  /// The only attribute that an object's identity needs besides its owner, where a relationship of the owner nests it;
  /// nil if there is no such attribute or if there are several.
  func openAttribute(nestedBy list: Int) -> Int? {
    let owner = owners.first { $0.inverse == list && list >= 0 }
    let open = entity.identity.filter { $0.relationship == nil || $0.relationship != owner?.relationship }
    return open.count == 1 ? open[0].attribute : nil
  }

  /// An object that the identity names.
  struct Owner {
    let relationship: Int
    /// The relationship that leads back, or -1.
    let inverse: Int
    let destination: Int
    /// The slots of the owner's key.
    let slots: [Int]
    /// The key of the relationship in JSON.
    let key: String

    init(_ plan: RelationshipPlan?, _ relationship: SchemaRelationship) {
      self.relationship = relationship.index
      inverse = relationship.inverse ?? -1
      destination = relationship.destination
      slots = plan?.slots ?? []
      key = relationship.relationship.annotations.keys.first ?? relationship.name
    }
  }

  private static func target(
    named name: String, _ entity: SchemaEntity, _ relationships: [RelationshipPlan]
  ) -> KeyMatch.Target? {
    if let attribute = entity.attribute(name) { return .attribute(attribute) }
    return relationships.firstIndex { $0.relationship.name == name }.map(KeyMatch.Target.relationship)
  }
}

/// The conventions of a call.
struct Conventions: Sendable, Hashable {
  var keys = KeyStyle.auto
  var dates = DateFormat.automatic
  /// Whether the JSON was made of Swift values, whose dates have the form of exports.
  var isOfSwiftValues = false
  /// The first key of the path that tells the entities of objects.
  var kindKey: String?
  /// Keys, with wildcards, that mean nothing to the model.
  var ignored: [String] = []
}

/// Why a mapping cannot be made.
public struct PlanError: Error, Sendable, Hashable, CustomStringConvertible {
  public var entity: String
  public var property: String
  public var message: String

  public var description: String { "\(entity).\(property) \(message)." }
}

extension EntityPlan {
  /// Whether all properties that key paths below a node lead to read what is empty as null.
  func readsEmpty(below node: Int) -> Bool {
    let properties = propertiesBelow[node]
    return !properties.isEmpty
      && properties.allSatisfy { property in
        switch property.target {
        case .attribute(let index): attributes[index].transformers?.readsEmpty ?? false
        case .relationship(let place): relationships[place].readsEmpty
        case .none, .wrapper, .polymorphic, .linkKind: false
        }
      }
  }
}

/// The slot of an attribute's values, and their conversion.
struct AttributePlan: Sendable {
  let slot: Int
  let conversion: Conversion
  let isOptional: Bool
  let isIdentity: Bool
  /// The transformers that values pass through first. The plan keeps them alive, so that copying this structure,
  /// which happens for every value, counts no reference.
  unowned(unsafe) let transformers: TransformerChain?
  /// The rules of the model for values. They are kept alive in the same way.
  unowned(unsafe) let rules: AttributeRules?
  /// Whether a value has to be converted and nothing more.
  let isPlain: Bool

  init(_ index: Int, of entity: SchemaEntity, _ layout: EntityLayout, _ forms: ValueForms) {
    let attribute = entity.attributes[index]
    let form = forms.attributes[entity.index][index]
    slot = layout.attributeSlots[index]
    conversion = Conversion(type: attribute.type, dates: form.dates, seen: form.seen)
    isOptional = attribute.isOptional
    isIdentity = entity.identityAttributes.contains(index)
    transformers = form.transformers
    rules = form.rules
    isPlain = form.transformers == nil && form.rules == nil
  }
}

/// The slots of the links of a relationship, and their conversion. A class, since it is passed on with every value: to
/// copy a structure would count the references in it.
final class RelationshipPlan: Sendable {
  let relationship: SchemaRelationship
  /// The slots of the row that hold the target's key; empty if the links are kept elsewhere.
  let slots: [Int]
  /// How the parts of the target's key are converted; empty if it has no identity.
  let key: [Conversion]
  /// The transformers that values pass through first, those that each key in them passes through then, and those of the
  /// target's key, if one value can be its key. The plan keeps them alive.
  unowned(unsafe) let transformers: TransformerChain?
  unowned(unsafe) let elementTransformers: TransformerChain?
  unowned(unsafe) let keyTransformers: TransformerChain?
  /// Whether an empty text is null, and so is an empty list in place of one object.
  let readsEmpty: Bool
  /// The dictionary that the targets stand in. The plan keeps it alive.
  unowned(unsafe) let dictionary: DictionaryPlan?

  /// The paths from a value, or from an element of a list, to the targets, those of which the first that is there counts.
  /// The plan keeps them alive.
  unowned(unsafe) let targetPaths: TargetPaths?

  /// The operations on the objects that it nests.
  let operations: Operations

  /// Whether its object is a part of the identity.
  let isIdentity: Bool

  /// Whether JSON tells of it; false for the other end of one that JSON tells of.
  let isInJSON: Bool

  /// How many targets a list may have.
  let counts: ClosedRange<Int>

  var isToMany: Bool { relationship.isToMany }
  var destination: Int { relationship.destination }

  init(_ index: Int, _ layout: EntityLayout, _ store: Layout, _ forms: ValueForms) {
    relationship = store.schema.relationships[index]
    if case .foreignKey(let columns) = store.relationships[index] {
      slots = layout.slots(of: columns)
    } else {
      slots = []
    }
    counts = Self.counts(of: relationship.relationship)
    operations = relationship.relationship.annotations.only ?? .all
    isIdentity = relationship.isIdentity
    isInJSON = relationship.relationship.annotations.isExported
    let target = store.schema.entities[relationship.destination]
    key = target.identity.map { part in
      Conversion(type: part.type, dates: forms.form(of: part).dates)
    }
    transformers = forms.relationships[index].whole
    elementTransformers = forms.relationships[index].elements
    readsEmpty = forms.relationships[index].readsEmpty
    dictionary = forms.dictionaries[index]
    targetPaths = forms.targetPaths[layout.entity.index]?.paths(
      to: target, isToMany: relationship.relationship.isToMany)
    let only = target.identity.count == 1 ? target.identity.first : nil
    keyTransformers = only.flatMap { forms.form(of: $0).transformers }
  }

  /// An optional list may be empty even if the model says a least count, since model files often say one.
  private static func counts(of relationship: Relationship) -> ClosedRange<Int> {
    guard relationship.isToMany else { return 0...1 }
    let most = relationship.maximumCount ?? 0
    let least = relationship.leastCount
    return least...max(least, most > 0 ? most : .max)
  }

  func allows(_ count: Int) -> Bool {
    counts.contains(count) || (count == 0 && relationship.isOptional)
  }

  /// The expected count, for issues about a list with another one.
  var countExpectation: String {
    if counts.upperBound == .max { return "at least \(counts.lowerBound) in the list" }
    if counts.lowerBound == 0 { return "at most \(counts.upperBound) in the list" }
    return "\(counts.lowerBound) to \(counts.upperBound) in the list"
  }
}

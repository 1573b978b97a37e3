import ObjectModel
import ObjectStore

/// How JSON objects become rows of one entity, and rows JSON objects: compiled once, used for each object.
final class EntityPlan {
  let entity: SchemaEntity
  let layout: EntityLayout
  let attributes: [AttributePlan]
  /// What the conversions of the attributes refer to.
  private let dateFormats: [Conversion.Dates]
  let relationships: [RelationshipPlan]
  /// The keys of the entity's own objects.
  let keys: KeyNode
  /// All nodes that key paths pass, the entity's own first.
  private(set) var nodes: [KeyNode] = []
  /// For each node but the first, the properties that a null there clears.
  private(set) var propertiesBelow: [[KeyMatch.Target]] = []

  /// Whether its identity is all that an object can tell.
  var isOnlyIdentity: Bool { entity.identity.count == attributes.count }
  /// The property that a value, not an object, fills in a dictionary keyed by identity, by the dictionary's key.
  let valueProperty: [String: KeyMatch.Target]
  let defaultValueProperty: KeyMatch.Target?

  init(_ entity: SchemaEntity, _ store: Layout, _ conventions: Conventions) throws(PlanError) {
    self.entity = entity
    layout = store.entities[entity.index]
    let layout = layout
    (attributes, dateFormats) = try Self.attributes(of: entity, layout, conventions)
    relationships = entity.relationships.map { RelationshipPlan($0, layout, store) }
    let annotations = store.schema.model.entities[entity.index].annotations
    let matcher = KeyMatcher(entity, store.schema, style: conventions.keys)
    valueProperty = annotations.valueProperties.compactMapValues { name in
      Self.target(named: name, entity, store.schema)
    }
    defaultValueProperty = annotations.valueAttribute.flatMap { Self.target(named: $0, entity, store.schema) }
    let paths = try KeyPaths(entity, store.schema)
    let builder = NodeBuilder(matcher: matcher, paths: paths)
    nodes = builder.nodes
    propertiesBelow = builder.propertiesBelow
    keys = nodes[0]
  }

  private static func attributes(
    of entity: SchemaEntity, _ layout: EntityLayout, _ conventions: Conventions
  ) throws(PlanError) -> ([AttributePlan], [Conversion.Dates]) {
    var result: [AttributePlan] = []
    var formats: [Conversion.Dates] = []
    for (index, attribute) in entity.attributes.enumerated() {
      let annotations = attribute.attribute.annotations
      var format = conventions.dates
      if annotations.dateFormat != nil || annotations.timeZone != nil {
        guard let own = DateFormat(annotations.dateFormat, timeZone: annotations.timeZone) else {
          throw PlanError(
            entity: entity.name, property: attribute.name,
            message: "has a date format or time zone that cannot be read:"
              + " \(annotations.dateFormat ?? "") \(annotations.timeZone ?? "")")
        }
        format = own
      }
      let dates = attribute.type == .date && format != .automatic ? Conversion.Dates(format) : nil
      if let dates { formats.append(dates) }
      result.append(
        AttributePlan(
          slot: layout.attributeSlots[index], conversion: Conversion(type: attribute.type, dates: dates),
          isOptional: attribute.isOptional, isIdentity: entity.identity.contains(index)))
    }
    return (result, formats)
  }

  /// The properties that no key has come for.
  var unfilledProperties: [String] {
    let filled = Set(nodes.flatMap(\.filled))
    let attributes = entity.attributes.enumerated().map { ($1.name, KeyMatch.Target.attribute($0)) }
    let links = relationships.enumerated().map {
      ($1.relationship.name, KeyMatch.Target.relationship($0))
    }
    return (attributes + links).filter { !filled.contains($0.1) }.map(\.0)
  }

  private static func target(
    named name: String, _ entity: SchemaEntity, _ schema: Schema
  ) -> KeyMatch.Target? {
    if let attribute = entity.attribute(name) { return .attribute(attribute) }
    return entity.relationships.firstIndex { schema.relationships[$0].name == name }
      .map(KeyMatch.Target.relationship)
  }
}

/// The conventions of a call.
struct Conventions: Sendable, Hashable {
  var keys = KeyStyle.auto
  var dates = DateFormat.automatic
}

/// Why a mapping cannot be made.
public struct PlanError: Error, Sendable, Hashable, CustomStringConvertible {
  public var entity: String
  public var property: String
  public var message: String

  public var description: String { "\(entity).\(property) \(message)." }
}

/// Where an attribute's values go and how they are converted.
struct AttributePlan: Sendable {
  let slot: Int
  let conversion: Conversion
  let isOptional: Bool
  let isIdentity: Bool
}

/// Where a relationship's links go.
struct RelationshipPlan: Sendable {
  let relationship: SchemaRelationship
  /// The slots of the row that hold the target's key; empty if the links are kept elsewhere.
  let slots: [Int]
  /// How the parts of the target's key are converted; empty if it has no identity.
  let key: [Conversion]

  var isToMany: Bool { relationship.isToMany }
  var destination: Int { relationship.destination }

  init(_ index: Int, _ layout: EntityLayout, _ store: Layout) {
    relationship = store.schema.relationships[index]
    if case .foreignKey(let columns) = store.relationships[index] {
      slots = layout.slots(of: columns)
    } else {
      slots = []
    }
    let target = store.schema.entities[relationship.destination]
    key = target.identity.map {
      Conversion(type: target.attributes[$0].type)
    }
  }
}

import ObjectModel

/// The differences between types and the model of a store.
///
/// A type need not have all properties of the model. Those that it lacks keep their values when its objects are
/// saved.
struct ModelComparison {
  private let schema: Schema
  private(set) var differences: [String] = []

  init(_ schema: Schema, _ types: [any Storable.Type]) {
    self.schema = schema
    for type in types { compare(type) }
  }

  private mutating func compare(_ type: any Storable.Type) {
    let name = type.entityName
    guard let entity = schema.entity(name) else {
      let nearest = nearestName(to: name, in: schema.entities.map(\.name))
      differences.append(
        "\(type) is the entity \(name), which the model does not have"
          + (nearest.map { " (it has \($0))" } ?? ""))
      return
    }
    var identity: Set<String> = []
    for property in type.allProperties() {
      let place = "\(name).\(property.name)"
      switch property.form {
      case .attribute(let form):
        compare(form, property.name, place, entity)
        if form.options.isIdentity { identity.insert(property.name) }
      case .relationship(let form):
        compare(form, property.name, place, entity)
        if form.options.isIdentity { identity.insert(property.name) }
      case .parent(let parent):
        if !entity.ancestry.dropFirst().contains(where: { schema.entities[$0].name == parent }) {
          differences.append("\(name) does not inherit from \(parent) in the model")
        }
      }
    }
    compareIdentity(identity, of: type, entity)
  }

  private mutating func compareIdentity(
    _ identity: Set<String>, of type: any Storable.Type, _ entity: SchemaEntity
  ) {
    // An entity that inherits has the inherited identity, unless it declares one.
    let saysNone = identity.isEmpty && type.hasRowIDs && entity.hasIdentity
    guard type.parentName() == nil || !identity.isEmpty || saysNone else { return }
    let declared = schema.identityNames(of: entity)
    guard Set(declared) != identity else { return }
    differences.append(
      "\(entity.name) is identified by \(Self.list(Array(identity).sorted())) in Swift and by"
        + " \(Self.list(declared)) in the model")
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "nothing" : names.joined(separator: ", ")
  }

  private mutating func compare(
    _ form: AttributeForm, _ name: String, _ place: String, _ entity: SchemaEntity
  ) {
    guard let index = entity.attribute(name) else { return noteMissing(name, place, entity, "attribute") }
    let attribute = entity.attributes[index]
    if !form.takes(attribute.type) {
      differences.append("\(place) is \(form.swiftType) in Swift and \(attribute.type) in the model")
    }
    if attribute.isOptional, !form.isOptional {
      differences.append("\(place) may be null in the model, so its type must be \(form.swiftType)?")
    }
  }

  private mutating func compare(
    _ form: RelationshipForm, _ name: String, _ place: String, _ entity: SchemaEntity
  ) {
    let found = entity.relationships.map { schema.relationships[$0] }.first { $0.name == name }
    guard let found else { return noteMissing(name, place, entity, "relationship") }
    let target = form.target.entityName
    let isKnown = schema.entities[found.destination].ancestry.contains { schema.entities[$0].name == target }
    if !isKnown {
      differences.append(
        "\(place) leads to \(target) in Swift and to \(schema.entities[found.destination].name) in the model")
    }
    if form.isToMany != found.isToMany {
      let words = ["to one object", "to many objects"]
      differences.append(
        "\(place) leads \(words[form.isToMany ? 1 : 0]) in Swift and \(words[found.isToMany ? 1 : 0]) in the model"
      )
    } else if !found.isToMany, found.isOptional, !form.isOptional {
      differences.append("\(place) may be null in the model, so its type must be ToOne<\(target)>?")
    }
  }

  private mutating func noteMissing(_ name: String, _ place: String, _ entity: SchemaEntity, _ kind: String) {
    let names = entity.attributes.map(\.name) + entity.relationships.map { schema.relationships[$0].name }
    let nearest = nearestName(to: name, in: names)
    let isOther = names.contains(name)
    differences.append(
      isOther
        ? "\(place) is \(kind == "attribute" ? "an attribute" : "a relationship") in Swift only"
        : "the model has no \(place)" + (nearest.map { " (it has \($0))" } ?? ""))
  }
}

extension AttributeForm {
  /// Whether the type can hold the values of an attribute of the model.
  func takes(_ other: AttributeType) -> Bool {
    switch (type, other) {
    case (.integer64, .integer32), (.integer64, .integer16), (.integer32, .integer16), (.double, .float): true
    case (.string, .uri), (.string, .undefined): true
    case (.transformable, .string), (.transformable, .undefined): true
    default: type == other
    }
  }
}

/// A property without its root type.
struct AnyProperty {
  enum Form {
    case attribute(AttributeForm)
    case relationship(RelationshipForm)
    case parent(String)
  }

  var name: String
  var form: Form
}

extension Storable {
  fileprivate static func allProperties() -> [AnyProperty] {
    properties.all.map { property in
      switch property.form {
      case .attribute(let form): AnyProperty(name: property.name, form: .attribute(form))
      case .relationship(let form): AnyProperty(name: property.name, form: .relationship(form))
      case .inherited(let parent):
        AnyProperty(name: property.name, form: .parent(parent.entityName))
      }
    }
  }

  fileprivate static func parentName() -> String? { properties.parent?.entityName }

  /// Whether its objects are identified by their row ids only.
  fileprivate static var hasRowIDs: Bool { ID.self == RowID.self }
}

import Foundation
import ObjectModel
import ObjectStore

extension Storable {
  /// The entity that the type describes, still without inverses.
  static func entityDescription() -> Entity {
    var entity = Entity(name: entityName, className: "\(Self.self)", parent: properties.parent?.entityName)
    entity.renamingIdentifier = properties.formerName
    for property in properties.all {
      switch property.form {
      case .attribute(let form): entity.attributes.append(form.attribute(named: property.name))
      case .relationship(let form):
        entity.relationships.append(form.relationship(named: property.name))
      case .inherited: break
      }
    }
    for property in properties.all {
      guard case .attribute(let form) = property.form else { continue }
      if form.options.isUnique { entity.uniquenessConstraints.append([property.name]) }
      if form.options.isVersion { entity.userInfo["broker.version"] = property.name }
    }
    properties.kinds.annotate(&entity.userInfo)
    let identity = properties.identityNames
    if properties.isIdentifiedByOthers {
      entity.userInfo["broker.identity"] = identity.joined(separator: ",")
    }
    return entity
  }
}

extension AttributeForm {
  func attribute(named name: String) -> Attribute {
    var attribute = Attribute(name: name, type: type, isOptional: isOptional)
    attribute.minimum = options.minimum.map(Self.text) ?? typeBounds?.least
    attribute.maximum = options.maximum.map(Self.text) ?? typeBounds?.most
    attribute.pattern = options.pattern
    attribute.isIndexed = options.isIndexed
    attribute.renamingIdentifier = options.formerName
    attribute.userInfo = userInfo
    attribute.userInfo["broker.unknown"] = options.unknownValue.flatMap(Self.text)
    attribute.userInfo["broker.default"] = options.defaultValue.flatMap(Self.text)
    return attribute
  }

  private var userInfo: [String: String] {
    var userInfo: [String: String] = [:]
    if options.isIdentity { userInfo["broker.identity"] = "true" }
    addKeys(options.keys, to: &userInfo)
    if options.isSearched { userInfo["broker.search"] = "true" }
    if !options.isExported { userInfo["broker.exported"] = "false" }
    userInfo["broker.dateFormat"] = options.dateFormat
    addTransformers(options.transformers, to: &userInfo)
    if let cases {
      userInfo["broker.values"] = JSONValue.array(cases.compactMap(Self.json)).text
    }
    return userInfo
  }

  private static func text(_ number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? String(number)
  }

  /// A value in the form of `broker.default`, which is the store's.
  private static func text(_ value: SQLValue) -> String? {
    switch value {
    case .null, .blob: nil
    case .integer(let integer): String(integer)
    case .real(let number): String(number)
    case .text(let text): text
    }
  }

  private static func json(_ value: SQLValue) -> JSONValue? {
    switch value {
    case .null, .blob: nil
    case .integer(let integer): .number(String(integer))
    case .real(let number): .number(String(number))
    case .text(let text): .string(text)
    }
  }
}

extension RelationshipForm {
  func relationship(named name: String) -> Relationship {
    var relationship = Relationship(name: name, destination: target.entityName)
    relationship.isToMany = isToMany
    relationship.isOptional = isOptional && (options.minimum ?? 0) == 0
    relationship.isOrdered = options.isOrdered
    relationship.deleteRule = options.deleteRule
    relationship.minimumCount = options.minimum
    relationship.renamingIdentifier = options.formerName
    relationship.maximumCount = isToMany ? options.maximum : 1
    addKeys(options.keys, to: &relationship.userInfo)
    addTransformers(options.transformers, to: &relationship.userInfo)
    return relationship
  }
}

/// Adds the keys of a property as annotations, the preferred one first.
private func addKeys(_ keys: [String], to userInfo: inout [String: String]) {
  for (index, key) in keys.enumerated() { userInfo["broker.key" + (index == 0 ? "" : ".\(index)")] = key }
}

/// Adds the transformers of a property as an annotation, in the order of reading.
private func addTransformers(_ calls: [TransformerCall], to userInfo: inout [String: String]) {
  guard !calls.isEmpty else { return }
  userInfo["broker.transformer"] = calls.map(\.description).joined(separator: ",")
}

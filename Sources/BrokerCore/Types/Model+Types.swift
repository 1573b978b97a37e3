import Foundation
public import ObjectModel
import ObjectStore

extension Model {
  /// The model of types, and of the types that their relationships lead to.
  ///
  /// ```swift
  /// let model = try Model(describing: Band.self, Album.self)
  /// ```
  ///
  /// If a relationship does not name its inverse and only one is possible, it is that one.
  ///
  /// - Throws: ``TypeError`` with all mistakes: inverses that contradict each other or of which several are possible,
  /// and names that are used twice.
  public init(describing types: any Storable.Type...) throws(TypeError) {
    try self.init(describing: types)
  }

  init(describing types: [any Storable.Type]) throws(TypeError) {
    let all = Self.reachable(from: types)
    var problems = Self.repeatedNames(among: all) + all.flatMap { $0.mistakes() + $0.identityMistakes() }
    self.init(entities: all.map { $0.entityDescription() })
    var inverses = Inverses(all)
    inverses.pair()
    for (key, inverse) in inverses.paired {
      guard let entity = entities.firstIndex(where: { $0.name == key.entity }),
        let place = entities[entity].relationships.firstIndex(where: { $0.name == key.name })
      else { continue }
      entities[entity].relationships[place].inverse = inverse.name
      entities[entity].relationships[place].inverseEntity = inverse.entity
    }
    problems += inverses.problems
    guard problems.isEmpty else { throw TypeError(problems) }
  }

  /// The types, and all types that they lead to, each once.
  static func reachable(from types: [any Storable.Type]) -> [any Storable.Type] {
    var result: [any Storable.Type] = []
    var known: Set<ObjectIdentifier> = []
    var next = types[...]
    while let type = next.popFirst() {
      guard known.insert(ObjectIdentifier(type)).inserted else { continue }
      result.append(type)
      next += type.neighbours()
    }
    return result
  }

  private static func repeatedNames(among types: [any Storable.Type]) -> [String] {
    Dictionary(grouping: types, by: { $0.entityName }).filter { $1.count > 1 }.sorted { $0.key < $1.key }.map
    {
      "\($1.map { "\($0)" }.joined(separator: " and ")) both call their entity \($0)"
    }
  }
}

extension Storable {
  /// The attributes whose types cannot be stored.
  fileprivate static func mistakes() -> [String] {
    properties.all.compactMap { property in
      guard case .attribute(let form) = property.form else { return nil }
      let mistake = form.mistake ?? form.searchMistake
      return mistake.map { "\(entityName).\(property.name): \($0)" }
    }
  }

  /// The mistakes in the identity of an entity that inherits.
  fileprivate static func identityMistakes() -> [String] {
    guard properties.parent != nil else { return [] }
    let own = identityNames()
    var passed: Set<String> = [entityName]
    var parent = properties.parent
    while let ancestor = parent, passed.insert(ancestor.entityName).inserted {
      let inherited = ancestor.identityNames()
      if !own.isEmpty, !inherited.isEmpty {
        return [
          "\(entityName) marks \(own.joined(separator: ", ")) with @Identity, but inherits the identity"
            + " \(inherited.joined(separator: ", ")) of \(ancestor.entityName): take @Identity away from"
            + " \(entityName), or write @Entity(identified: false) before \(ancestor.entityName)"
        ]
      }
      parent = ancestor.parentType()
    }
    return []
  }

  /// The properties that it declares as its identity.
  private static func identityNames() -> [String] { properties.identityNames }

  /// The types that its relationships lead to, and the type that it inherits from.
  fileprivate static func neighbours() -> [any Storable.Type] {
    let related = properties.all.compactMap { property -> (any Storable.Type)? in
      switch property.form {
      case .attribute: nil
      case .relationship(let form): form.target
      case .inherited(let parent): parent
      }
    }
    return related + [properties.kinds.unknown?.type].compactMap(\.self)
  }
}

extension AttributeForm {
  /// Why the attribute cannot be searched; nil if it can, or if that is not asked for.
  fileprivate var searchMistake: String? {
    guard options.isSearched, !type.hasWords else { return nil }
    return "\(swiftType) has no words to search: take “search: true” away"
  }
}

extension Storable {
  /// The entity that the type describes, still without inverses.
  fileprivate static func entityDescription() -> Entity {
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

extension Storable {
  /// The rules of attributes' types for values, where the model cannot express them.
  static func valueChecks() -> [ValueCheck.Place: ValueCheck] {
    var checks: [ValueCheck.Place: ValueCheck] = [:]
    for property in properties.all {
      guard case .attribute(let form) = property.form, let accepts = form.accepts else { continue }
      let place = ValueCheck.Place(entity: entityName, attribute: property.name)
      checks[place] = ValueCheck(expectation: form.expectation, accepts: accepts)
    }
    return checks
  }
}

extension AttributeForm {
  fileprivate var expectation: String {
    type == .transformable ? "\(swiftType) as JSON" : "a value of \(swiftType)"
  }
}

/// Types that do not fit a model, or one another.
public struct TypeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The mistakes, each a sentence without its full stop.
  public var differences: [String]

  init(_ differences: [String]) { self.differences = differences }

  public var description: String {
    "The types do not fit: \(differences.joined(separator: "; "))."
  }
}

extension TypeError {
  /// A type that the store does not know.
  static func unknown(_ type: any Storable.Type) -> TypeError {
    TypeError(["\(type.entityName) is no entity of the store: name its type when the store is opened"])
  }
}

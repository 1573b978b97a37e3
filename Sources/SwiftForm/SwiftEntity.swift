import ObjectModel

/// The type of one entity.
struct SwiftEntity {
  private let entity: Entity
  private let identity: SwiftIdentity
  private let names: SwiftNames
  private(set) var properties: [SwiftProperty] = []
  private(set) var remarks: [Remark] = []

  var typeName: String { names.type(of: entity.name) }

  init(_ entity: Entity, schema: Schema, names: SwiftNames, inverses: SwiftInverses) {
    self.entity = entity
    self.names = names
    identity = SwiftIdentity(of: entity, in: schema)
    addParent()
    for attribute in entity.attributes { add(attribute) }
    for relationship in entity.relationships {
      add(relationship, inverses.form(of: relationship.name, of: entity.name))
    }
    orderIdentity()
    remarkOnEntity()
  }

  private mutating func addParent() {
    guard let parent = entity.parent, let name = names.inherited[entity.name] else { return }
    properties.append(
      SwiftProperty(name: name, type: names.type(of: parent), marks: [SwiftMark("Inherited")]))
  }

  private mutating func add(_ attribute: Attribute) {
    let name = names.property(attribute.name, of: entity.name)
    let isIdentity = identity.properties.contains(attribute.name)
    let enumerations = properties.compactMap(\.enumeration?.name)
    var form = SwiftAttribute(attribute, name: name, isIdentity: isIdentity) {
      names.isType($0) || enumerations.contains($0)
    }
    form.isIndexed = attribute.isIndexed || entity.indexes.contains { $0.isPlain(over: attribute.name) }
    form.isUnique = !isIdentity && entity.uniquenessConstraints.contains([attribute.name])
    form.isVersion = entity.annotations.versionAttribute == attribute.name
    form.isMarked = isIdentity && name != "id"
    if let property = form.property() { properties.append(property) }
    remarks += form.remarks.map { Remark("\(entity.name).\(attribute.name)", $0) }
  }

  private mutating func add(_ relationship: Relationship, _ inverse: SwiftInverses.Form) {
    var form = SwiftRelationship(
      relationship, name: names.property(relationship.name, of: entity.name),
      target: names.type(of: relationship.destination))
    form.isIdentity = identity.properties.contains(relationship.name)
    form.inverse = inverse
    if let property = form.property() { properties.append(property) }
    remarks += form.remarks.map { Remark("\(entity.name).\(relationship.name)", $0) }
  }

  /// The parts of an identity have the order of their properties. Where the model has another one, they come first.
  private mutating func orderIdentity() {
    let wanted = identity.properties.map { names.property($0, of: entity.name) }
    let found = properties.map(\.name).filter(wanted.contains)
    guard found != wanted else { return }
    let parts = wanted.compactMap { name in properties.first { $0.name == name } }
    properties = parts + properties.filter { !wanted.contains($0.name) }
  }

  // MARK: - What Swift cannot say of the entity

  private mutating func remarkOnEntity() {
    var messages: [String] = []
    if entity.isAbstract { messages.append("it is abstract; Swift's entities are not") }
    if let obstacle = identity.obstacle { messages.append("Swift cannot say its identity: \(obstacle)") }
    let own = Set(entity.attributes.map(\.name))
    for constraint in entity.uniquenessConstraints where Set(constraint) != Set(identity.properties) {
      guard constraint.count != 1 || !own.isSuperset(of: constraint) else { continue }
      messages.append("the constraint over \(constraint.joined(separator: ", ")) has no form in Swift")
    }
    for index in entity.indexes where !index.elements.contains(where: { index.isPlain(over: $0.property) }) {
      messages.append("the index \(index.name) has no form in Swift")
    }
    if let version = entity.annotations.versionAttribute, !own.contains(version) {
      messages.append("its version, \(version), is inherited")
    }
    let known = [
      "broker.identity", "broker.version", "broker.discriminator", "broker.unknown", "broker.kind",
    ]
    messages += SwiftAnnotations.unsaid(entity.userInfo, besides: known)
    remarks = messages.map { Remark(entity.name, $0) } + remarks
  }

  // MARK: - Text

  func lines(isPublic: Bool) -> [String] {
    let marks = entityMarks.map(\.text).joined(separator: " ")
    let access = isPublic ? "public " : ""
    var body = properties.compactMap { property in
      property.enumeration.map { $0.lines(isPublic: isPublic, of: property.name) + [""] }
    }.flatMap(\.self)
    body += properties.flatMap { $0.lines(isPublic: isPublic) }
    if isPublic { body += (properties.isEmpty ? [] : [""]) + initializer }
    let head = "\(marks) \(access)struct \(SwiftNames.code(typeName)) {"
    return documentation + [head] + body.map { $0.isEmpty ? "" : "  \($0)" } + ["}"]
  }

  private var documentation: [String] {
    var lines = SwiftAnnotations.documentation(entity.userInfo)
    if lines.isEmpty {
      lines = ["The objects of \(SwiftAnnotations.onOneLine(entity.name))\(identityWords)."]
    }
    if !remarks.isEmpty { lines += ["", "The model says more than this type can:"] }
    lines += remarks.map { "- \(SwiftAnnotations.onOneLine($0.description))" }
    return lines.map { $0.isEmpty ? "///" : "/// \($0)" }
  }

  private var identityWords: String {
    if identity.isUnidentified { return ", which have no identity" }
    let own = identity.properties.map { "`\(names.property($0, of: entity.name))`" }
    if own.isEmpty { return entity.parent.map { ", each of which is one of \(names.type(of: $0))" } ?? "" }
    return ", identified by \(own.joined(separator: ", "))"
  }

  private var entityMarks: [SwiftMark] {
    var mark = SwiftMark("Entity")
    if typeName != entity.name { mark.add(SwiftLiteral.text(entity.name)) }
    if identity.isUnidentified { mark.add("identified", "false") }
    mark.add("renamedFrom", entity.renamingIdentifier.map(SwiftLiteral.text))
    return [mark] + kindMarks
  }

  private var kindMarks: [SwiftMark] {
    var marks: [SwiftMark] = []
    let annotations = entity.annotations
    if let key = annotations.discriminatorKey {
      var mark = SwiftMark("Kinds", [SwiftLiteral.text(key)])
      if let unknown = annotations.unknown {
        mark.add("unknown", unknown == "skip" ? ".skip" : ".entity(\(names.type(of: unknown)).self)")
      }
      marks.append(mark)
    }
    let kinds = annotations.kinds.map(SwiftLiteral.text)
    return kinds.isEmpty ? marks : marks + [SwiftMark("Kind", kinds)]
  }

  private var initializer: [String] {
    let parameters = properties.map(\.parameter)
    let head = "public init(\(parameters.joined(separator: ", "))) {"
    let opening = head.count <= 100 ? [head] : ["public init("] + Self.separated(parameters) + [") {"]
    return opening
      + properties.map { "  self.\(SwiftNames.code($0.name)) = \(SwiftNames.code($0.name))" } + ["}"]
  }

  private static func separated(_ parameters: [String]) -> [String] {
    parameters.enumerated().map { "  \($1)\($0 == parameters.count - 1 ? "" : ",")" }
  }
}

extension Index {
  /// Whether it is an ordinary index of this property alone.
  fileprivate func isPlain(over name: String) -> Bool {
    guard elements.count == 1, let element = elements.first else { return false }
    return element.property == name && element.isAscending && predicate == nil
      && (element.other["type"] ?? "Binary") == "Binary"
  }
}

/// The properties of an entity itself that identify its objects, as far as Swift can say it.
struct SwiftIdentity {
  /// The names in the model; empty if the entity declares no identity of its own.
  let properties: [String]
  /// Whether the type says `identified: false`.
  let isUnidentified: Bool
  /// Why Swift cannot say the identity; nil if it can.
  let obstacle: String?

  init(of entity: Entity, in schema: Schema) {
    guard let resolved = schema.entity(entity.name) else {
      (properties, isUnidentified, obstacle) = ([], true, nil)
      return
    }
    let isOwn = resolved.hasIdentity && resolved.identityOwner == resolved.index
    let names = isOwn ? resolved.declaredIdentity?.properties ?? [] : []
    let obstacle = names.lazy.compactMap { Self.obstacle(to: $0, of: entity) }.first
    self.obstacle = obstacle
    properties = obstacle == nil ? names : []
    isUnidentified = entity.parent == nil && properties.isEmpty
  }

  private static func obstacle(to name: String, of entity: Entity) -> String? {
    if entity[relationship: name] != nil { return nil }
    guard let attribute = entity[attribute: name] else {
      return "\(name) is a part of the identity and is inherited"
    }
    switch attribute.type {
    case .float, .double: return "\(name) identifies objects and is a floating-point number"
    default: return nil
    }
  }
}

/// The inverses that relationships name in Swift: one end says it, since Swift cannot resolve key paths that lead to
/// each other.
struct SwiftInverses {
  enum Form: Equatable {
    /// The name of its inverse: `\Album.band`, or `"friends"`.
    case named(String)
    /// The other end names it, or it is the only one that it can be.
    case found
    case none
    /// Swift cannot say it.
    case unsayable(String)
  }

  /// By the relationship's index in the schema.
  private var forms: [Form]
  private let schema: Schema

  init(_ schema: Schema, _ names: SwiftNames) {
    self.schema = schema
    forms = schema.relationships.map { _ in .none }
    for relationship in schema.relationships {
      guard let index = relationship.inverse else { continue }
      let inverse = schema.relationships[index]
      guard inverse.inverse == relationship.index else {
        forms[relationship.index] = .unsayable(
          "its inverse \(inverse.name) has another inverse, so the type says that it has none")
        continue
      }
      guard relationship.destination == inverse.owner || inverse.destination == relationship.owner else {
        forms[relationship.index] = .unsayable("its inverse is inherited at both ends")
        continue
      }
      if Self.names(relationship, before: inverse) {
        let target = schema.entities[relationship.destination].name
        let property = SwiftNames.code(names.property(inverse.name, of: schema.entities[inverse.owner].name))
        let isSame = relationship.owner == relationship.destination
        forms[relationship.index] = .named(
          isSame
            ? SwiftLiteral.text(names.property(inverse.name, of: target))
            : "\\\(names.type(of: target)).\(property)")
      } else {
        forms[relationship.index] = .found
      }
    }
  }

  func form(of name: String, of entity: String) -> Form {
    guard let owner = schema.index(of: entity),
      let index = schema.relationships.first(where: { $0.owner == owner && $0.name == name })?.index
    else { return .none }
    return forms[index]
  }

  /// Whether the first names the second. The property of a key path is one of the type itself, not an inherited one.
  private static func names(_ first: SchemaRelationship, before second: SchemaRelationship) -> Bool {
    if first.index == second.index { return true }
    let canFirst = first.destination == second.owner
    let canSecond = second.destination == first.owner
    if canFirst != canSecond { return canFirst }
    if first.isToMany != second.isToMany { return first.isToMany }
    return first.index < second.index
  }
}

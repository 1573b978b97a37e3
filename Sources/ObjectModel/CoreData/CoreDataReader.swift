/// Turns the elements of a `contents` file into a model, which says what the file says and nothing else.
///
/// Elements it does not know, such as the `elements` of the editor's layout, are passed over.
struct CoreDataReader {
  func model(from root: XMLTag) throws -> Model {
    guard root.name == "model" else { throw ModelError(.wrongRoot(root.name), line: root.line) }
    var fields = root.fields(of: "a model")
    let versionIdentifier = fields.nonEmpty("userDefinedModelVersionIdentifier")
    var other = fields.rest
    for (name, value) in CoreDataNames.modelDefaults where other[name] == value { other[name] = nil }
    return Model(
      entities: try root.all("entity").map(entity),
      composites: try root.all("composite").map(composite),
      configurations: try root.all("configuration").map(configuration),
      fetchRequests: try root.all("fetchRequest").map(fetchRequest),
      versionIdentifier: versionIdentifier, other: other)
  }

  private func composite(from tag: XMLTag) throws -> Composite {
    var fields = tag.fields(of: "a composite")
    let name = try fields.required("name")
    return try ModelError.locating(entity: name) {
      Composite(name: name, attributes: try tag.all("attribute").map(attribute), other: fields.rest)
    }
  }

  private func configuration(from tag: XMLTag) throws -> Configuration {
    var fields = tag.fields(of: "a configuration")
    let name = try fields.required("name")
    let entities = try tag.all("memberEntity").map { member in
      var member = member.fields(of: "a member of configuration “\(name)”")
      return try member.required("name")
    }
    return Configuration(name: name, entities: entities, other: fields.rest)
  }

  func fetchRequest(from tag: XMLTag) throws -> FetchRequest {
    var fields = tag.fields(of: "a fetch request")
    let name = try fields.required("name")
    let entity = fields.text("entity")
    let predicate = fields.text("predicateString")
    return FetchRequest(name: name, entity: entity, predicate: predicate, other: fields.rest)
  }

  /// The entries of all `userInfo` elements; of two with one key, the last.
  func userInfo(of tag: XMLTag) throws -> [String: String] {
    var result: [String: String] = [:]
    for entry in tag.all("userInfo").flatMap({ $0.all("entry") }) {
      var fields = entry.fields(of: "an entry of userInfo")
      guard let key = fields.text("key") else { throw fields.error(.missing("key", of: fields.owner)) }
      result[key] = fields.text("value") ?? ""
    }
    return result
  }
}

extension CoreDataReader {
  func entity(from tag: XMLTag) throws -> Entity {
    var fields = tag.fields(of: "an entity")
    let name = try fields.required("name")
    return try ModelError.locating(entity: name) {
      var entity = Entity(name: name)
      entity.className = fields.nonEmpty("representedClassName")
      entity.parent = fields.nonEmpty("parentEntity")
      entity.isAbstract = try fields.flag("isAbstract")
      entity.renamingIdentifier = fields.nonEmpty("elementID")
      entity.versionHashModifier = fields.nonEmpty("versionHashModifier")
      entity.attributes = try tag.all("attribute").map(attribute)
      entity.relationships = try tag.all("relationship").map(relationship)
      entity.fetchedProperties = try tag.all("fetchedProperty").map(fetchedProperty)
      entity.uniquenessConstraints = try uniquenessConstraints(of: tag)
      entity.indexes = try compoundIndexes(of: tag) + tag.all("fetchIndex").map(fetchIndex)
      entity.userInfo = try userInfo(of: tag)
      entity.other = fields.rest
      return entity
    }
  }

  private func fetchedProperty(from tag: XMLTag) throws -> FetchedProperty {
    var fields = tag.fields(of: "a fetched property")
    let name = try fields.required("name")
    return try ModelError.locating(property: name) {
      FetchedProperty(
        name: name, isOptional: try fields.flag("optional"),
        fetchRequest: try tag.all("fetchRequest").first.map(fetchRequest),
        userInfo: try userInfo(of: tag), other: fields.rest)
    }
  }

  private func uniquenessConstraints(of tag: XMLTag) throws -> [[String]] {
    try tag.all("uniquenessConstraints").flatMap { $0.all("uniquenessConstraint") }.map { constraint in
      try constraint.all("constraint").map { tag in
        var fields = tag.fields(of: "a uniqueness constraint")
        return try fields.required("value")
      }
    }
  }

  /// Indexes as they were written before 2017: they have no name of their own.
  private func compoundIndexes(of tag: XMLTag) throws -> [Index] {
    try tag.all("compoundIndexes").flatMap { $0.all("compoundIndex") }.map { index in
      let elements = try index.all("index").map { tag in
        var fields = tag.fields(of: "a compound index")
        return Index.Element(property: try fields.required("value"))
      }
      return Index(compound: elements)
    }
  }

  private func fetchIndex(from tag: XMLTag) throws -> Index {
    var fields = tag.fields(of: "a fetch index")
    let name = try fields.required("name")
    let predicate = fields.nonEmpty("partialIndexPredicate")
    let elements = try tag.all("fetchIndexElement").map { tag in
      var fields = tag.fields(of: "an element of fetch index “\(name)”")
      // An element has a property, or an expression and no property.
      let property =
        tag.attributes["expression"] == nil ? try fields.required("property") : fields.text("property") ?? ""
      let order = fields.text("order") ?? "ascending"
      guard order == "ascending" || order == "descending" else {
        throw fields.unexpected(order, of: "order", expected: "ascending or descending")
      }
      // “Binary” is the name of a plain index, in contrast to “RTree”, and is written for every element.
      if tag.attributes["type"] == "Binary" { _ = fields.text("type") }
      return Index.Element(property: property, isAscending: order == "ascending", other: fields.rest)
    }
    return Index(name: name, elements: elements, predicate: predicate, other: fields.rest)
  }
}

extension Index {
  /// A compound index, which has no name of its own.
  init(compound elements: [Element]) {
    let name = "by" + elements.map { $0.property.prefix(1).uppercased() + $0.property.dropFirst() }.joined()
    self.init(name: name, elements: elements, isCompound: true)
  }
}

extension CoreDataReader {
  func attribute(from tag: XMLTag) throws -> Attribute {
    var fields = tag.fields(of: "an attribute")
    let name = try fields.required("name")
    return try ModelError.locating(property: name) {
      var attribute = Attribute(name: name, type: try type(from: &fields))
      attribute.isOptional = try fields.flag("optional")
      attribute.isTransient = try fields.flag("transient")
      attribute.isIndexed = try fields.flag("indexed")
      // The empty string is a default, and a frequent one.
      attribute.defaultValue = fields.text("defaultValueString")
      attribute.defaultDate = try fields.number("defaultDateTimeInterval")
      attribute.minimum = fields.nonEmpty("minValueString")
      attribute.maximum = fields.nonEmpty("maxValueString")
      attribute.pattern = fields.nonEmpty("regularExpressionString")
      if try fields.flag("derived") { attribute.derivation = fields.text("derivationExpression") ?? "" }
      attribute.renamingIdentifier = fields.nonEmpty("elementID")
      attribute.versionHashModifier = fields.nonEmpty("versionHashModifier")
      attribute.userInfo = try userInfo(of: tag)
      attribute.other = fields.rest
      return attribute
    }
  }

  private func type(from fields: inout XMLFields) throws -> AttributeType {
    guard let name = fields.nonEmpty("attributeType") else { return .undefined }
    if name == CoreDataNames.composite { return .composite(try fields.required("composite")) }
    if name == CoreDataNames.undefined { return .undefined }
    if let type = CoreDataNames.types.first(where: { $0.name == name })?.type { return type }
    let names = CoreDataNames.types.map(\.name) + [CoreDataNames.composite]
    throw fields.unexpected(
      name, of: "attributeType", expected: "an attribute type", nearest: nearestName(to: name, in: names))
  }

  func relationship(from tag: XMLTag) throws -> Relationship {
    var fields = tag.fields(of: "a relationship")
    let name = try fields.required("name")
    return try ModelError.locating(property: name) {
      var relationship = Relationship(name: name, destination: try fields.required("destinationEntity"))
      relationship.inverse = fields.nonEmpty("inverseName")
      relationship.inverseEntity = fields.nonEmpty("inverseEntity")
      relationship.minimumCount = try fields.integer("minCount")
      relationship.maximumCount = try fields.integer("maxCount")
      relationship.isToMany = try fields.flag("toMany")
      // A to-one says that it is one with `maxCount`, which adds nothing to `isToMany`.
      if !relationship.isToMany, relationship.maximumCount == 1 { relationship.maximumCount = nil }
      relationship.isOrdered = try fields.flag("ordered")
      relationship.isOptional = try fields.flag("optional")
      relationship.isTransient = try fields.flag("transient")
      relationship.deleteRule = try deleteRule(from: &fields)
      relationship.renamingIdentifier = fields.nonEmpty("elementID")
      relationship.versionHashModifier = fields.nonEmpty("versionHashModifier")
      relationship.userInfo = try userInfo(of: tag)
      relationship.other = fields.rest
      return relationship
    }
  }

  private func deleteRule(from fields: inout XMLFields) throws -> DeleteRule {
    guard let name = fields.nonEmpty("deletionRule") else { return .nullify }
    if let rule = CoreDataNames.deleteRules.first(where: { $0.name == name })?.rule { return rule }
    throw fields.unexpected(
      name, of: "deletionRule", expected: "a deletion rule",
      nearest: nearestName(to: name, in: CoreDataNames.deleteRules.map(\.name)))
  }
}

/// The words of Core Data's model files.
enum CoreDataNames {
  /// Attribute types, except composites, which name their type beside it.
  static let types: [(name: String, type: AttributeType)] = [
    ("String", .string), ("Integer 16", .integer16), ("Integer 32", .integer32), ("Integer 64", .integer64),
    ("Boolean", .boolean), ("Date", .date), ("Double", .double), ("Float", .float), ("Decimal", .decimal),
    ("Binary", .binary), ("UUID", .uuid), ("URI", .uri), ("Transformable", .transformable),
  ]

  static let composite = "Composite"
  /// A word for no type, beside leaving it out.
  static let undefined = "Undefined"

  static let deleteRules: [(name: String, rule: DeleteRule)] = [
    ("Nullify", .nullify), ("Cascade", .cascade), ("Deny", .deny), ("No Action", .noAction),
  ]

  static func name(of type: AttributeType) -> String? {
    if case .composite = type { return composite }
    return types.first { $0.type == type }?.name
  }

  static func name(of rule: DeleteRule) -> String {
    deleteRules.first { $0.rule == rule }?.name ?? "Nullify"
  }

  /// The attributes that the tools write on `<model>`. Values equal to these are not kept, and are written for every
  /// model.
  static let modelDefaults: [(name: String, value: String)] = [
    ("type", "com.apple.IDECoreDataModeler.DataModel"), ("documentVersion", "1.0"),
    ("lastSavedToolsVersion", "22522"), ("systemVersion", "23C71"), ("minimumToolsVersion", "Automatic"),
    ("sourceLanguage", "Swift"),
  ]
}

extension CoreDataReader {
  func attribute(from tag: XMLTag) throws -> Attribute {
    var fields = tag.fields(of: "an attribute")
    let name = try fields.required("name")
    return try located(property: name) {
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
    return try located(property: name) {
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

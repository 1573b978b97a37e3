import Foundation

extension FormReader {
  func attribute(from value: FormValue) throws -> Attribute {
    var fields = try FormFields(value, of: "an attribute")
    let name = try fields.required("name")
    return try located(property: name) {
      let attribute = Attribute(
        name: name,
        type: try type(from: &fields),
        isOptional: try fields.bool("optional"),
        isTransient: try fields.bool("transient"),
        defaultValue: try fields.scalar("default"),
        defaultDate: try defaultDate(from: &fields),
        minimum: try fields.scalar("minimum"),
        maximum: try fields.scalar("maximum"),
        pattern: try fields.string("pattern"),
        derivation: try fields.string("derivation"),
        isIndexed: try fields.bool("indexed"),
        userInfo: try fields.dictionary("userInfo"),
        renamingIdentifier: try fields.string("renamingIdentifier"),
        versionHashModifier: try fields.string("versionHashModifier"),
        other: try fields.dictionary("other"))
      try fields.finish()
      return attribute
    }
  }

  private func type(from fields: inout FormFields) throws -> AttributeType {
    let name = try fields.required("type")
    if name == FormNames.composite { return .composite(try fields.required("composite")) }
    if let type = FormNames.types.first(where: { $0.name == name })?.type { return type }
    throw ModelError(
      .unexpected(
        value: name, of: "type", expected: "an attribute type", nearest: FormNames.nearestType(to: name)))
  }

  /// A date as ISO 8601, or as seconds since 2001.
  private func defaultDate(from fields: inout FormFields) throws -> Double? {
    guard let value = fields.value("defaultDate") else { return nil }
    switch value {
    case .integer(let seconds): return Double(seconds)
    case .number(let digits):
      if let seconds = Double(digits), seconds.isFinite { return seconds }
    case .string(let text):
      if let date = try? Date.ISO8601FormatStyle().parse(text) { return date.timeIntervalSinceReferenceDate }
    default: break
    }
    throw fields.unexpected(value, of: "defaultDate", expected: "a date like 2001-01-01T00:00:00Z")
  }

  func relationship(from value: FormValue) throws -> Relationship {
    var fields = try FormFields(value, of: "a relationship")
    let name = try fields.required("name")
    return try located(property: name) {
      var relationship = Relationship(name: name, destination: try fields.required("destination"))
      relationship.isToMany = try fields.bool("toMany")
      relationship.isOrdered = try fields.bool("ordered")
      relationship.isOptional = try fields.bool("optional", default: true)
      relationship.isTransient = try fields.bool("transient")
      relationship.inverse = try fields.string("inverse")
      // Nearly always the destination, and then left out. Null says that there is none.
      let hasInverseEntity = fields.has("inverseEntity")
      relationship.inverseEntity = try fields.string("inverseEntity")
      if relationship.inverse != nil, !hasInverseEntity {
        relationship.inverseEntity = relationship.destination
      }
      relationship.deleteRule = try deleteRule(from: &fields)
      relationship.minimumCount = try fields.integer("minimumCount")
      relationship.maximumCount = try fields.integer("maximumCount")
      relationship.userInfo = try fields.dictionary("userInfo")
      relationship.renamingIdentifier = try fields.string("renamingIdentifier")
      relationship.versionHashModifier = try fields.string("versionHashModifier")
      relationship.other = try fields.dictionary("other")
      try fields.finish()
      return relationship
    }
  }

  private func deleteRule(from fields: inout FormFields) throws -> DeleteRule {
    guard let name = try fields.string("deleteRule") else { return .nullify }
    if let rule = DeleteRule(rawValue: name) { return rule }
    let names = DeleteRule.allCases.map(\.rawValue)
    throw ModelError(
      .unexpected(
        value: name, of: "deleteRule", expected: "a delete rule", nearest: nearestName(to: name, in: names)))
  }
}

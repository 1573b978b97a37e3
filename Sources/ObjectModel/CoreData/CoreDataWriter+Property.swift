extension CoreDataWriter {
  func write(_ attribute: Attribute, to xml: inout XMLText) {
    var attributes = XMLAttributes()
    attributes.add("name", attribute.name)
    attributes.add("optional", attribute.isOptional)
    attributes.add("transient", attribute.isTransient)
    attributes.add("attributeType", CoreDataNames.name(of: attribute.type))
    if case .composite(let name) = attribute.type { attributes.add("composite", name) }
    if let derivation = attribute.derivation {
      attributes.add("derived", true)
      attributes.add("derivationExpression", derivation)
    }
    attributes.add("minValueString", attribute.minimum)
    attributes.add("maxValueString", attribute.maximum)
    attributes.add("defaultDateTimeInterval", attribute.defaultDate.map(seconds))
    attributes.add("defaultValueString", attribute.defaultValue)
    attributes.add("regularExpressionString", attribute.pattern)
    attributes.add("indexed", attribute.isIndexed)
    attributes.add("elementID", attribute.renamingIdentifier)
    attributes.add("versionHashModifier", attribute.versionHashModifier)
    attributes.add(attribute.other)
    xml.element("attribute", attributes) { write(userInfo: attribute.userInfo, to: &$0) }
  }

  /// Whole seconds as Xcode writes them, without a fraction.
  private func seconds(_ seconds: Double) -> String {
    Int64(exactly: seconds).map(String.init) ?? String(seconds)
  }

  func write(_ relationship: Relationship, to xml: inout XMLText) {
    var attributes = XMLAttributes()
    attributes.add("name", relationship.name)
    attributes.add("optional", relationship.isOptional)
    attributes.add("transient", relationship.isTransient)
    attributes.add("toMany", relationship.isToMany)
    attributes.add("minCount", relationship.minimumCount)
    attributes.add("maxCount", relationship.maximumCount ?? (relationship.isToMany ? nil : 1))
    attributes.add("ordered", relationship.isOrdered)
    attributes.add("deletionRule", CoreDataNames.name(of: relationship.deleteRule))
    attributes.add("destinationEntity", relationship.destination)
    attributes.add("inverseName", relationship.inverse)
    attributes.add("inverseEntity", relationship.inverseEntity)
    attributes.add("elementID", relationship.renamingIdentifier)
    attributes.add("versionHashModifier", relationship.versionHashModifier)
    attributes.add(relationship.other)
    xml.element("relationship", attributes) { write(userInfo: relationship.userInfo, to: &$0) }
  }
}

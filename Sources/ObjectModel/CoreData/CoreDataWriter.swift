/// Writes a model as the `contents` file of an `.xcdatamodel`.
struct CoreDataWriter {
  func text(of model: Model) -> String {
    var attributes = XMLAttributes()
    for (name, value) in CoreDataNames.modelDefaults { attributes.add(name, model.other[name] ?? value) }
    attributes.add(model.other)
    attributes.add("userDefinedModelVersionIdentifier", model.versionIdentifier ?? "")
    var xml = XMLText()
    xml.element("model", attributes) { xml in
      for entity in model.entities { write(entity, to: &xml) }
      for composite in model.composites { write(composite, to: &xml) }
      for request in model.fetchRequests { write(request, to: &xml) }
      for configuration in model.configurations { write(configuration, to: &xml) }
    }
    return xml.text
  }

  private func write(_ composite: Composite, to xml: inout XMLText) {
    var attributes = XMLAttributes()
    attributes.add("name", composite.name)
    attributes.add(composite.other)
    xml.element("composite", attributes) { xml in
      for attribute in composite.attributes { write(attribute, to: &xml) }
    }
  }

  func write(_ request: FetchRequest, to xml: inout XMLText) {
    var attributes = XMLAttributes()
    attributes.add("name", request.name)
    attributes.add("entity", request.entity)
    attributes.add("predicateString", request.predicate)
    attributes.add(request.other)
    xml.element("fetchRequest", attributes)
  }

  private func write(_ configuration: Configuration, to xml: inout XMLText) {
    var attributes = XMLAttributes()
    attributes.add("name", configuration.name)
    attributes.add(configuration.other)
    xml.element("configuration", attributes) { xml in
      for entity in configuration.entities {
        var attributes = XMLAttributes()
        attributes.add("name", entity)
        xml.element("memberEntity", attributes)
      }
    }
  }

  func write(userInfo: [String: String], to xml: inout XMLText) {
    guard !userInfo.isEmpty else { return }
    xml.element("userInfo", XMLAttributes()) { xml in
      for (key, value) in userInfo.sorted(by: { $0.key < $1.key }) {
        var attributes = XMLAttributes()
        attributes.add("key", key)
        attributes.add("value", value)
        xml.element("entry", attributes)
      }
    }
  }
}

extension CoreDataWriter {
  func write(_ entity: Entity, to xml: inout XMLText) {
    var attributes = XMLAttributes()
    attributes.add("name", entity.name)
    attributes.add("representedClassName", entity.className)
    attributes.add("parentEntity", entity.parent)
    attributes.add("isAbstract", entity.isAbstract)
    attributes.add("elementID", entity.renamingIdentifier)
    attributes.add("versionHashModifier", entity.versionHashModifier)
    attributes.add(entity.other)
    xml.element("entity", attributes) { xml in
      for attribute in entity.attributes { write(attribute, to: &xml) }
      for relationship in entity.relationships { write(relationship, to: &xml) }
      for property in entity.fetchedProperties { write(property, to: &xml) }
      write(compoundIndexes: entity.indexes.filter(\.isCompound), to: &xml)
      for index in entity.indexes where !index.isCompound { write(index, to: &xml) }
      write(uniquenessConstraints: entity.uniquenessConstraints, to: &xml)
      write(userInfo: entity.userInfo, to: &xml)
    }
  }

  private func write(_ property: FetchedProperty, to xml: inout XMLText) {
    var attributes = XMLAttributes()
    attributes.add("name", property.name)
    attributes.add("optional", property.isOptional)
    attributes.add(property.other)
    xml.element("fetchedProperty", attributes) { xml in
      if let request = property.fetchRequest { write(request, to: &xml) }
      write(userInfo: property.userInfo, to: &xml)
    }
  }

  private func write(_ index: Index, to xml: inout XMLText) {
    var attributes = XMLAttributes()
    attributes.add("name", index.name)
    attributes.add("partialIndexPredicate", index.predicate)
    attributes.add(index.other)
    xml.element("fetchIndex", attributes) { xml in
      for element in index.elements {
        var attributes = XMLAttributes()
        if !element.property.isEmpty { attributes.add("property", element.property) }
        attributes.add("type", element.other["type"] ?? "Binary")
        attributes.add("order", element.isAscending ? "ascending" : "descending")
        attributes.add(element.other)
        xml.element("fetchIndexElement", attributes)
      }
    }
  }

  private func write(compoundIndexes indexes: [Index], to xml: inout XMLText) {
    guard !indexes.isEmpty else { return }
    xml.element("compoundIndexes", XMLAttributes()) { xml in
      for index in indexes {
        writeList(index.elements.map(\.property), in: "compoundIndex", of: "index", to: &xml)
      }
    }
  }

  private func write(uniquenessConstraints constraints: [[String]], to xml: inout XMLText) {
    guard !constraints.isEmpty else { return }
    xml.element("uniquenessConstraints", XMLAttributes()) { xml in
      for constraint in constraints {
        writeList(constraint, in: "uniquenessConstraint", of: "constraint", to: &xml)
      }
    }
  }

  private func writeList(_ names: [String], in list: String, of item: String, to xml: inout XMLText) {
    xml.element(list, XMLAttributes()) { xml in
      for name in names {
        var attributes = XMLAttributes()
        attributes.add("value", name)
        xml.element(item, attributes)
      }
    }
  }
}

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

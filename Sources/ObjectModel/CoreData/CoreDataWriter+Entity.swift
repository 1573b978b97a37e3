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

extension FormWriter {
  func value(of entity: Entity) -> FormValue {
    var members = Members(name: entity.name)
    members.add("class", entity.className)
    members.add("parent", entity.parent)
    members.add("abstract", entity.isAbstract)
    members.add("attributes", entity.attributes.map(value))
    members.add("relationships", entity.relationships.map(value))
    members.add("fetchedProperties", entity.fetchedProperties.map(value))
    members.add("unique", entity.uniquenessConstraints.map { .array($0.map(FormValue.string)) })
    members.add("indexes", entity.indexes.map(value))
    members.add("userInfo", entity.userInfo)
    members.add("renamingIdentifier", entity.renamingIdentifier)
    members.add("versionHashModifier", entity.versionHashModifier)
    members.add("other", entity.other)
    return members.object
  }

  private func value(of property: FetchedProperty) -> FormValue {
    var members = Members(name: property.name)
    members.add("optional", property.isOptional, unless: true)
    if let request = property.fetchRequest { members.add("fetchRequest", value(of: request)) }
    members.add("userInfo", property.userInfo)
    members.add("other", property.other)
    return members.object
  }

  private func value(of index: Index) -> FormValue {
    var members = Members(name: index.name)
    members.add("elements", index.elements.map(value))
    members.add("predicate", index.predicate)
    members.add("compound", index.isCompound)
    members.add("other", index.other)
    return members.object
  }

  private func value(of element: Index.Element) -> FormValue {
    if element.isAscending, element.other.isEmpty { return .string(element.property) }
    var members = Members()
    members.add("property", element.property)
    members.add("descending", !element.isAscending)
    members.add("other", element.other)
    return members.object
  }
}

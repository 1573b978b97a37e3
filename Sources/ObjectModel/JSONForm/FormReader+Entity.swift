extension FormReader {
  func entity(from value: FormValue) throws -> Entity {
    var fields = try FormFields(value, of: "an entity")
    let name = try fields.required("name")
    return try located(entity: name) {
      let entity = Entity(
        name: name,
        className: try fields.string("class"),
        parent: try fields.string("parent"),
        isAbstract: try fields.bool("abstract"),
        attributes: try fields.list("attributes").map(attribute),
        relationships: try fields.list("relationships").map(relationship),
        fetchedProperties: try fields.list("fetchedProperties").map(fetchedProperty),
        uniquenessConstraints: try uniquenessConstraints(from: &fields),
        indexes: try fields.list("indexes").map(index),
        userInfo: try fields.dictionary("userInfo"),
        renamingIdentifier: try fields.string("renamingIdentifier"),
        versionHashModifier: try fields.string("versionHashModifier"),
        other: try fields.dictionary("other"))
      try fields.finish()
      return entity
    }
  }

  /// A list of lists; a single name may stand for a list of one.
  private func uniquenessConstraints(from fields: inout FormFields) throws -> [[String]] {
    try fields.list("unique").map { constraint in
      guard case .array(let names) = constraint else {
        return [try FormFields.string(constraint, of: "unique")]
      }
      return try names.map { try FormFields.string($0, of: "unique") }
    }
  }

  private func fetchedProperty(from value: FormValue) throws -> FetchedProperty {
    var fields = try FormFields(value, of: "a fetched property")
    let name = try fields.required("name")
    return try located(property: name) {
      let property = FetchedProperty(
        name: name, isOptional: try fields.bool("optional", default: true),
        fetchRequest: try fields.value("fetchRequest").map(fetchRequest),
        userInfo: try fields.dictionary("userInfo"), other: try fields.dictionary("other"))
      try fields.finish()
      return property
    }
  }

  private func index(from value: FormValue) throws -> Index {
    var fields = try FormFields(value, of: "an index")
    let index = Index(
      name: try fields.required("name"),
      elements: try fields.list("elements").map(indexElement),
      predicate: try fields.string("predicate"),
      isCompound: try fields.bool("compound"),
      other: try fields.dictionary("other"))
    try fields.finish()
    return index
  }

  /// A property's name, or an object where there is more to say.
  private func indexElement(from value: FormValue) throws -> Index.Element {
    if case .string(let name) = value { return Index.Element(property: name) }
    var fields = try FormFields(value, of: "an element of an index")
    let element = Index.Element(
      property: try fields.string("property") ?? "",
      isAscending: try !fields.bool("descending"),
      other: try fields.dictionary("other"))
    try fields.finish()
    return element
  }
}

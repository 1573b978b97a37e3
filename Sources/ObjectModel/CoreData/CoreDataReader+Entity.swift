extension CoreDataReader {
  func entity(from tag: XMLTag) throws -> Entity {
    var fields = tag.fields(of: "an entity")
    let name = try fields.required("name")
    return try located(entity: name) {
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
    return try located(property: name) {
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

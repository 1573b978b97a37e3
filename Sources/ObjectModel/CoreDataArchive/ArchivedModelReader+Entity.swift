extension ArchivedModelReader {
  /// An entity's object, and what is known of it before its properties are read.
  private struct Outline {
    let name: String
    let object: ArchivedObject
    let properties: [(name: String, value: ArchivedValue)]
    let propertyNames: Set<String>
    let constraints: [[String]]
    var parent: String?
  }

  mutating func entities(of root: ArchivedObject) throws(PropertyListError) -> [Entity] {
    var outlines: [Outline] = []
    var indices: [String: Int] = [:]
    for (key, value) in try members(root.value("NSEntities")) {
      enter(entity: key)
      guard let object = value.object, object.isKind(of: "NSEntityDescription") else {
        remark("it is \(value.kindName), and is left out")
        continue
      }
      let outline = try outline(of: object, key: key)
      guard indices.updateValue(outlines.count, forKey: outline.name) == nil else {
        throw PropertyListError("two entities have this name")
      }
      outlines.append(outline)
    }
    outlines.sort { $0.name < $1.name }
    for (index, outline) in outlines.enumerated() { indices[outline.name] = index }
    var entities: [Entity] = []
    for outline in outlines {
      let parent = outline.parent.flatMap { indices[$0] }.map { outlines[$0] }
      entities.append(try entity(outline, parent: parent))
    }
    return entities
  }

  private mutating func outline(
    of object: ArchivedObject, key: String
  ) throws(PropertyListError) -> Outline {
    let name = try nonEmpty("NSEntityName", of: object) ?? key
    enter(entity: name)
    var properties: [(name: String, value: ArchivedValue)] = []
    for (key, value) in try members(object.value("NSProperties")) {
      properties.append((try self.name("NSPropertyName", of: value) ?? key, value))
    }
    return Outline(
      name: name, object: object, properties: properties, propertyNames: Set(properties.map(\.name)),
      constraints: try nameLists("NSUniqueTuples", of: object),
      parent: try self.name("NSEntityName", of: object.value("NSSuperentity")))
  }

  private mutating func entity(_ outline: Outline, parent: Outline?) throws(PropertyListError) -> Entity {
    enter(entity: outline.name)
    let object = outline.object
    var entity = Entity(name: outline.name, parent: outline.parent)
    entity.className = try nonEmpty("NSClassNameForEntity", of: object)
    // What entities without a class of their own have.
    if entity.className == "NSManagedObject" { entity.className = nil }
    entity.isAbstract = try flag("NSIsAbstract", of: object)
    entity.renamingIdentifier = try renamingIdentifier(of: object, name: outline.name)
    entity.versionHashModifier = try nonEmpty("NSVersionHashModifier", of: object)
    entity.userInfo = try userInfo(of: object)
    // A sub-entity repeats what it inherits.
    let inherited = Set(parent?.constraints ?? [])
    entity.uniquenessConstraints = outline.constraints.filter { !inherited.contains($0) }
    entity.indexes = try compoundIndexes(of: object)
    for (name, value) in outline.properties where parent?.propertyNames.contains(name) != true {
      enter(property: name)
      try add(value, named: name, to: &entity)
    }
    leaveProperty()
    return entity
  }

  private mutating func add(
    _ value: ArchivedValue, named name: String, to entity: inout Entity
  ) throws(PropertyListError) {
    guard let object = value.object else {
      return remark("it is \(value.kindName), and is left out")
    }
    if object.isKind(of: "NSAttributeDescription") {
      if let attribute = try attribute(object, named: name) { entity.attributes.append(attribute) }
    } else if object.isKind(of: "NSRelationshipDescription") {
      if let relationship = try relationship(object, named: name) {
        entity.relationships.append(relationship)
      }
    } else if object.isKind(of: "NSFetchedPropertyDescription") {
      entity.fetchedProperties.append(try fetchedProperty(object, named: name))
    } else {
      remark("it is an object of \(object.className), which is not known, and is left out")
    }
  }

  /// The renaming identifier, if it is another than the name, which it is by default.
  mutating func renamingIdentifier(
    of object: ArchivedObject, name: String
  ) throws(PropertyListError) -> String? {
    let identifier = try nonEmpty("NSRenamingIdentifier", of: object)
    return identifier == name ? nil : identifier
  }

  /// The texts of a `userInfo`; numbers are made texts.
  mutating func userInfo(of object: ArchivedObject) throws(PropertyListError) -> [String: String] {
    var result: [String: String] = [:]
    for (key, value) in try members(object.value("NSUserInfo")) {
      if let text = try text(value) {
        result[key] = text
      } else if let text = ArchivedNumber(value)?.text {
        result[key] = text
      } else {
        remark("“\(ModelError.shortened(key))” in its userInfo is \(value.kindName), and is left out")
      }
    }
    return result
  }

  /// Lists of properties, each as its name or its description.
  private mutating func nameLists(
    _ key: String, of object: ArchivedObject
  ) throws(PropertyListError) -> [[String]] {
    var lists: [[String]] = []
    for list in try elements(object.value(key)) {
      var names: [String] = []
      for element in try elements(list) {
        if let name = try nameOrText("NSPropertyName", of: element) {
          names.append(name)
        } else {
          remark("a part of “\(key)” has no name, and is left out")
        }
      }
      if !names.isEmpty { lists.append(names) }
    }
    return lists
  }

  /// Indexes of before 2017. Others say nothing to Broker and are left out.
  private mutating func compoundIndexes(of object: ArchivedObject) throws(PropertyListError) -> [Index] {
    try nameLists("NSCompoundIndexes", of: object).map { names in
      Index(compound: names.map { Index.Element(property: $0) })
    }
  }
}

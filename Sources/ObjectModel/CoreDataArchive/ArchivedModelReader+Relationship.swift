extension ArchivedModelReader {
  mutating func relationship(
    _ object: ArchivedObject, named name: String
  ) throws(PropertyListError) -> Relationship? {
    guard let destination = try destination(of: object) else {
      remark("it leads to no entity, and is left out")
      return nil
    }
    var relationship = Relationship(name: name, destination: destination)
    relationship.inverse = try inverse(of: object)
    if relationship.inverse != nil { relationship.inverseEntity = destination }
    let most = try integer("NSMaxCount", of: object) ?? 0
    relationship.isToMany = most != 1
    if relationship.isToMany, most > 0 { relationship.maximumCount = most }
    if let least = try integer("NSMinCount", of: object), least > 0 { relationship.minimumCount = least }
    relationship.isOrdered = try flag("NSIsOrdered", of: object)
    relationship.isOptional = try flag("NSIsOptional", of: object)
    relationship.isTransient = try flag("NSIsTransient", of: object)
    relationship.deleteRule = try deleteRule(of: object)
    relationship.renamingIdentifier = try renamingIdentifier(of: object, name: name)
    relationship.versionHashModifier = try nonEmpty("NSVersionHashModifier", of: object)
    relationship.userInfo = try userInfo(of: object)
    return relationship
  }

  private mutating func destination(of object: ArchivedObject) throws(PropertyListError) -> String? {
    if let name = try nonEmpty("_NSDestinationEntityName", of: object) { return name }
    return try name("NSEntityName", of: object.value("NSDestinationEntity"))
  }

  private mutating func inverse(of object: ArchivedObject) throws(PropertyListError) -> String? {
    if let name = try nonEmpty("_NSInverseRelationshipName", of: object) { return name }
    return try name("NSPropertyName", of: object.value("NSInverseRelationship"))
  }

  private mutating func deleteRule(of object: ArchivedObject) throws(PropertyListError) -> DeleteRule {
    guard let number = try integer("NSDeleteRule", of: object) else { return .nullify }
    switch number {
    case 0: return .noAction
    case 1: return .nullify
    case 2: return .cascade
    case 3: return .deny
    default:
      remark("its delete rule \(number) is not known; it is taken for Nullify")
      return .nullify
    }
  }
}

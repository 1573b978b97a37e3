import SwiftSyntax

// Whether the type of an attribute is one that can be stored, as far as its spelling tells.
extension EntityChecker {
  mutating func checkType(of property: PropertyDeclaration) {
    guard let type = property.type else {
      problems.error(
        .typeMissing, at: property.identifier,
        "write the type of \(property.name): @Entity cannot see which one its initial value has",
        fixIts: [Fix("write its type", .insert(": <#Type#>", after: property.identifier))])
      return
    }
    if let target = type.bare.wrapped?.named, target.name == "ToMany" {
      return checkOptionalToMany(property, type)
    }
    if let element = type.bare.element?.named, ["ToOne", "ToMany"].contains(element.name) {
      return checkCollection(property, type, of: element)
    }
    if let token = type.bare.unsignedName {
      problems.error(
        .unsigned, at: type, "\(token.text) does not fit SQLite's 64-bit integers; use Int64 or String",
        fixIts: [
          Fix("use Int64", .replace(token, with: "Int64")),
          Fix("use String", .replace(token, with: "String")),
        ])
      return
    }
    guard let obstacle = StorageObstacle(in: type) else { return }
    problems.error(
      .unstorable, at: obstacle.type,
      "\(obstacle.type.trimmedDescription) cannot be stored: \(obstacle.reason)",
      fixIts: obstacle.fixes + [.markTransient(property)])
  }

  private mutating func checkOptionalToMany(_ property: PropertyDeclaration, _ type: TypeSyntax) {
    let list = type.bare.wrapped?.trimmedDescription ?? ""
    problems.error(
      .optionalToMany, at: type,
      "\(property.name) cannot be optional: a list without objects says that there are none",
      fixIts: [Fix("make it \(list)", .replace(type, with: list))])
  }

  private mutating func checkCollection(
    _ property: PropertyDeclaration, _ type: TypeSyntax, of element: NamedType
  ) {
    let target = element.arguments.first?.trimmedDescription ?? "<#Entity#>"
    problems.error(
      .relationshipInCollection, at: type,
      "\(property.name) cannot be a list of relationships; ToMany<\(target)> is one relationship to many",
      fixIts: [Fix("make it ToMany<\(target)>", .replace(type, with: "ToMany<\(target)>"))])
  }
}

extension TypeSyntax {
  /// `UInt` or `UInt64`, where they are the whole type or the whole of an optional.
  fileprivate var unsignedName: TokenSyntax? {
    let type = wrapped ?? self
    let token = type.as(IdentifierTypeSyntax.self)?.name ?? type.as(MemberTypeSyntax.self)?.name
    return ["UInt", "UInt64"].contains(type.named?.name) ? token : nil
  }
}

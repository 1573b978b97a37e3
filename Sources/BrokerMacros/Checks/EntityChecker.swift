import SwiftSyntax

/// Finds what is wrong with an entity that can be seen in its source.
struct EntityChecker {
  let entity: EntityDeclaration
  var problems: Problems

  /// All problems of an entity, after those `found` while reading it; `context` is what it is declared in.
  static func check(_ entity: EntityDeclaration, found: Problems, in context: [Syntax]) -> Problems {
    var checker = EntityChecker(entity: entity, problems: found)
    checker.checkEntity(in: context)
    for property in entity.members { checker.checkProperty(property) }
    checker.checkIdentity()
    checker.checkInheritance()
    checker.checkVersions()
    checker.checkNames()
    checker.checkKeys()
    checker.checkInverses()
    return checker.problems
  }

  private mutating func checkEntity(in context: [Syntax]) {
    if let clause = entity.structure.genericParameterClause {
      problems.error(
        .generic, at: clause, "\(entity.name) is generic, and an entity has one table for all of its objects")
    } else if context.contains(where: \.isGeneric) {
      problems.error(
        .generic, at: entity.structure.name,
        "\(entity.name) is part of a generic type, and an entity has one table for all of its objects")
    }
    checkName(entity.nameArgument)
    checkName(entity.formerName)
    if let argument = entity.mark.labeledArguments.first(where: { $0.label?.text == "identified" }) {
      checkBool(argument.expression)
    }
  }

  private mutating func checkProperty(_ property: PropertyDeclaration) {
    checkMarks(of: property)
    checkStorage(of: property)
    switch property.role {
    case .attribute:
      // A value that is kept elsewhere may have any type.
      if property.marks.wrappers.isEmpty, !property.declaration.isLazy { checkType(of: property) }
      checkRange(of: property, .attribute)
    case .toOne, .toMany:
      checkRelationship(property)
      checkRange(of: property, .relationship)
    case .inherited, .transient: break
    }
  }
}

extension Syntax {
  fileprivate var isGeneric: Bool {
    asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
  }
}

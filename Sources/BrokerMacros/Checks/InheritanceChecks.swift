import SwiftSyntax

extension EntityChecker {
  mutating func checkInheritance() {
    let all = entity.members.filter { if case .inherited = $0.role { true } else { false } }
    guard let first = all.first else { return }
    for other in all.dropFirst() {
      problems.error(
        .inheritedTwice, at: other.identifier,
        "\(entity.name) inherits twice; an entity inherits from one other",
        notes: [ProblemNote(at: first.identifier, "the first is here")])
    }
    checkInheritedType(first)
    if !entity.isIdentified {
      problems.error(
        .inheritedUnidentified, at: entity.mark,
        "\(entity.name) inherits, so it has the identity of \(first.name), if that has one",
        fixIts: [Fix("take identified: false away", entity.identified)])
    }
  }

  private mutating func checkInheritedType(_ property: PropertyDeclaration) {
    if let type = property.writtenType, type.isPlainName { return }
    let wrapped = property.writtenType?.bare.wrapped
    problems.error(
      .inheritedType, at: property.typePlace,
      "the type of \(property.name) has to be the name of an entity, from which \(entity.name) inherits",
      fixIts: wrapped.map { type in
        let text = type.trimmedDescription
        return [Fix("make it \(text)", .replace(property.typePlace, with: text))]
      } ?? [])
  }
}

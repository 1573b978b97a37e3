import SwiftSyntax

extension EntityChecker {
  mutating func checkRelationship(_ property: PropertyDeclaration) {
    checkInverse(of: property)
    guard case .toOne = property.role, let mark = property.marks[.relationship] else { return }
    for argument in mark.arguments {
      guard let label = argument.label?.text, ["ordered", "minimum", "maximum"].contains(label) else {
        continue
      }
      problems.error(
        .toOneCount, at: argument, "\(property.name) leads to one object; \(label): is for ToMany")
    }
  }

  private mutating func checkInverse(of property: PropertyDeclaration) {
    guard let argument = property.marks[.relationship]?.argument("inverse"), !argument.isNil,
      let target = property.role.target?.trimmedDescription
    else { return }
    guard let inverse = property.inverse else {
      problems.error(
        .inverseForm, at: argument,
        "the inverse has to be one property of \(target), as \\\(target).\(example), or nil")
      return
    }
    guard !inverse.isName else { return }
    let right = "\\\(target).\(inverse.property)"
    let fix = Fix("write \(right)", .replace(argument, with: right))
    if inverse.root == nil {
      problems.error(
        .inverseRoot, at: argument, "say whose property the inverse is: \(right)", fixIts: [fix])
    } else if !entity.isSame(inverse.root, target) {
      problems.error(
        .inverseRoot, at: argument, "the inverse of \(property.name) has to be a property of \(target)",
        notes: [ProblemNote(at: property.typePlace, "\(property.name) leads to \(target)")], fixIts: [fix])
    } else {
      checkCircle(property, inverse, argument)
    }
  }

  /// Swift cannot resolve key paths that lead to each other. In one struct that is seen, and can be mended.
  private mutating func checkCircle(
    _ property: PropertyDeclaration, _ inverse: InversePath, _ argument: ExprSyntax
  ) {
    guard entity.isSame(inverse.root, entity.name),
      let other = entity.properties.first(where: { $0.code == inverse.property }),
      let back = other.inverse, !back.isName, back.property == property.code
    else { return }
    let name = "\"\(other.name)\""
    problems.error(
      .inverseCircle, at: argument, "Swift cannot resolve key paths that lead to each other; write \(name)",
      fixIts: [Fix("write \(name)", .replace(argument, with: name))])
  }

  private var example: String { entity.name.prefix(1).lowercased() + entity.name.dropFirst() }

  /// A relationship is the inverse of one other.
  mutating func checkInverses() {
    var seen: [String: PropertyDeclaration] = [:]
    for property in entity.properties {
      guard let inverse = property.inverse, let target = property.role.target?.trimmedDescription,
        inverse.root == nil || entity.isSame(inverse.root, target),
        let other = seen.updateValue(property, forKey: "\(target).\(inverse.property)")
      else { continue }
      let place = property.marks[.relationship]?.argument("inverse").map { Syntax($0) }
      problems.error(
        .inverseTwice, at: place ?? Syntax(property.identifier),
        """
        \(property.name) and \(other.name) have the same inverse, \(inverse.property) of \(target); \
        a relationship is the inverse of one other
        """,
        notes: [ProblemNote(at: other.identifier, "the other is here")])
    }
  }
}

extension EntityDeclaration {
  /// Whether two spellings mean one type; `Model.Album` may be written `Album` inside `Model`.
  fileprivate func isSame(_ root: String?, _ target: String) -> Bool {
    guard let root else { return false }
    let one = root == "Self" ? name : root
    let other = target == "Self" ? name : target
    return one == other || one.hasSuffix(".\(other)") || other.hasSuffix(".\(one)")
  }
}

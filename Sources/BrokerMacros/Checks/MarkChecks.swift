import SwiftSyntax

// Marks that do not go together, or not with the property.
extension EntityChecker {
  mutating func checkMarks(of property: PropertyDeclaration) {
    checkRepetition(in: property)
    checkName(property.nameArgument)
    for label in ["indexed", "search", "unique", "exported"] {
      checkBool(property.marks[.attribute]?.argument(label))
    }
    checkBool(property.marks[.relationship]?.argument("ordered"))
    for mark in [MarkName.attribute, .relationship] {
      if let name = property.marks[mark]?.argument("renamedFrom"), !name.isNil { checkName(name) }
    }
    switch property.role {
    case .transient: checkExclusive(.transient, in: property, .markOnTransient)
    case .inherited: checkExclusive(.inherited, in: property, .markOnInherited)
    case .attribute: checkAttributeMarks(of: property)
    case .toOne, .toMany: checkRelationshipMarks(of: property)
    }
  }

  private mutating func checkRepetition(in property: PropertyDeclaration) {
    for (index, mark) in property.marks.all.enumerated() {
      guard let first = property.marks.all[..<index].first(where: { $0.name == mark.name }) else { continue }
      problems.error(
        .markTwice, at: mark.syntax, "\(mark.text) is written twice; \(property.name) takes one",
        notes: [ProblemNote(at: first.syntax, "the first is here")],
        fixIts: [Fix("take the second away", .remove(mark.syntax))])
    }
  }

  /// `@Transient` and `@Inherited` stand alone.
  private mutating func checkExclusive(
    _ name: MarkName, in property: PropertyDeclaration, _ problem: ProblemID
  ) {
    guard let mark = property.marks[name] else { return }
    let why =
      name == .transient
      ? "is not stored" : "stands for the properties of another entity, which say it themselves"
    for other in property.marks.all where other.name != name {
      problems.error(
        problem, at: other.syntax, "\(property.name) \(why), so it cannot have \(other.text)",
        fixIts: [
          Fix("take \(other.text) away", .remove(other.syntax)),
          Fix("take \(mark.text) away", .remove(mark.syntax)),
        ])
    }
  }

  private mutating func checkAttributeMarks(of property: PropertyDeclaration) {
    checkSearch(of: property)
    guard let mark = property.marks[.relationship] else { return }
    // What looks like a list of relationships has a better message: see the type checks.
    if let type = property.type?.bare, type.mentionsRelationship { return }
    problems.error(
      .relationshipExpected, at: mark.syntax,
      "\(property.name) is no relationship: its type has to be ToOne or ToMany",
      fixIts: relationshipTypes(for: property) + [Fix("take @Relationship away", .remove(mark.syntax))])
  }

  /// The store finds words in texts. A type that only the compiler knows is checked when the store is opened.
  private mutating func checkSearch(of property: PropertyDeclaration) {
    guard let search = property.marks[.attribute]?.arguments.first(where: { $0.label?.text == "search" }),
      search.expression.literalBool == true,
      let type = property.type?.bare, let name = (type.wrapped ?? type).named?.name,
      TypeSyntax.wordless.contains(name)
    else { return }
    problems.error(
      .searchWithoutWords, at: search,
      "\(property.name) has the type \(name), in which there are no words to search for; only texts have them",
      fixIts: [Fix("write search: false", .replace(search.expression, with: "false"))])
  }

  private func relationshipTypes(for property: PropertyDeclaration) -> [Fix] {
    guard let written = property.writtenType else { return [] }
    let type: String
    if let element = written.bare.element, element.mayBeEntity {
      type = "ToMany<\(element.trimmedDescription)>"
    } else if let wrapped = written.bare.wrapped, wrapped.mayBeEntity {
      type = "ToOne<\(wrapped.trimmedDescription)>?"
    } else if written.bare.mayBeEntity {
      type = "ToOne<\(written.trimmedDescription)>"
    } else {
      return []
    }
    return [Fix("make it \(type)", .replace(written, with: type))]
  }

  private mutating func checkRelationshipMarks(of property: PropertyDeclaration) {
    for mark in property.marks.all {
      switch mark.name {
      case .attribute:
        let onlyNamed = mark.arguments.allSatisfy { $0.label?.text == "name" }
        problems.error(
          .markOnRelationship, at: mark.syntax, "\(property.name) is a relationship; use @Relationship",
          fixIts: onlyNamed
            ? [Fix("use @Relationship", .replace(mark.syntax.attributeName, with: "Relationship"))] : [])
      case .identity where property.role.isToMany:
        problems.error(
          .markOnRelationship, at: mark.syntax,
          "\(property.name) leads to many objects, so it cannot have \(mark.text)",
          fixIts: [Fix("take \(mark.text) away", .remove(mark.syntax))])
      case .version:
        problems.error(
          .markOnRelationship, at: mark.syntax,
          "\(property.name) is a relationship, so it cannot have \(mark.text); only attributes can",
          fixIts: [Fix("take \(mark.text) away", .remove(mark.syntax))])
      case .identity, .inherited, .key, .relationship, .transient: break
      }
    }
  }

  /// One attribute says how old an object's JSON is.
  mutating func checkVersions() {
    let marks = entity.properties.compactMap { $0.marks[.version] }
    guard let first = marks.first else { return }
    for mark in marks.dropFirst() {
      problems.error(
        .twoVersions, at: mark.syntax,
        "\(entity.name) has two attributes marked @Version; one says how old it is",
        notes: [ProblemNote(at: first.syntax, "the first is here")],
        fixIts: [Fix("take the second away", .remove(mark.syntax))])
    }
  }
}

extension TypeSyntax {
  /// The types of attributes in which no words are found.
  fileprivate static let wordless: Set = [
    "Bool", "Data", "Date", "Decimal", "Double", "Float", "Int", "Int16", "Int32", "Int64", "Int8", "UUID",
  ]

  private static let values = wordless.union(["String", "URL"])

  /// Whether it may be the name of an entity, as far as its spelling tells.
  fileprivate var mayBeEntity: Bool { isPlainName && !Self.values.contains(named?.name ?? "") }

  fileprivate var mentionsRelationship: Bool {
    tokens(viewMode: .sourceAccurate).contains { ["ToOne", "ToMany"].contains($0.text) }
  }
}

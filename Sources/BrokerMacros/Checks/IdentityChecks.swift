import SwiftDiagnostics
import SwiftSyntax

extension EntityChecker {
  mutating func checkIdentity() {
    checkIdentifier()
    guard entity.isIdentified else { return checkUnidentified() }
    // Marks on what cannot be marked have their own messages.
    if entity.inherited == nil, entity.identity.isEmpty,
      !entity.members.contains(where: { $0.marks[.identity] != nil })
    {
      reportMissingIdentity()
    }
    for property in entity.identity { checkType(ofIdentity: property) }
  }

  private mutating func checkType(ofIdentity property: PropertyDeclaration) {
    guard let type = property.type?.bare else { return }
    if let wrapped = type.wrapped {
      let text = wrapped.trimmedDescription
      problems.error(
        .identityOptional, at: property.typePlace,
        "\(property.name) identifies \(entity.name), so it cannot be optional",
        fixIts: [Fix("make it \(text)", .replace(property.typePlace, with: text))])
    } else if !property.canIdentify {
      problems.error(
        .identityType, at: property.typePlace,
        "\(property.name) cannot identify \(entity.name): values of \(type.trimmedDescription) are not exact keys"
      )
    }
  }

  private mutating func reportMissingIdentity() {
    let candidates = entity.properties.filter {
      // A mark may not stand before several properties in one declaration.
      $0.isLikelyIdentity && $0.marks.wrappers.isEmpty && $0.declaration.bindings.count == 1
    }.prefix(5)
    problems.error(
      .identityMissing, at: entity.structure.name,
      "\(entity.name) has no identity: mark the property that identifies it with @Identity",
      notes: candidates.map { ProblemNote(at: $0.identifier, "\($0.name) could identify it") },
      fixIts: candidates.map {
        Fix("mark \($0.name) @Identity", .insert("@Identity ", before: $0.declaration))
      } + [
        Fix("say that it has no identity: others own it", entity.unidentified)
      ])
  }

  private mutating func checkUnidentified() {
    for property in entity.properties where !property.role.isToMany {
      guard let mark = property.marks[.identity] else { continue }
      problems.error(
        .identityUnwanted, at: mark.syntax,
        "@Entity(identified: false) says that \(entity.name) has no identity, so it cannot have @Identity",
        fixIts: [
          Fix("take @Identity away", .remove(mark.syntax)),
          Fix("let it have an identity", entity.identified),
        ])
    }
  }

  /// The name `id` belongs to the identity.
  private mutating func checkIdentifier() {
    if let own = entity.ownIdentifier {
      problems.error(
        .identifierTaken, at: own,
        "@Entity writes id itself, as the identity of \(entity.name); take this one away",
        fixIts: [Fix("take it away", .remove(own))])
    }
    guard let property = entity.members.first(where: { $0.name == "id" }) else { return }
    if case .attribute = property.role, entity.identity.map(\.name) == ["id"] { return }
    problems.error(
      .identifierTaken, at: property.identifier,
      "id has to be the whole identity of \(entity.name), and is not; give it another name",
      notes: [ProblemNote(at: identityPlace, "the id of a Storable is its identity")])
  }

  /// The place in the source that declares the identity.
  private var identityPlace: Syntax {
    let others = entity.identity.filter { $0.name != "id" }
    let place = others.first ?? entity.inherited
    return place.map { Syntax($0.identifier) } ?? Syntax(entity.structure.name)
  }
}

extension EntityDeclaration {
  /// `identified: false` written into `@Entity`.
  fileprivate var unidentified: FixIt.Change {
    let argument = "identified: false"
    let list = mark.labeledArguments
    if let wrong = list.first(where: { $0.label?.text == "identified" }) {
      return .replace(wrong.expression, with: "false")
    }
    if let last = list.last { return .insert(", \(argument)", after: last) }
    return .replace(mark, with: "@\(mark.attributeName.trimmedDescription)(\(argument))")
  }

  /// `@Entity` without `identified: false`.
  var identified: FixIt.Change {
    let name = "@\(mark.attributeName.trimmedDescription)"
    guard let nameArgument else { return .replace(mark, with: name) }
    return .replace(mark, with: "\(name)(\(nameArgument.trimmedDescription))")
  }
}

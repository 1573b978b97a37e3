import SwiftSyntax

struct EntityReader {
  private var members: [PropertyDeclaration] = []
  private var ownIdentifier: VariableDeclSyntax?
  private var problems = Problems()

  static func read(_ structure: StructDeclSyntax, mark: AttributeSyntax) -> (EntityDeclaration, Problems) {
    var reader = EntityReader()
    for member in structure.memberBlock.members { reader.read(member.decl) }
    let entity = EntityDeclaration(
      structure: structure, mark: mark, members: reader.members, ownIdentifier: reader.ownIdentifier)
    return (entity, reader.problems)
  }

  private mutating func read(_ member: DeclSyntax) {
    if let conditional = member.as(IfConfigDeclSyntax.self), conditional.declaresStoredProperty {
      problems.error(
        .conditional, at: conditional,
        "properties inside #if cannot be read; declare them outside, or compute what differs")
    }
    guard let variable = member.as(VariableDeclSyntax.self), !variable.isStatic else { return }
    for case .ifConfigDecl(let conditional) in variable.attributes {
      problems.error(
        .conditional, at: conditional, "attributes inside #if cannot be read; write them outside")
    }
    for (index, binding) in variable.bindings.enumerated() {
      if binding.isComputed {
        if binding.pattern.trimmedDescription == "id" { ownIdentifier = variable }
      } else {
        read(binding, of: variable, following: variable.bindings.dropFirst(index + 1))
      }
    }
  }

  private mutating func read(
    _ binding: PatternBindingSyntax, of variable: VariableDeclSyntax,
    following: Slice<PatternBindingListSyntax>
  ) {
    guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
      problems.error(
        .tuplePattern, at: binding.pattern,
        "the properties of a tuple pattern cannot be read; declare each by itself")
      return
    }
    let value = binding.initializer?.value
    // In `var a, b: Int` the type of `b` is that of `a`, too.
    let shared = value == nil ? following.lazy.compactMap(\.typeAnnotation).first : nil
    members.append(
      PropertyDeclaration(
        declaration: variable, identifier: pattern.identifier,
        writtenType: (binding.typeAnnotation ?? shared)?.type, initialValue: value))
  }
}

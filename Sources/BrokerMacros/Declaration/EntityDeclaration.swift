import SwiftSyntax

/// A struct marked `@Entity`, as its source says it.
struct EntityDeclaration {
  let structure: StructDeclSyntax
  let mark: AttributeSyntax
  /// The stored properties of the struct, in the order of the source.
  let members: [PropertyDeclaration]
  /// A computed `id` that the struct declares itself.
  let ownIdentifier: VariableDeclSyntax?

  var name: String { structure.name.plainText }

  var nameArgument: ExprSyntax? { mark.labeledArguments.first { $0.label == nil }?.expression }
  /// The name in the model.
  var storedName: String { nameArgument?.literalText ?? name }

  /// The former name, unless none is said.
  var formerName: ExprSyntax? {
    let value = mark.labeledArguments.first { $0.label?.text == "renamedFrom" }?.expression
    return value.flatMap { $0.isNil ? nil : $0 }
  }

  var isIdentified: Bool { Self.isIdentified(mark) }

  static func isIdentified(_ mark: AttributeSyntax) -> Bool {
    mark.labeledArguments.first { $0.label?.text == "identified" }?.expression.literalBool ?? true
  }

  /// The attributes and relationships, in the order of the list of properties.
  var properties: [PropertyDeclaration] {
    members.filter {
      switch $0.role {
      case .attribute, .toOne, .toMany: true
      case .inherited, .transient: false
      }
    }
  }

  /// The property that holds what the entity inherits.
  var inherited: PropertyDeclaration? {
    members.first { if case .inherited = $0.role { true } else { false } }
  }
}

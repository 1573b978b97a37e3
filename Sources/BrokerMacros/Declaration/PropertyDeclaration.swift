import SwiftSyntax

/// A stored property of an entity, as the source says it.
struct PropertyDeclaration {
  let declaration: VariableDeclSyntax
  let identifier: TokenSyntax
  let writtenType: TypeSyntax?
  let initialValue: ExprSyntax?
  let marks: Marks
  let role: PropertyRole

  init(
    declaration: VariableDeclSyntax, identifier: TokenSyntax, writtenType: TypeSyntax?,
    initialValue: ExprSyntax?
  ) {
    self.declaration = declaration
    self.identifier = identifier
    self.writtenType = writtenType
    self.initialValue = initialValue
    marks = Marks(declaration.attributes)
    role = PropertyRole(type: writtenType, marks: marks)
  }

  var name: String { identifier.plainText }
  /// The name as Swift code writes it.
  var code: String { identifier.text }
  /// The type as written, or as Swift infers it from a literal.
  var type: TypeSyntax? { writtenType ?? initialValue?.literalType }
  /// The place for problems with the type.
  var typePlace: Syntax { writtenType.map { Syntax($0) } ?? Syntax(identifier) }

  /// The argument that gives the name in the model, if there is one.
  var nameArgument: ExprSyntax? {
    marks[.attribute]?.argument("name") ?? marks[.relationship]?.argument("name")
  }
  var storedName: String { nameArgument?.literalText ?? name }

  /// The keys that it is marked with, best first.
  var keys: [ExprSyntax] { marks[.key]?.arguments.map(\.expression) ?? [] }
}

extension PropertyDeclaration {
  /// The value for JSON that lacks the property: its initial value, if that is always the same.
  var defaultValue: ExprSyntax? {
    guard case .attribute = role, let initialValue, !initialValue.isNil else { return nil }
    if initialValue.isConstant { return initialValue }
    guard let type = writtenType?.bare, let member = initialValue.implicitMember else { return nil }
    if type.wrapped != nil, member == "none" { return nil }
    // The moment at which the model is made is nobody's default.
    if (type.wrapped ?? type).named?.name == "Date", member == "now" { return nil }
    return initialValue
  }
}

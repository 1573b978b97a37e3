import SwiftParser
import SwiftSyntax

// Facts of expressions that can be read without the compiler's help.
extension ExprSyntax {
  /// The text of a string literal without interpolation.
  var literalText: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }

  var literalBool: Bool? {
    self.as(BooleanLiteralExprSyntax.self).map { $0.literal.tokenKind == .keyword(.true) }
  }

  var literalNumber: Double? {
    let integer = self.as(IntegerLiteralExprSyntax.self)?.literal
    if let literal = integer ?? self.as(FloatLiteralExprSyntax.self)?.literal {
      return Double(literal.text.filter { $0 != "_" })
    }
    guard let negative = self.as(PrefixOperatorExprSyntax.self), negative.operator.text == "-" else {
      return nil
    }
    return negative.expression.literalNumber.map { -$0 }
  }

  var isNil: Bool { self.is(NilLiteralExprSyntax.self) }

  /// Whether it is a literal that means the same wherever it stands.
  var isConstant: Bool {
    if let array = self.as(ArrayExprSyntax.self) { return array.elements.allSatisfy(\.expression.isConstant) }
    return literalText != nil || literalBool != nil || isNumber
  }

  private var isNumber: Bool {
    if let negative = self.as(PrefixOperatorExprSyntax.self) {
      return negative.operator.text == "-" && negative.expression.isNumber
    }
    return self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
  }

  /// The type that Swift gives to a literal.
  var literalType: TypeSyntax? {
    if literalText != nil { return .named("String") }
    if literalBool != nil { return .named("Bool") }
    guard isNumber else { return nil }
    let number = self.as(PrefixOperatorExprSyntax.self)?.expression ?? self
    return number.is(FloatLiteralExprSyntax.self) ? .named("Double") : .named("Int")
  }

  /// The name of an implicit member without arguments: `rock` of `.rock`.
  var implicitMember: String? {
    guard let member = self.as(MemberAccessExprSyntax.self), member.base == nil else { return nil }
    return member.declName.argumentNames == nil ? member.declName.baseName.plainText : nil
  }
}

extension TypeSyntax {
  fileprivate static func named(_ name: String) -> TypeSyntax {
    TypeSyntax(IdentifierTypeSyntax(name: .identifier(name)))
  }
}

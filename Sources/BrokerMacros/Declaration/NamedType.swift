import SwiftSyntax

/// A type that has a name, as opposed to a function, a tuple, or one written with brackets.
struct NamedType {
  /// The name without its module, if that is one that everybody knows.
  let name: String
  let arguments: [TypeSyntax]
}

extension TypeSyntax {
  private static let modules: Set = ["Broker", "Swift", "Foundation"]

  var named: NamedType? {
    if let type = self.as(IdentifierTypeSyntax.self) {
      return NamedType(name: type.name.plainText, arguments: Self.arguments(type.genericArgumentClause))
    }
    guard let type = self.as(MemberTypeSyntax.self) else { return nil }
    let base = type.baseType.trimmedDescription
    let name = type.name.plainText
    return NamedType(
      name: Self.modules.contains(base) ? name : "\(base).\(name)",
      arguments: Self.arguments(type.genericArgumentClause))
  }

  private static func arguments(_ clause: GenericArgumentClauseSyntax?) -> [TypeSyntax] {
    (clause?.arguments ?? []).compactMap { Syntax($0.argument).as(TypeSyntax.self) }
  }

  /// Whether it is a name and no more, as `Person` or `Model.Person`.
  var isPlainName: Bool {
    guard let named else { return false }
    let hasArguments = tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .leftAngle }
    return named.arguments.isEmpty && !hasArguments
  }

  /// The type without parentheses and attributes that change nothing about what is stored.
  var bare: TypeSyntax {
    if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.bare }
    if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1,
      let element = tuple.elements.first,
      element.firstName == nil
    {
      return element.type.bare
    }
    return self
  }

  /// The wrapped type: `T` of `T?` and of `Optional<T>`.
  var wrapped: TypeSyntax? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.bare }
    if let named, named.name == "Optional" { return named.arguments.first?.bare }
    return nil
  }

  /// The type of elements: `T` of `[T]`, `Array<T>` and `Set<T>`.
  var element: TypeSyntax? {
    if let array = self.as(ArrayTypeSyntax.self) { return array.element.bare }
    if let named, ["Array", "Set"].contains(named.name) { return named.arguments.first?.bare }
    return nil
  }

  /// The keys' and the values' types of a dictionary.
  var entry: [TypeSyntax]? {
    if let type = self.as(DictionaryTypeSyntax.self) { return [type.key.bare, type.value.bare] }
    if let named, named.name == "Dictionary", named.arguments.count == 2 {
      return named.arguments.map(\.bare)
    }
    return nil
  }
}

extension TokenSyntax {
  /// The name without backticks.
  var plainText: String { text.filter { $0 != "`" } }
}

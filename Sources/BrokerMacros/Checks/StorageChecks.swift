import SwiftSyntax

// Whether a property is one that can be read from a row and written to it.
extension EntityChecker {
  mutating func checkStorage(of property: PropertyDeclaration) {
    if case .transient = property.role {
      checkTransient(property)
    } else if let wrapper = property.marks.wrappers.first {
      problems.error(
        .propertyWrapper, at: wrapper,
        """
        \(property.name) is kept by a property wrapper, @\(wrapper.plainName); \
        mark it @Transient or take the wrapper off
        """,
        fixIts: [.markTransient(property), Fix("take the wrapper off", .remove(wrapper))])
    } else if property.declaration.isLazy {
      problems.error(
        .lazy, at: property.declaration,
        """
        \(property.name) is lazy: it is computed when first used, and cannot be read from the store; \
        mark it @Transient
        """,
        fixIts: [.markTransient(property)])
    } else if property.declaration.isConstant, property.initialValue != nil {
      problems.error(
        .constant, at: property.declaration.bindingSpecifier,
        "\(property.name) is a constant with a value, which no object can change; declare it with var",
        fixIts: [Fix("declare it with var", .replace(property.declaration.bindingSpecifier, with: "var"))])
    }
  }

  private mutating func checkTransient(_ property: PropertyDeclaration) {
    guard property.initialValue == nil, property.marks.wrappers.isEmpty else { return }
    let isOptional = property.writtenType?.bare.wrapped != nil || property.isImplicitlyUnwrapped
    if isOptional, !property.declaration.isConstant { return }
    problems.error(
      .transientWithoutValue, at: property.identifier,
      "\(property.name) is not stored, so it needs an initial value",
      fixIts: [Fix("give it an initial value", .insert(" = <#value#>", after: property.typePlace))])
  }
}

extension PropertyDeclaration {
  fileprivate var isImplicitlyUnwrapped: Bool {
    writtenType?.bare.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) ?? false
  }
}

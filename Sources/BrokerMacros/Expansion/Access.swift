import SwiftSyntax

extension EntityDeclaration {
  /// The access level that the members of the extension begin with: `public ` or `package ` if the struct is, else
  /// nothing.
  func access(in context: [Syntax]) -> String {
    if let own = structure.modifiers.access { return own.opens ? "\(own.text) " : "" }
    // In `public extension` everything is public that does not say otherwise.
    let around = context.first?.as(ExtensionDeclSyntax.self)?.modifiers.access
    if let around, around.opens { return "\(around.text) " }
    // In a type that is private nothing may be said to be more.
    let isHidden = context.contains {
      $0.asProtocol((any WithModifiersSyntax).self)?.modifiers.access?.hides ?? false
    }
    return isHidden ? "fileprivate " : ""
  }
}

extension DeclModifierListSyntax {
  fileprivate var access: TokenSyntax? {
    let words: [Keyword] = [.public, .package, .internal, .fileprivate, .private]
    // `private(set)` is of another kind.
    return first { modifier in
      modifier.detail == nil && words.contains { modifier.name.tokenKind == .keyword($0) }
    }?.name
  }
}

extension TokenSyntax {
  fileprivate var opens: Bool { [.keyword(.public), .keyword(.package)].contains(tokenKind) }
  fileprivate var hides: Bool { [.keyword(.private), .keyword(.fileprivate)].contains(tokenKind) }
}

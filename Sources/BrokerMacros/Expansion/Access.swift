import SwiftSyntax

extension EntityDeclaration {
  /// What the members of the extension begin with: `public ` or `package ` if the struct is, else nothing.
  func access(in context: [Syntax]) -> String {
    if let own = structure.modifiers.access { return own.opens ? "\(own.text) " : "" }
    // In `public extension` everything is public that does not say otherwise.
    let around = context.first?.as(ExtensionDeclSyntax.self)?.modifiers.access
    return around.map { $0.opens ? "\($0.text) " : "" } ?? ""
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
}

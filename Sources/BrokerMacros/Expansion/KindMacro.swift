import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Kinds` and `@Kind`: they expand to nothing, since `@Entity` reads them.
struct KindMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let structure = declaration.as(StructDeclSyntax.self)
    guard structure?.attributes.first(named: "Entity") == nil else { return [] }
    let mark = "@\(node.plainName)"
    context.diagnose(
      Diagnostic(
        node: node,
        message: Message(
          id: .markWithoutEffect, severity: .warning,
          message: "\(mark) has no effect outside an @Entity struct"),
        fixIts: [
          FixIt(
            message: Message(id: .markWithoutEffect, kind: "fix", message: "take \(mark) away"),
            changes: [.remove(node)])
        ]))
    return []
  }
}

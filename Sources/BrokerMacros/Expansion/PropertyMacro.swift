import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Identity`, `@Key` and the others: they expand to nothing, since `@Entity` reads them.
struct PropertyMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let mark = "@\(node.plainName)"
    if let text = misuse(of: mark, on: declaration, in: context.lexicalContext.first) {
      context.diagnose(
        Diagnostic(
          node: node, message: Message(id: .markWithoutEffect, severity: .warning, message: text),
          fixIts: [
            FixIt(
              message: Message(id: .markWithoutEffect, kind: "fix", message: "take \(mark) away"),
              changes: [.remove(node)])
          ]))
    }
    return []
  }

  /// Why nobody reads the mark, if nobody does.
  private static func misuse(
    of mark: String, on declaration: some DeclSyntaxProtocol, in type: Syntax?
  ) -> String? {
    let entity = type?.asProtocol((any WithAttributesSyntax).self)?.attributes.first(named: "Entity")
    if entity == nil { return "\(mark) has no effect outside an @Entity struct" }
    guard let variable = declaration.as(VariableDeclSyntax.self), !variable.isStatic,
      !variable.bindings.allSatisfy(\.isComputed)
    else { return "\(mark) has no effect here: it is for stored properties" }
    return nil
  }
}

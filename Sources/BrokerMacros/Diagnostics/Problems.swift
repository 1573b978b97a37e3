import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The mistakes in an entity, gathered so that the compiler says all of them at once.
struct Problems {
  private var diagnostics: [Diagnostic] = []
  private(set) var ids: Set<ProblemID> = []

  var isEmpty: Bool { diagnostics.isEmpty }

  mutating func error(
    _ id: ProblemID, at node: some SyntaxProtocol, _ text: String, notes: [ProblemNote] = [],
    fixIts: [Fix] = []
  ) {
    ids.insert(id)
    diagnostics.append(
      Diagnostic(
        node: Syntax(node), message: Message(id: id, message: text),
        notes: notes.map { Note(node: $0.node, message: Message(id: id, kind: "note", message: $0.text)) },
        fixIts: fixIts.map { fix in
          FixIt(message: Message(id: id, kind: "fix", message: fix.text), changes: fix.changes)
        }))
  }

  /// Tells them in the order of the source.
  func emit(in context: some MacroExpansionContext) {
    let inOrder = diagnostics.enumerated().sorted { one, other in
      (one.element.position, one.offset) < (other.element.position, other.offset)
    }
    for (_, diagnostic) in inOrder { context.diagnose(diagnostic) }
  }
}

/// Another place that has to do with a problem.
struct ProblemNote {
  let node: Syntax
  let text: String

  init(at node: some SyntaxProtocol, _ text: String) {
    self.node = Syntax(node)
    self.text = text
  }
}

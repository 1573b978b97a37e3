import SwiftDiagnostics
import SwiftSyntax

/// A way to mend a problem that the editor offers.
struct Fix {
  let text: String
  let changes: [FixIt.Change]

  init(_ text: String, _ changes: FixIt.Change...) { self.init(text, changes) }

  init(_ text: String, _ changes: [FixIt.Change]) {
    self.text = text
    self.changes = changes
  }

  static func markTransient(_ property: PropertyDeclaration) -> Fix {
    Fix("mark it @Transient", .insert("@Transient ", before: property.declaration))
  }
}

// Only the text of a fix counts: each puts one token with the new text where the old node was.
extension FixIt.Change {
  static func replace(_ node: some SyntaxProtocol, with text: String) -> FixIt.Change {
    let token = TokenSyntax(
      .identifier(text), leadingTrivia: node.leadingTrivia, trailingTrivia: node.trailingTrivia,
      presence: .present)
    return .replace(oldNode: Syntax(node), newNode: Syntax(token))
  }

  static func insert(_ text: String, before node: some SyntaxProtocol) -> FixIt.Change {
    guard let token = node.firstToken(viewMode: .sourceAccurate) else { return replace(node, with: text) }
    return replace(token, with: text + token.text)
  }

  static func insert(_ text: String, after node: some SyntaxProtocol) -> FixIt.Change {
    guard let token = node.lastToken(viewMode: .sourceAccurate) else { return replace(node, with: text) }
    return replace(token, with: token.text + text)
  }

  /// Takes the node away, and the space after it. What stands above it stays: comments, the indentation.
  static func remove(_ node: some SyntaxProtocol) -> FixIt.Change {
    let next = node.lastToken(viewMode: .sourceAccurate)?.nextToken(viewMode: .sourceAccurate)
    let isAlone = next?.leadingTrivia.contains(where: \.isNewline) ?? false
    var above = Array(node.leadingTrivia)
    if isAlone {
      while let piece = above.last, piece.isNewline || piece.isSpaceOrTab { above.removeLast() }
    }
    let nothing = TokenSyntax(.identifier(""), leadingTrivia: Trivia(pieces: above), presence: .present)
    return .replace(oldNode: Syntax(node), newNode: Syntax(nothing))
  }
}

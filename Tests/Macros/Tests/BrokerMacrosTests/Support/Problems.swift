import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

/// Expands `source` and compares the problems: each with its place, its notes and what its fixes do.
///
/// ```
/// 2:22 error: name identifies Band, so it cannot be optional [identityOptional]
///   note 1:16: …
///   fix: make it String
///     - @Identity var name: String?
///     + @Identity var name: String
/// ```
func expectProblems(
  in source: String, _ expected: String, at location: Testing.SourceLocation = #_sourceLocation
) {
  let (text, problems) = expand(source)
  #expect(problems.joined(separator: "\n") == expected, sourceLocation: location)
  if expected.contains("error: ") {
    #expect(!text.contains("list.add("), "a wrong entity has no properties", sourceLocation: location)
  }
}

/// The expansion of `source`, and its problems.
func expand(_ source: String) -> (text: String, problems: [String]) {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "App", fullFilePath: "App.swift")])
  let expanded = file.expand(
    macroSpecs: macros,
    contextGenerator: { node in
      BasicMacroExpansionContext(sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
    },
    indentationWidth: .spaces(2))
  let writer = ProblemWriter(source: source, context: context)
  return (expanded.description, context.diagnostics.map(writer.text))
}

private struct ProblemWriter {
  let source: String
  let context: BasicMacroExpansionContext

  func text(_ problem: Diagnostic) -> String {
    let place = place(problem.position, problem.node)
    let id = String("\(problem.diagnosticID)".split(separator: "\"").dropFirst(3).first ?? "")
    var lines = ["\(place) \(problem.diagMessage.severity): \(problem.message) [\(id)]"]
    lines += problem.notes.map { "  note \(self.place($0.position, $0.node)): \($0.message)" }
    for fix in problem.fixIts { lines += ["  fix: \(fix.message.message)"] + changedLines(fix) }
    return lines.joined(separator: "\n")
  }

  private func place(_ position: AbsolutePosition, _ node: Syntax) -> String {
    let location = context.location(for: position, anchoredAt: node, fileName: "App.swift")
    return "\(location.line):\(location.column)"
  }

  private func changedLines(_ fix: FixIt) -> [String] {
    let old = source.split(separator: "\n", omittingEmptySubsequences: false)
    let fixed = apply(fix)
    let new = fixed.split(separator: "\n", omittingEmptySubsequences: false)
    let changes = new.difference(from: old)
    return changes.removals.map(line) + changes.insertions.map(line)
  }

  private func line(_ change: CollectionDifference<Substring>.Change) -> String {
    switch change {
    case .remove(_, let line, _): "    - \(line.drop { $0 == " " })"
    case .insert(_, let line, _): "    + \(line.drop { $0 == " " })"
    }
  }

  private func apply(_ fix: FixIt) -> String {
    var bytes = Array(source.utf8)
    let edits = fix.changes.compactMap(edit).sorted { $0.range.lowerBound > $1.range.lowerBound }
    for edit in edits { bytes.replaceSubrange(edit.range, with: edit.text.utf8) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func edit(_ change: FixIt.Change) -> (range: Range<Int>, text: String)? {
    guard case .replace(let old, let new) = change else {
      Issue.record("a fix that is no replacement")
      return nil
    }
    return (offset(old.position, old)..<offset(old.endPosition, old), new.description)
  }

  private func offset(_ position: AbsolutePosition, _ node: Syntax) -> Int {
    context.location(for: position, anchoredAt: node, fileName: "App.swift").offset
  }
}

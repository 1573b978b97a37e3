/// A class diagram in the language of Mermaid.
struct MermaidDiagram {
  private let graph: DiagramGraph
  private let title: String

  init(_ graph: DiagramGraph, title: String) {
    self.graph = graph
    self.title = title
  }

  var text: String {
    var lines = ["---", "title: \(Self.quoted(title))", "---", "classDiagram", "  direction LR"]
    for (index, box) in graph.boxes.enumerated() {
      lines.append("  class E\(index)[\(Self.quoted(box.name))] {")
      if box.isAbstract { lines.append("    <<abstract>>") }
      lines += box.rows.map {
        "    \(Self.word($0.type)) \(Self.word($0.name))\($0.isIdentity ? " «identity»" : "")"
      }
      lines.append("  }")
    }
    return (lines + graph.lines.map(text)).joined(separator: "\n") + "\n"
  }

  private func text(of line: DiagramGraph.Line) -> String {
    let (from, to) = ("E\(line.from.box)", "E\(line.to.box)")
    if case .inheritance = line.kind { return "  \(from) <|-- \(to)" }
    let names = [line.from, line.to].compactMap { end in
      end.row.map { Self.word(graph.boxes[end.box].rows[$0].name) }
    }
    let label = names.first == names.last ? names.prefix(1).joined() : names.joined(separator: " / ")
    guard let count = line.from.count else {
      return "  \(from) --> \(Self.quoted(line.to.count ?? "")) \(to) : \(label)"
    }
    return "  \(from) \(Self.quoted(count)) -- \(Self.quoted(line.to.count ?? "")) \(to) : \(label)"
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.map { $0 == "\"" ? "'" : $0.isNewline || $0 == "\\" || $0 == "`" ? " " : String($0) }.joined())\""
  }

  /// A name without the characters that mean something to Mermaid.
  private static func word(_ name: String) -> String {
    String(name.map { $0.isLetter || $0.isNumber || "_-.[]?".contains($0) ? $0 : "_" })
  }
}

import ObjectModel

/// A graph in the language of Graphviz.
struct DotDiagram {
  private let graph: DiagramGraph
  private let title: String

  init(_ graph: DiagramGraph, title: String) {
    self.graph = graph
    self.title = title
  }

  var text: String {
    var lines = [
      "digraph model {",
      "  graph [label=\(Self.quoted(title)), labelloc=t, rankdir=LR, nodesep=0.4, ranksep=1.2]",
      "  node [shape=plain, fontname=\"Helvetica\"]",
      "  edge [fontname=\"Helvetica\", fontsize=10, arrowhead=none]",
    ]
    for (index, box) in graph.boxes.enumerated() { lines.append("  E\(index) [label=<\(label(of: box))>]") }
    return (lines + graph.lines.map(text) + ["}"]).joined(separator: "\n") + "\n"
  }

  private func label(of box: DiagramGraph.Box) -> String {
    let name = box.isAbstract ? "<I>\(MarkupText.escaped(box.name))</I>" : MarkupText.escaped(box.name)
    let rows = box.rows.enumerated().map { index, row in
      let name = row.isIdentity ? "<U>\(MarkupText.escaped(row.name))</U>" : MarkupText.escaped(row.name)
      return "<TR><TD PORT=\"r\(index)\" ALIGN=\"LEFT\">\(name): \(MarkupText.escaped(row.type))</TD></TR>"
    }
    return
      "<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\"><TR><TD PORT=\"head\"><B>\(name)</B></TD></TR>"
      + rows.joined() + "</TABLE>"
  }

  private func text(of line: DiagramGraph.Line) -> String {
    let ends = [line.from, line.to].map { "E\($0.box):\($0.row.map { "r\($0)" } ?? "head")" }
    if case .inheritance = line.kind { return "  \(ends[0]) -> \(ends[1]) [dir=back, arrowtail=empty]" }
    let counts = ["tail": line.from.count, "head": line.to.count].compactMapValues(\.self)
    let labels = counts.sorted { $0.key < $1.key }.map { "\($0.key)label=\(Self.quoted($0.value))" }
    let arrow = line.from.count == nil ? ["arrowhead=vee"] : []
    return "  \(ends[0]) -> \(ends[1]) [\((labels + arrow).joined(separator: ", "))]"
  }

  private static func quoted(_ text: String) -> String {
    DiagramText.quoted(text, by: "\"")
  }
}

/// Text in XML and in what looks like it.
enum MarkupText {
  static func escaped(_ text: String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case _ where scalar.properties.generalCategory.isUnseen || scalar.value & 0xFFFE == 0xFFFE: "\u{FFFD}"
      default: nil
      }
    }
  }
}

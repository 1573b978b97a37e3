import ObjectModel

/// A class diagram in the language of Mermaid.
struct MermaidDiagram {
  private let graph: DiagramGraph
  private let title: String

  init(_ graph: DiagramGraph, title: String) {
    self.graph = graph
    self.title = title
  }

  var text: String {
    var lines = ["---", "title: \(Self.titled(title))", "---", "classDiagram", "  direction LR"]
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

  /// A label. What may mean something to Mermaid, to HTML or to Markdown is written by its number, as Mermaid has it: a
  /// directive (`%%{init: …}%%`) is one wherever it stands.
  private static func quoted(_ text: String) -> String {
    let label = text.replacingScalars { scalar in
      DiagramText.isPlain(scalar) ? nil : DiagramText.isSpace(scalar) ? " " : "#\(scalar.value);"
    }
    return "\"\(label)\""
  }

  /// The title, which stands in YAML, where there are no such numbers.
  private static func titled(_ text: String) -> String {
    let title = text.replacingScalars { scalar in
      DiagramText.isPlain(scalar) ? nil : DiagramText.isSpace(scalar) ? " " : scalar == "\"" ? "'" : "_"
    }
    return "\"\(title)\""
  }

  /// A name without the characters that mean something to Mermaid.
  private static func word(_ name: String) -> String {
    name.replacingScalars { scalar in
      DiagramText.isLetterOrDigit(scalar) || "_-.[]?".unicodeScalars.contains(scalar) ? nil : "_"
    }
  }
}

/// Characters in the languages of diagrams, taken one by one: an accent behind a quotation mark makes it no other.
enum DiagramText {
  fileprivate static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
    }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
      true
    default: false
    }
  }

  /// Whether a character is itself to a renderer, in any place.
  static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    isLetterOrDigit(scalar) || " _-.,:()/+*?=…–’".unicodeScalars.contains(scalar)
  }

  /// Whether a character ends a line, or is not seen.
  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.generalCategory.isUnseen
  }

  /// A text between quotation marks in which a backslash keeps the next character as it is.
  static func quoted(_ text: String, by mark: Unicode.Scalar) -> String {
    let quoted = text.replacingScalars { scalar in
      scalar == mark || scalar == "\\" ? "\\\(scalar)" : isSpace(scalar) ? " " : nil
    }
    return "\(mark)\(quoted)\(mark)"
  }
}

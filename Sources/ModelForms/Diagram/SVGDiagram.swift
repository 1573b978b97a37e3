/// A picture of a model: boxes in columns, and lines between the rows of their relationships.
struct SVGDiagram {
  private let graph: DiagramGraph
  private let title: String
  private let boxes: [SVGBox]
  private let layout: LayeredLayout
  /// The left edge of each column.
  private let lefts: [Double]
  private let width: Double

  static let margin = 24.0
  private static let titleHeight = 40.0
  private static let gap = 110.0

  init(_ graph: DiagramGraph, title: String) {
    self.graph = graph
    self.title = title
    let boxes = graph.boxes.map(SVGBox.init)
    self.boxes = boxes
    layout = LayeredLayout(
      boxes.map { LayeredLayout.Size(width: $0.width, height: $0.height) },
      lines: graph.lines.map { Self.direction(of: $0) })
    var lefts: [Double] = []
    var x = Self.margin
    for width in layout.widths {
      lefts.append(x)
      x += width + Self.gap
    }
    self.lefts = lefts
    width = max(x - Self.gap + Self.margin + 40, 2 * Self.margin + SVGBox.width(of: title, size: 17))
  }

  /// From left to right: from the one to the many, and from an entity to those that inherit from it.
  private static func direction(of line: DiagramGraph.Line) -> (from: Int, to: Int) {
    let isToMany = line.to.count.map { $0 != "1" && $0 != "0..1" } ?? true
    if case .relationship = line.kind, !isToMany, line.from.count != nil || line.from.box != line.to.box {
      return (line.to.box, line.from.box)
    }
    return (line.from.box, line.to.box)
  }

  var text: String {
    let height = layout.height + Self.titleHeight + 2 * Self.margin
    let size = "width=\"\(SVGStyle.number(width))\" height=\"\(SVGStyle.number(height))\""
    var parts = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) viewBox=\"0 0 \(SVGStyle.number(width)) \(SVGStyle.number(height))\""
        + " role=\"img\" aria-labelledby=\"title description\">",
      "<title id=\"title\">\(MarkupText.escaped(title))</title>",
      "<desc id=\"description\">\(MarkupText.escaped(description))</desc>",
      SVGStyle.text,
      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>",
      "<text class=\"heading\" x=\"\(SVGStyle.number(Self.margin))\" y=\"\(SVGStyle.number(Self.margin + 16))\">"
        + "\(MarkupText.escaped(title))</text>",
    ]
    parts += graph.lines.indices.map(line)
    // Above all lines.
    parts += graph.lines.map(counts).filter { !$0.isEmpty }
    parts += boxes.indices.map { boxes[$0].text(x: left($0), y: top($0)) }
    return (parts + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// The model in a sentence for each entity, for those who do not see the picture.
  private var description: String {
    let sentences = graph.boxes.map { box in
      box.name
        + (box.rows.isEmpty ? "" : ": \(box.rows.map { "\($0.name) \($0.type)" }.joined(separator: ", "))")
        + "."
    }
    return sentences.joined(separator: " ")
  }

  // MARK: - Places

  private func left(_ box: Int) -> Double {
    let column = layout.places[box].column
    return lefts[column] + (layout.widths[column] - boxes[box].width) / 2
  }

  private func top(_ box: Int) -> Double { layout.places[box].top + Self.titleHeight + Self.margin }

  private func height(of end: DiagramGraph.End) -> Double {
    top(end.box) + boxes[end.box].center(ofRow: end.row)
  }

  // MARK: - Lines

  private func line(_ index: Int) -> String {
    let line = graph.lines[index]
    let isInheritance = if case .inheritance = line.kind { true } else { false }
    if layout.places[line.from.box].column == layout.places[line.to.box].column { return loop(line) }
    let isForward = layout.places[line.from.box].column < layout.places[line.to.box].column
    let (first, last) = isForward ? (line.from, line.to) : (line.to, line.from)
    var path = SVGPath(x: left(first.box) + boxes[first.box].width, y: height(of: first))
    let column = layout.places[first.box].column
    path.line(toX: lefts[column] + layout.widths[column])
    for slot in layout.slots[index] {
      path.curve(x: lefts[slot.column], y: slot.center + Self.titleHeight + Self.margin)
      path.line(toX: lefts[slot.column] + layout.widths[slot.column])
    }
    path.curve(x: lefts[layout.places[last.box].column], y: height(of: last))
    path.line(toX: left(last.box))
    let text = "<path class=\"\(isInheritance ? "inherits" : "relates")\" d=\"\(path.text)\"/>"
    if isInheritance {
      return text + triangle(x: left(first.box) + boxes[first.box].width, y: height(of: first))
    }
    return text
  }

  /// How many objects are at each end of a relationship.
  private func counts(of line: DiagramGraph.Line) -> String {
    let (from, to) = (layout.places[line.from.box].column, layout.places[line.to.box].column)
    if from == to, line.from.row == line.to.row { return count(line.to, isAtRight: true) }
    return count(line.from, isAtRight: from <= to) + count(line.to, isAtRight: to <= from)
  }

  /// A line between rows of one box, at its right.
  private func loop(_ line: DiagramGraph.Line) -> String {
    let x = left(line.from.box) + boxes[line.from.box].width
    let (start, end) = (height(of: line.from), height(of: line.to))
    let drop = abs(end - start) < 1 ? 12.0 : 0
    let far = x + 46
    let path =
      "M\(SVGStyle.number(x)) \(SVGStyle.number(start - drop / 2)) C\(SVGStyle.number(far)) \(SVGStyle.number(start - drop)) "
      + "\(SVGStyle.number(far)) \(SVGStyle.number(end + drop)) \(SVGStyle.number(x)) \(SVGStyle.number(end + drop / 2))"
    return "<path class=\"relates\" d=\"\(path)\"/>"
  }

  private func triangle(x: Double, y: Double) -> String {
    let points = [(x, y), (x + 12, y - 6), (x + 12, y + 6)]
    return "<polygon class=\"arrow\" points=\""
      + points.map { "\(SVGStyle.number($0.0)),\(SVGStyle.number($0.1))" }.joined(separator: " ") + "\"/>"
  }

  private func count(_ end: DiagramGraph.End, isAtRight: Bool) -> String {
    guard let count = end.count else { return "" }
    let edge = left(end.box)
    let x = isAtRight ? edge + boxes[end.box].width + 5 : edge - 5
    let anchor = isAtRight ? "start" : "end"
    return "<text class=\"count\" x=\"\(SVGStyle.number(x))\" y=\"\(SVGStyle.number(height(of: end) - 4))\" "
      + "text-anchor=\"\(anchor)\">\(count)</text>"
  }
}

/// A path of curves that begin and end level.
private struct SVGPath {
  private(set) var text: String
  private var x: Double
  private var y: Double

  init(x: Double, y: Double) {
    (self.x, self.y) = (x, y)
    text = "M\(SVGStyle.number(x)) \(SVGStyle.number(y))"
  }

  mutating func line(toX end: Double) {
    guard abs(end - x) > 0.1 else { return }
    x = end
    text += "H\(SVGStyle.number(x))"
  }

  mutating func curve(x end: Double, y height: Double) {
    let middle = (x + end) / 2
    text +=
      "C\(SVGStyle.number(middle)) \(SVGStyle.number(y)) \(SVGStyle.number(middle)) \(SVGStyle.number(height)) "
    text += "\(SVGStyle.number(end)) \(SVGStyle.number(height))"
    (x, y) = (end, height)
  }
}

/// The box of an entity: its name, its attributes and its relationships.
struct SVGBox {
  private let box: DiagramGraph.Box
  private let nameWidth: Double
  let width: Double

  private static let headHeight = 30.0
  private static let rowHeight = 20.0
  private static let padding = 12.0
  private static let longestText = 40

  var height: Double {
    Self.headHeight + Double(box.rows.count) * Self.rowHeight + (box.rows.isEmpty ? 0 : 8)
  }

  init(_ box: DiagramGraph.Box) {
    self.box = box
    nameWidth = box.rows.map { Self.width(of: Self.shortened($0.name), size: 13) }.max() ?? 0
    let types = box.rows.map { Self.width(of: Self.shortened($0.type), size: 13) }.max() ?? 0
    let head = Self.width(of: Self.shortened(box.name), size: 15) + (box.isAbstract ? 80 : 0)
    width = max(120, head + 2 * Self.padding, nameWidth + types + 2 * Self.padding + (types > 0 ? 18 : 0))
  }

  /// The height of a row's middle, or of the head's.
  func center(ofRow row: Int?) -> Double {
    guard let row else { return Self.headHeight / 2 }
    return Self.headHeight + 4 + (Double(row) + 0.5) * Self.rowHeight
  }

  /// How wide a text is in a font whose characters are all of one width. Those of East Asia are twice as wide.
  static func width(of text: String, size: Double) -> Double {
    let cells = text.reduce(0) { $0 + (isWide($1) ? 2 : 1) }
    return Double(cells) * size * 0.61
  }

  private static func isWide(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return true
    default: return false
    }
  }

  private static func shortened(_ text: String) -> String {
    text.count > longestText ? text.prefix(longestText - 1) + "…" : text
  }

  func text(x: Double, y: Double) -> String {
    var parts = [
      "<g transform=\"translate(\(SVGStyle.number(x)) \(SVGStyle.number(y)))\">",
      "<title>\(MarkupText.escaped(box.name))</title>",
      "<rect class=\"box\" width=\"\(SVGStyle.number(width))\" height=\"\(SVGStyle.number(height))\" rx=\"6\"/>",
      "<path class=\"head\" d=\"\(headPath)\"/>",
      "<text class=\"name\(box.isAbstract ? " abstract" : "")\" x=\"\(SVGStyle.number(Self.padding))\" y=\"20\">"
        + "\(MarkupText.escaped(Self.shortened(box.name)))</text>",
    ]
    if box.isAbstract {
      parts.append(
        "<text class=\"type\" x=\"\(SVGStyle.number(width - Self.padding))\" y=\"20\" text-anchor=\"end\">abstract</text>"
      )
    }
    for (index, row) in box.rows.enumerated() { parts.append(text(of: row, at: index)) }
    return (parts + ["</g>"]).joined(separator: "\n")
  }

  /// The head's background, round at the top.
  private var headPath: String {
    let right = SVGStyle.number(width)
    let inner = SVGStyle.number(width - 6)
    let bottom = SVGStyle.number(box.rows.isEmpty ? height - 6 : Self.headHeight)
    return "M0 \(bottom)V6A6 6 0 0 1 6 0H\(inner)A6 6 0 0 1 \(right) 6V\(bottom)Z"
  }

  private func text(of row: DiagramGraph.Row, at index: Int) -> String {
    let y = SVGStyle.number(center(ofRow: index) + 4.5)
    let kind = (row.isRelationship ? " link" : "") + (row.isIdentity ? " identity" : "")
    let name = MarkupText.escaped(Self.shortened(row.name))
    let mark =
      row.isIdentity
      ? "<circle class=\"key\" cx=\"6\" cy=\"\(SVGStyle.number(center(ofRow: index)))\" r=\"2.5\"/>" : ""
    return mark
      + "<text class=\"row\(kind)\" x=\"\(SVGStyle.number(Self.padding))\" y=\"\(y)\">\(name)</text>"
      + "<text class=\"type\" x=\"\(SVGStyle.number(width - Self.padding))\" y=\"\(y)\" text-anchor=\"end\">"
      + "\(MarkupText.escaped(Self.shortened(row.type)))</text>"
  }
}

enum SVGStyle {
  /// A length with one digit behind the point at most.
  static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return Int(exactly: tenths).map(String.init) ?? String(tenths)
  }

  /// The colours and fonts of a diagram, for light and for dark pages.
  static let text = """
    <style>
    text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 13px; fill: #1f2933; }
    .page { fill: #ffffff; }
    .heading { font-size: 17px; font-weight: bold; }
    .box { fill: #ffffff; stroke: #8795a1; }
    .head { fill: #e4ecf4; stroke: #8795a1; }
    .name { font-size: 15px; font-weight: bold; }
    .abstract { font-style: italic; }
    .type { fill: #66737f; }
    .link { fill: #1d4ed8; }
    .identity { font-weight: bold; }
    .key { fill: #b45309; }
    .relates { fill: none; stroke: #5b7083; stroke-width: 1.3; }
    .inherits { fill: none; stroke: #7c4d9e; stroke-width: 1.3; stroke-dasharray: 5 3; }
    .arrow { fill: #ffffff; stroke: #7c4d9e; stroke-width: 1.3; }
    .count { font-size: 11px; fill: #44525f; stroke: #ffffff; stroke-width: 3px; paint-order: stroke; }
    @media (prefers-color-scheme: dark) {
    text { fill: #e3e8ee; }
    .page { fill: #12171d; }
    .box { fill: #1b222b; stroke: #5d6b78; }
    .head { fill: #2a3644; stroke: #5d6b78; }
    .type { fill: #9aa7b4; }
    .link { fill: #8ab4ff; }
    .key { fill: #f5b565; }
    .relates { stroke: #8fa3b5; }
    .inherits { stroke: #c79ae6; }
    .arrow { fill: #12171d; stroke: #c79ae6; }
    .count { fill: #b8c4cf; stroke: #12171d; }
    }
    </style>
    """
}

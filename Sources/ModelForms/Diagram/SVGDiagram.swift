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
    let size = "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
    var parts = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) viewBox=\"0 0 \(Self.number(width)) \(Self.number(height))\""
        + " role=\"img\" aria-labelledby=\"title description\">",
      "<title id=\"title\">\(MarkupText.escaped(title))</title>",
      "<desc id=\"description\">\(MarkupText.escaped(description))</desc>",
      SVGStyle.text,
      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>",
      "<text class=\"heading\" x=\"\(Self.number(Self.margin))\" y=\"\(Self.number(Self.margin + 16))\">"
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

  private static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return Int(exactly: tenths).map(String.init) ?? String(tenths)
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
      "M\(Self.number(x)) \(Self.number(start - drop / 2)) C\(Self.number(far)) \(Self.number(start - drop)) "
      + "\(Self.number(far)) \(Self.number(end + drop)) \(Self.number(x)) \(Self.number(end + drop / 2))"
    return "<path class=\"relates\" d=\"\(path)\"/>"
  }

  private func triangle(x: Double, y: Double) -> String {
    let points = [(x, y), (x + 12, y - 6), (x + 12, y + 6)]
    return "<polygon class=\"arrow\" points=\""
      + points.map { "\(Self.number($0.0)),\(Self.number($0.1))" }.joined(separator: " ") + "\"/>"
  }

  private func count(_ end: DiagramGraph.End, isAtRight: Bool) -> String {
    guard let count = end.count else { return "" }
    let edge = left(end.box)
    let x = isAtRight ? edge + boxes[end.box].width + 5 : edge - 5
    let anchor = isAtRight ? "start" : "end"
    return "<text class=\"count\" x=\"\(Self.number(x))\" y=\"\(Self.number(height(of: end) - 4))\" "
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
    text = "M\(Self.number(x)) \(Self.number(y))"
  }

  mutating func line(toX end: Double) {
    guard abs(end - x) > 0.1 else { return }
    x = end
    text += "H\(Self.number(x))"
  }

  mutating func curve(x end: Double, y height: Double) {
    let middle = (x + end) / 2
    text += "C\(Self.number(middle)) \(Self.number(y)) \(Self.number(middle)) \(Self.number(height)) "
    text += "\(Self.number(end)) \(Self.number(height))"
    (x, y) = (end, height)
  }

  private static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return Int(exactly: tenths).map(String.init) ?? String(tenths)
  }
}

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
      "<g transform=\"translate(\(Self.number(x)) \(Self.number(y)))\">",
      "<title>\(MarkupText.escaped(box.name))</title>",
      "<rect class=\"box\" width=\"\(Self.number(width))\" height=\"\(Self.number(height))\" rx=\"6\"/>",
      "<path class=\"head\" d=\"\(headPath)\"/>",
      "<text class=\"name\(box.isAbstract ? " abstract" : "")\" x=\"\(Self.number(Self.padding))\" y=\"20\">"
        + "\(MarkupText.escaped(Self.shortened(box.name)))</text>",
    ]
    if box.isAbstract {
      parts.append(
        "<text class=\"type\" x=\"\(Self.number(width - Self.padding))\" y=\"20\" text-anchor=\"end\">abstract</text>"
      )
    }
    for (index, row) in box.rows.enumerated() { parts.append(text(of: row, at: index)) }
    return (parts + ["</g>"]).joined(separator: "\n")
  }

  /// The head's background, round at the top.
  private var headPath: String {
    let right = Self.number(width)
    let inner = Self.number(width - 6)
    let bottom = Self.number(box.rows.isEmpty ? height - 6 : Self.headHeight)
    return "M0 \(bottom)V6A6 6 0 0 1 6 0H\(inner)A6 6 0 0 1 \(right) 6V\(bottom)Z"
  }

  private func text(of row: DiagramGraph.Row, at index: Int) -> String {
    let y = Self.number(center(ofRow: index) + 4.5)
    let kind = (row.isRelationship ? " link" : "") + (row.isIdentity ? " identity" : "")
    let name = MarkupText.escaped(Self.shortened(row.name))
    let mark =
      row.isIdentity
      ? "<circle class=\"key\" cx=\"6\" cy=\"\(Self.number(center(ofRow: index)))\" r=\"2.5\"/>" : ""
    return mark
      + "<text class=\"row\(kind)\" x=\"\(Self.number(Self.padding))\" y=\"\(y)\">\(name)</text>"
      + "<text class=\"type\" x=\"\(Self.number(width - Self.padding))\" y=\"\(y)\" text-anchor=\"end\">"
      + "\(MarkupText.escaped(Self.shortened(row.type)))</text>"
  }

  private static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return Int(exactly: tenths).map(String.init) ?? String(tenths)
  }
}

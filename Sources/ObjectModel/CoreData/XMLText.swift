/// Writes the elements of a Core Data file, as Xcode indents them.
struct XMLText {
  private(set) var text = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n"
  private var depth = 0

  /// Writes an element, and within it what `children` writes.
  mutating func element(
    _ name: String, _ attributes: XMLAttributes, children: ((inout XMLText) -> Void)? = nil
  ) {
    let margin = String(repeating: "    ", count: depth)
    text += margin + "<" + name + attributes.text
    guard let children else {
      text += "/>\n"
      return
    }
    text += ">\n"
    let start = text.utf8.count
    depth += 1
    children(&self)
    depth -= 1
    if text.utf8.count == start {
      text.removeLast(2)
      text += "/>\n"
    } else {
      text += margin + "</" + name + ">\n"
    }
  }
}

/// Attributes in the order in which they are added.
struct XMLAttributes {
  private(set) var text = ""
  private var written: Set<String> = []

  mutating func add(_ name: String, _ value: String?) {
    // Something kept for a round trip must not repeat what was written already.
    guard let value, Self.isName(name), written.insert(name).inserted else { return }
    text += " " + name + "=\"" + Self.escaped(value) + "\""
  }

  mutating func add(_ name: String, _ number: Int?) {
    add(name, number.map(String.init))
  }

  mutating func add(_ name: String, _ flag: Bool) {
    if flag { add(name, "YES") }
  }

  mutating func add(_ other: [String: String]) {
    for (name, value) in other.sorted(by: { $0.key < $1.key }) { add(name, value) }
  }

  /// Names in `other` can come from JSON and be anything; what XML can't say is left out.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first.properties.isAlphabetic || first == "_" else {
      return false
    }
    return name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-" || $0 == "."
        || $0 == ":"
    }
  }

  private static func escaped(_ value: String) -> String {
    var result = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      case "\r": result += "&#13;"
      case "\t": result += "&#9;"
      // XML has no way to write these.
      case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

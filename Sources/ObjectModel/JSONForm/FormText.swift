extension FormValue {
  /// JSON for people: what fits on a line stays on one, so that an attribute is a line.
  package func document() -> String {
    var text = ""
    write(to: &text, indentation: 0, column: 0)
    return text + "\n"
  }

  private static let width = 100

  private func write(to text: inout String, indentation: Int, column: Int) {
    if !hasListOfObjects {
      var line = ""
      writeOnOneLine(to: &line)
      if column + line.count <= Self.width || isScalar {
        text += line
        return
      }
    }
    let inner = indentation + 2
    let margin = String(repeating: " ", count: inner)
    switch self {
    case .array(let elements):
      text += "[\n"
      for (index, element) in elements.enumerated() {
        text += margin
        element.write(to: &text, indentation: inner, column: inner)
        text += index == elements.count - 1 ? "\n" : ",\n"
      }
      text += String(repeating: " ", count: indentation) + "]"
    case .object(let members):
      text += "{\n"
      for (index, member) in members.enumerated() {
        let key = Self.quoted(member.key) + ": "
        text += margin + key
        member.value.write(to: &text, indentation: inner, column: inner + key.count)
        text += index == members.count - 1 ? "\n" : ",\n"
      }
      text += String(repeating: " ", count: indentation) + "}"
    default:
      writeOnOneLine(to: &text)
    }
  }

  private var isScalar: Bool {
    switch self {
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    default: true
    }
  }

  /// Whether there is a list of objects in it, however short: those are written a line each.
  private var hasListOfObjects: Bool {
    switch self {
    case .array(let elements):
      elements.contains { if case .object = $0 { true } else { $0.hasListOfObjects } }
    case .object(let members): members.contains { $0.value.hasListOfObjects }
    default: false
    }
  }

  func writeOnOneLine(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let digits): text += digits
    case .string(let value): text += Self.quoted(value)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ", " }
        element.writeOnOneLine(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += ", " }
        text += Self.quoted(member.key) + ": "
        member.value.writeOnOneLine(to: &text)
      }
      text += "}"
    }
  }

  static func quoted(_ string: String) -> String {
    var result = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\0"..<" ", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// Values that a statement gets in one argument, as a JSON list, since SQLite limits how many it can have.
enum ListedValues {
  /// A list of values; nil if one cannot go through JSON unchanged.
  static func list(_ values: [SQLValue]) -> SQLValue? {
    text(values).map(SQLValue.text)
  }

  /// A list of whole numbers.
  static func list(_ integers: [Int64]) -> SQLValue {
    .text("[\(integers.map(String.init).joined(separator: ","))]")
  }

  /// A list of lists.
  static func list(_ rows: [[SQLValue]]) -> SQLValue? {
    var result = "["
    for (index, row) in rows.enumerated() {
      guard let text = text(row) else { return nil }
      if index > 0 { result += "," }
      result += text
    }
    return .text(result + "]")
  }

  private static func text(_ values: [SQLValue]) -> String? {
    var result = "["
    for (index, value) in values.enumerated() {
      if index > 0 { result += "," }
      switch value {
      case .null: result += "null"
      case .integer(let integer): result += String(integer)
      case .text(let text):
        guard append(text, to: &result) else { return nil }
      // SQLite does not read every number of JSON to its last digit, and JSON has no bytes.
      case .real, .blob: return nil
      }
    }
    return result + "]"
  }

  /// False if the text ends early for SQLite.
  private static func append(_ text: String, to result: inout String) -> Bool {
    result += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\0": return false
      case "\u{1}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    result += "\""
    return true
  }
}

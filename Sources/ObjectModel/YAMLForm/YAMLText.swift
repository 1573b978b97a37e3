/// Values as YAML on one line.
enum YAMLText {
  /// A flow mapping or a scalar.
  static func flow(_ value: FormValue) -> String {
    switch value {
    case .string(let text): scalar(text)
    case .array(let elements): "[\(elements.map(flow).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\(scalar($0.key)): \(flow($0.value))" }.joined(separator: ", "))}"
    default: json(value)
    }
  }

  /// A text, in quotation marks where it would be something else without.
  static func scalar(_ text: String) -> String { isPlain(text) ? text : json(.string(text)) }

  private static func json(_ value: FormValue) -> String {
    var text = ""
    value.writeOnOneLine(to: &text)
    return text
  }

  private static let words: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first,
      first == "_" || first == "$" || first.properties.isAlphabetic,
      text.last != " ", !words.contains(text.lowercased())
    else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || " _-.!?*=$<|".unicodeScalars.contains(scalar)
    }
  }
}

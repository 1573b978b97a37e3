import Foundation
import ObjectModel
import ObjectStore

/// Values as Swift's literals.
enum SwiftLiteral {
  static func text(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.properties.generalCategory.isUnseen:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A pattern, raw if it has backslashes, so that it reads as a regular expression.
  static func pattern(_ pattern: String) -> String {
    let isPlain = pattern.unicodeScalars.allSatisfy { $0 >= " " && $0 != "\u{7F}" }
    guard pattern.contains("\\"), isPlain, !pattern.contains("\"#"), !pattern.contains("\\#") else {
      return text(pattern)
    }
    return "#\"\(pattern)\"#"
  }

  /// A bound of values as a `Double`; nil if it has no such form.
  static func bound(_ text: String) -> String? {
    if let integer = Int64(text), abs(integer) <= 1 << 53 { return String(integer) }
    guard let number = Double(text), number.isFinite, abs(number) < 1e15 else { return nil }
    // Digits that a `Double` does not have.
    if let exact = Decimal(string: text), exact != Decimal(string: String(number)) { return nil }
    return Int64(exactly: number).map(String.init) ?? String(number)
  }

  /// The default of an attribute; nil if it is no literal of its type.
  static func value(_ stored: SQLValue, of type: AttributeType) -> String? {
    switch (stored, type) {
    case (.integer(let integer), .boolean): integer == 0 ? "false" : "true"
    case (.integer(let integer), _): String(integer)
    case (.real(let number), _) where number.isFinite: String(number)
    case (.text(let text), .string): self.text(text)
    case (.text(let text), .decimal): decimal(text)
    default: nil
    }
  }

  /// Swift makes a decimal of a literal by way of a `Double`.
  private static func decimal(_ text: String) -> String? {
    guard text.utf8.count <= 15, let number = Double(text), let exact = Decimal(string: text),
      Decimal(number) == exact
    else { return nil }
    return Int64(text).map(String.init) ?? (text.contains("e") || text.contains("E") ? nil : text)
  }
}

extension Unicode.GeneralCategory {
  /// Whether characters of it end a line, turn the direction of writing or are not seen.
  var isUnseen: Bool {
    switch self {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

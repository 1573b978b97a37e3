import JSONStream
import ObjectModel

/// The enumeration of an attribute whose values the model lists.
struct SwiftEnumeration {
  let name: String
  private let rawType: String
  private let cases: [(name: String, value: JSONValue)]

  /// Nil if the attribute lists no values, or Swift has no enumeration of them.
  ///
  /// - Parameter taken: The names of types that the code around it uses.
  init?(_ attribute: Attribute, property: String, taken: (String) -> Bool) {
    guard let values = attribute.annotations.values, !values.isEmpty else { return nil }
    switch attribute.type {
    case .string: rawType = "String"
    case .integer16: rawType = "Int16"
    case .integer32: rawType = "Int32"
    case .integer64: rawType = "Int"
    default: return nil
    }
    var known: Set<String> = []
    var cases: [(name: String, value: JSONValue)] = []
    for value in values {
      guard let name = Self.caseName(value, isText: rawType == "String"),
        !cases.contains(where: { $0.value == value })
      else { return nil }
      var free = name
      while !known.insert(free).inserted { free += "_" }
      cases.append((free, value))
    }
    self.cases = cases
    var type = property.prefix(1).uppercased() + property.dropFirst()
    while taken(type) { type += "Value" }
    name = type
  }

  private static func caseName(_ value: JSONValue, isText: Bool) -> String? {
    switch value {
    case .string(let text) where isText: return SwiftNames.caseName(text)
    case .number(let digits) where !isText:
      guard let number = Int64(digits) else { return nil }
      return number < 0 ? "minus\(number.magnitude)" : "value\(number)"
    default: return nil
    }
  }

  /// The case for a value as the store keeps it, as an implicit member: `.rock`.
  func member(_ stored: String) -> String? {
    let found = cases.first { $0.value == .string(stored) || $0.value == .number(stored) }
    return found.map { ".\(SwiftNames.code($0.name))" }
  }

  /// The declaration, line by line.
  func lines(isPublic: Bool, of property: String) -> [String] {
    let access = isPublic ? "public " : ""
    let protocols = [rawType, "CaseIterable", "Codable"] + (isPublic ? ["Sendable"] : [])
    let head = "\(access)enum \(SwiftNames.code(name)): \(protocols.joined(separator: ", ")) {"
    return ["/// The values of `\(property)`.", head]
      + cases.map { "  case \(SwiftNames.code($0.name))\(raw($0))" }
      + ["}"]
  }

  private func raw(_ item: (name: String, value: JSONValue)) -> String {
    switch item.value {
    case .string(let text): text == item.name ? "" : " = \(SwiftLiteral.text(text))"
    case .number(let digits): " = \(digits)"
    default: ""
    }
  }
}

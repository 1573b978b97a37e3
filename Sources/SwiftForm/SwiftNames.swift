import Foundation
import ObjectModel

/// The names that entities and properties have in Swift.
///
/// A name that Swift takes stays as it is. Others lose the characters that Swift does not take: `first-name` becomes
/// `firstName`.
struct SwiftNames {
  /// The type of each entity, by the entity's name.
  private(set) var types: [String: String] = [:]
  private var typeNames: Set<String> = []
  /// The property that an entity has for the one it inherits from, by the name of the sub-entity.
  private(set) var inherited: [String: String] = [:]
  /// The properties of each entity, by the entity's name and their own.
  private var properties: [String: [String: String]] = [:]

  init(_ schema: Schema) {
    var taken: Set<String> = []
    for entity in schema.model.entities {
      let name = Self.free(Self.typeName(entity.name), taken: &taken)
      types[entity.name] = name
    }
    typeNames = Set(types.values)
    for entity in schema.model.entities { nameProperties(of: entity, schema) }
  }

  /// Whether the code names a type so.
  func isType(_ name: String) -> Bool { Self.reservedTypes.contains(name) || typeNames.contains(name) }

  func type(of entity: String) -> String { types[entity] ?? entity }

  /// The name of a property, without backticks.
  func property(_ name: String, of entity: String) -> String { properties[entity]?[name] ?? name }

  private mutating func nameProperties(of entity: Entity, _ schema: Schema) {
    var taken: Set<String> = []
    var names: [String: String] = [:]
    let own = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    let identity = SwiftIdentity(of: entity, in: schema).properties
    let kept = own.filter { Self.isIdentifier($0) && Self.mayBeKept($0, identity: identity) }
    taken.formUnion(kept)
    for name in kept { names[name] = name }
    for name in own where names[name] == nil {
      names[name] = Self.free(Self.propertyName(name), taken: &taken)
    }
    properties[entity.name] = names
    if let parent = entity.parent {
      inherited[entity.name] = Self.free(Self.propertyName(type(of: parent).lowerCamelCased), taken: &taken)
    }
  }

  /// `id` is the whole identity of a type, or not one of its properties.
  private static func mayBeKept(_ name: String, identity: [String]) -> Bool {
    if reservedProperties.contains(name) { return false }
    // An identity of several parts has a type with this name.
    if name == "ID" { return identity.count == 1 }
    return name != "id" || identity == ["id"]
  }

  private static func free(_ name: String, taken: inout Set<String>) -> String {
    var result = name
    var number = 2
    while !taken.insert(result).inserted {
      result = "\(name)\(number)"
      number += 1
    }
    return result
  }

  // MARK: - Forms

  private static func typeName(_ name: String) -> String {
    let text = joined(name) ?? "Unnamed"
    let upper = text.prefix(1).uppercased() + text.dropFirst()
    return reservedTypes.contains(upper) ? upper + "Entity" : upper
  }

  private static func propertyName(_ name: String) -> String {
    let text = joined(name) ?? "unnamed"
    return text.lowercased() == "id" || reservedProperties.contains(text) ? text + "Value" : text
  }

  /// The name of a case for a value of an enumeration.
  static func caseName(_ value: String) -> String {
    let text = joined(value).map(\.lowerCamelCased) ?? (value.isEmpty ? "empty" : "other")
    return reservedProperties.contains(text) || reservedCases.contains(text) ? text + "Value" : text
  }

  /// Members that enumerations have anyway, and the cases of optionals.
  private static let reservedCases: Set = ["allCases", "hashValue", "none", "rawValue", "some"]

  /// The pieces of a name that Swift takes, joined; nil if there are none.
  private static func joined(_ name: String) -> String? {
    if isIdentifier(name) { return name }
    let pieces = name.unicodeScalars.split { !isInside($0) }.map { String(String.UnicodeScalarView($0)) }
    guard let first = pieces.first else { return nil }
    let text = first + pieces.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    if isIdentifier(text) { return text }
    return isIdentifier("_" + text) ? "_" + text : nil
  }

  // MARK: - Swift's rules

  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, isFirst(first), name != "_" else { return false }
    return name.unicodeScalars.dropFirst().allSatisfy(isInside)
  }

  private static func isFirst(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDStart
  }

  private static func isInside(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDContinue
  }

  /// A name as code writes it: a keyword stands in backticks.
  static func code(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// Names that have another meaning after a full stop, even in backticks.
  private static let reservedProperties: Set = ["self", "Self", "Type", "Protocol", "init"]

  /// Types that the code itself names, that programs usually name, and that Swift does not let a program declare.
  private static let reservedTypes: Set = [
    "Any", "AnyKeyPath", "Array", "Attribute", "AttributeType", "AttributeValue", "Bool", "Broker",
    "CaseIterable", "Character", "Codable", "Data", "Date", "Decimal", "Dictionary", "Double", "Entity",
    "Equatable", "Error", "Float", "Foundation", "Hashable", "ID", "Identifiable", "Identity", "Inherited",
    "Int", "Int16", "Int32", "Int64", "JSONText", "Key", "Kind", "Kinds", "Model", "Never", "Optional",
    "Protocol", "Query", "Relationship", "Result", "SQLValue", "Self", "Sendable", "Set", "Storable",
    "Store", "String", "Swift", "Task", "ToMany", "ToOne", "Transient", "Type", "URL", "UUID", "Void",
  ]

  private static let keywords: Set = [
    "actor", "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func",
    "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
    "private",
    "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch",
    "throw",
    "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}

/// Values as Swift's literals.
enum SwiftLiteral {
  static func text(_ text: String) -> String {
    let escaped = text.replacingScalars { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      case _ where scalar.properties.generalCategory.isUnseen:
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: nil
      }
    }
    return "\"\(escaped)\""
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

  /// The default of an attribute, which is of the type; nil if it is no literal of it.
  static func value(_ text: String, of type: AttributeType) -> String? {
    switch type {
    case .boolean: text == "0" ? "false" : "true"
    case .integer16, .integer32, .integer64: text
    case .float, .double: Double(text).flatMap { $0.isFinite ? String($0) : nil }
    case .string: self.text(text)
    case .decimal: decimal(text)
    case .binary, .composite, .date, .transformable, .undefined, .uri, .uuid: nil
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

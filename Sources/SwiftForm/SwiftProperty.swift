import Foundation
import JSONStream
import ObjectModel

/// A macro before a property, with its arguments: `@Attribute(indexed: true)`.
struct SwiftMark {
  let name: String
  private(set) var arguments: [String] = []

  init(_ name: String, _ arguments: [String] = []) {
    self.name = name
    self.arguments = arguments
  }

  mutating func add(_ label: String, _ value: String?) {
    if let value { arguments.append("\(label): \(value)") }
  }

  mutating func add(_ argument: String) { arguments.append(argument) }

  /// The mark, or nothing if there are no arguments.
  var ifNeeded: [SwiftMark] { arguments.isEmpty ? [] : [self] }

  /// The mark on one line.
  var text: String { arguments.isEmpty ? "@\(name)" : "@\(name)(\(arguments.joined(separator: ", ")))" }

  /// The mark, an argument a line where one line would be too long.
  func lines(width: Int) -> [String] {
    guard text.count > width else { return [text] }
    let last = arguments.count - 1
    return ["@\(name)("] + arguments.enumerated().map { "  \($1)\($0 == last ? "" : ",")" } + [")"]
  }
}

/// A stored property of a type, and what is written about it.
struct SwiftProperty {
  var name: String
  var type: String
  /// The text after the equals sign.
  var initialValue: String?
  var marks: [SwiftMark] = []
  /// Lines of a comment for those who use the property.
  var documentation: [String] = []
  var enumeration: SwiftEnumeration?

  private static let width = 100

  func lines(isPublic: Bool) -> [String] {
    let value = initialValue.map { " = \($0)" } ?? ""
    let declaration = "\(isPublic ? "public " : "")var \(SwiftNames.code(name)): \(type)\(value)"
    let line = (marks.map(\.text) + [declaration]).joined(separator: " ")
    let comment = documentation.map { $0.isEmpty ? "///" : "/// \($0)" }
    if line.count <= Self.width { return comment + [line] }
    return comment + marks.flatMap { $0.lines(width: Self.width) } + [declaration]
  }

  /// The name in the parameters of an initializer, and its default there.
  var parameter: String {
    let fallback =
      initialValue ?? (type.hasSuffix("?") ? "nil" : type.hasPrefix("ToMany<") ? "\(type)()" : nil)
    return "\(SwiftNames.code(name)): \(type)\(fallback.map { " = \($0)" } ?? "")"
  }
}

/// An attribute as a stored property.
struct SwiftAttribute {
  private let attribute: Attribute
  private let name: String
  private let isIdentity: Bool
  private let enumeration: SwiftEnumeration?
  var isIndexed = false
  var isUnique = false
  var isVersion = false
  /// Whether `@Identity` is written.
  var isMarked = false
  private(set) var remarks: [String] = []

  /// - Parameter taken: Whether a type of the code around it has a name.
  init(_ attribute: Attribute, name: String, isIdentity: Bool, taken: (String) -> Bool) {
    self.attribute = attribute
    self.name = name
    self.isIdentity = isIdentity
    enumeration = SwiftEnumeration(attribute, property: name, taken: taken)
  }

  /// Nil if the type leaves it out.
  mutating func property() -> SwiftProperty? {
    guard let type = enumeration.map({ SwiftNames.code($0.name) }) ?? plainType else { return nil }
    if attribute.isTransient {
      remarks.append("it is not stored, so the type leaves it out")
      return nil
    }
    let isOptional = attribute.isOptional && !isIdentity
    if attribute.isOptional, isIdentity {
      remarks.append("it identifies objects, so it is not optional in Swift")
    }
    var property = SwiftProperty(name: name, type: type + (isOptional ? "?" : ""))
    property.enumeration = enumeration
    property.initialValue = initialValue()
    property.documentation = SwiftAnnotations.documentation(attribute.userInfo)
    property.marks = marks()
    remarkOnAnnotations()
    return property
  }

  private var plainType: String? {
    mutating get {
      switch attribute.type {
      case .boolean: return "Bool"
      case .integer16: return "Int16"
      case .integer32: return "Int32"
      case .integer64: return "Int"
      case .float: return "Float"
      case .double: return "Double"
      case .decimal: return "Decimal"
      case .string: return "String"
      case .date: return "Date"
      case .uuid: return "UUID"
      case .uri: return "URL"
      case .binary: return "Data"
      case .transformable: return SwiftJSONText.name
      case .composite(let composite):
        remarks.append("it is of the composite type \(composite), so the type leaves it out")
        return nil
      case .undefined:
        remarks.append("it has no type, so the type leaves it out")
        return nil
      }
    }
  }

  private mutating func initialValue() -> String? {
    guard let text = defaultText else { return nil }
    let literal: String?
    if let enumeration {
      literal =
        attribute.annotations.defaultValue.flatMap(enumeration.member)
        ?? attribute.defaultValue.flatMap(enumeration.member)
    } else {
      literal = SwiftLiteral.value(text, of: attribute.type)
    }
    if literal == nil {
      let isNumber = [.boolean, .integer16, .integer32, .integer64, .float, .double].contains(attribute.type)
      remarks.append("its default, \(isNumber ? text : "“\(text)”"), is no literal of Swift's")
    }
    return literal
  }

  /// The text of the default; nil if there is none that the type has.
  private var defaultText: String? {
    if attribute.type == .date {
      return attribute.annotations.defaultValue
        ?? attribute.defaultDate.map { seconds in
          // Foundation writes moments of the years about ours only.
          guard abs(seconds) < 1e11 else { return String(seconds) }
          return Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
        }
    }
    guard let text = attribute.annotations.defaultValue ?? attribute.defaultValue else { return nil }
    switch attribute.type {
    case .boolean, .integer16, .integer32, .integer64: return Attribute.integer(text).map { String($0) }
    case .float, .double: return Double(text).map { String($0) }
    case .decimal: return Double(text) == nil ? nil : Decimal(string: text)?.description
    case .uuid: return UUID(uuidString: text)?.uuidString.lowercased()
    case .string, .uri, .transformable, .undefined: return text
    case .binary, .composite, .date: return nil
    }
  }

  private mutating func marks() -> [SwiftMark] {
    var marks: [SwiftMark] = []
    if isMarked { marks.append(SwiftMark("Identity")) }
    if isVersion { marks.append(SwiftMark("Version")) }
    marks += SwiftAnnotations.keys(attribute.annotations)
    return marks + attributeMark().ifNeeded
  }

  private mutating func attributeMark() -> SwiftMark {
    var mark = SwiftMark("Attribute")
    if name != attribute.name { mark.add("name", SwiftLiteral.text(attribute.name)) }
    if isIndexed { mark.add("indexed", "true") }
    if let unknown = attribute.annotations.unknown {
      if let enumeration, let member = enumeration.member(unknown) {
        // This form of the macro takes few arguments.
        mark.add("unknown", SwiftNames.code(enumeration.name) + member)
        mark.add("renamedFrom", attribute.renamingIdentifier.map(SwiftLiteral.text))
        remarkOnWhatUnknownExcludes()
        return mark
      }
      remarks.append("the value for unknown ones, “\(unknown)”, is no case of an enumeration")
    }
    if attribute.annotations.isSearched { mark.add("search", "true") }
    if isUnique { mark.add("unique", "true") }
    mark.add("minimum", bound(attribute.minimum, "minimum"))
    mark.add("maximum", bound(attribute.maximum, "maximum"))
    mark.add("pattern", attribute.pattern.map(SwiftLiteral.pattern))
    mark.add("dateFormat", attribute.annotations.dateFormat.map(SwiftLiteral.text))
    mark.add("transformers", SwiftAnnotations.transformers(attribute.annotations))
    if !attribute.annotations.isExported, !attribute.annotations.isIgnored { mark.add("exported", "false") }
    mark.add("renamedFrom", attribute.renamingIdentifier.map(SwiftLiteral.text))
    return mark
  }

  private mutating func bound(_ text: String?, _ label: String) -> String? {
    guard let text else { return nil }
    let literal = SwiftLiteral.bound(text)
    if literal == nil { remarks.append("its \(label), \(text), is no exact Double") }
    return literal
  }

  private mutating func remarkOnWhatUnknownExcludes() {
    let annotations = attribute.annotations
    let others: [(String, Bool)] = [
      ("search", annotations.isSearched), ("unique", isUnique), ("minimum", attribute.minimum != nil),
      ("maximum", attribute.maximum != nil), ("pattern", attribute.pattern != nil),
      ("transformers", !annotations.transformers.isEmpty), ("exported", !annotations.isExported),
    ]
    for (word, isThere) in others where isThere {
      remarks.append("\(word) cannot be said beside a case for unknown values")
    }
  }

  private mutating func remarkOnAnnotations() {
    let known = [
      "broker.identity", "broker.key", "broker.key.*", "broker.default", "broker.dateFormat",
      "broker.transformer",
      "broker.exported", "broker.unknown", "broker.search",
    ]
    let values = enumeration == nil ? [] : ["broker.values"]
    remarks += SwiftAnnotations.unsaid(attribute.userInfo, besides: known + values)
    if let derivation = attribute.derivation { remarks.append("it is derived from \(derivation)") }
  }
}

/// A relationship as a stored property.
struct SwiftRelationship {
  private let relationship: Relationship
  private let name: String
  private let target: String
  var isIdentity = false
  var inverse = SwiftInverses.Form.none
  private(set) var remarks: [String] = []

  /// - Parameter target: The type that it leads to.
  init(_ relationship: Relationship, name: String, target: String) {
    self.relationship = relationship
    self.name = name
    self.target = SwiftNames.code(target)
  }

  /// Nil if the type leaves it out.
  mutating func property() -> SwiftProperty? {
    if relationship.isTransient {
      remarks.append("it is not stored, so the type leaves it out")
      return nil
    }
    let isOptional = relationship.isOptional && !isIdentity
    let type = relationship.isToMany ? "ToMany<\(target)>" : "ToOne<\(target)>\(isOptional ? "?" : "")"
    var property = SwiftProperty(name: name, type: type)
    property.documentation = SwiftAnnotations.documentation(relationship.userInfo)
    if isIdentity { property.marks.append(SwiftMark("Identity")) }
    property.marks += SwiftAnnotations.keys(relationship.annotations)
    property.marks += mark().ifNeeded
    remarks += SwiftAnnotations.unsaid(
      relationship.userInfo, besides: ["broker.key", "broker.key.*", "broker.transformer", "broker.identity"])
    return property
  }

  private mutating func mark() -> SwiftMark {
    var mark = SwiftMark("Relationship")
    if name != relationship.name { mark.add("name", SwiftLiteral.text(relationship.name)) }
    switch inverse {
    case .named(let text): mark.add("inverse", text)
    case .found: break
    case .none: mark.add("inverse", "nil")
    case .unsayable(let message):
      mark.add("inverse", "nil")
      remarks.append(message)
    }
    if relationship.deleteRule != .nullify { mark.add("deleteRule", ".\(relationship.deleteRule.rawValue)") }
    if relationship.isToMany {
      if relationship.isOrdered { mark.add("ordered", "true") }
      addCounts(to: &mark)
    }
    mark.add("transformers", SwiftAnnotations.transformers(relationship.annotations))
    mark.add("renamedFrom", relationship.renamingIdentifier.map(SwiftLiteral.text))
    return mark
  }

  private mutating func addCounts(to mark: inout SwiftMark) {
    let least = relationship.leastCount
    if !relationship.isOptional {
      if least > 0 { mark.add("minimum", String(least)) }
    } else if least > 0 {
      remarks.append("it is optional and has \(least) objects at least; the type allows any number")
    }
    if let most = relationship.maximumCount, most > 0 { mark.add("maximum", String(most)) }
  }
}

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
